package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// A Document is a compiled JSON Schema. It is immutable and safe for
// concurrent use.
type Document struct {
	root      *jsonschema.Schema
	plan      *plan
	at        map[string]*jsonschema.Schema // by location
	unchecked []string
	told      sync.Map // toldKey → told
}

// maxSchemaDepth bounds the nesting of a schema. Each level of the values that
// it describes takes two or three levels of the schema.
const maxSchemaDepth = 4 * maxDepth

// schemaURL is the base of references in a schema that has no $id. Nothing is
// ever loaded from it, or from anywhere else.
const schemaURL = "https://schema.invalid/"

// Compile compiles a JSON Schema: one that [For] made, or one that another
// server published. Without $schema it is read as of 2020-12; drafts 4 to
// 2019-09 are understood where $schema says so.
//
// All keywords of the validation vocabulary are asserted, and so are format
// (date, date-time, duration, email, hostname, ipv4, ipv6, iri, iri-reference,
// json-pointer, relative-json-pointer, time, uri, uri-reference, uri-template,
// uuid; others say nothing) and contentEncoding base64. A date-time is what
// time.Time reads, so T and Z are upper case and there is no leap second.
//
// Regular expressions are those of package regexp, which lacks some of
// ECMA-262, such as lookahead. A pattern that does not compile is not checked,
// rather than failing the schema of someone else; [Document.Unchecked] lists
// where. For patternProperties that also goes for what the same object says of
// additional properties, since which these are is then not known.
//
// References resolve within the schema and to the metaschemas of JSON Schema.
// Nothing is loaded. Compile returns an error that names the place when raw is
// not strict JSON (see [Document.Read]; a schema may nest 256 levels), is not a
// valid schema, or refers to something else. It keeps no reference to raw.
func Compile(raw json.RawMessage) (d *Document, err error) {
	defer func() {
		if recover() != nil {
			d, err = nil, errors.New("schema: compile: the schema is inconsistent")
		}
	}()
	r := readTree(raw, maxSchemaDepth, 0)
	if len(r.faults) > 0 {
		return nil, fmt.Errorf("schema: compile: at %q: %s", r.faults[0].Pointer, strings.TrimSuffix(r.faults[0].Reason, "."))
	}
	tree, isObject := r.value.(map[string]any)
	if !isObject {
		return nil, errors.New("schema: compile: the schema must be a JSON object")
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.AssertContent()
	c.UseLoader(jsonschema.SchemeURLLoader{})
	c.UseRegexpEngine(compilePattern)
	c.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: onString(checkDateTime)})
	c.RegisterFormat(&jsonschema.Format{Name: "uri", Validate: onString(checkURI)})
	if err := c.AddResource(schemaURL, tree); err != nil {
		return nil, fmt.Errorf("schema: compile: %w", err)
	}
	root, err := c.Compile(schemaURL)
	if err != nil {
		return nil, fmt.Errorf("schema: compile: %w", err)
	}
	d = &Document{root: root, at: map[string]*jsonschema.Schema{}}
	d.adapt(root)
	slices.Sort(d.unchecked)
	d.plan = planner{}.plan(root)
	return d, nil
}

// Unchecked returns the locations, sorted JSON Pointers into the schema, of
// regular expressions that are not checked because package regexp does not
// know their syntax. The caller owns the result.
func (d *Document) Unchecked() []string { return slices.Clone(d.unchecked) }

// adapt changes what the engine compiled, in all schemas reachable from s, to
// what Compile documents, and enters them in d.at.
func (d *Document) adapt(s *jsonschema.Schema) {
	if s == nil || d.at[s.Location] != nil {
		return
	}
	d.at[s.Location] = s
	if _, bad := s.Pattern.(unknownPattern); bad {
		s.Pattern = nil
		d.unchecked = append(d.unchecked, pointerOf(s.Location)+"/pattern")
	}
	for re := range s.PatternProperties {
		if _, bad := re.(unknownPattern); bad {
			delete(s.PatternProperties, re)
			s.AdditionalProperties, s.UnevaluatedProperties = nil, nil
			d.unchecked = append(d.unchecked, pointerOf(s.Location)+"/patternProperties/"+escapeToken(re.String()))
		}
	}
	if s.Format != nil && s.Format.Name == "email" {
		s.Format = &jsonschema.Format{Name: "email", Validate: withLocalPart(s.Format.Validate)}
	}
	s.ContentMediaType, s.ContentSchema = nil, nil
	if s.PropertyNames != nil {
		s.Extensions = append(s.Extensions, nameCheck{s.PropertyNames})
		d.adapt(s.PropertyNames)
		s.PropertyNames = nil
	}
	for sub := range subschemas(s) {
		d.adapt(sub)
	}
}

// pointerOf returns the JSON Pointer in the location of a schema of ours.
func pointerOf(location string) string {
	_, fragment, _ := strings.Cut(location, "#")
	if pointer, err := url.PathUnescape(fragment); err == nil {
		return pointer
	}
	return fragment
}

// subschemas yields the schemas that s refers to, some of them nil.
func subschemas(s *jsonschema.Schema) func(yield func(*jsonschema.Schema) bool) {
	return func(yield func(*jsonschema.Schema) bool) {
		lists := [][]*jsonschema.Schema{
			{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.UnevaluatedProperties, s.Contains, s.Items2020, s.UnevaluatedItems},
			s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems,
		}
		if s.DynamicRef != nil {
			lists = append(lists, []*jsonschema.Schema{s.DynamicRef.Ref})
		}
		maps := []map[string]*jsonschema.Schema{s.Properties, s.DependentSchemas}
		loose := []any{s.AdditionalProperties, s.Items, s.AdditionalItems}
		for _, dependency := range s.Dependencies {
			loose = append(loose, dependency)
		}
		for _, v := range loose {
			switch v := v.(type) {
			case *jsonschema.Schema:
				lists = append(lists, []*jsonschema.Schema{v})
			case []*jsonschema.Schema:
				lists = append(lists, v)
			}
		}
		for _, list := range lists {
			for _, sub := range list {
				if !yield(sub) {
					return
				}
			}
		}
		for _, m := range maps {
			for _, sub := range m {
				if !yield(sub) {
					return
				}
			}
		}
		for _, sub := range s.PatternProperties {
			if !yield(sub) {
				return
			}
		}
	}
}

// nameCheck is propertyNames. The engine's own reports a location that shares
// memory with that of other errors and may change before it is read.
type nameCheck struct{ names *jsonschema.Schema }

func (c nameCheck) Validate(ctx *jsonschema.ValidatorContext, v any) {
	object, ok := v.(map[string]any)
	if !ok {
		return
	}
	for name := range object {
		if c.names.Validate(name) != nil {
			ctx.AddError(&kind.PropertyNames{Property: name})
		}
	}
}

// unknownPattern stands for a regular expression that package regexp refuses.
type unknownPattern string

func (p unknownPattern) String() string        { return string(p) }
func (unknownPattern) MatchString(string) bool { return true }

func compilePattern(pattern string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return unknownPattern(pattern), nil
	}
	return re, nil
}

// onString makes a format of a check on strings; a format says nothing of
// other types.
func onString(check func(string) error) func(any) error {
	return func(v any) error {
		if s, ok := v.(string); ok {
			return check(s)
		}
		return nil
	}
}

var errNotDateTime = errors.New("not a date-time")

// checkDateTime accepts the date-times of RFC 3339 that time.Time can read and
// write again. Its own method is lenient about digits and offsets.
func checkDateTime(s string) error {
	if len(s) < len("2006-01-02T15:04:05Z") || s[10] != 'T' || s[13] != ':' || strings.Contains(s, ",") {
		return errNotDateTime
	}
	if s[len(s)-1] != 'Z' && s[len(s)-len("00:00"):] >= "24" {
		return errNotDateTime
	}
	var t time.Time
	return t.UnmarshalText([]byte(s))
}

// withLocalPart adds to the engine's check of addresses that something stands
// before the @.
func withLocalPart(check func(any) error) func(any) error {
	return func(v any) error {
		if s, ok := v.(string); ok && strings.HasPrefix(s, "@") {
			return errors.New("not an address")
		}
		return check(v)
	}
}

var errNotURI = errors.New("not an absolute URI")

// checkURI accepts the absolute URIs of RFC 3986, whose characters are ASCII.
func checkURI(s string) error {
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			return errNotURI
		}
	}
	if u, err := url.Parse(s); err != nil || !u.IsAbs() {
		return errNotURI
	}
	return nil
}
