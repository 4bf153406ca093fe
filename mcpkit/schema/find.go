package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// findings returns what is wrong with value, in a fixed order.
func (d *Document) findings(value any) (list []finding) {
	defer func() {
		if recover() != nil {
			list = []finding{{rule: "schema"}}
		}
	}()
	list = d.find(make([]finding, 0, 4), d.plan, value, nil)
	slices.SortStableFunc(list, func(a, b finding) int {
		return cmp.Or(slices.Compare(a.place(), b.place()), strings.Compare(a.rule, b.rule))
	})
	return list
}

// find appends what is wrong with v, which is at path. What a plan decides is
// taken apart here, down to the parts that are not surely valid; these are for
// the engine.
func (d *Document) find(list []finding, p *plan, v any, path []string) []finding {
	switch v := v.(type) {
	case map[string]any:
		if p.quick && p.types.allow(typeObject) && p.schema.Enum == nil {
			return d.findInObject(list, p, v, path)
		}
	case []any:
		if p.quick && p.types.allow(typeArray) && p.schema.Enum == nil && p.items != nil && p.acceptsLength(v) {
			for i, e := range v {
				if !p.items.accepts(e) {
					list = d.find(list, p.items, e, below(path, strconv.Itoa(i)))
				}
			}
			return list
		}
	}
	if p.quick {
		if found, ok := findInScalar(list, p, v, path); ok {
			return found
		}
	}
	return d.ask(list, p.schema, v, path)
}

func (d *Document) findInObject(list []finding, p *plan, object map[string]any, path []string) []finding {
	here := finding{path: path, named: true, schema: p.schema}
	for _, name := range p.required {
		if _, ok := object[name]; !ok {
			here.name, here.rule, here.kind = name, "required", &kind.Required{}
			list = append(list, here)
		}
	}
	for name, v := range object {
		part := p.rest
		if f := p.fields[name]; f != nil {
			part = f.plan
		} else if p.closed {
			here.name, here.rule, here.kind = name, "additionalProperties", &kind.AdditionalProperties{}
			list = append(list, here)
			continue
		}
		if part != nil && !part.accepts(v) {
			list = d.find(list, part, v, below(path, name))
		}
	}
	return list
}

// below returns path with one more name, sharing no memory with it.
func below(path []string, name string) []string {
	out := make([]string, len(path)+1)
	copy(out, path)
	out[len(path)] = name
	return out
}

// ask appends what the engine finds wrong with v.
func (d *Document) ask(list []finding, s *jsonschema.Schema, v any, path []string) []finding {
	err, _ := s.Validate(v).(*jsonschema.ValidationError)
	if err == nil {
		return list
	}
	known := len(list)
	list = d.flatten(list, err)
	if len(path) > 0 {
		for i := range list[known:] {
			f := &list[known+i]
			f.path = slices.Concat(path, f.path)
		}
	}
	return list
}

// findInScalar appends what is wrong with v, in the order of the engine, which
// looks no further after a wrong type, enum or format. It reports false, and
// appends nothing, for what is left to the engine: other values than strings
// and integers of 64 bits, mostly.
func findInScalar(list []finding, p *plan, v any, path []string) ([]finding, bool) {
	s := p.schema
	here := finding{path: path, schema: s}
	add := func(rule string, k jsonschema.ErrorKind) {
		here.rule, here.kind = rule, k
		list = append(list, here)
	}
	var is typeSet
	switch v.(type) {
	case nil:
		is = typeNull
	case bool:
		is = typeBoolean
	case string:
		is = typeString
	case json.Number:
		is = typeInteger | typeNumber
	default:
		return list, false
	}
	switch text, _ := v.(string); {
	case p.types != 0 && p.types&is == 0:
		add("type", &kind.Type{Want: s.Types.ToStrings()})
	case is.has(typeNumber):
		n, err := strconv.ParseInt(string(v.(json.Number)), 10, 64)
		if err != nil || s.Enum != nil || s.Format != nil || s.ExclusiveMinimum != nil || s.ExclusiveMaximum != nil {
			return list, false
		}
		if n < p.min {
			add("minimum", &kind.Minimum{Want: s.Minimum})
		}
		if n > p.max {
			add("maximum", &kind.Maximum{Want: s.Maximum})
		}
	case s.Enum != nil:
		if slices.Contains(s.Enum.Values, v) {
			return list, false
		}
		add("enum", &kind.Enum{Want: s.Enum.Values})
	case s.Format != nil:
		if s.Format.Validate(v) == nil {
			return list, false
		}
		add("format", &kind.Format{Want: s.Format.Name})
	case is != typeString || s.ContentEncoding != nil:
		return list, false
	default:
		n := utf8.RuneCountInString(text)
		if s.MinLength != nil && n < *s.MinLength {
			add("minLength", &kind.MinLength{Want: *s.MinLength})
		}
		if s.MaxLength != nil && n > *s.MaxLength {
			add("maxLength", &kind.MaxLength{Want: *s.MaxLength})
		}
		if s.Pattern != nil && !s.Pattern.MatchString(text) {
			add("pattern", &kind.Pattern{Want: s.Pattern.String()})
		}
	}
	return list, true
}
