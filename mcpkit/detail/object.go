package detail

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/mcpkit-go/agentmcp/mcpkit/internal/jsonfields"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

// A field is one property of a struct type, ready to be written.
type field struct {
	name      string
	key       []byte // with the colon
	index     []int
	value     *node
	omitEmpty bool
	omitZero  func(reflect.Value) bool // nil without the option
	full      bool                     // left out of summaries
	always    bool                     // never left out for its value
	standard  []byte                   // JSON of the declared default; nil for none
}

// object returns the encoder of a struct type.
func (c *compiler) object(t reflect.Type, path string) encodeFunc {
	declared := jsonfields.Of(t)
	c.strayTags(t, declared, path)
	fields := make([]field, 0, len(declared))
	for _, d := range declared {
		at := join(path, d.Name)
		f := field{name: d.Name, key: append(appendString(nil, d.Name), ':'), index: d.Index, omitEmpty: d.OmitEmpty}
		if d.OmitZero {
			f.omitZero = zeroTest(d.Type)
		}
		switch tag := d.Tag.Get("detail"); tag {
		case "":
		case "full":
			f.full, c.differs = true, true
		case "always":
			f.always = true
		default:
			c.fault(t, at, fmt.Sprintf("detail is %q; it may be full or always", tag))
		}
		before := len(c.faults)
		if f.value = c.node(d.Type, at); d.Quoted {
			f.value = &node{quoted(f.value, d.Type)}
		}
		if len(c.faults) == before {
			var err error
			if f.standard, err = standard(d, f.value); err != nil {
				c.fault(t, at, err.Error())
			}
		}
		fields = append(fields, f)
	}
	return func(s *state, v reflect.Value) error { return s.object(fields, v) }
}

func (s *state) object(fields []field, v reflect.Value) error {
	if err := s.enter(); err != nil {
		return err
	}
	s.dst = append(s.dst, '{')
	first := true
	for i := range fields {
		f := &fields[i]
		if f.full && s.summary {
			continue
		}
		value, ok := reach(v, f.index)
		if !ok || f.omitEmpty && isEmpty(value) || f.omitZero != nil && f.omitZero(value) {
			continue
		}
		before := len(s.dst)
		if !first {
			s.dst = append(s.dst, ',')
		}
		s.dst = append(s.dst, f.key...)
		start := len(s.dst)
		if err := f.value.encode(s, value); err != nil {
			return within(f.name, err)
		}
		if s.summary && !f.always && f.unremarkable(s.dst[start:]) {
			s.dst = s.dst[:before]
			continue
		}
		first = false
	}
	s.dst = append(s.dst, '}')
	s.depth--
	return nil
}

// unremarkable reports whether raw, the value of f, need not be said.
func (f *field) unremarkable(raw []byte) bool {
	return string(raw) == "null" || f.standard != nil && bytes.Equal(raw, f.standard)
}

// reach returns the field of v at index; ok is false if an embedded pointer on
// the way is nil.
func reach(v reflect.Value, index []int) (f reflect.Value, ok bool) {
	for i, x := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}, false
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v, true
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

type zeroer interface{ IsZero() bool }

// zeroTest returns the test of the omitzero option for values of type t: its
// IsZero method if it has one.
func zeroTest(t reflect.Type) func(reflect.Value) bool {
	zeroerType := reflect.TypeFor[zeroer]()
	switch {
	case t.Implements(zeroerType):
		return func(v reflect.Value) bool {
			if k := v.Kind(); (k == reflect.Interface || k == reflect.Pointer) && v.IsNil() {
				return true
			}
			if v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() {
				return true
			}
			return v.Interface().(zeroer).IsZero()
		}
	case reflect.PointerTo(t).Implements(zeroerType):
		return func(v reflect.Value) bool {
			if !v.CanAddr() {
				own := reflect.New(t).Elem()
				own.Set(v)
				v = own
			}
			return v.Addr().Interface().(zeroer).IsZero()
		}
	}
	return reflect.Value.IsZero
}

// standard returns the JSON that value writes for the default that d declares,
// nil if it declares none. The tag is read by package schema, given a struct
// that has just this field.
func standard(d jsonfields.Field, value *node) ([]byte, error) {
	if !strings.Contains(d.Tag.Get("jsonschema"), "default=") {
		return nil, nil
	}
	alone := reflect.StructOf([]reflect.StructField{{Name: "F", Type: d.Type, Tag: d.Tag}})
	described, err := schema.For(alone, schema.Output, nil)
	if err != nil {
		return nil, errors.New(reasons(err))
	}
	only := described.Fields()[0]
	if only.Default == nil {
		return nil, nil
	}
	object := append(appendString([]byte{'{'}, only.Name), ':')
	object = append(append(object, only.Default...), '}')
	holder := reflect.New(alone)
	if err := json.Unmarshal(object, holder.Interface()); err != nil {
		return nil, errors.New("the default does not fit the type")
	}
	s := state{summary: true, encoder: &Encoder{}}
	if err := value.encode(&s, holder.Elem().Field(0)); err != nil {
		return nil, fmt.Errorf("the default has no JSON: %w", err)
	}
	return s.dst, nil
}

// reasons is the text of schema's faults without the struct that was made up.
func reasons(err error) string {
	var list []string
	for _, f := range schema.Faults(err) {
		list = append(list, f.Reason)
	}
	return strings.Join(list, "; ")
}

// strayTags faults the detail tags of t that belong to none of its JSON fields.
func (c *compiler) strayTags(t reflect.Type, declared []jsonfields.Field, path string) {
	named := map[int]bool{}
	for _, d := range declared {
		if len(d.Index) == 1 {
			named[d.Index[0]] = true
		}
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if _, tagged := f.Tag.Lookup("detail"); tagged && !named[i] {
			c.fault(t, path, "the detail tag of "+f.Name+" has no JSON field to apply to")
		}
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
