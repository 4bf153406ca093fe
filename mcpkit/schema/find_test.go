package schema_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Violations are found without the engine where the schema is simple. A root
// keyword that says nothing makes the whole schema the engine's: both ways
// report the same.
func TestViolationsAreThoseOfTheEngine(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	invalid := 0
	compare := func(text string, tree any) {
		t.Helper()
		d, slow := compile(t, text), compile(t, `{"minProperties":0,`+text[1:])
		for range 2 { // the second time from memory
			got, want := d.Validate(tree), slow.Validate(tree)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("schema %s\nvalue %s\n(-engine +ours)\n%s", text, marshal(t, tree), diff)
			}
			invalid += len(got)
		}
	}
	for range 400 {
		g := &world{rng}
		text := g.object(3, true)
		for range 5 {
			compare(text, g.value(3))
			compare(text, g.value(1))
		}
	}
	if invalid < 5000 {
		t.Errorf("only %d violations", invalid)
	}

	// Every keyword that is decided without the engine, against values on
	// both sides of each bound and of each type.
	schemas := []string{
		`{"type":"string","minLength":2,"maxLength":3,"pattern":"^a+$"}`, `{"minLength":3,"maxLength":1}`, `{"type":["string","null"],"enum":["a","b",null]}`,
		`{"enum":["aa",true]}`, `{"type":"string","format":"date-time","minLength":100}`, `{"type":"string","format":"unheard-of","minLength":2}`,
		`{"type":"string","contentEncoding":"base64","minLength":2}`, `{"type":"integer","minimum":2,"maximum":4}`, `{"minimum":4,"maximum":2}`,
		`{"minimum":1.5,"maximum":2.5}`, `{"exclusiveMinimum":2,"maximum":4}`, `{"type":"number","minimum":-9223372036854775808,"maximum":9223372036854775807}`,
		`{"type":"boolean"}`, `{"type":["integer","boolean"],"enum":[3,true]}`, `{"type":"null"}`, `{"type":"array","items":{"type":"integer","maximum":3}}`,
		`{"type":"array","minItems":2,"maxItems":2,"uniqueItems":true,"items":{"type":"string"}}`, `{"uniqueItems":true,"items":{"maxLength":1}}`,
		`{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"array","items":{"minLength":2}}},"required":["c","d"],"additionalProperties":false}},"required":["a","b"]}`,
		`{"type":"object","additionalProperties":{"type":"integer","minimum":3}}`, `{"type":"object","propertyNames":{"maxLength":1}}`,
	}
	values := []string{
		`null`, `true`, `false`, `""`, `"a"`, `"aa"`, `"aaaa"`, `"bb"`, `"ää"`, `"aa=="`, `"2026-01-02T15:04:05Z"`, `0`, `2`, `3`, `5`, `2.0`, `2.25`, `1e400`, `-1`,
		`9223372036854775807`, `9223372036854775808`, `-9223372036854775809`, `[]`, `["a"]`, `["a","a"]`, `["aa","b","aa"]`, `[1,4,"5",[]]`, `{}`, `{"c":1}`,
		`{"b":{"c":["a","bb",""],"x/y":1,"~":2}}`, `{"b":{"d":1}}`, `{"bb":{"d":4}}`, `{"a":[1,{"b":2}]}`,
	}
	for _, s := range schemas {
		text := `{"properties":{"v":` + s + `}}`
		for _, v := range values {
			compare(text, map[string]any{"v": decodeTree(t, v)})
		}
	}
}

func decodeTree(t *testing.T, text string) any {
	t.Helper()
	d := compile(t, `{}`)
	args, violations := d.Read([]byte(`{"v":` + text + `}`))
	if len(violations) > 0 {
		return json.Number("1")
	}
	return args["v"]
}

// Allowed belongs to the caller: to change it changes no later answer.
func TestAllowedIsTheCallers(t *testing.T) {
	d := compile(t, `{"properties":{"a":{"enum":["x","y"]},"b":{"maximum":3},"c":{"type":["string","null"]}}}`)
	tree := map[string]any{"a": "z", "b": json.Number("4"), "c": true}
	want := d.Validate(tree)
	for range 2 {
		got := d.Validate(tree)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		for _, v := range got {
			switch allowed := v.Allowed.(type) {
			case []any:
				allowed[0] = "changed"
			case map[string]any:
				if types, ok := allowed["type"].([]string); ok {
					types[0] = "changed"
				}
				clear(allowed)
			}
		}
	}
}
