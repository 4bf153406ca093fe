package envelope

import (
	"strings"
	"time"
)

// MaxRetryAfter is the longest delay that [ParseRetryAfter] returns.
const MaxRetryAfter = 24 * time.Hour

// ParseRetryAfter reads the value of a Retry-After header (RFC 9110 section
// 10.2.3), or of an X-RateLimit-Reset one, in every form that servers send:
//
//   - seconds, "120", also with a fraction, "1.5"
//   - an HTTP date (RFC 9110 section 5.6.7): "Sat, 25 Jul 2026 12:05:00 GMT",
//     "Saturday, 25-Jul-26 12:05:00 GMT" or "Sat Jul 25 12:05:00 2026"
//   - Unix time in seconds (a number of 10 digits or more) or in milliseconds
//     (12 digits or more)
//
// Moments are counted from now; one in the past gives 0. The delay is at most
// [MaxRetryAfter]. Anything else (empty, negative, out of range, garbage) gives
// false, and no value is invented for it.
func ParseRetryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.Trim(value, " \t")
	if n, ok := parseDecimal(value); ok {
		return n.delay(now)
	}
	when, ok := parseHTTPDate(value, now)
	if !ok {
		return 0, false
	}
	return between(when, now), true
}

// between returns the time from now to when, within 0 and MaxRetryAfter.
func between(when, now time.Time) time.Duration {
	return min(max(when.Sub(now), 0), MaxRetryAfter)
}

// decimal is an unsigned number: a whole part below 10^15, and billionths.
type decimal struct{ whole, nanos int64 }

func (d decimal) delay(now time.Time) (time.Duration, bool) {
	const (
		unixSeconds = 1_000_000_000       // 2001; as a delay it would be 31 years
		unixMillis  = 100_000_000_000     // 1973; as seconds it would be the year 5138
		beyond      = 100_000_000_000_000 // the year 5138 in milliseconds
	)
	switch {
	case d.whole >= beyond:
		return 0, false
	case d.whole >= unixMillis:
		return between(time.UnixMilli(d.whole), now), true
	case d.whole >= unixSeconds:
		return between(time.Unix(d.whole, d.nanos), now), true
	case d.whole >= int64(MaxRetryAfter/time.Second):
		return MaxRetryAfter, true
	}
	return time.Duration(d.whole)*time.Second + time.Duration(d.nanos), true
}

// parseDecimal reads digits with an optional fraction: no sign, no exponent.
func parseDecimal(s string) (decimal, bool) {
	whole, fraction, dotted := strings.Cut(s, ".")
	if !isDigits(whole) || dotted && !isDigits(fraction) {
		return decimal{}, false
	}
	whole = strings.TrimLeft(whole, "0")
	if len(whole) > 15 {
		whole = whole[:16] // out of range for sure, and does not overflow
	}
	fraction = (fraction + "000000000")[:9]
	return decimal{digits(whole), digits(fraction)}, true
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func digits(s string) (n int64) {
	for _, c := range []byte(s) {
		n = n*10 + int64(c-'0')
	}
	return n
}

func parseHTTPDate(s string, now time.Time) (time.Time, bool) {
	for _, layout := range []string{"Mon, 02 Jan 2006 15:04:05 GMT", time.ANSIC} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	t, err := time.Parse("Monday, 02-Jan-06 15:04:05 GMT", s)
	if err != nil {
		return time.Time{}, false
	}
	// A year of two digits is the one at most 50 years ahead of now.
	century := now.UTC().Year() / 100 * 100
	for year := century + 100 + t.Year()%100; ; year -= 100 {
		guess := time.Date(year, t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC)
		if !guess.After(now.AddDate(50, 0, 0)) {
			return guess, true
		}
	}
}
