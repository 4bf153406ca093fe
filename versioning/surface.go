package versioning

import (
	"bytes"
	"encoding/json"
	"slices"
)

// surfaceForm is the canonical form of a part with its set-like lists sorted
// and, for its shape, without documentation.
func surfaceForm(raw []byte, shape bool) ([]byte, error) {
	canonical, err := Canonical(raw)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(canonical))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	s := surface{shape: shape}
	if tree, err = s.value(tree); err != nil {
		return nil, err
	}
	return s.canonical(tree)
}

type surface struct{ shape bool }

func (s surface) canonical(tree any) ([]byte, error) {
	raw, err := json.Marshal(tree)
	if err != nil {
		return nil, err
	}
	return Canonical(raw)
}

// value treats an object as a record or a schema: its member names are keywords.
func (s surface) value(tree any) (any, error) {
	switch v := tree.(type) {
	case []any:
		for i, element := range v {
			var err error
			if v[i], err = s.value(element); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for name, member := range v {
			if s.shape && isDocumentation(name) {
				delete(v, name)
				continue
			}
			var err error
			if v[name], err = s.member(name, member); err != nil {
				return nil, err
			}
		}
	}
	return tree, nil
}

func isDocumentation(keyword string) bool {
	switch keyword {
	case "title", "description", "examples", "$comment", "icons":
		return true
	}
	return false
}

func (s surface) member(keyword string, member any) (any, error) {
	switch keyword {
	case "default", "const", "examples":
		return member, nil
	case "required", "enum", "type":
		return s.set(member)
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependentRequired":
		names, ok := member.(map[string]any)
		if !ok {
			return s.value(member)
		}
		each := s.value
		if keyword == "dependentRequired" {
			each = s.set
		}
		for name, under := range names {
			var err error
			if names[name], err = each(under); err != nil {
				return nil, err
			}
		}
		return names, nil
	}
	return s.value(member)
}

// set sorts a list by the canonical forms of its elements, which are data.
func (s surface) set(member any) (any, error) {
	list, ok := member.([]any)
	if !ok {
		return s.value(member)
	}
	type element struct {
		canonical []byte
		value     any
	}
	elements := make([]element, len(list))
	for i, v := range list {
		canonical, err := s.canonical(v)
		if err != nil {
			return nil, err
		}
		elements[i] = element{canonical, v}
	}
	slices.SortFunc(elements, func(a, b element) int { return bytes.Compare(a.canonical, b.canonical) })
	sorted := make([]any, len(list))
	for i, e := range elements {
		sorted[i] = e.value
	}
	return sorted, nil
}
