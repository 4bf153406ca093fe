package schema

import (
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// What is told of a broken keyword mostly follows from the schema alone. It is
// worked out once for each place; there are no more of these than keywords.
type toldKey struct {
	schema *jsonschema.Schema
	rule   string
}

type told struct {
	what    string
	allowed any
}

// expectation is that of f, remembered where it can be. The caller owns it.
func (d *Document) expectation(f finding) (what string, allowed any) {
	switch f.kind.(type) {
	case *kind.Type, *kind.Enum, *kind.Format, *kind.Pattern, *kind.MinLength, *kind.MaxLength, *kind.MinItems, *kind.MaxItems,
		*kind.Minimum, *kind.Maximum, *kind.ExclusiveMinimum, *kind.ExclusiveMaximum, *kind.MultipleOf:
	default:
		return f.expectation()
	}
	if f.schema == nil {
		return f.expectation()
	}
	key := toldKey{f.schema, f.rule}
	if t, ok := d.told.Load(key); ok {
		t := t.(told)
		return t.what, cloneAllowed(t.allowed)
	}
	what, allowed = f.expectation()
	d.told.Store(key, told{what, cloneAllowed(allowed)})
	return what, allowed
}

// cloneAllowed copies what [finding.expectation] returns as far as it is not
// the schema's.
func cloneAllowed(allowed any) any {
	switch v := allowed.(type) {
	case []any:
		return slices.Clone(v)
	case map[string]any:
		v = maps.Clone(v)
		if types, ok := v["type"].([]string); ok {
			v["type"] = slices.Clone(types)
		}
		return v
	}
	return allowed
}
