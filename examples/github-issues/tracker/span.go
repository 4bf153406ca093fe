package tracker

import (
	"strconv"
	"strings"
	"time"
)

// span compiles comparisons and ranges over a number of a record, which may be
// missing. The reader turns a value into what it covers, first to end, end
// excluded: a date covers a day.
func span(qualifier string, read func(string) (first, end int64, ok bool), of func(*record) (int64, bool)) func(*compiler, string) (predicate, error) {
	return func(_ *compiler, value string) (predicate, error) {
		inside, ok := compare(value, read)
		if !ok {
			return nil, refuse(qualifier, "takes a value, a value behind >, >=, < or <=, or a range A..B; values are numbers for comments and dates or RFC 3339 times otherwise")
		}
		return func(r *record) bool {
			n, ok := of(r)
			return ok && inside(n)
		}, nil
	}
}

func compare(value string, read func(string) (int64, int64, bool)) (func(int64) bool, bool) {
	if from, to, isRange := strings.Cut(value, ".."); isRange {
		first, _, ok1 := read(from)
		_, end, ok2 := read(to)
		ok1, ok2 = ok1 || from == "*", ok2 || to == "*"
		return func(n int64) bool { return (from == "*" || n >= first) && (to == "*" || n < end) }, ok1 && ok2
	}
	digits := strings.TrimLeft(value, "<>=")
	first, end, ok := read(digits)
	switch value[:len(value)-len(digits)] {
	case "":
		return func(n int64) bool { return n >= first && n < end }, ok
	case ">":
		return func(n int64) bool { return n >= end }, ok
	case ">=":
		return func(n int64) bool { return n >= first }, ok
	case "<":
		return func(n int64) bool { return n < first }, ok
	case "<=":
		return func(n int64) bool { return n < end }, ok
	}
	return nil, false
}

func when(value string) (first, end int64, ok bool) {
	if day, err := time.Parse(time.DateOnly, value); err == nil {
		return day.Unix(), day.AddDate(0, 0, 1).Unix(), true
	}
	at, err := time.Parse(time.RFC3339, value)
	return at.Unix(), at.Unix() + 1, err == nil
}

func count(value string) (first, end int64, ok bool) {
	n, err := strconv.ParseInt(value, 10, 32)
	return n, n + 1, err == nil
}

func closedAt(r *record) (int64, bool) {
	if r.issue.ClosedAt == nil {
		return 0, false
	}
	return r.issue.ClosedAt.Unix(), true
}
