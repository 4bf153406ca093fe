package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Validate returns how value breaks the schema, sorted by pointer and rule, one
// violation for each of these pairs and at most 256; nil if it is valid.
//
// value is a tree of map[string]any, []any, string, bool, nil and json.Number,
// as [Document.Read] returns it, and obeys the bounds of that method; anything
// else in it is a violation with the rule "type". Validate does not change it,
// does not insert defaults, and does not take null for absent.
//
// A value of the wrong type, outside its enum or of another format is reported
// as that alone. Where anyOf, oneOf or not fails, that is one violation at the
// value which the keyword applies to.
func (d *Document) Validate(value any) []Violation {
	if faults := checkTree(value); len(faults) > 0 {
		return sortViolations(faults)
	}
	return sortViolations(d.violations(value))
}

// violations validates a tree that is known to be well formed.
func (d *Document) violations(value any) []Violation {
	if d.plan.quick && d.plan.accepts(value) {
		return nil
	}
	findings := d.findings(value)
	if len(findings) == 0 {
		return nil
	}
	list := make([]Violation, 0, len(findings))
	for _, f := range findings {
		what, allowed := d.expectation(f)
		list = append(list, predicate(steps(value, f.place()), f.rule, what, allowed))
	}
	return list
}

// A finding is one failure as the engine reports it, told apart by property.
type finding struct {
	rule   string
	path   []string // to the value that the schema applies to
	name   string   // of the property of that value in question
	named  bool     // whether there is one
	kind   jsonschema.ErrorKind
	schema *jsonschema.Schema // nil if not known
}

// place returns the path that the violation names.
func (f finding) place() []string {
	if f.named {
		return append(slices.Clip(f.path), f.name)
	}
	return f.path
}

// flatten appends the failures that e consists of.
func (d *Document) flatten(list []finding, e *jsonschema.ValidationError) []finding {
	f := finding{path: e.InstanceLocation, kind: e.ErrorKind, schema: d.at[e.SchemaURL]}
	if keyword := e.ErrorKind.KeywordPath(); len(keyword) > 0 {
		f.rule = keyword[0]
	}
	each := func(names ...string) {
		f.named = true
		for _, f.name = range names {
			list = append(list, f)
		}
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		for _, cause := range e.Causes {
			list = d.flatten(list, cause)
		}
		return list
	case *kind.AdditionalProperties:
		each(k.Properties...)
		return list
	case *kind.Required:
		each(k.Missing...)
		return list
	case *kind.DependentRequired:
		each(k.Missing...)
		return list
	case *kind.Dependency:
		f.rule = "dependencies"
		each(k.Missing...)
		return list
	case *kind.PropertyNames:
		each(k.Property)
		return list
	case *kind.FalseSchema:
		f.rule = "false"
		for _, keyword := range []string{"unevaluatedProperties", "unevaluatedItems", "items", "additionalItems"} {
			if parent, ok := strings.CutSuffix(e.SchemaURL, "/"+keyword); ok {
				f.rule, f.schema = keyword, d.at[parent]
			}
		}
		if f.rule == "unevaluatedProperties" && len(f.path) > 0 {
			last := len(f.path) - 1
			f.path, f.name, f.named = f.path[:last], f.path[last], true
		}
	case *kind.Not:
		f.rule = "not"
	case *kind.RefCycle:
		f.rule = "$ref"
	}
	return append(list, f)
}

// unknown reports whether the finding is a property that may not be there.
func (f finding) unknown() bool {
	return f.rule == "additionalProperties" || f.rule == "unevaluatedProperties"
}

// knownNames returns the names of the properties that s describes, sorted.
func knownNames(s *jsonschema.Schema) []string {
	var names []string
	var collect func(s *jsonschema.Schema, depth int)
	collect = func(s *jsonschema.Schema, depth int) {
		if s == nil || depth > 8 {
			return
		}
		for name := range s.Properties {
			names = append(names, name)
		}
		collect(s.Ref, depth+1)
		for _, sub := range s.AllOf {
			collect(sub, depth+1)
		}
	}
	collect(s, 0)
	slices.Sort(names)
	return slices.Compact(names)
}

// steps tells indices from names along a path into value.
func steps(value any, path []string) []step {
	out := make([]step, len(path))
	for i, token := range path {
		out[i] = step{name: token, index: -1}
		switch v := value.(type) {
		case []any:
			value = nil
			if n, err := strconv.Atoi(token); err == nil {
				out[i].index = n
				if 0 <= n && n < len(v) {
					value = v[n]
				}
			}
		case map[string]any:
			value = v[token]
		default:
			value = nil
		}
	}
	return out
}

// checkTree returns what makes value no tree of the documented kind.
func checkTree(value any) (faults []Violation) {
	values := 0
	var check func(v any, path []step)
	check = func(v any, path []step) {
		fault := func(rule, what string) {
			faults = append(faults, predicate(path, rule, what, nil))
		}
		values++
		switch {
		case len(faults) > maxViolations:
			return
		case values > maxValues:
			faults = append(faults, predicate(nil, ruleSize, tooManyValues, nil))
			return
		}
		switch v := v.(type) {
		case nil, bool:
		case string:
			if !utf8.ValidString(v) {
				fault(ruleUnicode, "must be valid UTF-8")
			}
		case json.Number:
			if !isJSONNumber(string(v)) || !moderate(string(v)) {
				fault(ruleNumber, badNumber)
			}
		case []any:
			if len(path) >= maxDepth {
				fault(ruleDepth, tooDeep(maxDepth))
				return
			}
			for i, e := range v {
				check(e, append(path, step{index: i}))
			}
		case map[string]any:
			if len(path) >= maxDepth {
				fault(ruleDepth, tooDeep(maxDepth))
				return
			}
			for name, e := range v {
				here := append(path, step{name: name, index: -1})
				if !utf8.ValidString(name) {
					faults = append(faults, predicate(here, ruleUnicode, "must have a name of valid UTF-8", nil))
				}
				check(e, here)
			}
		default:
			fault("type", fmt.Sprintf("must be JSON; it is a Go %T", v))
		}
	}
	check(value, nil)
	return faults
}
