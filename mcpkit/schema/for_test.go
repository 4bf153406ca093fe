package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

// closed wraps properties into the schema of a root object.
func closed(required, properties string) string {
	s := `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",`
	if required != "" {
		s += `"required":[` + required + `],`
	}
	return s + `"properties":{` + properties + `},"additionalProperties":false}`
}

func mustFor(t *testing.T, typ reflect.Type, dir schema.Direction) *schema.Type {
	t.Helper()
	s, err := schema.For(typ, dir, nil)
	if err != nil {
		t.Fatalf("For(%v, %v): %v", typ, dir, err)
	}
	return s
}

// property returns the schema of the only field of typ.
func property(t *testing.T, typ reflect.Type, dir schema.Direction) string {
	t.Helper()
	fields := mustFor(t, typ, dir).Fields()
	if len(fields) != 1 {
		t.Fatalf("%v has %d fields, want 1", typ, len(fields))
	}
	return string(fields[0].Schema)
}

// conforms validates value with a validator that is not ours.
func conforms(t *testing.T, s *schema.Type, value []byte) error {
	t.Helper()
	root, err := validator.UnmarshalJSON(bytes.NewReader(s.JSON()))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	c.AssertFormat()
	c.AssertContent()
	if err := c.AddResource("mem:schema", root); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("mem:schema")
	if err != nil {
		t.Fatalf("compile %s: %v", s.JSON(), err)
	}
	tree, err := validator.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		t.Fatal(err)
	}
	return compiled.Validate(tree)
}

func mustConform(t *testing.T, dir schema.Direction, v any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	s := mustFor(t, reflect.TypeOf(v), dir)
	if err := conforms(t, s, data); err != nil {
		t.Errorf("%s does not conform to %s: %v", data, s.JSON(), err)
	}
}

type (
	level      int    // text in JSON
	color      string // a plain string
	flag       bool
	ratio      float32
	pointerful struct{ v int }
	node       struct {
		Kids []*node `json:"kids"`
	}
	list     []list
	mutual   struct{ Other map[string]other }
	other    struct{ Back *mutual }
	chain    *chain
	money    struct{ cents int64 }
	stamp    struct{ time.Time } // MarshalJSON by promotion
	octet    byte
	inner    struct{ C string }
	aliased  struct{ X int }
	extended int
	grade    string
	free     struct{}
)

func (l level) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "L%d", int(l)), nil }
func (l *level) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "L%d", (*int)(l))
	return err
}
func (p *pointerful) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%d", p.v), nil }
func (m money) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"minor_units":%d}`, m.cents), nil
}
func (m *money) UnmarshalJSON(b []byte) error {
	var v struct {
		Minor int64 `json:"minor_units"`
	}
	err := json.Unmarshal(b, &v)
	m.cents = v.Minor
	return err
}
func (money) SchemaJSON() json.RawMessage {
	return json.RawMessage(`{
		"type": "object", "required": ["minor_units"],
		"properties": {"minor_units": {"type": "integer"}},
		"additionalProperties": false, "description": "An amount." }`)
}
func (grade) SchemaJSON() json.RawMessage {
	return json.RawMessage(`{"enum":["a", "b"],"default":"a","title":"Grade","type":"string","description":"Of quality."}`)
}
func (*free) SchemaJSON() json.RawMessage              { return json.RawMessage(`{}`) }
func (aliased) JSONSchemaAlias() any                   { return 0 }
func (extended) JSONSchemaExtend(s *jsonschema.Schema) { s.Type = "null" }

// What each Go type gives, by direction. Public faults 3, 4, 15, 17, 18, 21,
// 22 and 24 are rows of it.
func TestTypes(t *testing.T) {
	const (
		in, out = schema.Input, schema.Output
		object  = `{"type":"object","required":["C"],"properties":{"C":{"type":"string"}},"additionalProperties":false}`
	)
	tests := []struct {
		name string
		dir  schema.Direction
		typ  reflect.Type
		want string
	}{
		{"string", in, reflect.TypeFor[struct{ V string }](), `{"type":"string"}`},
		{"named string", in, reflect.TypeFor[struct{ V color }](), `{"type":"string"}`},
		{"bool", in, reflect.TypeFor[struct{ V bool }](), `{"type":"boolean"}`},
		{"named bool", out, reflect.TypeFor[struct{ V flag }](), `{"type":"boolean"}`},
		{"float64", in, reflect.TypeFor[struct{ V float64 }](), `{"type":"number"}`},
		{"named float32", out, reflect.TypeFor[struct{ V ratio }](), `{"type":"number"}`},
		{"int", in, reflect.TypeFor[struct{ V int }](), `{"type":"integer"}`},
		{"int64", in, reflect.TypeFor[struct{ V int64 }](), `{"type":"integer"}`},
		{"int8 input", in, reflect.TypeFor[struct{ V int8 }](), `{"type":"integer","minimum":-128,"maximum":127}`},
		{"uint16 input", in, reflect.TypeFor[struct{ V uint16 }](), `{"type":"integer","minimum":0,"maximum":65535}`},
		{"int32 input", in, reflect.TypeFor[struct{ V int32 }](), `{"type":"integer","minimum":-2147483648,"maximum":2147483647}`},
		{"uint64 input", in, reflect.TypeFor[struct{ V uint64 }](), `{"type":"integer","minimum":0}`},
		{"uint8 output", out, reflect.TypeFor[struct{ V uint8 }](), `{"type":"integer"}`},
		{"pointer input", in, reflect.TypeFor[struct{ V *string }](), `{"type":"string"}`}, // public fault 21
		{"pointer output", out, reflect.TypeFor[struct{ V *string }](), `{"type":["string","null"]}`},
		{"pointer to pointer", out, reflect.TypeFor[struct{ V **int }](), `{"type":["integer","null"]}`},
		{"pointer that is left out", out, reflect.TypeFor[struct {
			V *string `json:",omitempty"`
		}](), `{"type":"string"}`},
		{"pointer that is left out, to a pointer", out, reflect.TypeFor[struct {
			V **string `json:",omitempty"`
		}](), `{"type":["string","null"]}`},
		{"list input", in, reflect.TypeFor[struct{ V []string }](), `{"type":"array","items":{"type":"string"}}`}, // public fault 21
		{"list of lists", in, reflect.TypeFor[struct{ V [][]int }](), `{"type":"array","items":{"type":"array","items":{"type":"integer"}}}`},
		{"list of pointers input", in, reflect.TypeFor[struct{ V []*inner }](), `{"type":"array","items":` + object + `}`},
		{"list of pointers output", out, reflect.TypeFor[struct{ V []*int }](), `{"type":"array","items":{"type":["integer","null"]}}`},
		{"list of any", out, reflect.TypeFor[struct{ V []any }](), `{"type":"array","items":{}}`}, // public fault 22
		{"any", out, reflect.TypeFor[struct{ V any }](), `{}`},                                    // public fault 24
		{"raw", out, reflect.TypeFor[struct{ V json.RawMessage }](), `{}`},                        // public fault 3
		{"pointer to raw", out, reflect.TypeFor[struct{ V *json.RawMessage }](), `{}`},
		{"map of raw", out, reflect.TypeFor[struct{ V map[string]json.RawMessage }](), `{"type":"object","additionalProperties":{}}`},
		{"bytes", in, reflect.TypeFor[struct{ V []byte }](), `{"type":"string","contentEncoding":"base64"}`}, // public fault 4
		{"named bytes", out, reflect.TypeFor[struct{ V []octet }](), `{"type":"string","contentEncoding":"base64"}`},
		{"hardware address", out, reflect.TypeFor[struct{ V net.HardwareAddr }](), `{"type":"string","contentEncoding":"base64"}`},
		{"array of bytes", out, reflect.TypeFor[struct{ V [4]byte }](), `{"type":"array","items":{"type":"integer"},"minItems":4,"maxItems":4}`}, // public fault 4
		{"empty array", out, reflect.TypeFor[struct{ V [0]string }](), `{"type":"array","items":{"type":"string"},"minItems":0,"maxItems":0}`},
		{"struct", in, reflect.TypeFor[struct{ V inner }](), object},
		{"empty struct", in, reflect.TypeFor[struct{ V struct{} }](), `{"type":"object","properties":{},"additionalProperties":false}`},
		{"map", in, reflect.TypeFor[struct{ V map[string]inner }](), `{"type":"object","additionalProperties":` + object + `}`},
		{"map of pointers", out, reflect.TypeFor[struct{ V map[color]*bool }](), `{"type":"object","additionalProperties":{"type":["boolean","null"]}}`},
		// public fault 18
		{"map by int", out, reflect.TypeFor[struct{ V map[int]string }](), `{"type":"object","propertyNames":{"pattern":"^-?(?:0|[1-9][0-9]*)$"},"additionalProperties":{"type":"string"}}`},
		{"map by uint", in, reflect.TypeFor[struct{ V map[uint8]string }](), `{"type":"object","propertyNames":{"pattern":"^(?:0|[1-9][0-9]*)$"},"additionalProperties":{"type":"string"}}`},
		{"map by text", in, reflect.TypeFor[struct{ V map[level]string }](), `{"type":"object","additionalProperties":{"type":"string"}}`},
		{"map by address", out, reflect.TypeFor[struct{ V map[netip.Addr]string }](), `{"type":"object","additionalProperties":{"type":"string"}}`},
		// public fault 17
		{"address output", out, reflect.TypeFor[struct{ V netip.Addr }](), `{"type":"string"}`},
		{"address input", in, reflect.TypeFor[struct{ V netip.Addr }](), `{"type":"string"}`},
		{"IPv4 or IPv6", out, reflect.TypeFor[struct{ V net.IP }](), `{"type":"string"}`},
		{"int with text", out, reflect.TypeFor[struct{ V level }](), `{"type":"string"}`},
		{"int with text input", in, reflect.TypeFor[struct{ V level }](), `{"type":"string"}`},
		{"big int", out, reflect.TypeFor[struct {
			V *big.Int `json:",omitempty"`
		}](), `{"type":"integer"}`},
		{"big int by value input", in, reflect.TypeFor[struct{ V big.Int }](), `{"type":"integer"}`},
		{"big ints by value output", out, reflect.TypeFor[struct{ V []big.Int }](), `{"type":"array","items":{"type":"integer"}}`},
		{"big float", in, reflect.TypeFor[struct{ V *big.Float }](), `{"type":"string"}`},
		{"number", in, reflect.TypeFor[struct{ V json.Number }](), `{"type":"number"}`},
		{"time", in, reflect.TypeFor[struct{ V time.Time }](), `{"type":"string","format":"date-time"}`},
		{"time pointer", out, reflect.TypeFor[struct{ V *time.Time }](), `{"type":["string","null"],"format":"date-time"}`},
		{"provider", out, reflect.TypeFor[struct{ V money }](), `{"type":"object","required":["minor_units"],"properties":{"minor_units":{"type":"integer"}},"additionalProperties":false,"description":"An amount."}`},
		{"provider by pointer", out, reflect.TypeFor[struct{ V *money }](), `{"type":["object","null"],"required":["minor_units"],"properties":{"minor_units":{"type":"integer"}},"additionalProperties":false,"description":"An amount."}`},
		{"provider that may be null", out, reflect.TypeFor[struct {
			V money `jsonschema:"nullable"`
		}](), `{"type":["object","null"],"required":["minor_units"],"properties":{"minor_units":{"type":"integer"}},"additionalProperties":false,"description":"An amount."}`},
		{"provider of a scalar", in, reflect.TypeFor[struct {
			V grade `json:",omitempty" jsonschema:"default=b" jsonschema_description:"Omitted means b."`
		}](), `{"type":"string","title":"Grade","enum":["a","b"],"default":"b","description":"Omitted means b."}`},
		{"provider of any", in, reflect.TypeFor[struct{ V free }](), `{}`},
		{"provider with a description", in, reflect.TypeFor[struct {
			V money `jsonschema:"title=Price" jsonschema_description:"The price."`
		}](), `{"type":"object","title":"Price","required":["minor_units"],"properties":{"minor_units":{"type":"integer"}},"additionalProperties":false,"description":"The price."}`},
		{"quoted int input", in, reflect.TypeFor[struct {
			V int `json:",string"`
		}](), `{"type":"string","pattern":"^-?(?:0|[1-9][0-9]*)$"}`},
		{"quoted float input", in, reflect.TypeFor[struct {
			V float64 `json:",string"`
		}](), `{"type":"string","pattern":"^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$"}`},
		{"quoted bool input", in, reflect.TypeFor[struct {
			V bool `json:",string"`
		}](), `{"type":"string","enum":["true","false"]}`},
		{"quoted uint output", out, reflect.TypeFor[struct {
			V uint64 `json:",string"`
		}](), `{"type":"string"}`},
		{"quoted pointer output", out, reflect.TypeFor[struct {
			V *int `json:",string"`
		}](), `{"type":["string","null"]}`},
		{"quoted struct, which json ignores", out, reflect.StructOf([]reflect.StructField{
			{Name: "V", Type: reflect.TypeFor[inner](), Tag: `json:",string"`}, // staticcheck refuses it as a literal
		}), object},
		{"patch", in, reflect.TypeFor[struct {
			V schema.Patch[int8] `json:",omitzero" jsonschema_description:"Omitted means unchanged; null clears."`
		}](), `{"type":["integer","null"],"minimum":-128,"maximum":127,"description":"Omitted means unchanged; null clears."}`},
		{"patch of a struct", in, reflect.TypeFor[struct {
			V schema.Patch[inner] `json:",omitzero" jsonschema_description:"Omitted means unchanged; null clears."`
		}](), `{"type":["object","null"],"required":["C"],"properties":{"C":{"type":"string"}},"additionalProperties":false,"description":"Omitted means unchanged; null clears."}`},
		{"patch with enum", in, reflect.TypeFor[struct {
			V schema.Patch[color] `json:",omitzero" jsonschema:"enum=a,enum=b" jsonschema_description:"Omitted means unchanged; null clears."`
		}](), `{"type":["string","null"],"enum":["a","b",null],"description":"Omitted means unchanged; null clears."}`},
		{"patch output", out, reflect.TypeFor[struct {
			V schema.Patch[[]string] `json:",omitzero"`
		}](), `{"type":["array","null"],"items":{"type":"string"}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, property(t, test.typ, test.dir)); diff != "" {
				t.Errorf("property (-want +got):\n%s", diff)
			}
		})
	}
}

// Public fault 23.
func TestNoArguments(t *testing.T) {
	want := `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{},"additionalProperties":false}`
	for _, typ := range []reflect.Type{reflect.TypeFor[struct{}](), reflect.TypeFor[*struct{}](), reflect.TypeFor[struct{ hidden int }]()} {
		if got := string(mustFor(t, typ, schema.Input).JSON()); got != want {
			t.Errorf("%v: got %s, want %s", typ, got, want)
		}
	}
}

// Embedding follows encoding/json. Public faults 7 and 9 are rows.
func TestEmbedding(t *testing.T) {
	type Inner struct {
		ID int    `json:"id"`
		C  string `json:"c"`
	}
	type Twin struct {
		C bool `json:"c"`
	}
	type (
		named struct {
			Inner `json:"meta"`
			M     string `json:"m"`
		}
		shadowed struct {
			*Inner
			C int `json:"c"`
		}
		byPointer struct {
			Own string `json:"own"`
			*Inner
		}
		ignored struct {
			Inner `json:"-"`
			V     string `json:"v"`
		}
	)
	// Written as literals, go vet and staticcheck refuse these.
	renamed := reflect.Zero(reflect.StructOf([]reflect.StructField{
		{Name: "Dash", Type: reflect.TypeFor[string](), Tag: `json:"-,"`},
		{Name: "Bad", Type: reflect.TypeFor[string](), Tag: `json:"a\\b"`},
	})).Interface()
	clash := reflect.Zero(reflect.StructOf([]reflect.StructField{
		{Name: "Inner", Type: reflect.TypeFor[Inner](), Anonymous: true},
		{Name: "Twin", Type: reflect.TypeFor[Twin](), Anonymous: true},
	})).Interface()
	meta := `{"type":"object","required":["id","c"],"properties":{"id":{"type":"integer"},"c":{"type":"string"}},"additionalProperties":false}`
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"with a name it nests", named{}, closed(`"meta","m"`, `"meta":`+meta+`,"m":{"type":"string"}`)},
		{"the outer field wins", shadowed{Inner: &Inner{}}, closed(`"c"`, `"id":{"type":"integer"},"c":{"type":"integer"}`)},
		{"two at one depth hide each other", clash, closed(`"id"`, `"id":{"type":"integer"}`)},
		{"a nil pointer leaves its fields out", byPointer{}, closed(`"own"`, `"own":{"type":"string"},"id":{"type":"integer"},"c":{"type":"string"}`)},
		{"ignored", ignored{}, closed(`"v"`, `"v":{"type":"string"}`)},
		{"a dash, and a name that json refuses", renamed, closed(`"-","Bad"`, `"-":{"type":"string"},"Bad":{"type":"string"}`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := mustFor(t, reflect.TypeOf(test.value), schema.Output)
			if diff := cmp.Diff(test.want, string(got.JSON())); diff != "" {
				t.Errorf("schema (-want +got):\n%s", diff)
			}
			mustConform(t, schema.Output, test.value)
		})
	}
}

// Types of one name in two packages, or in two functions, must not be mixed up.
func TestSameNames(t *testing.T) {
	type item struct{ A string }
	first := reflect.TypeFor[[]item]()
	{
		type item []struct{ B int }
		type root struct {
			First  any
			Second item
		}
		_ = root{}
		typ := reflect.StructOf([]reflect.StructField{
			{Name: "First", Type: first},
			{Name: "Second", Type: reflect.TypeFor[item]()},
		})
		want := closed(`"First","Second"`, `"First":{"type":"array","items":{"type":"object","required":["A"],"properties":{"A":{"type":"string"}},"additionalProperties":false}},`+
			`"Second":{"type":"array","items":{"type":"object","required":["B"],"properties":{"B":{"type":"integer"}},"additionalProperties":false}}`)
		if got := string(mustFor(t, typ, schema.Output).JSON()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// What a field may be missing or null for in an output.
func TestOutputPresence(t *testing.T) {
	type out struct {
		Always   string  `json:"always"`
		Empty    string  `json:"empty,omitempty"`
		Zero     string  `json:"zero,omitzero"`
		Full     string  `json:"full" detail:"full"`
		Null     *string `json:"null"`
		NullKept *string `json:"null_kept" detail:"always"`
		Default  string  `json:"default" jsonschema:"default=x"`
		Kept     string  `json:"kept" jsonschema:"default=x" detail:"always"`
		Any      any     `json:"any"`
		AnyKept  any     `json:"any_kept" detail:"always"`
		List     []int   `json:"list"`
		Reason   *string `json:"reason" jsonschema:"enum=a,enum=b,nullable" detail:"full"`
	}
	got := mustFor(t, reflect.TypeFor[out](), schema.Output)
	want := closed(`"always","null_kept","kept","any_kept","list"`,
		`"always":{"type":"string"},"empty":{"type":"string"},"zero":{"type":"string"},"full":{"type":"string"},`+
			`"null":{"type":["string","null"]},"null_kept":{"type":["string","null"]},`+
			`"default":{"type":"string","default":"x"},"kept":{"type":"string","default":"x"},`+
			`"any":{},"any_kept":{},"list":{"type":"array","items":{"type":"integer"}},`+
			`"reason":{"type":["string","null"],"enum":["a","b",null]}`)
	if diff := cmp.Diff(want, string(got.JSON())); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
	details := map[string]string{}
	for _, f := range got.Fields() {
		if f.Detail != "" {
			details[f.Name] = f.Detail
		}
	}
	wantDetails := map[string]string{"full": "full", "null_kept": "always", "kept": "always", "any_kept": "always", "reason": "full"}
	if diff := cmp.Diff(wantDetails, details); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
}

// Keywords keep their commas, types and order. Public faults 13, 14, 15 and 16
// are rows.
func TestKeywords(t *testing.T) {
	tests := []struct {
		name string
		typ  reflect.Type
		want string
	}{
		{"comma in a description", reflect.TypeFor[struct { // public fault 13
			V bool `jsonschema_description:"If true, descend, then list."`
		}](), `{"type":"boolean","description":"If true, descend, then list."}`},
		{"markup in a description", reflect.TypeFor[struct {
			V bool `jsonschema_description:"<b> & \"q\"\tü"`
		}](), `{"type":"boolean","description":"<b> & \"q\"\tü"}`},
		{"comma in a title", reflect.TypeFor[struct {
			V bool `jsonschema:"title=If true, descend, then list."`
		}](), `{"type":"boolean","title":"If true, descend, then list."}`},
		{"comma in a pattern", reflect.TypeFor[struct { // public fault 14
			V string `jsonschema:"pattern=^[A-Z]{0,3}$,maxLength=10"`
		}](), `{"type":"string","pattern":"^[A-Z]{0,3}$","maxLength":10}`},
		{"commas before words in a pattern", reflect.TypeFor[struct {
			V string `jsonschema:"pattern=^(a\\,b|x=1\\,format=2|[,;]{2,})$,minLength=1"`
		}](), `{"type":"string","pattern":"^(a,b|x=1,format=2|[,;]{2,})$","minLength":1}`},
		{"backslash in a pattern", reflect.TypeFor[struct {
			V string `jsonschema:"pattern=^\\d{1,2}\\.\\d$"`
		}](), `{"type":"string","pattern":"^\\d{1,2}\\.\\d$"}`},
		{"equals signs in values", reflect.TypeFor[struct {
			V string `json:",omitempty" jsonschema:"default=a=b,enum=a=b,enum=,enum=c d" jsonschema_description:"Omitted: a=b."`
		}](), `{"type":"string","enum":["a=b","","c d"],"default":"a=b","description":"Omitted: a=b."}`},
		{"enum of a pointer to a number", reflect.TypeFor[struct { // public fault 15
			V *uint32 `jsonschema:"enum=0,enum=1,enum=2"`
		}](), `{"type":"integer","enum":[0,1,2],"minimum":0,"maximum":4294967295}`},
		{"enum of floats", reflect.TypeFor[struct {
			V float64 `jsonschema:"enum=0.5,enum=-1,enum=1e3"`
		}](), `{"type":"number","enum":[0.5,-1,1e3]}`},
		{"enum of booleans", reflect.TypeFor[struct {
			V flag `jsonschema:"enum=true"`
		}](), `{"type":"boolean","enum":[true]}`},
		{"enum of 64 bits", reflect.TypeFor[struct {
			V int64 `jsonschema:"enum=9007199254740993,enum=-9223372036854775808"`
		}](), `{"type":"integer","enum":[9007199254740993,-9223372036854775808]}`},
		{"enum of quoted numbers", reflect.TypeFor[struct {
			V int64 `json:",string" jsonschema:"enum=1,enum=2"`
		}](), `{"type":"string","enum":["1","2"],"pattern":"^-?(?:0|[1-9][0-9]*)$"}`},
		{"enum of text", reflect.TypeFor[struct {
			V level `jsonschema:"enum=L1,enum=L2"`
		}](), `{"type":"string","enum":["L1","L2"]}`},
		{"default of an int", reflect.TypeFor[struct { // public fault 16
			V int `json:",omitempty" jsonschema:"default=13" jsonschema_description:"Omitted means 13."`
		}](), `{"type":"integer","default":13,"description":"Omitted means 13."}`},
		{"default of an enum", reflect.TypeFor[struct { // public fault 16
			V string `json:",omitempty" jsonschema:"default=a,enum=a,enum=b" jsonschema_description:"Omitted means a."`
		}](), `{"type":"string","enum":["a","b"],"default":"a","description":"Omitted means a."}`},
		{"default false", reflect.TypeFor[struct { // public fault 16
			V bool `json:",omitempty" jsonschema:"default=false" jsonschema_description:"Omitted means false."`
		}](), `{"type":"boolean","default":false,"description":"Omitted means false."}`},
		{"default of the empty string", reflect.TypeFor[struct {
			V string `json:",omitempty" jsonschema:"default=" jsonschema_description:"Omitted means empty."`
		}](), `{"type":"string","default":"","description":"Omitted means empty."}`},
		{"default of a list", reflect.TypeFor[struct {
			V []string `json:",omitempty" jsonschema:"default=[\"a\", \"b\"],maxItems=2" jsonschema_description:"Omitted means both."`
		}](), `{"type":"array","items":{"type":"string"},"maxItems":2,"default":["a","b"],"description":"Omitted means both."}`},
		{"default of an object", reflect.TypeFor[struct {
			V inner `json:",omitzero" jsonschema:"default={\"C\": \"x\"}" jsonschema_description:"Omitted means x."`
		}](), `{"type":"object","required":["C"],"properties":{"C":{"type":"string"}},"additionalProperties":false,"default":{"C":"x"},"description":"Omitted means x."}`},
		{"default of 64 bits", reflect.TypeFor[struct {
			V uint64 `json:",omitempty" jsonschema:"default=18446744073709551615" jsonschema_description:"Omitted means all."`
		}](), `{"type":"integer","minimum":0,"default":18446744073709551615,"description":"Omitted means all."}`},
		{"default of a quoted bool", reflect.TypeFor[struct {
			V bool `json:",omitempty,string" jsonschema:"default=true" jsonschema_description:"Omitted means true."`
		}](), `{"type":"string","enum":["true","false"],"default":"true","description":"Omitted means true."}`},
		{"default of a time", reflect.TypeFor[struct {
			V time.Time `json:",omitzero" jsonschema:"default=2026-01-02T03:04:05Z" jsonschema_description:"Omitted means long ago."`
		}](), `{"type":"string","format":"date-time","default":"2026-01-02T03:04:05Z","description":"Omitted means long ago."}`},
		{"bounds replace those of the type", reflect.TypeFor[struct {
			V uint8 `jsonschema:"minimum=1,exclusiveMaximum=10,multipleOf=2"`
		}](), `{"type":"integer","minimum":1,"exclusiveMaximum":10,"multipleOf":2}`},
		{"exact bounds", reflect.TypeFor[struct {
			V float64 `jsonschema:"exclusiveMinimum=-0.10,maximum=1.5e2"`
		}](), `{"type":"number","exclusiveMinimum":-0.10,"maximum":1.5e2}`},
		{"list", reflect.TypeFor[struct {
			V []string `jsonschema:"minItems=1,maxItems=3,uniqueItems,items.enum=a,items.enum=b,items.minLength=1"`
		}](), `{"type":"array","items":{"type":"string","enum":["a","b"],"minLength":1},"minItems":1,"maxItems":3,"uniqueItems":true}`},
		{"list of numbers", reflect.TypeFor[struct {
			V []*int8 `jsonschema:"items.minimum=1"`
		}](), `{"type":"array","items":{"type":"integer","minimum":1,"maximum":127}}`},
		{"list of links", reflect.TypeFor[struct {
			V []string `jsonschema:"items.format=uri,items.pattern=^https://[a-z]{1,9}"`
		}](), `{"type":"array","items":{"type":"string","format":"uri","pattern":"^https://[a-z]{1,9}"}}`},
		{"length of base64", reflect.TypeFor[struct {
			V []byte `jsonschema:"maxLength=64"`
		}](), `{"type":"string","contentEncoding":"base64","maxLength":64}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, property(t, test.typ, schema.Input)); diff != "" {
				t.Errorf("property (-want +got):\n%s", diff)
			}
		})
	}
}

// Public faults 3 and 15: which values the schema takes.
func TestValues(t *testing.T) {
	type out struct {
		R json.RawMessage `json:"r"`
		P *uint32         `json:"p,omitempty" jsonschema:"enum=0,enum=1,enum=2"`
		I any             `json:"i"`
	}
	s := mustFor(t, reflect.TypeFor[out](), schema.Output)
	for _, value := range []string{`{"r":{"x":1}}`, `{"r":[1,null]}`, `{"r":null,"i":null}`, `{"r":"s","p":1}`, `{"i":{"a":[]}}`} {
		if err := conforms(t, s, []byte(value)); err != nil {
			t.Errorf("%s: %v", value, err)
		}
	}
	for _, value := range []string{`{"p":"1"}`, `{"p":3}`, `{"p":null}`, `{"q":1}`} {
		if conforms(t, s, []byte(value)) == nil {
			t.Errorf("%s conforms", value)
		}
	}
}

type (
	badProvider    struct{}
	openProvider   struct{}
	listProvider   struct{}
	refProvider    struct{}
	aheadProvider  struct{}
	scalarProvider struct{}
	panicProvider  struct{ p *int }
)

func (badProvider) SchemaJSON() json.RawMessage  { return json.RawMessage(`{"type":`) }
func (openProvider) SchemaJSON() json.RawMessage { return json.RawMessage(`{"type":"object"}`) }
func (listProvider) SchemaJSON() json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{"a":{"type":["string","null"]}},"additionalProperties":false}`)
}
func (refProvider) SchemaJSON() json.RawMessage {
	return json.RawMessage(`{"type":"array","items":{"$ref":"#/x"}}`)
}
func (aheadProvider) SchemaJSON() json.RawMessage {
	return json.RawMessage(`{"type":"string","pattern":"^(?=a)"}`)
}
func (scalarProvider) SchemaJSON() json.RawMessage  { return json.RawMessage(`true`) }
func (p panicProvider) SchemaJSON() json.RawMessage { return fmt.Appendf(nil, "%d", *p.p) }

const omitted = "Omitted means none."

// Each row is one mistake, with the field and the reason that must be named.
func TestFaults(t *testing.T) {
	const in, out = schema.Input, schema.Output
	tests := []struct {
		name   string
		dir    schema.Direction
		typ    reflect.Type
		field  string
		reason string
	}{
		// Types. Public fault 12 and its kind come first.
		{"recursive root", in, reflect.TypeFor[node](), "kids", "schema_test.node contains itself"},
		{"recursive field", out, reflect.TypeFor[struct{ V struct{ N node } }](), "V.N.kids", "schema_test.node contains itself"},
		{"recursive list", out, reflect.TypeFor[struct{ V list }](), "V", "schema_test.list contains itself"},
		{"recursive by way of another", out, reflect.TypeFor[mutual](), "Other.Back", "schema_test.mutual contains itself"},
		{"recursive pointer", out, reflect.TypeFor[struct{ V chain }](), "V", "schema_test.chain contains itself"},
		{"any input", in, reflect.TypeFor[struct{ V any }](), "V", "an input of any type"},
		{"list of any input", in, reflect.TypeFor[struct{ V []any }](), "V", "an input of any type"},
		{"map of any input", in, reflect.TypeFor[struct{ V map[string]any }](), "V", "an input of any type"},
		{"raw input", in, reflect.TypeFor[struct{ V json.RawMessage }](), "V", "an input of any type"},
		{"interface", out, reflect.TypeFor[struct{ V error }](), "V", "an interface with methods"},
		{"channel", out, reflect.TypeFor[struct{ V chan int }](), "V", "a chan has no JSON"},
		{"function", in, reflect.TypeFor[struct{ V []func() }](), "V", "a func has no JSON"},
		{"complex", in, reflect.TypeFor[struct{ V complex128 }](), "V", "a complex128 has no JSON"},
		{"uintptr", out, reflect.TypeFor[struct{ V uintptr }](), "V", "a uintptr has no JSON"},
		{"map by struct", out, reflect.TypeFor[struct{ V map[inner]int }](), "V", "no keys of type schema_test.inner"},
		{"map by float", in, reflect.TypeFor[struct{ V map[float64]int }](), "V", "no keys of type float64"},
		{"duration", in, reflect.TypeFor[struct{ V time.Duration }](), "V", "timeout_ms"},
		{"URL", out, reflect.TypeFor[struct{ V *url.URL }](), "V", "format=uri"},
		{"big int by value", out, reflect.TypeFor[struct{ V big.Int }](), "V", "use *big.Int"},
		{"marshaler", out, reflect.TypeFor[struct{ V stamp }](), "V", "MarshalJSON decides its JSON"},
		{"unmarshaler", in, reflect.TypeFor[struct{ V stamp }](), "V", "UnmarshalJSON decides its JSON"},
		{"marshaler by pointer", out, reflect.TypeFor[struct{ V pointerful }](), "V", "has no address here"},
		{"marshaler behind a pointer", out, reflect.TypeFor[struct{ V *pointerful }](), "V", "MarshalJSON decides its JSON"},
		{"alias hook", out, reflect.TypeFor[struct{ V aliased }](), "V", "JSONSchemaAlias"},
		{"extend hook", out, reflect.TypeFor[struct{ V extended }](), "V", "JSONSchemaExtend"},
		{"provider without JSON", out, reflect.TypeFor[struct{ V badProvider }](), "V", "it is not JSON"},
		{"provider of an open object", out, reflect.TypeFor[struct{ V []openProvider }](), "V", "not closed"},
		{"provider with a list of types", out, reflect.TypeFor[struct{ V listProvider }](), "V", "type is not one string"},
		{"provider with a reference", in, reflect.TypeFor[struct{ V refProvider }](), "V", "$ref is not portable"},
		{"provider with a pattern that would not be checked", in, reflect.TypeFor[struct{ V []aheadProvider }](), "", "/properties/V/items/pattern of the schema"},
		{"provider of a boolean schema", in, reflect.TypeFor[struct{ V scalarProvider }](), "V", "not a JSON object"},
		{"provider that panics", in, reflect.TypeFor[struct{ V panicProvider }](), "V", "panics"},
		{"patch of a pointer", in, reflect.TypeFor[struct {
			V schema.Patch[*int] `json:",omitzero" jsonschema_description:"Omitted."`
		}](), "V", "use a Patch of int"},
		{"patch of a patch", in, reflect.TypeFor[struct {
			V schema.Patch[schema.Patch[int]] `json:",omitzero" jsonschema_description:"Omitted."`
		}](), "V", "Patch of a Patch"},
		{"patch of any", out, reflect.TypeFor[struct {
			V schema.Patch[any] `json:",omitzero"`
		}](), "V", "Patch of any"},
		{"patch without omitzero", in, reflect.TypeFor[struct {
			V schema.Patch[int] `json:",omitempty" jsonschema_description:"Omitted."`
		}](), "V", "omitzero"},
		{"patch with a default", in, reflect.TypeFor[struct {
			V schema.Patch[int] `json:",omitzero" jsonschema:"default=1" jsonschema_description:"Omitted."`
		}](), "V", "a Patch has no default"},
		{"string under the string option", out, reflect.TypeFor[struct {
			V string `json:",string"`
		}](), "V", "quotes a string twice"},
		{"text under the string option", out, reflect.TypeFor[struct {
			V level `json:",string"`
		}](), "V", "string option does not suit"},

		// Roots.
		{"root list", out, reflect.TypeFor[[]inner](), "", "must be a struct"},
		{"root map", out, reflect.TypeFor[map[string]int](), "", "must be a struct"},
		{"root time", in, reflect.TypeFor[time.Time](), "", "must be a struct"},
		{"root pointer to pointer", in, reflect.TypeFor[**inner](), "", "must be a struct"},
		{"root any", in, reflect.TypeFor[any](), "", "must be a struct"},
		{"no direction", 0, reflect.TypeFor[inner](), "", "must be Input or Output"},
		{"no type", in, nil, "", "no type"},

		// Tags. Public fault 13 and 14: unknown leftovers.
		{"unknown keyword", in, reflect.TypeFor[struct {
			V string `jsonschema:"minLen=1"`
		}](), "V", `unknown keyword "minLen"`},
		{"misspelt keyword after a pattern", in, reflect.TypeFor[struct {
			V string `jsonschema:"pattern=^a{1,2}$,maxLenght=10"`
		}](), "V", `"maxLenght" after a comma is no keyword`},
		{"keyword after a space", in, reflect.TypeFor[struct {
			V string `jsonschema:"enum=a, enum=b"`
		}](), "V", `"enum" after a comma`},
		{"foreign flag", in, reflect.TypeFor[struct {
			V string `jsonschema:"title=Name,required"`
		}](), "V", `"required" after a comma`},
		{"foreign flag alone", in, reflect.TypeFor[struct {
			V string `jsonschema:"required"`
		}](), "V", `unknown keyword "required"`},
		{"enum as a list", in, reflect.TypeFor[struct {
			V string `jsonschema:"enum=a,b"`
		}](), "V", `"b" after a comma`},
		{"enum as a list of numbers", in, reflect.TypeFor[struct {
			V int `jsonschema:"enum=1,2"`
		}](), "V", `"2" after a comma`},
		{"trailing comma", in, reflect.TypeFor[struct {
			V string `jsonschema:"enum=a,"`
		}](), "V", `after a comma is no keyword`},
		{"description in the tag", in, reflect.TypeFor[struct {
			V string `jsonschema:"description=a"`
		}](), "V", "jsonschema_description tag"},
		{"twice", in, reflect.TypeFor[struct {
			V string `jsonschema:"minLength=1,minLength=2"`
		}](), "V", "minLength stands twice"},
		{"no value", in, reflect.TypeFor[struct {
			V string `jsonschema:"minLength"`
		}](), "V", "minLength needs a value"},
		{"value of a flag", in, reflect.TypeFor[struct {
			V []string `jsonschema:"uniqueItems=true"`
		}](), "V", "uniqueItems takes no value"},
		{"not a count", in, reflect.TypeFor[struct {
			V string `jsonschema:"maxLength=-1"`
		}](), "V", "is not a count"},
		{"not a number", in, reflect.TypeFor[struct {
			V float64 `jsonschema:"minimum=0x10"`
		}](), "V", "is not a JSON number"},
		{"infinite", in, reflect.TypeFor[struct {
			V float64 `jsonschema:"minimum=NaN"`
		}](), "V", "is not a JSON number"},
		{"fraction for an integer", in, reflect.TypeFor[struct {
			V int `jsonschema:"minimum=0.5"`
		}](), "V", "is not an integer"},
		{"beyond the type", out, reflect.TypeFor[struct {
			V uint8 `jsonschema:"maximum=256"`
		}](), "V", "outside the range of uint8"},
		{"below the type", in, reflect.TypeFor[struct {
			V uint `jsonschema:"minimum=-1"`
		}](), "V", "outside the range of uint"},
		{"multiple of nothing", in, reflect.TypeFor[struct {
			V int `jsonschema:"multipleOf=0"`
		}](), "V", "greater than zero"},
		{"bad pattern", in, reflect.TypeFor[struct {
			V string `jsonschema:"pattern=("`
		}](), "V", "missing closing )"},
		{"bad pattern of two lines", in, reflect.TypeFor[struct {
			V string `jsonschema:"pattern=(\n"`
		}](), "V", "missing closing )"},
		{"pattern with flags", in, reflect.TypeFor[struct {
			V string `jsonschema:"pattern=(?i)a"`
		}](), "V", "ECMA-262"},
		{"pattern with a text anchor", in, reflect.TypeFor[struct {
			V string `jsonschema:"pattern=\\Aa\\z"`
		}](), "V", "ECMA-262"},
		{"unknown format", in, reflect.TypeFor[struct {
			V string `jsonschema:"format=datetime"`
		}](), "V", `"datetime" is not one of`},
		{"other format than the type's", in, reflect.TypeFor[struct {
			V time.Time `jsonschema:"format=date"`
		}](), "V", "already means date-time"},
		{"length of a number", in, reflect.TypeFor[struct {
			V int `jsonschema:"maxLength=1"`
		}](), "V", "maxLength: it does not apply to JSON type integer"},
		{"bound of a string", in, reflect.TypeFor[struct {
			V string `jsonschema:"minimum=1"`
		}](), "V", "minimum: it does not apply to JSON type string"},
		{"format of a list", in, reflect.TypeFor[struct {
			V []string `jsonschema:"format=uri"`
		}](), "V", "format: it does not apply to JSON type array"},
		{"items of a string", in, reflect.TypeFor[struct {
			V string `jsonschema:"items.minLength=1"`
		}](), "V", "items.minLength does not apply"},
		{"items of what does not apply", in, reflect.TypeFor[struct {
			V []bool `jsonschema:"items.minLength=1"`
		}](), "V", "items.minLength: it does not apply to JSON type boolean"},
		{"length of an array", in, reflect.TypeFor[struct {
			V [3]int `jsonschema:"minItems=1"`
		}](), "V", "fixed length"},
		{"enum of a provider", in, reflect.TypeFor[struct {
			V money `jsonschema:"enum=1"`
		}](), "V", "states its schema itself"},
		{"bounds of any", out, reflect.TypeFor[struct {
			V any `jsonschema:"minimum=1"`
		}](), "V", "a value of any type"},
		{"contradicting lengths", in, reflect.TypeFor[struct {
			V string `jsonschema:"minLength=2,maxLength=1"`
		}](), "V", "minLength and maxLength contradict"},
		{"contradicting bounds", in, reflect.TypeFor[struct {
			V float64 `jsonschema:"exclusiveMinimum=1,maximum=1.0"`
		}](), "V", "exclusiveMinimum and maximum contradict"},
		{"contradicting bounds of items", in, reflect.TypeFor[struct {
			V []int `jsonschema:"items.minimum=2,items.maximum=1"`
		}](), "V", "items.minimum and maximum contradict"},
		{"bound against the type", in, reflect.TypeFor[struct {
			V int8 `jsonschema:"exclusiveMinimum=127"`
		}](), "V", "exclusiveMinimum and maximum contradict"},
		{"enum member twice", in, reflect.TypeFor[struct {
			V string `jsonschema:"enum=a,enum=a"`
		}](), "V", `"a" stands twice`},
		{"enum member of the wrong type", in, reflect.TypeFor[struct { // public fault 15
			V *uint32 `jsonschema:"enum=one"`
		}](), "V", `"one" is not a JSON number`},
		{"enum member against the pattern", in, reflect.TypeFor[struct {
			V string `jsonschema:"enum=A,pattern=^[a-z]$"`
		}](), "V", `enum member "A" does not satisfy`},
		{"enum member of items against the length", in, reflect.TypeFor[struct {
			V []string `jsonschema:"items.enum=abc,items.maxLength=2"`
		}](), "V", `enum member "abc" does not satisfy`},
		// Public fault 16.
		{"default outside the enum", in, reflect.TypeFor[struct {
			V string `json:",omitempty" jsonschema:"enum=a,enum=b,default=c" jsonschema_description:"Omitted means c."`
		}](), "V", `default "c" does not satisfy`},
		{"default outside the bounds", in, reflect.TypeFor[struct {
			V int `json:",omitempty" jsonschema:"maximum=10,default=11" jsonschema_description:"Omitted means 11."`
		}](), "V", "default 11 does not satisfy"},
		{"default outside the type", in, reflect.TypeFor[struct {
			V int8 `json:",omitempty" jsonschema:"default=128" jsonschema_description:"Omitted means 128."`
		}](), "V", "outside the range of int8"},
		{"default of the wrong type", in, reflect.TypeFor[struct {
			V bool `json:",omitempty" jsonschema:"default=no" jsonschema_description:"Omitted means no."`
		}](), "V", `"no" is neither true nor false`},
		{"default of the wrong shape", in, reflect.TypeFor[struct {
			V []string `json:",omitempty" jsonschema:"default=[1]" jsonschema_description:"Omitted means 1."`
		}](), "V", "default [1] does not satisfy"},
		{"default that is no JSON", in, reflect.TypeFor[struct {
			V []string `json:",omitempty" jsonschema:"default=a" jsonschema_description:"Omitted means a."`
		}](), "V", `"a" is not JSON`},
		{"default against the format", in, reflect.TypeFor[struct {
			V time.Time `json:",omitzero" jsonschema:"default=today" jsonschema_description:"Omitted means today."`
		}](), "V", `default "today" does not satisfy`},
		{"default of a required field", in, reflect.TypeFor[struct {
			V int `jsonschema:"default=1"`
		}](), "V", "a required field has no default"},
		{"nullable input", in, reflect.TypeFor[struct {
			V *int `jsonschema:"nullable"`
		}](), "V", "use schema.Patch"},
		{"nullable that never is", out, reflect.TypeFor[struct {
			V int `jsonschema:"nullable"`
		}](), "V", "never null"},
		{"nullable that is left out", out, reflect.TypeFor[struct {
			V *int `json:",omitempty" jsonschema:"nullable"`
		}](), "V", "left out rather than null"},
		{"tags of an embedded struct", in, reflect.TypeFor[struct {
			Embedded `jsonschema:"title=x"`
		}](), "", "embedded Embedded"},

		// Descriptions.
		{"optional without a description", in, reflect.TypeFor[struct {
			V int `json:"v,omitempty"`
		}](), "v", "must say what leaving it out does"},
		{"optional with a description of something else", in, reflect.TypeFor[struct {
			V int `json:"v,omitzero" jsonschema_description:"Optional. The commits to skip."`
		}](), "v", "must say what leaving it out does"},
		{"optional and nested", in, reflect.TypeFor[struct {
			L []struct {
				V int `json:"v,omitempty"`
			} `json:"l"`
		}](), "l.v", "must say what leaving it out does"},
		{"name that is no identifier", in, reflect.TypeFor[struct {
			V int `json:"a.b"`
		}](), "a.b", "must be a letter or underscore"},

		// Roles.
		{"unknown role", in, reflect.TypeFor[struct {
			V string `mcp:"cursr"`
		}](), "V", `unknown role "cursr"`},
		{"role twice", in, reflect.TypeFor[struct {
			V string `mcp:"scope,scope"`
		}](), "V", "role scope twice"},
		{"empty role", in, reflect.TypeFor[struct {
			V string `mcp:"scope,"`
		}](), "V", `unknown role ""`},
		{"lookup of nothing", in, reflect.TypeFor[struct {
			V string `mcp:"lookup="`
		}](), "V", "not the name of a tool"},
		{"lookup of no tool", in, reflect.TypeFor[struct {
			V string `mcp:"lookup=List-Labels"`
		}](), "V", "not the name of a tool"},
		{"cursor that is no string", in, reflect.TypeFor[struct {
			V int `mcp:"cursor"`
		}](), "V", "role cursor needs a string"},
		{"two cursors", in, reflect.TypeFor[struct {
			A string `mcp:"cursor"`
			B string `mcp:"cursor"`
		}](), "B", "role cursor is already that of A"},
		{"nested key", in, reflect.TypeFor[struct {
			V struct {
				K string `mcp:"idempotency_key"`
			}
		}](), "V.K", "role idempotency_key belongs to a top-level field"},
		{"set that is no list", in, reflect.TypeFor[struct {
			V string `mcp:"set"`
		}](), "V", "role set needs a list"},
		{"fold that is no text", in, reflect.TypeFor[struct {
			V []int `mcp:"fold"`
		}](), "V", "role fold needs a string or a list of strings"},
		{"scope that is a list", in, reflect.TypeFor[struct {
			V []string `mcp:"scope"`
		}](), "V", "role scope needs"},
		{"unknown detail", out, reflect.TypeFor[struct {
			V string `detail:"summary"`
		}](), "V", `detail is "summary"`},
		{"huge", out, huge(), "", "more than 4096 parts"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := schema.For(test.typ, test.dir, nil)
			if s != nil {
				t.Errorf("For returned a schema: %s", s.JSON())
			}
			faults := schema.Faults(err)
			if len(faults) != 1 {
				t.Fatalf("got %d faults, want 1: %v", len(faults), err)
			}
			if f := faults[0]; f.Field != test.field || !strings.Contains(f.Reason, test.reason) {
				t.Errorf("got field %q, reason %q; want field %q, reason with %q", f.Field, f.Reason, test.field, test.reason)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error has more than one line: %q", err)
			}
		})
	}
}

type Embedded struct{ X int }

// huge returns a type of few structs whose schema doubles with each.
func huge() reflect.Type {
	t := reflect.TypeFor[struct{ X int }]()
	for range 12 {
		t = reflect.StructOf([]reflect.StructField{{Name: "A", Type: t}, {Name: "B", Type: t}})
	}
	return t
}

// All faults come at once, sorted, and the same on every run.
func TestFaultsTogether(t *testing.T) {
	type in struct {
		Z chan int `json:"z"`
		N struct {
			B any    `json:"b"`
			A string `json:"a" jsonschema:"minimum=1,size=2"`
		} `json:"n"`
		C node   `json:"c"`
		O string `json:"o,omitempty" mcp:"x"`
	}
	opts := &schema.Options{Describe: map[string]string{"n.q": "Nothing.", "m": "Nothing."}}
	want := []string{
		`schema: schema_test.node: field "c.kids": it is recursive: schema_test.node contains itself`,
		`schema: schema_test.in: field "m": Options.Describe names no field`,
		`schema: schema_test.in: field "n.a": keyword minimum: "size" after a comma is no keyword; write \\, if the comma belongs to the value`,
		`schema: schema_test.in: field "n.b": interface {} has no schema: an input of any type gives a client nothing to go by; use a concrete type, or implement schema.Provider`,
		`schema: schema_test.in: field "n.q": Options.Describe names no field`,
		`schema: schema_test.in: field "o": the description of an optional field must say what leaving it out does, with the word "omitted"; as in: Omitted means no filter.`,
		`schema: schema_test.in: field "o": unknown role "x" in the mcp tag`,
		`schema: schema_test.in: field "z": chan int has no schema: a chan has no JSON`,
	}
	for range 10 {
		_, err := schema.For(reflect.TypeFor[in](), schema.Input, opts)
		if diff := cmp.Diff(want, strings.Split(err.Error(), "\n")); diff != "" {
			t.Fatalf("faults (-want +got):\n%s", diff)
		}
		wrapped := fmt.Errorf("tool x: %w", err)
		if got := schema.Faults(wrapped); len(got) != len(want) {
			t.Errorf("Faults of a wrapped error: got %d, want %d", len(got), len(want))
		}
		var fault *schema.Fault
		if !errors.As(wrapped, &fault) || fault.Field != "c.kids" {
			t.Errorf("errors.As found %v, want the first fault", fault)
		}
	}
}

func TestFaultsOfOthers(t *testing.T) {
	if got := schema.Faults(nil); got != nil {
		t.Errorf("Faults(nil) = %v, want nil", got)
	}
	if got := schema.Faults(errors.New("x")); got != nil {
		t.Errorf("Faults of another error = %v, want nil", got)
	}
}

func TestFields(t *testing.T) {
	type inside struct {
		Key  string   `json:"key" mcp:"sensitive"`
		Tags []string `json:"tags,omitempty" mcp:"set,lookup=acme_list_tags" jsonschema_description:"Omitted means none."`
	}
	type base struct {
		Owner string `json:"owner" mcp:"scope"`
	}
	type in struct {
		*base
		Items  []*inside            `json:"items"`
		ByName map[string]inside    `json:"by_name"`
		Limit  int                  `json:"limit,omitempty" jsonschema:"default=20" jsonschema_description:"Omitted means 20."`
		Clear  schema.Patch[string] `json:"clear,omitzero" jsonschema_description:"Omitted means unchanged; null clears."`
		Cursor string               `json:"cursor,omitempty" mcp:"cursor,sensitive" jsonschema_description:"Omitted means first page."`
	}
	got := mustFor(t, reflect.TypeFor[in](), schema.Input).Fields()
	nested := []schema.Field{
		{Name: "key", Index: []int{0}, Required: true, Roles: []schema.Role{schema.RoleSensitive}, Schema: json.RawMessage(`{"type":"string"}`)},
		{Name: "tags", Index: []int{1}, Roles: []schema.Role{schema.RoleSet}, Lookup: "acme_list_tags", Description: omitted, Schema: json.RawMessage(`{"type":"array","items":{"type":"string"},"description":"Omitted means none."}`)},
	}
	object := `{"type":"object","required":["key"],"properties":{"key":{"type":"string"},"tags":{"type":"array","items":{"type":"string"},"description":"Omitted means none."}},"additionalProperties":false}`
	want := []schema.Field{
		{Name: "owner", Index: []int{0, 0}, Required: true, Roles: []schema.Role{schema.RoleScope}, Schema: json.RawMessage(`{"type":"string"}`)},
		{Name: "items", Index: []int{1}, Required: true, Schema: json.RawMessage(`{"type":"array","items":` + object + `}`), Fields: nested},
		{Name: "by_name", Index: []int{2}, Required: true, Schema: json.RawMessage(`{"type":"object","additionalProperties":` + object + `}`), Fields: nested},
		{Name: "limit", Index: []int{3}, Description: "Omitted means 20.", Default: json.RawMessage(`20`), Schema: json.RawMessage(`{"type":"integer","default":20,"description":"Omitted means 20."}`)},
		{Name: "clear", Index: []int{4}, Nullable: true, Description: "Omitted means unchanged; null clears.", Schema: json.RawMessage(`{"type":["string","null"],"description":"Omitted means unchanged; null clears."}`)},
		{Name: "cursor", Index: []int{5}, Roles: []schema.Role{schema.RoleCursor, schema.RoleSensitive}, Description: "Omitted means first page.", Schema: json.RawMessage(`{"type":"string","description":"Omitted means first page."}`)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	if !got[5].Has(schema.RoleCursor) || got[5].Has(schema.RoleScope) {
		t.Error("Has disagrees with Roles")
	}
}

func TestDescribe(t *testing.T) {
	type in struct {
		A []struct {
			B string `json:"b,omitempty" jsonschema_description:"No word of it."`
		} `json:"a"`
	}
	opts := &schema.Options{Describe: map[string]string{"a.b": "Omitted means none.", "a": "All."}}
	got, err := schema.For(reflect.TypeFor[in](), schema.Input, opts)
	if err != nil {
		t.Fatal(err)
	}
	want := closed(`"a"`, `"a":{"type":"array","items":{"type":"object","properties":{"b":{"type":"string","description":"Omitted means none."}},"additionalProperties":false},"description":"All."}`)
	if diff := cmp.Diff(want, string(got.JSON())); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
	if len(opts.Describe) != 2 {
		t.Errorf("For changed the options: %v", opts.Describe)
	}
}

// Public fault 31: which outputs warn.
func TestWarnings(t *testing.T) {
	type out struct {
		ID       uint64   `json:"id"`
		UserID   int64    `json:"user_id"`
		Parents  []int64  `json:"parentIDs"`
		Plain    int      `json:"plain_id"`
		Big      *big.Int `json:"big_id"`
		Half     int64    `json:"half_id" jsonschema:"maximum=9007199254740991"`
		Loose    uint64   `json:"loose_id" jsonschema:"maximum=9007199254740992"`
		Nested   []struct{ ID int64 }
		AsText   uint64 `json:"text_id,string"`
		Bounded  int64  `json:"bounded_id" jsonschema:"minimum=1,maximum=9007199254740991"`
		Unsigned uint64 `json:"unsigned_id" jsonschema:"exclusiveMaximum=9007199254740991"`
		Listed   int64  `json:"listed_id" jsonschema:"enum=1,enum=2"`
		Small    uint32 `json:"small_id"`
		Word     string `json:"word_id"`
		Count    int64  `json:"count"`
		Paid     int64  `json:"paid"`
	}
	var paths []string
	for _, w := range mustFor(t, reflect.TypeFor[out](), schema.Output).Warnings() {
		path, _, _ := strings.Cut(w, ":")
		paths = append(paths, path)
	}
	want := []string{"Nested.ID", "big_id", "half_id", "id", "loose_id", "parentIDs", "user_id"}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Errorf("warned of (-want +got):\n%s", diff)
	}
	type in struct {
		ID uint64 `json:"id"`
	}
	if got := mustFor(t, reflect.TypeFor[in](), schema.Input).Warnings(); len(got) != 0 {
		t.Errorf("warnings of an input: %v", got)
	}
}

// The schema is the same on every run and cannot be changed through a result.
func TestStable(t *testing.T) {
	first := mustFor(t, reflect.TypeFor[updateIn](), schema.Input)
	want := string(first.JSON())
	copy(first.JSON(), "xxxx")
	first.Fields()[0].Name = "x"
	for range 20 {
		if got := string(mustFor(t, reflect.TypeFor[updateIn](), schema.Input).JSON()); got != want {
			t.Fatalf("got %s, then %s", want, got)
		}
	}
	if string(first.JSON()) != want || first.Fields()[0].Name != "owner" {
		t.Error("a caller changed the type")
	}
	if first.Document() == nil {
		t.Error("there is no document")
	}
}

func TestDirectionString(t *testing.T) {
	for dir, want := range map[schema.Direction]string{schema.Input: "input", schema.Output: "output", 7: "Direction(7)"} {
		if got := dir.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
