package schema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcpkit-go/agentmcp/envelope"
)

// A Violation is one way in which a value breaks its schema. It has the fields
// of [envelope.Violation] and converts to it.
type Violation struct {
	// Field is the dotted path of property names to the value, without list
	// indices, as in a schema: "issues.title". It is "arguments" for the whole
	// value. A missing or unknown property is named itself. A name is from
	// outside: each is escaped to one line and cut to 64 characters.
	Field string
	// Pointer is the RFC 6901 JSON Pointer to the value, "" for the whole; for
	// a missing property, to where it would be. Names are escaped and cut as
	// in Field, so it does not resolve where they were.
	Pointer string
	// Rule is the keyword of the schema that is broken ("type", "required",
	// "additionalProperties", "maximum", …), or one of the rules of strict
	// reading, see [Document.Read].
	Rule string
	// Reason is a sentence that says what is expected. It never contains the
	// value that was received.
	Reason string
	// Allowed is a JSON value that says the same to a program, or nil: the
	// members of an enum; for an unknown property the known names, sorted; for
	// the others keywords of the schema, such as {"minimum":1,"maximum":100}.
	Allowed any
}

// wholeValue is the Field of a violation by the value as a whole.
const wholeValue = "arguments"

// maxNameLength is the number of characters that are shown of a name.
const maxNameLength = 64

// showName writes a name from outside on one line, not too long.
func showName(name string) string {
	if len(name) <= maxNameLength && isPlain(name) {
		return name
	}
	if len(name) > 8*maxNameLength {
		name = strings.ToValidUTF8(name[:8*maxNameLength], "")
	}
	return cutText(envelope.Escape(name), maxNameLength)
}

// isPlain reports whether name is letters, digits and a few marks, all ASCII.
func isPlain(name string) bool {
	for _, c := range []byte(name) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.') {
			return false
		}
	}
	return true
}

// cutText cuts s to so many characters, the last of which is then an ellipsis.
func cutText(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	for i := range s {
		if limit--; limit == 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// quoteName is showName in quotes.
func quoteName(name string) string {
	return `"` + strings.ReplaceAll(showName(name), `"`, `\"`) + `"`
}

// predicate makes the violation at path whose reason is what: a predicate such
// as "must be an integer". Elements of lists become the subject.
func predicate(path []step, rule, what string, allowed any) Violation {
	v := Violation{Rule: rule, Allowed: allowed}
	index := ""
	for _, s := range path {
		if s.index >= 0 {
			if index != "" {
				index += ", "
			}
			at := strconv.Itoa(s.index)
			index += at
			v.Pointer += "/" + at
			continue
		}
		name := showName(s.name)
		v.Pointer += "/" + escapeToken(name)
		if name == "" {
			name = `""`
		}
		if v.Field == "" {
			v.Field = name
		} else {
			v.Field += "." + name
		}
	}
	if v.Field == "" {
		v.Field = wholeValue
	}
	switch {
	case index == "":
		v.Reason = capital(what[0]) + what[1:] + "."
	case path[len(path)-1].index >= 0:
		v.Reason = "The element at index " + index + " " + what + "."
	default:
		v.Reason = "Within the element at index " + index + ", this " + what + "."
	}
	return v
}

// capital returns the letter c as a capital.
func capital(c byte) string {
	if 'a' <= c && c <= 'z' {
		c -= 'a' - 'A'
	}
	return string(rune(c))
}

func escapeToken(name string) string {
	if strings.ContainsAny(name, "~/") {
		name = strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
	}
	return name
}

// sortViolations sorts list by pointer and rule, keeps one of each, and at most
// maxViolations.
func sortViolations(list []Violation) []Violation {
	slices.SortFunc(list, func(a, b Violation) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Reason, b.Reason))
	})
	list = slices.CompactFunc(list, func(a, b Violation) bool { return a.Pointer == b.Pointer && a.Rule == b.Rule })
	return slices.Clip(list[:min(len(list), maxViolations)])
}
