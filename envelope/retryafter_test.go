package envelope_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/envelope"
)

func TestParseRetryAfter(t *testing.T) {
	now := time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC)
	unix := func(d time.Duration) string { return strconv.FormatInt(now.Add(d).Unix(), 10) }
	millis := func(d time.Duration) string { return strconv.FormatInt(now.Add(d).UnixMilli(), 10) }
	const day = envelope.MaxRetryAfter
	tests := []struct {
		name, value string
		want        time.Duration
		ok          bool
	}{
		{"seconds", "120", 2 * time.Minute, true},
		{"zero", "0", 0, true},
		{"white space", " \t30 ", 30 * time.Second, true},
		{"leading zeros", "00000000000000000000030", 30 * time.Second, true},
		{"fraction", "1.5", 1500 * time.Millisecond, true},
		{"fine fraction", "0.0000000019", time.Nanosecond, true},
		{"a day", "86400", day, true},
		{"more than a day", "86401", day, true},
		{"almost an epoch", "999999999", day, true},

		// public fault 43: the three HTTP dates, the past, and no value invented.
		{"IMF-fixdate", "Sat, 25 Jul 2026 12:05:00 GMT", 5 * time.Minute, true},
		{"RFC 850", "Saturday, 25-Jul-26 12:05:00 GMT", 5 * time.Minute, true},
		{"asctime", "Sat Jul 25 12:05:00 2026", 5 * time.Minute, true},
		{"asctime, day of one digit", "Sat Jul  4 12:05:00 2026", 0, true},
		{"RFC 850 of the last century", "Sunday, 06-Nov-94 08:49:37 GMT", 0, true},
		{"RFC 850 within fifty years", "Friday, 25-Jul-70 12:05:00 GMT", day, true},
		{"past date", "Sat, 25 Jul 2026 11:59:59 GMT", 0, true},
		{"far date", "Wed, 21 Oct 2065 07:28:00 GMT", day, true},
		{"last date", "Fri, 31 Dec 9999 23:59:59 GMT", day, true},
		{"first date", "Mon, 01 Jan 0001 00:00:00 GMT", 0, true},
		{"other zone", "Sat, 25 Jul 2026 12:05:00 PST", 0, false},
		{"negative", "-1", 0, false},
		{"negative zero", "-0", 0, false},

		// public fault 44: epochs are moments, never delays of decades.
		{"epoch seconds", unix(540 * time.Second), 540 * time.Second, true},
		{"epoch seconds with fraction", unix(540*time.Second) + ".25", 540*time.Second + 250*time.Millisecond, true},
		{"epoch milliseconds", millis(540*time.Second + 7*time.Millisecond), 540*time.Second + 7*time.Millisecond, true},
		{"past epoch seconds", unix(-time.Hour), 0, true},
		{"past epoch milliseconds", millis(-time.Hour), 0, true},
		{"far epoch seconds", unix(30 * day), day, true},
		{"far epoch milliseconds", millis(30 * day), day, true},
		{"epoch microseconds", millis(0) + "000", 0, false},
		{"epoch nanoseconds", millis(0) + "000000", 0, false},
		{"overflow", "99999999999999999999999999999999", 0, false},

		{"empty", "", 0, false},
		{"word", "soon", 0, false},
		{"unit", "30s", 0, false},
		{"plus", "+30", 0, false},
		{"exponent", "1e3", 0, false},
		{"hexadecimal", "0x10", 0, false},
		{"underscore", "1_000", 0, false},
		{"no fraction", "1.", 0, false},
		{"no whole part", ".5", 0, false},
		{"two points", "1.2.3", 0, false},
		{"not a number", "NaN", 0, false},
		{"infinite", "Inf", 0, false},
		{"list", "30, 60", 0, false},
		{"other digits", "３０", 0, false},
		{"impossible date", "Sat, 31 Feb 2026 12:05:00 GMT", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := envelope.ParseRetryAfter(tt.value, now)
			if got != tt.want || ok != tt.ok {
				t.Errorf("ParseRetryAfter(%q) = %v, %t, want %v, %t", tt.value, got, ok, tt.want, tt.ok)
			}
		})
	}
}

// public fault 44, as reported.
func TestParseRetryAfterReportedEpoch(t *testing.T) {
	now := time.Unix(1771404000, 0)
	for _, value := range []string{"1771404540", "1771404540000"} {
		if got, ok := envelope.ParseRetryAfter(value, now); got != 540*time.Second || !ok {
			t.Errorf("ParseRetryAfter(%q) = %v, %t, want 9m0s, true", value, got, ok)
		}
	}
}

// A date of two digits is within fifty years of any now, whatever its zone.
func TestParseRetryAfterCentury(t *testing.T) {
	tests := []struct {
		name  string
		now   time.Time
		value string
		want  time.Duration
	}{
		{"this century", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), "Thursday, 01-Jan-26 00:01:00 GMT", time.Minute},
		{"next century", time.Date(2099, 12, 31, 23, 59, 30, 0, time.UTC), "Friday, 01-Jan-00 00:00:00 GMT", 30 * time.Second},
		{"last century", time.Date(2101, 1, 1, 0, 0, 0, 0, time.UTC), "Friday, 31-Dec-99 00:00:00 GMT", 0},
		{"another zone", time.Date(2026, 1, 1, 5, 0, 0, 0, time.FixedZone("", 5*3600)), "Thursday, 01-Jan-26 00:01:00 GMT", time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := envelope.ParseRetryAfter(tt.value, tt.now); got != tt.want || !ok {
				t.Errorf("ParseRetryAfter = %v, %t, want %v, true", got, ok, tt.want)
			}
		})
	}
}

// public faults 45 and 47: a limit is rate_limited with the delay that the
// upstream gave, or with none invented; a refusal of permission is not
// retryable. How a backend tells them apart is its own affair; these are the
// shapes that it returns.
func TestRateLimitShapes(t *testing.T) {
	now := time.Date(2026, 7, 25, 12, 0, 0, 0, time.UTC)
	limited := func(header string) *envelope.Error {
		delay, ok := envelope.ParseRetryAfter(header, now)
		if !ok {
			delay = -1
		}
		return envelope.RateLimited(delay)
	}
	const head = `{"code":"rate_limited","message":"A rate limit refused the call.","temporary":true,"retry_after_ms":`
	tests := []struct {
		name string
		err  *envelope.Error
		want string
	}{
		{"secondary limit: 403, Retry-After 30, remaining 4999", limited("30").RateLimitRemaining(4999), head + `30000,"rate_limit_remaining":4999}`},
		{"primary limit: 403, remaining 0, reset", limited("1784981700").RateLimitRemaining(0), head + `900000,"rate_limit_remaining":0}`},
		{"429 with a header", limited("1.0001"), head + `1001}`},
		{"429 without headers", limited(""), head + `null}`},
		{"429 with garbage", limited("soon"), head + `null}`},
		{"bare 403", envelope.InsufficientScope("The token may not do this.", "issues:write"),
			`{"code":"insufficient_scope","message":"The token may not do this.","details":{"field":"authorization","reason":"The credential lacks a scope that this call requires.","required_scopes":["issues:write"]},"temporary":false,"retry_after_ms":null}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(tt.err.ToolJSON(envelope.Stamp{})); got != tt.want {
				t.Errorf("ToolJSON = %s, want %s", got, tt.want)
			}
		})
	}
}
