package uri

import (
	"errors"
	"slices"
	"strings"
)

// ErrNoMatch is the error for a URI that does not have the shape of the
// template, or of any template of the set.
var ErrNoMatch = errors.New("uri: no match")

// Kind says what is wrong with a URI or with values, for a program to act on.
type Kind string

// The kinds of an [Error].
const (
	Malformed Kind = "malformed" // a bad escape, a character that may not stand there, a fragment, text that is not UTF-8
	TooLong   Kind = "too_long"  // more than MaxLength bytes
	Empty     Kind = "empty"     // a path variable is empty or, for Expand, missing
	Traversal Kind = "traversal" // a separator that the variable may not have, or a segment "", "." or ".."
	Unknown   Kind = "unknown"   // a name that the template does not have; Allowed lists those it has
	Duplicate Kind = "duplicate" // a query variable is given twice
)

// Error says why a URI of the right shape, or a set of values, is refused. Its
// text names the template's variable and never anything received.
type Error struct {
	Kind Kind
	// Variable is the name in the template, "" if the fault is none's.
	Variable string
	// Allowed has, for Unknown, the names that may be given, in the template's
	// order: for Match those of the query, for Expand all. It may be empty.
	// It belongs to the receiver.
	Allowed []string
	reason  string
}

// Error returns one line with the package's name.
func (e *Error) Error() string {
	text := "uri: " + e.Reason()
	if e.Variable != "" {
		text = "uri: " + e.Variable + " " + e.Reason()
	}
	return text
}

// Reason returns the text without package and variable, such as "is given
// twice", for an error of the caller's that names the field itself.
func (e *Error) Reason() string {
	if e.Kind != Unknown {
		return e.reason
	}
	if len(e.Allowed) == 0 {
		return e.reason + "; none is allowed"
	}
	return e.reason + "; allowed: " + strings.Join(e.Allowed, ", ")
}

func unknown(what string, allowed []string) error {
	return &Error{Kind: Unknown, Allowed: slices.Clone(allowed), reason: "unknown " + what}
}
