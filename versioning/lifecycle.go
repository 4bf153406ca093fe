package versioning

import (
	"errors"
	"fmt"
	"regexp"
	"time"
)

// Stability is how much of a capability may change without notice. Being
// deprecated is not a stability: see [Deprecation].
type Stability string

// The three tiers.
const (
	Stable       Stability = "stable"       // changes only compatibly, or after a deprecation
	Preview      Stability = "preview"      // complete, and may still change incompatibly
	Experimental Stability = "experimental" // may change or vanish at any time
)

// Valid reports whether s is one of the three tiers.
func (s Stability) Valid() bool {
	return s == Stable || s == Preview || s == Experimental
}

// A Lifecycle is the marker of one tool, resource, template or prompt, for
// _meta under "<reverse-dns>/lifecycle". The zero value marks nothing.
type Lifecycle struct {
	Stability   Stability    `json:"stability,omitempty"`
	Deprecation *Deprecation `json:"deprecation,omitempty"` // nil: not deprecated
}

// A Deprecation announces a removal. Its JSON object always has exactly these
// four members.
type Deprecation struct {
	// Since is when the capability became deprecated: an RFC 3339 full-date
	// such as "2026-07-28", or a date-time such as "2026-07-28T12:00:00Z".
	Since string `json:"since"`
	// RemovalAtOrAfter is the earliest time of the removal, in the same form
	// and not before Since.
	RemovalAtOrAfter string `json:"removal_at_or_after"`
	// ReplacedBy is the identifier of what to use instead, of the same kind
	// (the name of a tool for a tool, a URI for a resource); nil, in JSON null,
	// if there is nothing.
	ReplacedBy *string `json:"replaced_by"`
	// Migration says how to move, in a sentence. It is never empty: where there
	// is no replacement it says what to do without one.
	Migration string `json:"migration"`
}

// Validate returns nil or one error that joins all faults, each naming its
// field by its JSON name: a stability that is none of the three tiers (it may
// be absent), and whatever [Deprecation.Validate] finds.
func (l Lifecycle) Validate() error {
	var faults []error
	if l.Stability != "" && !l.Stability.Valid() {
		faults = append(faults, errors.New("versioning: stability: must be stable, preview or experimental"))
	}
	if l.Deprecation != nil {
		faults = append(faults, l.Deprecation.Validate())
	}
	return errors.Join(faults...)
}

// Validate returns nil or one error that joins all faults, each naming its
// field: a time that is not RFC 3339, a removal before since (on the same day
// if one of them is a date without time is not before), a replacement that is
// empty instead of nil, no migration.
func (d Deprecation) Validate() error {
	var faults []error
	fault := func(field, reason string) {
		faults = append(faults, fmt.Errorf("versioning: deprecation.%s: %s", field, reason))
	}
	const form = "must be an RFC 3339 date such as 2026-07-28, or date-time such as 2026-07-28T12:00:00Z"
	since, sinceDay, sinceOK := parseWhen(d.Since)
	if !sinceOK {
		fault("since", form)
	}
	removal, removalDay, removalOK := parseWhen(d.RemovalAtOrAfter)
	switch {
	case !removalOK:
		fault("removal_at_or_after", form)
	case !sinceOK:
	default:
		if sinceDay || removalDay {
			since, removal = day(since), day(removal)
		}
		if removal.Before(since) {
			fault("removal_at_or_after", "must not be before since")
		}
	}
	if d.ReplacedBy != nil && *d.ReplacedBy == "" {
		fault("replaced_by", "must be an identifier or null")
	}
	if d.Migration == "" {
		fault("migration", "must say what to do instead")
	}
	return errors.Join(faults...)
}

// dateTime is RFC 3339's, in capitals. time.Parse alone takes more.
var dateTime = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// parseWhen reads a full-date or a date-time and says which it was.
func parseWhen(s string) (t time.Time, isDay, ok bool) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, true, true
	}
	t, err := time.Parse(time.RFC3339, s)
	return t, false, err == nil && dateTime.MatchString(s)
}

func day(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}
