package schema

import (
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A plan is what is worked out once about the values at one place of a schema:
// which of their parts have defaults or may not be null, and how to accept a
// valid one without the engine, which is exact but slow. A plan may refer to
// itself.
type plan struct {
	schema   *jsonschema.Schema
	ref      *plan   // says what the parts are, if not nil
	types    typeSet // 0 for any
	fields   map[string]*field
	required []string
	rest     *plan // of additional properties; nil if nothing is known of them
	closed   bool  // there may be none
	prefix   []*plan
	items    *plan

	fills    bool     // some part has a default
	deep     bool     // a part of a part may have one
	defaults []string // names of the fields that have one, sorted
	quick    bool     // accepts can decide
	limits
}

// A field is a known property of an object.
type field struct {
	plan        *plan
	required    bool
	null        bool // null is valid
	hasFallback bool
	fallback    any // the default, valid
}

// limits are bounds on integers; what they are for other numbers is left to
// the engine.
type limits struct {
	bounded  bool
	min, max int64
}

type typeSet uint8

const (
	typeNull typeSet = 1 << iota
	typeBoolean
	typeInteger
	typeNumber
	typeString
	typeArray
	typeObject
)

var typeNames = map[string]typeSet{
	"null": typeNull, "boolean": typeBoolean, "integer": typeInteger, "number": typeNumber,
	"string": typeString, "array": typeArray, "object": typeObject,
}

func (t typeSet) has(one typeSet) bool { return t&one != 0 }

// allow reports whether a schema of these types admits one.
func (t typeSet) allow(one typeSet) bool { return t == 0 || t.has(one) }

func typesOf(s *jsonschema.Schema) (t typeSet) {
	if s.Types != nil {
		for _, name := range s.Types.ToStrings() {
			t |= typeNames[name]
		}
	}
	return t
}

// A planner makes plans, one for each schema.
type planner map[*jsonschema.Schema]*plan

func (m planner) plan(s *jsonschema.Schema) *plan {
	if s == nil {
		return nil
	}
	if p := m[s]; p != nil {
		return p
	}
	// While this plan is being made, those that refer to it must take the safe
	// assumptions.
	p := &plan{schema: s, types: typesOf(s), required: s.Required, fills: true, deep: true}
	m[s] = p
	if s.Ref != nil && len(s.Properties) == 0 && s.Items2020 == nil && s.Items == nil && s.AdditionalProperties == nil {
		p.ref = m.plan(s.Ref)
		return p
	}
	quick, deep := decidable(s) && p.limit(s), false
	if len(s.Properties) > 0 {
		p.fields = make(map[string]*field, len(s.Properties))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		f := m.field(s.Properties[name])
		f.required = slices.Contains(s.Required, name)
		p.fields[name] = f
		quick = quick && f.plan.quick
		deep = deep || f.plan.fills
		if f.hasFallback {
			p.defaults = append(p.defaults, name)
		}
	}
	switch rest := s.AdditionalProperties.(type) {
	case bool:
		p.closed = !rest
	case *jsonschema.Schema:
		p.closed = rest.Bool != nil && !*rest.Bool
		p.rest = m.plan(rest)
	}
	for _, item := range s.PrefixItems {
		p.prefix = append(p.prefix, m.plan(item))
	}
	items := s.Items2020
	if items == nil {
		items, _ = s.Items.(*jsonschema.Schema) // before 2020-12
	}
	p.items = m.plan(items)
	for _, part := range append([]*plan{p.rest, p.items}, p.prefix...) {
		if part != nil {
			quick = quick && part.quick
			deep = deep || part.fills
		}
	}
	p.quick, p.deep, p.fills = quick, deep, deep || len(p.defaults) > 0
	return p
}

// parts returns the plan that knows the parts of the value: p, or what it
// refers to; nil for a reference that leads nowhere.
func (p *plan) parts() *plan {
	for range 32 {
		if p == nil || p.ref == nil {
			return p
		}
		p = p.ref
	}
	return nil
}

func (m planner) field(s *jsonschema.Schema) *field {
	f := &field{plan: m.plan(s), null: s.Validate(nil) == nil}
	if s.Default != nil && s.Validate(*s.Default) == nil {
		f.hasFallback, f.fallback = true, f.plan.normalize(cloneTree(*s.Default))
	}
	return f
}

// decidable reports whether s has only keywords that accepts knows.
func decidable(s *jsonschema.Schema) bool {
	for _, sub := range []*jsonschema.Schema{
		s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.UnevaluatedProperties, s.Contains, s.UnevaluatedItems,
	} {
		if sub != nil {
			return false
		}
	}
	return s.Bool == nil && s.DynamicRef == nil && s.Const == nil && s.MultipleOf == nil && s.Items == nil && s.AdditionalItems == nil &&
		len(s.AllOf)+len(s.AnyOf)+len(s.OneOf)+len(s.PrefixItems)+len(s.PatternProperties)+len(s.Extensions)+
			len(s.Dependencies)+len(s.DependentRequired)+len(s.DependentSchemas) == 0 &&
		s.MinProperties == nil && s.MaxProperties == nil
}

// limit sets the bounds on integers, and reports whether an int64 can state
// them.
func (p *plan) limit(s *jsonschema.Schema) bool {
	p.min, p.max = math.MinInt64, math.MaxInt64
	one := big.NewInt(1)
	type bound struct {
		value *big.Rat
		lower bool
		shift bool // the bound itself is out
	}
	for _, b := range []bound{{s.Minimum, true, false}, {s.ExclusiveMinimum, true, true}, {s.Maximum, false, false}, {s.ExclusiveMaximum, false, true}} {
		if b.value == nil {
			continue
		}
		p.bounded = true
		n := integerWithin(b.value, b.lower)
		if b.shift && b.value.IsInt() {
			if b.lower {
				n.Add(n, one)
			} else {
				n.Sub(n, one)
			}
		}
		switch {
		case n.IsInt64() && b.lower:
			p.min = max(p.min, n.Int64())
		case n.IsInt64():
			p.max = min(p.max, n.Int64())
		case b.lower == (n.Sign() > 0): // out of reach of any int64
			return false
		}
	}
	return true
}

// integerWithin rounds r up if it is a lower bound, otherwise down.
func integerWithin(r *big.Rat, lower bool) *big.Int {
	q, m := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int)) // m >= 0
	if lower && m.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// accepts reports whether v is surely valid. It may say no of a valid value,
// and must be asked only of a plan that is quick.
func (p *plan) accepts(v any) bool {
	s := p.schema
	switch v := v.(type) {
	case nil:
		return p.types.allow(typeNull) && s.Enum == nil
	case bool:
		return p.types.allow(typeBoolean) && s.Enum == nil
	case string:
		return p.types.allow(typeString) && p.acceptsText(v)
	case json.Number:
		n, err := strconv.ParseInt(string(v), 10, 64)
		switch {
		case s.Enum != nil:
			return false
		case err == nil:
			return (p.types.allow(typeInteger) || p.types.has(typeNumber)) && p.min <= n && n <= p.max
		}
		return p.types.allow(typeNumber) && !p.bounded
	case []any:
		return p.types.allow(typeArray) && s.Enum == nil && p.acceptsList(v)
	case map[string]any:
		return p.types.allow(typeObject) && s.Enum == nil && p.acceptsObject(v)
	}
	return false
}

func (p *plan) acceptsText(v string) bool {
	s := p.schema
	if s.Enum != nil && !slices.Contains(s.Enum.Values, any(v)) {
		return false
	}
	if s.MinLength != nil || s.MaxLength != nil {
		n := utf8.RuneCountInString(v)
		if s.MinLength != nil && n < *s.MinLength || s.MaxLength != nil && n > *s.MaxLength {
			return false
		}
	}
	if s.Pattern != nil && !s.Pattern.MatchString(v) {
		return false
	}
	if s.Format != nil && s.Format.Validate(v) != nil {
		return false
	}
	if s.ContentEncoding != nil {
		if _, err := s.ContentEncoding.Decode(v); err != nil {
			return false
		}
	}
	return true
}

// acceptsLength looks at the list as such, not at its elements.
func (p *plan) acceptsLength(list []any) bool {
	s := p.schema
	if s.MinItems != nil && len(list) < *s.MinItems || s.MaxItems != nil && len(list) > *s.MaxItems {
		return false
	}
	return !s.UniqueItems || surelyUnique(list)
}

func (p *plan) acceptsList(list []any) bool {
	if !p.acceptsLength(list) {
		return false
	}
	if p.items == nil {
		return true
	}
	for _, v := range list {
		if !p.items.accepts(v) {
			return false
		}
	}
	return true
}

// surelyUnique looks at short lists of strings.
func surelyUnique(list []any) bool {
	if len(list) > 32 {
		return false
	}
	for i, v := range list {
		if _, ok := v.(string); !ok && len(list) > 1 || slices.Contains(list[:i], v) {
			return false
		}
	}
	return true
}

func (p *plan) acceptsObject(object map[string]any) bool {
	for _, name := range p.required {
		if _, ok := object[name]; !ok {
			return false
		}
	}
	for name, v := range object {
		part := p.rest
		if f := p.fields[name]; f != nil {
			part = f.plan
		} else if p.closed {
			return false
		}
		if part != nil && !part.accepts(v) {
			return false
		}
	}
	return true
}

// of returns the plan of the property name, nil if nothing is known of it.
func (p *plan) of(name string) *plan {
	if p = p.parts(); p == nil {
		return nil
	}
	if f := p.fields[name]; f != nil {
		return f.plan
	}
	return p.rest
}

// item returns the plan of the element at index i, nil if nothing is known.
func (p *plan) item(i int) *plan {
	p = p.parts()
	switch {
	case p == nil:
		return nil
	case i < len(p.prefix):
		return p.prefix[i]
	}
	return p.items
}

// normalize removes null where a known optional property may not be null, and
// spells integers plainly where the schema wants integers: 512.0 and 5.12e2 are
// 512. It changes v in place where it can and returns what v is now.
func (p *plan) normalize(v any) any {
	if p = p.parts(); p == nil {
		return v
	}
	switch v := v.(type) {
	case json.Number:
		if p.types.has(typeInteger) && !p.types.has(typeNumber) {
			return plainInteger(v)
		}
	case []any:
		for i, e := range v {
			if q := p.item(i); q != nil {
				v[i] = q.normalize(e)
			}
		}
	case map[string]any:
		for name, e := range v {
			f := p.fields[name]
			switch {
			case f == nil && p.rest != nil:
				replace(v, name, e, p.rest)
			case f == nil:
			case e == nil:
				if !f.required && !f.null {
					delete(v, name)
				}
			default:
				replace(v, name, e, f.plan)
			}
		}
	}
	return v
}

// replace normalizes a property; only numbers are replaced, the others change
// in place.
func replace(object map[string]any, name string, v any, p *plan) {
	switch v := v.(type) {
	case json.Number:
		if n := p.normalize(v); n != any(v) {
			object[name] = n
		}
	case []any, map[string]any:
		p.normalize(v)
	}
}

// plainInteger spells an integral number without fraction and exponent, and
// returns any other as it is.
func plainInteger(n json.Number) json.Number {
	if n == "-0" {
		return "0"
	}
	if !strings.ContainsAny(string(n), ".eE") {
		return n
	}
	if r, ok := new(big.Rat).SetString(string(n)); ok && r.IsInt() {
		return json.Number(r.Num().String())
	}
	return n
}

// fill inserts the defaults of properties that are absent.
func (p *plan) fill(v any) {
	if p = p.parts(); p == nil || !p.fills {
		return
	}
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			p.item(i).fill(e)
		}
	case map[string]any:
		for _, name := range p.defaults {
			if _, given := v[name]; !given {
				v[name] = cloneTree(p.fields[name].fallback)
			}
		}
		if !p.deep {
			return
		}
		for name, e := range v {
			p.of(name).fill(e)
		}
	}
}
