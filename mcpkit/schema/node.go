package schema

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/invopop/jsonschema"
)

// The tree that is built consists of the engine's schema structs. What those
// cannot hold is in an extras under one key of their Extras.
type extras struct {
	broken   bool // stands for a type without a schema
	nullable bool
	rest     []member // keywords of a Provider's schema that we only pass on
	fields   []Field  // of an object
}

type member struct {
	name  string
	value json.RawMessage
}

const extrasKey = "agentmcp"

func extra(s *jsonschema.Schema) *extras {
	if e, ok := s.Extras[extrasKey].(*extras); ok {
		return e
	}
	e := &extras{}
	s.Extras = map[string]any{extrasKey: e}
	return e
}

// reflect returns the schema of t.
func (r *reflector) reflect(t reflect.Type) *jsonschema.Schema {
	s := r.engine.ReflectFromType(t)
	s.Version = ""
	return s
}

// mapped returns the schemas that the engine must not make: all but those of
// strings, booleans, numbers, lists and arrays. It is the engine's Mapper.
func (r *reflector) mapped(t reflect.Type) *jsonschema.Schema {
	if r.broken[t] {
		s := &jsonschema.Schema{}
		extra(s).broken = true
		return s
	}
	c, _ := classify(t, r.dir, true)
	switch c {
	case classTime:
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case classNumber:
		return &jsonschema.Schema{Type: "number"}
	case classBigInt:
		return &jsonschema.Schema{Type: "integer"}
	case classAny:
		return &jsonschema.Schema{}
	case classText:
		return &jsonschema.Schema{Type: "string"}
	case classBytes:
		return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
	case classProvider:
		return r.provided(t)
	case classPatch:
		elem, _ := patchElem(t)
		s := r.reflect(elem)
		extra(s).nullable = true
		return s
	}
	switch t.Kind() {
	case reflect.Struct:
		return r.object(t)
	case reflect.Map:
		s := &jsonschema.Schema{Type: "object", AdditionalProperties: r.reflect(t.Elem())}
		if pattern, _ := keyPattern(t.Key(), r.dir); pattern != "" {
			s.PropertyNames = &jsonschema.Schema{Pattern: pattern}
		}
		return s
	}
	if low, high, ok := kindRange(t.Kind()); ok && r.dir == Input {
		s := &jsonschema.Schema{Type: "integer"}
		if low.Sign() == 0 || kindBits(t.Kind()) < 64 {
			s.Minimum = json.Number(low.String())
		}
		if kindBits(t.Kind()) < 64 {
			s.Maximum = json.Number(high.String())
		}
		return s
	}
	return nil
}

// markNullElements allows null where a list or map of pointers may hold nil.
func markNullElements(t reflect.Type, s *jsonschema.Schema) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	elem := elementsOf(s)
	if elem == nil || t.Kind() != reflect.Slice && t.Kind() != reflect.Array && t.Kind() != reflect.Map {
		return
	}
	if t.Elem().Kind() == reflect.Pointer {
		extra(elem).nullable = true
	}
	markNullElements(t.Elem(), elem)
}

// elementsOf returns the schema of the elements of a list or map, else nil.
func elementsOf(s *jsonschema.Schema) *jsonschema.Schema {
	switch {
	case s.Items != nil:
		return s.Items
	case s.AdditionalProperties != jsonschema.FalseSchema:
		return s.AdditionalProperties
	}
	return nil
}

// fieldsOf returns the fields of the object that s is or is a list or map of.
func fieldsOf(s *jsonschema.Schema) []Field {
	for s != nil {
		if e := extra(s); e.fields != nil {
			return e.fields
		}
		s = elementsOf(s)
	}
	return nil
}

// compact returns raw, which is valid, without white space.
func compact(raw []byte) json.RawMessage {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil
	}
	return b.Bytes()
}
