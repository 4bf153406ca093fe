package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/invopop/jsonschema"
)

// provided returns the schema that the Provider t states; a bad one is a fault
// of the field at r.path.
func (r *reflector) provided(t reflect.Type) *jsonschema.Schema {
	s, err := parseProvided(t)
	if err != nil {
		r.fault(t, r.path, "SchemaJSON of %v: %v", t, err)
		s = &jsonschema.Schema{}
		extra(s).broken = true
	}
	return s
}

func parseProvided(t reflect.Type) (*jsonschema.Schema, error) {
	raw, err := callProvider(t)
	if err != nil {
		return nil, err
	}
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return nil, errors.New("it is not JSON")
	}
	object, ok := tree.(map[string]any)
	if !ok {
		return nil, errors.New("it is not a JSON object")
	}
	if err := portable(object); err != nil {
		return nil, err
	}
	members, err := membersOf(raw)
	if err != nil {
		return nil, err
	}
	s := &jsonschema.Schema{}
	e := extra(s)
	e.rest = []member{}
	texts := map[string]*string{"type": &s.Type, "title": &s.Title, "description": &s.Description}
	for _, m := range members {
		if text, ok := texts[m.name]; ok {
			if json.Unmarshal(m.value, text) != nil {
				return nil, fmt.Errorf("%s is not a string", m.name)
			}
			continue
		}
		switch m.name {
		case "default":
			s.Default = m.value
		case "enum":
			var values []json.RawMessage
			if json.Unmarshal(m.value, &values) != nil {
				return nil, errors.New("enum is not a list")
			}
			for _, v := range values {
				s.Enum = append(s.Enum, compact(v))
			}
		default:
			e.rest = append(e.rest, m)
		}
	}
	return s, nil
}

// callProvider asks a new zero value, and turns a panic into an error.
func callProvider(t reflect.Type) (raw json.RawMessage, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("it panics on the zero value")
		}
	}()
	p, ok := reflect.New(t).Interface().(Provider)
	if !ok {
		return nil, errors.New("the method is missing")
	}
	return p.SchemaJSON(), nil
}

// membersOf returns the members of the object raw in their order.
func membersOf(raw json.RawMessage) ([]member, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	var list []member
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		name, _ := token.(string)
		if slices.ContainsFunc(list, func(m member) bool { return m.name == name }) {
			return nil, fmt.Errorf("%q stands twice", name)
		}
		list = append(list, member{name, compact(value)})
	}
	return list, nil
}

// unportable are the keywords that some hosts answer by dropping the tool.
var unportable = []string{
	"$anchor", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$ref", "$schema", "$vocabulary",
	"allOf", "anyOf", "contains", "definitions", "dependencies", "dependentRequired", "dependentSchemas",
	"else", "if", "not", "oneOf", "patternProperties", "prefixItems", "then",
	"unevaluatedItems", "unevaluatedProperties",
}

// portable checks that a schema keeps to what For itself would emit.
func portable(s map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if slices.Contains(unportable, name) {
			return fmt.Errorf("keyword %s is not portable", name)
		}
	}
	typ, classText := s["type"].(string)
	if _, has := s["type"]; has && !classText {
		return errors.New("type is not one string")
	}
	if _, has := s["items"]; typ == "array" && !has {
		return errors.New("an array has no items")
	}
	if _, has := s["additionalProperties"]; typ == "object" && !has {
		return errors.New("an object is not closed by additionalProperties")
	}
	var inside []any
	for _, name := range []string{"items", "additionalProperties", "propertyNames"} {
		value, has := s[name]
		if has && (name != "additionalProperties" || value != false) {
			inside = append(inside, value)
		}
	}
	if value, has := s["properties"]; has {
		properties, ok := value.(map[string]any)
		if !ok {
			return errors.New("properties is not an object")
		}
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			inside = append(inside, properties[name])
		}
	}
	for _, value := range inside {
		sub, ok := value.(map[string]any)
		if !ok {
			return errors.New("a subschema is not an object")
		}
		if err := portable(sub); err != nil {
			return err
		}
	}
	return nil
}
