package schema

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/invopop/jsonschema"
)

const dialect = "https://json-schema.org/draft/2020-12/schema"

// appendRoot appends the JSON of a whole schema.
func appendRoot(dst []byte, s *jsonschema.Schema) []byte {
	return appendSchema(dst, s, true)
}

// appendSchema appends s as compact JSON. The order of keys is fixed and that
// of the reader's questions: what is it, how is it bounded, what is inside,
// what if it is left out, what does it mean.
func appendSchema(dst []byte, s *jsonschema.Schema, root bool) []byte {
	w := writer{b: append(dst, '{'), first: true}
	e := extra(s)
	if root {
		w.text("$schema", dialect)
	}
	switch {
	case s.Type == "":
	case e.nullable:
		w.key("type")
		w.b = append(appendString(append(w.b, '['), s.Type), `,"null"]`...)
	default:
		w.text("type", s.Type)
	}
	w.text("title", s.Title)
	w.enum(s.Enum, e.nullable)
	w.text("format", s.Format)
	w.text("contentEncoding", s.ContentEncoding)
	w.text("pattern", s.Pattern)
	w.count("minLength", s.MinLength)
	w.count("maxLength", s.MaxLength)
	w.number("minimum", s.Minimum)
	w.number("exclusiveMinimum", s.ExclusiveMinimum)
	w.number("maximum", s.Maximum)
	w.number("exclusiveMaximum", s.ExclusiveMaximum)
	w.number("multipleOf", s.MultipleOf)
	w.schema("items", s.Items)
	w.count("minItems", s.MinItems)
	w.count("maxItems", s.MaxItems)
	if s.UniqueItems {
		w.raw("uniqueItems", []byte("true"))
	}
	if len(s.Required) > 0 {
		w.key("required")
		w.b = append(w.b, '[')
		for i, name := range s.Required {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.b = appendString(w.b, name)
		}
		w.b = append(w.b, ']')
	}
	if s.Properties != nil {
		w.key("properties")
		w.b = append(w.b, '{')
		inside := writer{b: w.b, first: true}
		for p := s.Properties.Oldest(); p != nil; p = p.Next() {
			inside.schema(p.Key, p.Value)
		}
		w.b = append(inside.b, '}')
	}
	w.schema("propertyNames", s.PropertyNames)
	if s.AdditionalProperties == jsonschema.FalseSchema {
		w.raw("additionalProperties", []byte("false"))
	} else {
		w.schema("additionalProperties", s.AdditionalProperties)
	}
	for _, m := range e.rest {
		w.raw(m.name, m.value)
	}
	if value, ok := s.Default.(json.RawMessage); ok {
		w.raw("default", value)
	}
	w.text("description", s.Description)
	return append(w.b, '}')
}

// A writer appends the members of one object and leaves out empty ones.
type writer struct {
	b     []byte
	first bool
}

func (w *writer) key(name string) {
	if !w.first {
		w.b = append(w.b, ',')
	}
	w.first = false
	w.b = append(appendString(w.b, name), ':')
}

func (w *writer) raw(name string, value []byte) {
	w.key(name)
	w.b = append(w.b, value...)
}

func (w *writer) text(name, value string) {
	if value != "" {
		w.key(name)
		w.b = appendString(w.b, value)
	}
}

func (w *writer) number(name string, value json.Number) {
	if value != "" {
		w.raw(name, []byte(value))
	}
}

func (w *writer) count(name string, value *uint64) {
	if value != nil {
		w.raw(name, strconv.AppendUint(nil, *value, 10))
	}
}

func (w *writer) schema(name string, s *jsonschema.Schema) {
	if s != nil {
		w.key(name)
		w.b = appendSchema(w.b, s, false)
	}
}

func (w *writer) enum(values []any, nullable bool) {
	if len(values) == 0 {
		return
	}
	w.key("enum")
	w.b = append(w.b, '[')
	hasNull := false
	for i, v := range values {
		raw, _ := v.(json.RawMessage)
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = append(w.b, raw...)
		hasNull = hasNull || string(raw) == "null"
	}
	if nullable && !hasNull {
		w.b = append(w.b, ",null"...)
	}
	w.b = append(w.b, ']')
}

// appendString appends s as a JSON string. Unlike json.Marshal it leaves <, >
// and & alone, which cost five bytes more each and are as safe here.
func appendString(dst []byte, s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil { // a string always encodes
		return append(dst, `""`...)
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
