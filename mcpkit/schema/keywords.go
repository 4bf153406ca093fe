package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/mcpkit-go/agentmcp/mcpkit/internal/jsonfields"
)

// formats are those of JSON Schema 2020-12 that are asserted.
var formats = []string{
	"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "iri", "iri-reference",
	"json-pointer", "relative-json-pointer", "time", "uri", "uri-reference", "uri-template", "uuid",
}

// notPortable finds what RE2 knows and ECMA-262, the dialect of JSON Schema,
// does not: flags, named groups in Python's spelling, text anchors, quotation
// and POSIX classes.
var notPortable = regexp.MustCompile(`\(\?[A-Za-z-]|\\[AzQEC]|\[\[:`)

// quoted returns the schema of a value under json's string option.
func (r *reflector) quoted(t reflect.Type) (s *jsonschema.Schema, reason string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s = &jsonschema.Schema{Type: "string"}
	c, bad := classify(t, r.dir, true)
	switch {
	case r.broken[t] || bad != "":
		extra(s).broken = true
	case c != classKind && c != classNumber:
		return s, "json's string option does not suit a type with its own JSON"
	case c == classKind && t.Kind() == reflect.String:
		return s, "json's string option quotes a string twice"
	case r.dir == Output:
	case t.Kind() == reflect.Bool:
		s.Enum = []any{json.RawMessage(`"true"`), json.RawMessage(`"false"`)}
	default:
		if pattern, ok := integerPattern(t.Kind()); ok {
			s.Pattern = pattern
		} else {
			s.Pattern = `^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`
		}
	}
	return s, ""
}

// applyKeywords applies the jsonschema tag of f to s.
func (r *reflector) applyKeywords(s *jsonschema.Schema, f jsonfields.Field, tags fieldTags, patch bool) (faults []string) {
	e := extra(s)
	t := valueType(f.Type)
	if tags.has("enum") {
		s.Enum = nil // in place of the "true" and "false" of a quoted boolean
	}
	if tags.has("exclusiveMinimum") && s.Minimum != "" {
		s.Minimum = ""
	}
	if tags.has("exclusiveMaximum") && s.Maximum != "" {
		s.Maximum = ""
	}
	for _, k := range tags.keywords {
		target := keywordTarget{s: s, t: t, quoted: f.Quoted, provided: e.rest != nil}
		if k.items {
			if s.Items == nil || s.Type != "array" {
				faults = append(faults, "keyword "+k.spelling()+" does not apply: the field is not a list")
				continue
			}
			target = keywordTarget{s: s.Items, t: valueType(t.Elem()), provided: extra(s.Items).rest != nil}
			if extra(s.Items).broken {
				continue
			}
		}
		var reason string
		switch k.name {
		case "nullable":
			reason = r.nullable(s, f, patch)
		case "default":
			if patch {
				reason = "a Patch has no default: its absence means unchanged"
				break
			}
			reason = target.apply(k)
		default:
			reason = target.apply(k)
		}
		if reason != "" {
			faults = append(faults, "keyword "+k.spelling()+": "+reason)
		}
	}
	faults = append(faults, contradictions(s, "")...)
	if s.Items != nil {
		faults = append(faults, contradictions(s.Items, itemsPrefix)...)
	}
	return faults
}

// valueType strips pointers and Patch from t.
func valueType(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if elem, ok := patchElem(t); ok {
		return valueType(elem)
	}
	return t
}

// nullable applies the keyword that allows null.
func (r *reflector) nullable(s *jsonschema.Schema, f jsonfields.Field, patch bool) (reason string) {
	e := extra(s)
	switch {
	case e.nullable:
		return ""
	case r.dir == Input:
		return "null and absence could not be told apart; use schema.Patch"
	case f.Optional():
		return "the field is left out rather than null"
	case s.Type == "":
		return "null is allowed already"
	case !reflect.PointerTo(f.Type).Implements(providerType):
		return "the field is never null; use a pointer"
	}
	e.nullable = true
	return ""
}

// A keywordTarget is the schema that keywords change.
type keywordTarget struct {
	s        *jsonschema.Schema
	t        reflect.Type // of the Go value, no pointer
	quoted   bool         // number or boolean sent as a string
	provided bool         // schema of a Provider
}

// apply sets k, and returns why it cannot.
func (kt keywordTarget) apply(k keyword) (reason string) {
	s := kt.s
	if reason := kt.applies(k.name); reason != "" {
		return reason
	}
	switch k.name {
	case "title":
		if k.value == "" {
			return "it is empty"
		}
		s.Title = k.value
	case "format":
		if !slices.Contains(formats, k.value) {
			return fmt.Sprintf("%q is not one of %s", k.value, strings.Join(formats, ", "))
		}
		if s.Format != "" && s.Format != k.value {
			return "the type already means " + s.Format
		}
		s.Format = k.value
	case "pattern":
		if s.Pattern != "" {
			return "the type already means pattern " + s.Pattern
		}
		if _, err := regexp.Compile(k.value); err != nil {
			var bad *syntax.Error
			if errors.As(err, &bad) {
				return "it does not compile: " + bad.Code.String()
			}
			return "it does not compile"
		}
		if found := notPortable.FindString(k.value); found != "" {
			return fmt.Sprintf("%q is not in the regular expressions of JSON Schema (ECMA-262)", found)
		}
		s.Pattern = k.value
	case "minLength":
		s.MinLength, reason = parseCount(k.value)
	case "maxLength":
		s.MaxLength, reason = parseCount(k.value)
	case "minItems":
		s.MinItems, reason = parseCount(k.value)
	case "maxItems":
		s.MaxItems, reason = parseCount(k.value)
	case "uniqueItems":
		s.UniqueItems = true
	case "minimum":
		s.Minimum, reason = kt.bound(k.value)
	case "maximum":
		s.Maximum, reason = kt.bound(k.value)
	case "exclusiveMinimum":
		s.ExclusiveMinimum, reason = kt.bound(k.value)
	case "exclusiveMaximum":
		s.ExclusiveMaximum, reason = kt.bound(k.value)
	case "multipleOf":
		s.MultipleOf, reason = kt.bound(k.value)
		if v := rational(s.MultipleOf); reason == "" && v.Sign() <= 0 {
			reason = "it must be greater than zero"
		}
	case "enum":
		var member json.RawMessage
		if member, reason = kt.literal(k.value); reason != "" {
			return reason
		}
		for _, m := range s.Enum {
			if raw, _ := m.(json.RawMessage); bytes.Equal(raw, member) {
				return fmt.Sprintf("%s stands twice", member)
			}
		}
		s.Enum = append(s.Enum, member)
	case "default":
		var value json.RawMessage
		if value, reason = kt.literal(k.value); reason == "" {
			s.Default = value
		}
	}
	return reason
}

// applies returns why the keyword does not suit the schema, "" if it does.
func (kt keywordTarget) applies(name string) string {
	var types []string
	switch name {
	case "title", "default":
		return ""
	case "format", "pattern", "minLength", "maxLength":
		types = []string{"string"}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		types = []string{"integer", "number"}
	case "minItems", "maxItems", "uniqueItems":
		types = []string{"array"}
	case "enum":
		types = []string{"string", "integer", "number", "boolean"}
	}
	switch {
	case kt.provided:
		return "the type states its schema itself"
	case !slices.Contains(types, kt.s.Type):
		what := "a value of any type"
		if kt.s.Type != "" {
			what = "JSON type " + kt.s.Type
		}
		return "it does not apply to " + what
	case kt.s.ContentEncoding != "" && (name == "format" || name == "pattern" || name == "enum"):
		return "it does not apply to base64"
	case kt.t.Kind() == reflect.Array && (name == "minItems" || name == "maxItems"):
		return "the array has a fixed length"
	}
	return ""
}

// literal returns the JSON of a value that stands in a tag.
func (kt keywordTarget) literal(text string) (raw json.RawMessage, reason string) {
	typ := kt.s.Type
	if kt.quoted {
		switch kt.t.Kind() {
		case reflect.Bool:
			typ = "boolean"
		case reflect.Float32, reflect.Float64, reflect.String: // a json.Number is a string
			typ = "number"
		default:
			typ = "integer"
		}
	}
	raw = json.RawMessage(text)
	switch typ {
	case "string":
		return appendString(nil, text), ""
	case "boolean":
		if text != "true" && text != "false" {
			return nil, fmt.Sprintf("%q is neither true nor false", text)
		}
	case "integer", "number":
		if _, reason = kt.number(typ, text); reason != "" {
			return nil, reason
		}
	default:
		if !json.Valid(raw) {
			return nil, fmt.Sprintf("%q is not JSON, which a value of this type needs to be", text)
		}
		raw = compact(raw)
	}
	if kt.quoted {
		return appendString(nil, string(raw)), ""
	}
	return raw, ""
}

func (kt keywordTarget) bound(text string) (json.Number, string) { return kt.number(kt.s.Type, text) }

// jsonNumber is the grammar of RFC 8259, with the exponent bounded so that
// exact arithmetic stays cheap.
var jsonNumber = regexp.MustCompile(`^-?(?:0|[1-9][0-9]{0,400})(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,3})?$`)

// number parses a number of the JSON type typ, in the range of the Go type.
func (kt keywordTarget) number(typ, text string) (n json.Number, reason string) {
	if !jsonNumber.MatchString(text) {
		return "", fmt.Sprintf("%q is not a JSON number", text)
	}
	if typ != "integer" {
		return json.Number(text), ""
	}
	v, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return "", fmt.Sprintf("%q is not an integer", text)
	}
	if low, high, ok := kindRange(kt.t.Kind()); ok && (v.Cmp(low) < 0 || v.Cmp(high) > 0) {
		return "", fmt.Sprintf("%s is outside the range of %v", text, kt.t)
	}
	return json.Number(text), ""
}

func parseCount(text string) (*uint64, string) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return nil, fmt.Sprintf("%q is not a count, 0 to 2147483647", text)
	}
	return &n, ""
}

// rational returns the exact value of n, zero when it is not set.
func rational(n json.Number) *big.Rat {
	v, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return new(big.Rat)
	}
	return v
}

// contradictions returns the pairs of bounds that no value satisfies.
func contradictions(s *jsonschema.Schema, prefix string) (faults []string) {
	counts := func(low, high *uint64, names string) {
		if low != nil && high != nil && *low > *high {
			faults = append(faults, prefix+names+" contradict each other")
		}
	}
	counts(s.MinLength, s.MaxLength, "minLength and maxLength")
	counts(s.MinItems, s.MaxItems, "minItems and maxItems")
	numbers := func(low, high json.Number, strict bool, names string) {
		if low == "" || high == "" {
			return
		}
		if c := rational(low).Cmp(rational(high)); c > 0 || strict && c == 0 {
			faults = append(faults, prefix+names+" contradict each other")
		}
	}
	numbers(s.Minimum, s.Maximum, false, "minimum and maximum")
	numbers(s.ExclusiveMinimum, s.Maximum, true, "exclusiveMinimum and maximum")
	numbers(s.Minimum, s.ExclusiveMaximum, true, "minimum and exclusiveMaximum")
	numbers(s.ExclusiveMinimum, s.ExclusiveMaximum, true, "exclusiveMinimum and exclusiveMaximum")
	return faults
}

// invalidMembers checks that the default and the enum members of s satisfy the
// rest of it, and the same for its elements.
func invalidMembers(s *jsonschema.Schema) (faults []string) {
	if s.Items != nil {
		faults = invalidMembers(s.Items)
	}
	type member struct {
		kind  string
		value json.RawMessage
	}
	var list []member
	if value, ok := s.Default.(json.RawMessage); ok {
		list = append(list, member{"default", value})
	}
	for _, m := range s.Enum {
		if value, ok := m.(json.RawMessage); ok {
			list = append(list, member{"enum member", value})
		}
	}
	if len(list) == 0 {
		return faults
	}
	root := append(appendSchema([]byte(`{"type":"object","properties":{"value":`), s, false), "}}"...)
	document, err := Compile(root)
	if err != nil {
		return append(faults, fmt.Sprintf("the schema does not compile: %v", err))
	}
	for _, m := range list {
		decoder := json.NewDecoder(bytes.NewReader(m.value))
		decoder.UseNumber()
		var tree any
		if err := decoder.Decode(&tree); err != nil {
			faults = append(faults, fmt.Sprintf("%s %s: %v", m.kind, m.value, err))
			continue
		}
		if bad := document.Validate(map[string]any{"value": tree}); len(bad) > 0 {
			faults = append(faults, fmt.Sprintf("%s %s does not satisfy the schema of the field: %s", m.kind, m.value, bad[0].Reason))
		}
	}
	return faults
}
