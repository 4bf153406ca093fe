package schema_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A world makes random schemas of the kind that For makes, and values.
type world struct{ *rand.Rand }

var worldNames = []string{"limit", "page", "issue_number", "labels", "state", "max_depth", "title", "note"}

func (g *world) one(list ...string) string { return list[g.IntN(len(list))] }

func (g *world) schema(depth int) string {
	n := 6
	if depth > 0 {
		n = 8
	}
	switch g.IntN(n) {
	case 0:
		return g.one(`{"type":"integer"}`, `{"type":"integer","minimum":1,"maximum":100}`, `{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":10}`,
			`{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}`, `{"type":"integer","minimum":0,"maximum":18446744073709551615}`, `{"type":"integer","default":7}`)
	case 1:
		return g.one(`{"type":"number"}`, `{"type":"number","minimum":0.5,"maximum":2.5}`, `{"type":"number","exclusiveMaximum":3}`, `{"type":"integer","multipleOf":2}`)
	case 2:
		return g.one(`{"type":"string"}`, `{"type":"string","minLength":1,"maxLength":4}`, `{"type":"string","pattern":"^[a-z]+$"}`, `{"type":"string","format":"date"}`, `{"type":"string","default":"x"}`)
	case 3:
		return g.one(`{"type":"string","enum":["open","closed","all"]}`, `{"type":"string","enum":["open","closed","all"],"default":"open"}`, `{"enum":[1,"a",null]}`)
	case 4:
		return `{"type":"boolean"}`
	case 5:
		return g.one(`{"type":["integer","null"]}`, `{"type":["string","null"],"minLength":2}`, `{}`)
	case 6:
		return fmt.Sprintf(`{"type":"array","items":%s%s}`, g.schema(depth-1), g.one("", `,"minItems":1`, `,"maxItems":2`, `,"uniqueItems":true`))
	}
	return g.object(depth-1, g.IntN(2) == 0)
}

func (g *world) object(depth int, closed bool) string {
	var properties, required []string
	for _, name := range worldNames {
		if g.IntN(2) == 0 {
			continue
		}
		properties = append(properties, strconv.Quote(name)+":"+g.schema(depth))
		if g.IntN(3) == 0 {
			required = append(required, strconv.Quote(name))
		}
	}
	s := `{"type":"object","properties":{` + strings.Join(properties, ",") + `}`
	if len(required) > 0 {
		s += `,"required":[` + strings.Join(required, ",") + `]`
	}
	if closed {
		s += `,"additionalProperties":false`
	}
	return s + "}"
}

// value makes any value.
func (g *world) value(depth int) any {
	n := 5
	if depth > 0 {
		n = 7
	}
	switch g.IntN(n) {
	case 0:
		return json.Number(g.one("0", "1", "7", "-3", "500", "2.5", "512.0", "9007199254740993", "1e3", "18446744073709551615"))
	case 1:
		return g.one("", "a", "open", "opened", "42", "true", `["bug"]`, `{"limit":1}`, "[a", "2024-02-29", "a,b", "null", "Closed")
	case 2:
		return g.IntN(2) == 0
	case 3:
		return nil
	case 4:
		return g.one("x", "longer text")
	case 5:
		list := []any{}
		for range g.IntN(4) {
			list = append(list, g.value(depth-1))
		}
		return list
	}
	m := map[string]any{}
	for range g.IntN(4) {
		m[g.one(append(slices.Clone(worldNames), "lables", "LIMIT", "isue_number", "toolCallId")...)] = g.value(depth - 1)
	}
	return m
}

// conforming makes a value that mostly conforms to the schema s.
func (g *world) conforming(s map[string]any) any {
	if g.IntN(30) == 0 {
		return g.value(1)
	}
	if enum, ok := s["enum"].([]any); ok {
		v := enum[g.IntN(len(enum))]
		if n, ok := v.(float64); ok {
			return json.Number(strconv.FormatFloat(n, 'g', -1, 64))
		}
		return v
	}
	typ, _ := s["type"].(string)
	if types, ok := s["type"].([]any); ok {
		typ = types[g.IntN(len(types))].(string)
	}
	switch typ {
	case "integer":
		return json.Number(strconv.Itoa(1 + g.IntN(9)))
	case "number":
		return json.Number(g.one("1", "2.5", "0.5"))
	case "string":
		return g.one("ab", "abc", "2024-02-29")
	case "boolean":
		return true
	case "null":
		return nil
	case "array":
		items, _ := s["items"].(map[string]any)
		list := []any{}
		for range 1 + g.IntN(2) {
			list = append(list, g.conforming(items))
		}
		return list
	case "object":
		m := map[string]any{}
		properties, _ := s["properties"].(map[string]any)
		required, _ := s["required"].([]any)
		for _, name := range worldNames {
			p, ok := properties[name].(map[string]any)
			if ok && (g.IntN(2) == 0 || slices.Contains(required, any(name))) {
				m[name] = g.conforming(p)
			}
		}
		return m
	}
	return g.value(0)
}
