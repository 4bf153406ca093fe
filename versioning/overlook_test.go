package versioning_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mcpkit-go/agentmcp/versioning"
)

// everything has each kind of member once, none with the value that its absence
// has.
const everything = `{
  "name": "acme-wiki", "version": "1.0.0", "summary": {"does": ["A."]}, "capabilities": {"tools": {"listChanged": true}},
  "tools": [{"name": "t", "title": "T", "description": "T.", "icons": [{"src": "a"}], "execution": {"taskSupport": "optional"},
    "annotations": {"title": "T", "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
    "_meta": {"a/errors": ["x"], "a/other": 1, "a/lifecycle": {"stability": "preview",
      "deprecation": {"since": "2026-07-28", "removal_at_or_after": "2027-01-28", "replaced_by": "u", "migration": "Call u."}}},
    "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": "c", "type": "object", "additionalProperties": false,
      "minProperties": 1, "maxProperties": 9, "required": ["s"], "dependentRequired": {"s": ["n"]}, "propertyNames": {"pattern": "^."},
      "patternProperties": {"^x": {"type": "null"}}, "if": {"type": "object"}, "then": {"title": "a"}, "else": {"title": "b"}, "not": {"const": 0},
      "properties": {
        "s": {"type": ["string", "null"], "minLength": 1, "maxLength": 9, "pattern": "^a", "format": "date", "default": "a", "examples": ["a"]},
        "n": {"minimum": 1, "maximum": 9, "multipleOf": 3},
        "m": {"exclusiveMinimum": 1, "exclusiveMaximum": 9, "enum": [2, 3]},
        "l": {"prefixItems": [{"const": 1}], "items": {"type": "string"}, "contains": {"const": "a"}, "minContains": 2, "maxContains": 3, "minItems": 1, "maxItems": 4, "uniqueItems": true},
        "r": {"$ref": "#/$defs/d", "title": "R"},
        "o": {"anyOf": [{"title": "a"}, {"title": "b"}], "oneOf": [{"title": "a"}], "allOf": [{"title": "a"}]}
      }, "$defs": {"d": {"type": "string"}, "unused": {"type": "string"}}},
    "outputSchema": {"properties": {"p": {"type": "string"}}, "required": ["p"]}}],
  "resources": [{"uri": "a:b", "name": "b", "mimeType": "text/plain", "size": 3, "annotations": {"audience": ["user"]}}],
  "resourceTemplates": [{"uriTemplate": "a:{b}", "name": "b"}],
  "prompts": [{"name": "p", "arguments": [{"name": "a", "description": "A.", "required": true}], "_meta": {"a/when-to-use": "Now."}}],
  "error_codes": {"x": "X."}
}`

// TestDiffOverlooksNothing takes away and alters every single value of a
// surface. Unless the document becomes invalid, there must be a change.
func TestDiffOverlooksNothing(t *testing.T) {
	whole, err := versioning.ParseSurface([]byte(everything))
	if err != nil {
		t.Fatal(err)
	}
	decode := func() any {
		var tree any
		decoder := json.NewDecoder(strings.NewReader(everything))
		decoder.UseNumber()
		if err := decoder.Decode(&tree); err != nil {
			t.Fatal(err)
		}
		return tree
	}
	edits, compared := 0, 0
	for n := 0; ; n++ {
		left, place := n, ""
		tree := decode()
		if mutate(tree, "", &left, &place); place == "" {
			break
		}
		edits++
		raw, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		edited, err := versioning.ParseSurface(raw)
		if err != nil {
			continue
		}
		compared++
		for _, pair := range [][2]versioning.Surface{{whole, edited}, {edited, whole}} {
			if changes, err := versioning.Diff(pair[0], pair[1]); err != nil || len(changes) == 0 {
				t.Errorf("%s: no change, %v", place, err)
			}
		}
	}
	if edits < 200 || compared < edits*3/4 {
		t.Errorf("%d edits, %d of them compared: the test does not test", edits, compared)
	}
}

// mutate makes the edit that *left counts down to and names its place.
func mutate(tree any, at string, left *int, place *string) {
	due := func(what string) bool {
		if *place != "" {
			return false
		}
		if *left > 0 {
			*left--
			return false
		}
		*place = what
		return true
	}
	altered := func(v any) (any, bool) {
		switch v := v.(type) {
		case string:
			return v + "x", true
		case bool:
			return !v, true
		case json.Number:
			return json.Number("1" + v), true
		}
		return nil, false
	}
	switch v := tree.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			where := at + "/" + key
			if due("without " + where) {
				delete(v, key)
				return
			}
			if x, ok := altered(v[key]); ok && due("other "+where) {
				v[key] = x
				return
			}
			mutate(v[key], where, left, place)
		}
	case []any:
		for i := range v {
			where := fmt.Sprint(at, "/", i)
			if x, ok := altered(v[i]); ok && due("other "+where) {
				v[i] = x
				return
			}
			mutate(v[i], where, left, place)
		}
	}
}
