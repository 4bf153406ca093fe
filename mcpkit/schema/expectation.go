package schema

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/mcpkit-go/agentmcp/envelope"
)

const (
	maxMembers = 10  // of an enum that a sentence names
	maxPattern = 200 // characters of a pattern that a sentence shows
)

// expectation says what the schema wants where f was found: a predicate for
// [predicate], and its form for programs.
func (f finding) expectation() (what string, allowed any) {
	if f.unknown() {
		known := knownNames(f.schema)
		what = "is not a known name"
		if near, _ := nearest(f.name, known); near != "" {
			what += "; the nearest is " + quoteName(near)
		}
		if known == nil {
			known = []string{}
		}
		return what, known
	}
	s := f.schema
	if s == nil {
		s = &jsonschema.Schema{}
	}
	switch k := f.kind.(type) {
	case *kind.Type:
		if s.Enum != nil {
			return "must be " + oneOfTypes(k.Want) + ": one of " + members(s.Enum.Values), slices.Clone(s.Enum.Values)
		}
		if len(k.Want) == 1 {
			return "must be " + oneOfTypes(k.Want), map[string]any{"type": k.Want[0]}
		}
		return "must be " + oneOfTypes(k.Want), map[string]any{"type": slices.Clone(k.Want)}
	case *kind.Enum:
		return "must be one of " + members(k.Want), slices.Clone(k.Want)
	case *kind.Const:
		return "must be " + members([]any{k.Want}), []any{k.Want}
	case *kind.Required:
		return "is required and missing", nil
	case *kind.DependentRequired:
		return "is required when " + quoteName(k.Prop) + " is given", nil
	case *kind.Dependency:
		return "is required when " + quoteName(k.Prop) + " is given", nil
	case *kind.PropertyNames:
		if n := f.nameRules(); n != nil {
			return "is not a valid name here", n
		}
		return "is not a valid name here", nil
	case *kind.Minimum, *kind.Maximum, *kind.ExclusiveMinimum, *kind.ExclusiveMaximum:
		return bounds("must be", "", []bound{
			{"minimum", "at least", ratNumber(s.Minimum)}, {"exclusiveMinimum", "greater than", ratNumber(s.ExclusiveMinimum)},
			{"maximum", "at most", ratNumber(s.Maximum)}, {"exclusiveMaximum", "less than", ratNumber(s.ExclusiveMaximum)},
		})
	case *kind.MinLength, *kind.MaxLength:
		return bounds("must have", "character", []bound{
			{"minLength", "at least", countNumber(s.MinLength)}, {"maxLength", "at most", countNumber(s.MaxLength)}})
	case *kind.MinItems, *kind.MaxItems:
		return bounds("must have", "element", []bound{
			{"minItems", "at least", countNumber(s.MinItems)}, {"maxItems", "at most", countNumber(s.MaxItems)}})
	case *kind.MinProperties, *kind.MaxProperties:
		return bounds("must have", "property", []bound{
			{"minProperties", "at least", countNumber(s.MinProperties)}, {"maxProperties", "at most", countNumber(s.MaxProperties)}})
	case *kind.MultipleOf:
		n := ratNumber(k.Want)
		return "must be a multiple of " + string(n), map[string]any{"multipleOf": n}
	case *kind.Pattern:
		return "must match the pattern " + cutText(envelope.Escape(k.Want), maxPattern), map[string]any{"pattern": k.Want}
	case *kind.Format:
		return "must be " + formatText(k.Want), map[string]any{"format": k.Want}
	case *kind.ContentEncoding:
		return "must be encoded as " + showName(k.Want), map[string]any{"contentEncoding": k.Want}
	case *kind.UniqueItems:
		return "must not repeat an element; those at index " + strconv.Itoa(k.Duplicates[0]) + " and " + strconv.Itoa(k.Duplicates[1]) + " are equal",
			map[string]any{"uniqueItems": true}
	case *kind.AnyOf:
		return "must match at least one of the " + alternatives(s.AnyOf), nil
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			return "must match only one of the " + alternatives(s.OneOf) + ", and matches more", nil
		}
		return "must match one of the " + alternatives(s.OneOf), nil
	case *kind.Not:
		return "has a form that the schema excludes", nil
	case *kind.Contains, *kind.MinContains:
		return "must contain more elements of the form that the schema asks for", nil
	case *kind.MaxContains:
		return "must contain fewer elements of the form that the schema limits", nil
	case *kind.FalseSchema:
		return "must not be given", nil
	case *kind.AdditionalItems:
		return "must have " + strconv.Itoa(k.Count) + " fewer elements", nil
	}
	return "does not match the schema", nil
}

// nameRules returns the pattern that property names must match, if that is
// what the schema says of them.
func (f finding) nameRules() map[string]any {
	if f.schema == nil {
		return nil
	}
	for _, ext := range f.schema.Extensions {
		if check, ok := ext.(nameCheck); ok && check.names.Pattern != nil {
			return map[string]any{"pattern": check.names.Pattern.String()}
		}
	}
	return nil
}

var typePhrases = map[string]string{
	"null": "null", "boolean": "a boolean", "integer": "an integer", "number": "a number",
	"string": "a string", "array": "an array", "object": "an object",
}

func oneOfTypes(names []string) string {
	phrases := make([]string, len(names))
	for i, name := range names {
		phrases[i] = typePhrases[name]
	}
	return strings.Join(phrases, " or ")
}

// members lists the values of an enum, which are published.
func members(values []any) string {
	var out []string
	for _, v := range values[:min(len(values), maxMembers)] {
		if s, ok := v.(string); ok {
			out = append(out, quoteName(s))
			continue
		}
		raw, err := Marshal(v)
		if err != nil {
			raw = []byte("a value of the schema")
		}
		out = append(out, showName(string(raw)))
	}
	list := strings.Join(out, ", ")
	if more := len(values) - len(out); more > 0 {
		list += " and " + strconv.Itoa(more) + " more"
	}
	return list
}

// A bound is a keyword that limits a number or a count; value is "" if it is
// not given.
type bound struct {
	keyword, phrase string
	value           json.Number
}

// bounds joins the bounds that are given: one may be broken, but the next
// attempt has to keep all.
func bounds(verb, unit string, list []bound) (what string, allowed any) {
	var phrases []string
	keywords := map[string]any{}
	last := ""
	for _, b := range list {
		if b.value != "" {
			phrases = append(phrases, b.phrase+" "+string(b.value))
			keywords[b.keyword] = b.value
			last = string(b.value)
		}
	}
	what = verb + " " + strings.Join(phrases, " and ")
	switch {
	case unit == "":
	case last == "1":
		what += " " + unit
	case unit == "property":
		what += " properties"
	default:
		what += " " + unit + "s"
	}
	return what, keywords
}

func countNumber(n *int) json.Number {
	if n == nil {
		return ""
	}
	return json.Number(strconv.Itoa(*n))
}

// ratNumber spells a bound of a schema, which has a finite decimal form.
func ratNumber(r *big.Rat) json.Number {
	switch {
	case r == nil:
		return ""
	case r.IsInt():
		return json.Number(r.Num().String())
	}
	digits, _ := r.FloatPrec()
	return json.Number(r.FloatString(digits))
}

var formatPhrases = map[string]string{
	"date-time": "a date and time of RFC 3339, such as 2006-01-02T15:04:05Z",
	"date":      "a date of RFC 3339, such as 2006-01-02",
	"time":      "a time of RFC 3339, such as 15:04:05Z",
	"duration":  "a duration of ISO 8601, such as P3DT4H",
	"email":     "an e-mail address",
	"uri":       "an absolute URI, such as https://example.com/a",
	"uuid":      "a UUID of 32 hexadecimal digits in groups of 8-4-4-4-12",
	"ipv4":      "an IPv4 address",
	"ipv6":      "an IPv6 address",
	"hostname":  "a host name",
}

func formatText(name string) string {
	if phrase, ok := formatPhrases[name]; ok {
		return phrase
	}
	return "of the format " + showName(name)
}

// alternatives counts the branches of a union, and names their types if each
// has some.
func alternatives(branches []*jsonschema.Schema) string {
	text := strconv.Itoa(len(branches)) + " alternatives"
	var types []string
	for _, s := range branches {
		if s.Types == nil || s.Types.IsEmpty() {
			return text
		}
		types = append(types, s.Types.ToStrings()...)
	}
	slices.Sort(types)
	return text + " (" + oneOfTypes(slices.Compact(types)) + ")"
}
