package versioning_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpkit-go/agentmcp/versioning"
)

func TestStability(t *testing.T) {
	for s, want := range map[versioning.Stability]bool{
		versioning.Stable: true, versioning.Preview: true, versioning.Experimental: true,
		"": false, "deprecated": false, "Stable": false, "beta": false,
	} {
		if got := s.Valid(); got != want {
			t.Errorf("%q is valid: %v", s, got)
		}
	}
}

func TestLifecycleOnTheWire(t *testing.T) {
	successor := "box_list_things"
	for want, l := range map[string]versioning.Lifecycle{
		`{}`:                      {},
		`{"stability":"preview"}`: {Stability: versioning.Preview},
		`{"stability":"stable","deprecation":{"since":"2026-07-28","removal_at_or_after":"2027-01-28","replaced_by":"box_list_things","migration":"Call box_list_things."}}`: {
			Stability:   versioning.Stable,
			Deprecation: &versioning.Deprecation{Since: "2026-07-28", RemovalAtOrAfter: "2027-01-28", ReplacedBy: &successor, Migration: "Call box_list_things."},
		},
		`{"deprecation":{"since":"2026-07-28","removal_at_or_after":"2027-01-28","replaced_by":null,"migration":"Stop."}}`: {
			Deprecation: &versioning.Deprecation{Since: "2026-07-28", RemovalAtOrAfter: "2027-01-28", Migration: "Stop."},
		},
	} {
		raw, err := json.Marshal(l)
		if string(raw) != want || err != nil {
			t.Errorf("got  %s, %v\nwant %s", raw, err, want)
		}
		if err := l.Validate(); err != nil {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// public fault 114, the part of registration: a date that is none is an error
func TestValidateTimes(t *testing.T) {
	const date = "must be an RFC 3339 date such as 2026-07-28, or date-time such as 2026-07-28T12:00:00Z"
	const before = "must not be before since"
	tests := []struct {
		since, removal    string
		sinceBad, whenBad string
	}{
		{"2026-07-28", "2027-01-28", "", ""},
		{"2026-07-28", "2026-07-28", "", ""},
		{"2026-07-28T12:00:00Z", "2027-01-28T12:00:00.5+02:00", "", ""},
		{"2026-07-28T12:00:00Z", "2026-07-28T12:00:00Z", "", ""},
		{"2026-07-28T12:00:00Z", "2026-07-28T14:00:00+02:00", "", ""},
		{"2026-07-28T12:00:00Z", "2026-07-28", "", ""},
		{"2026-07-28", "2026-07-28T00:00:00Z", "", ""},
		{"2024-02-29", "2024-03-01", "", ""},
		{"2026-07-28", "2026-07-27", "", before},
		{"2026-07-28T12:00:00Z", "2026-07-28T11:59:59Z", "", before},
		{"2026-07-28T12:00:00Z", "2026-07-28T13:00:00+02:00", "", before},
		{"2026-07-28", "2026-07-28T01:00:00+02:00", "", before}, // still the 27th, in UTC
		{"2026-07-28T12:00:00Z", "2026-07-27", "", before},
		{"", "", date, date},
		{"soon", "2027-01-28", date, ""},
		{"2026-07-28", "soon", "", date},
		{"2026-07-28", "2027-1-28", "", date},
		{"2026-07-28", "2027-13-01", "", date},
		{"2023-02-29", "2027-02-30", date, date},
		{"2026-07-28", "2027-01-28T12:00:00", "", date},
		{"2026-07-28", "2027-01-28T1:00:00Z", "", date},
		{"2026-07-28", "2027-01-28T12:00:00,5Z", "", date},
		{"2026-07-28", "2027-01-28T24:00:00Z", "", date},
		{"2026-07-28", "2027-01-28 12:00:00Z", "", date},
		{"2026-07-28", "2027-01", "", date},
		{"1.2.0", "2.0.0", date, date},
		{"2026-07-28 ", "1798761600", date, date},
	}
	for _, tt := range tests {
		d := versioning.Deprecation{Since: tt.since, RemovalAtOrAfter: tt.removal, Migration: "Stop."}
		var want []string
		if tt.sinceBad != "" {
			want = append(want, "versioning: deprecation.since: "+tt.sinceBad)
		}
		if tt.whenBad != "" {
			want = append(want, "versioning: deprecation.removal_at_or_after: "+tt.whenBad)
		}
		got := ""
		if err := d.Validate(); err != nil {
			got = err.Error()
		}
		if got != strings.Join(want, "\n") {
			t.Errorf("%s to %s: got %q, want %q", tt.since, tt.removal, got, want)
		}
	}
}

func TestValidateReportsAllFaults(t *testing.T) {
	empty := ""
	l := versioning.Lifecycle{Stability: "deprecated", Deprecation: &versioning.Deprecation{Since: "now", RemovalAtOrAfter: "later", ReplacedBy: &empty}}
	const want = `versioning: stability: must be stable, preview or experimental
versioning: deprecation.since: must be an RFC 3339 date such as 2026-07-28, or date-time such as 2026-07-28T12:00:00Z
versioning: deprecation.removal_at_or_after: must be an RFC 3339 date such as 2026-07-28, or date-time such as 2026-07-28T12:00:00Z
versioning: deprecation.replaced_by: must be an identifier or null
versioning: deprecation.migration: must say what to do instead`
	if err := l.Validate(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
