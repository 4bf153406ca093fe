package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

// issueSchema is an input schema as For makes it, with one property of each
// kind that the tests are about.
const issueSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","required":["issue_number"],"properties":{
	"issue_number":{"type":"integer","minimum":1},
	"labels":{"type":"array","maxItems":3,"items":{"type":"string","minLength":1,"maxLength":100}},
	"assignees":{"type":"array","uniqueItems":true,"items":{"type":"string"}},
	"counts":{"type":"array","items":{"type":"integer"}},
	"state":{"type":"string","enum":["open","closed","all"],"default":"open"},
	"per_page":{"type":"integer","minimum":1,"maximum":100,"default":30},
	"weight":{"type":"number","exclusiveMinimum":0,"maximum":2.5},
	"milestone_number":{"type":["integer","null"],"minimum":1},
	"query":{"type":"string","minLength":1,"maxLength":256},
	"note":{"type":"string"},
	"code":{"type":"string","pattern":"^[A-Z]{0,3}$"},
	"since":{"type":"string","format":"date-time"},
	"locked":{"type":"boolean"},
	"maxDepth":{"type":"integer"},
	"limit":{"type":"integer","default":20},
	"filter":{"type":"object","required":["by"],"properties":{"by":{"type":"string"},"deep":{"type":"boolean","default":true}},"additionalProperties":false},
	"a":{"type":"array","items":{"type":"object","properties":{"b":{"type":"string"}}}}
	},"additionalProperties":false}`

func compile(t testing.TB, text string) *schema.Document {
	t.Helper()
	d, err := schema.Compile(json.RawMessage(text))
	if err != nil {
		t.Fatalf("Compile: %v", err)
	}
	return d
}

func marshal(t testing.TB, tree any) string {
	t.Helper()
	raw, err := schema.Marshal(tree)
	if err != nil {
		t.Fatalf("Marshal: %v", err)
	}
	return string(raw)
}

func TestReadValid(t *testing.T) {
	const defaults = `"limit":20,"per_page":30,"state":"open"`
	tests := map[string]struct{ in, want string }{
		"defaults":                 {`{"issue_number":1}`, `{"issue_number":1,` + defaults + `}`},
		"explicit zero kept":       {`{"issue_number":1,"limit":0}`, `{"issue_number":1,"limit":0,"per_page":30,"state":"open"}`}, // public fault 32
		"null for optional":        {`{"issue_number":1,"note":null}`, `{"issue_number":1,` + defaults + `}`},
		"null for default":         {`{"issue_number":1,"limit":null}`, `{"issue_number":1,` + defaults + `}`},
		"null that is a value":     {`{"issue_number":1,"milestone_number":null}`, `{"issue_number":1,"limit":20,"milestone_number":null,"per_page":30,"state":"open"}`},
		"fraction of zero":         {`{"issue_number":512.0}`, `{"issue_number":512,` + defaults + `}`},
		"exponent":                 {`{"issue_number":5.12e2}`, `{"issue_number":512,` + defaults + `}`},
		"exponent down":            {`{"issue_number":51200E-2}`, `{"issue_number":512,` + defaults + `}`},
		"beyond 2^53":              {`{"issue_number":9007199254740993}`, `{"issue_number":9007199254740993,` + defaults + `}`},         // public fault 30
		"beyond 2^53, spelled":     {`{"issue_number":9007199254740993.0}`, `{"issue_number":9007199254740993,` + defaults + `}`},       // public fault 30
		"int64 maximum":            {`{"issue_number":9223372036854775807}`, `{"issue_number":9223372036854775807,` + defaults + `}`},   // public fault 30
		"beyond uint64":            {`{"issue_number":18446744073709551617}`, `{"issue_number":18446744073709551617,` + defaults + `}`}, // public fault 30
		"minus zero":               {`{"issue_number":1,"limit":-0}`, `{"issue_number":1,"limit":0,"per_page":30,"state":"open"}`},
		"number stays":             {`{"issue_number":1,"weight":1.50}`, `{"issue_number":1,` + strings.Replace(defaults, `"state":"open"`, `"state":"open","weight":1.50`, 1) + `}`},
		"integers in list":         {`{"issue_number":1,"counts":[1.0,2]}`, `{"counts":[1,2],"issue_number":1,"limit":20,"per_page":30,"state":"open"}`},
		"text that looks like":     {`{"issue_number":1,"note":"[1]"}`, `{"issue_number":1,"limit":20,"note":"[1]","per_page":30,"state":"open"}`}, // public fault 26
		"nested default":           {`{"issue_number":1,"filter":{"by":"x"}}`, `{"filter":{"by":"x","deep":true},"issue_number":1,` + defaults + `}`},
		"nested null":              {`{"issue_number":1,"filter":{"by":"x","deep":null}}`, `{"filter":{"by":"x","deep":true},"issue_number":1,` + defaults + `}`},
		"space":                    {" \t\r\n{ \"issue_number\" : 1 } \n", `{"issue_number":1,` + defaults + `}`},
		"escapes":                  {`{"issue_number":1,"note":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é"}`, `{"issue_number":1,"limit":20,"note":"\"\\/\u0008\u000c\u000a\u000d\u0009é😀é","per_page":30,"state":"open"}`},
		"escaped name":             {`{"issue\u005fnumber":1}`, `{"issue_number":1,` + defaults + `}`},
		"pattern of 0 to 3 places": {`{"issue_number":1,"code":"ABC"}`, `{"code":"ABC","issue_number":1,` + defaults + `}`},
	}
	d := compile(t, issueSchema)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			args, violations := d.Read([]byte(tt.in))
			if violations != nil {
				t.Fatalf("violations: %+v", violations)
			}
			if got := marshal(t, args); got != tt.want {
				t.Errorf("args\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// public fault 32: arguments that are omitted get the defaults.
func TestReadNothing(t *testing.T) {
	d := compile(t, `{"type":"object","properties":{"limit":{"type":"integer","default":20}},"additionalProperties":false}`)
	for _, in := range []string{"", "  \n", "null", " null ", "{}"} {
		args, violations := d.Read([]byte(in))
		if got := marshal(t, args); len(violations) > 0 || got != `{"limit":20}` {
			t.Errorf("Read(%q) = %s, %+v", in, got, violations)
		}
	}
	if args, violations := d.Read(nil); marshal(t, args) != `{"limit":20}` || len(violations) > 0 {
		t.Errorf("Read(nil) = %v, %+v", args, violations)
	}
}

func TestReadRefused(t *testing.T) {
	deep := strings.Repeat("[", 70) + strings.Repeat("]", 70)
	tests := map[string]struct {
		in   string
		want string // pointer and rule of each violation
		args string // what is left
	}{
		"end of text":          {`{"issue_number":1`, " syntax", `{"issue_number":1}`},
		"trailing data":        {`{"issue_number":1} 2`, " syntax", `{"issue_number":1}`},
		"second object":        {`{"issue_number":1}{}`, " syntax", `{"issue_number":1}`},
		"trailing comma":       {`{"issue_number":1,}`, " syntax", `{"issue_number":1}`},
		"comma in list":        {`{"labels":["a",]}`, " syntax", `{}`},
		"bare name":            {`{issue_number:1}`, " syntax", `{}`},
		"single quotes":        {`{'a':1}`, " syntax", `{}`},
		"no colon":             {`{"a" 1}`, " syntax", `{}`},
		"leading zero":         {`{"issue_number":01}`, " syntax", `{}`},
		"plus":                 {`{"issue_number":+1}`, " syntax", `{}`},
		"no fraction":          {`{"issue_number":1.}`, " syntax", `{}`},
		"no exponent":          {`{"issue_number":1e}`, " syntax", `{}`},
		"minus alone":          {`{"issue_number":-}`, " syntax", `{}`},
		"NaN":                  {`{"weight":NaN}`, " syntax", `{}`},
		"comment":              {`{"weight":1 /* x */}`, " syntax", `{"weight":1}`},
		"newline in string":    {"{\"note\":\"a\nb\"}", " syntax", `{}`},
		"bad escape":           {`{"note":"\x41"}`, " syntax", `{}`},
		"short escape":         {`{"note":"\u12"}`, " syntax", `{}`},
		"bad digits":           {`{"note":"\u12g4"}`, " syntax", `{}`},
		"open string":          {`{"note":"abc`, " syntax", `{}`},
		"open escape":          {`{"note":"abc\`, " syntax", `{}`},
		"byte order mark":      {"\ufeff{}", " syntax", `{}`},
		"NUL":                  {"\x00", " syntax", `{}`},
		"list":                 {`[]`, " type", `{}`},
		"text":                 {`"{}"`, " type", `{}`},
		"number":               {`1`, " type", `{}`},
		"duplicate":            {`{"issue_number":1,"issue_number":2}`, "/issue_number duplicate", `{}`},
		"duplicate, escaped":   {`{"issue_number":1,"issue\u005fnumber":2}`, "/issue_number duplicate", `{}`},
		"repeated":             {`{"issue_number":1,"issue_number":1}`, "/issue_number repeated", `{"issue_number":1}`},
		"repeated object":      {`{"issue_number":1,"filter":{"by":"x","deep":true},"filter":{"deep":true,"by":"x"}}`, "/filter repeated", `{"filter":{"by":"x","deep":true},"issue_number":1}`},
		"duplicate, nested":    {`{"issue_number":1,"filter":{"by":"x","by":"y"}}`, "/filter/by duplicate", `{"issue_number":1}`},
		"duplicate in element": {`{"issue_number":1,"a":[{},{"b":"x","b":"y"}]}`, "/a/1/b duplicate", `{"issue_number":1}`},
		"lone surrogate":       {`{"issue_number":1,"note":"a\ud800b"}`, "/note unicode", `{"issue_number":1}`},
		"lone low surrogate":   {`{"issue_number":1,"note":"\udc00"}`, "/note unicode", `{"issue_number":1}`},
		"surrogate, then none": {`{"issue_number":1,"note":"\ud800\u0041"}`, "/note unicode", `{"issue_number":1}`},
		"invalid UTF-8":        {"{\"issue_number\":1,\"note\":\"\xff\"}", "/note unicode", `{"issue_number":1}`},
		"overlong UTF-8":       {"{\"issue_number\":1,\"note\":\"\xc0\xaf\"}", "/note unicode", `{"issue_number":1}`},
		"invalid name":         {"{\"issue_number\":1,\"\xff\":1}", "/\ufffd unicode", `{"issue_number":1}`},
		"float overflow":       {`{"issue_number":1,"weight":1e400}`, "/weight number", `{"issue_number":1}`},
		"huge exponent":        {`{"issue_number":1,"weight":1e1000000}`, "/weight number", `{"issue_number":1}`},
		"exponent overflow":    {`{"issue_number":1,"weight":1e-99999999999999999999}`, "/weight number", `{"issue_number":1}`},
		"long number":          {`{"issue_number":1` + strings.Repeat("0", 500) + `}`, "/issue_number number", `{}`},
		"too deep":             {`{"a":` + deep + `}`, " depth", `{}`},
		"too many values":      {`{"a":[` + strings.Repeat("1,", 1<<17) + `1]}`, " size", `{}`},
		"too large":            {`{"note":"` + strings.Repeat("x", 4<<20) + `"}`, " size", `{}`},
		"with the schema's":    {`{"labels":["\ud800",""],"labels":[],"isue_number":1}`, "/issue_number required, /isue_number additionalProperties, /labels duplicate, /labels/0 unicode, /labels/1 minLength", `{"isue_number":1}`},
		"null for required":    {`{"issue_number":null}`, "/issue_number type", `{"issue_number":null}`},
		"case":                 {`{"issue_number":1,"LIMIT":5}`, "/LIMIT additionalProperties", `{"LIMIT":5,"issue_number":1}`}, // public fault 32
		"fraction":             {`{"issue_number":1.5}`, "/issue_number type", `{"issue_number":1.5}`},
		"stringified number":   {`{"issue_number":"1"}`, "/issue_number type", `{"issue_number":"1"}`},
		"broken list as text":  {`{"issue_number":1,"labels":"[a"}`, "/labels type", `{"issue_number":1,"labels":"[a"}`}, // public fault 26
	}
	d := compile(t, issueSchema)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			args, violations := d.Read([]byte(tt.in))
			if got := rules(violations); got != tt.want {
				t.Errorf("violations\n got %s\nwant %s", got, tt.want)
			}
			if got := marshal(t, args); got != tt.args {
				t.Errorf("args\n got %.200s\nwant %s", got, tt.args)
			}
			for _, v := range violations {
				if v.Field == "" || v.Reason == "" {
					t.Errorf("incomplete: %+v", v)
				}
			}
		})
	}
}

// rules lists pointer and rule of violations.
func rules(violations []schema.Violation) string {
	var out []string
	for _, v := range violations {
		out = append(out, v.Pointer+" "+v.Rule)
	}
	return strings.Join(out, ", ")
}

func TestReadDepthBound(t *testing.T) {
	d := compile(t, `{"type":"object"}`)
	nest := func(levels int) []byte {
		return []byte(`{"a":` + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1) + `}`)
	}
	if _, violations := d.Read(nest(64)); len(violations) > 0 {
		t.Errorf("64 levels: %+v", violations)
	}
	if _, violations := d.Read(nest(65)); rules(violations) != " depth" {
		t.Errorf("65 levels: %+v", violations)
	}
}

// The tree belongs to the caller: neither raw nor the schema's defaults change
// with it, or it with raw.
func TestReadOwnership(t *testing.T) {
	d := compile(t, `{"type":"object","properties":{"list":{"type":"array","items":{"type":"string"},"default":["a"]},"s":{"type":"string"}}}`)
	raw := []byte(`{"s":"abc"}`)
	args, _ := d.Read(raw)
	copy(raw, bytes.Repeat([]byte("x"), len(raw)))
	args["list"].([]any)[0] = "changed"
	if args["s"] != "abc" {
		t.Errorf("s = %v after raw changed", args["s"])
	}
	if again, _ := d.Read([]byte(`{}`)); marshal(t, again) != `{"list":["a"]}` {
		t.Errorf("the default is now %s", marshal(t, again))
	}
}

func TestReadDefaultsOfOthers(t *testing.T) {
	tests := map[string]struct{ schema, in, want string }{
		"invalid default":        {`{"type":"object","properties":{"n":{"type":"integer","default":"x"}}}`, `{}`, `{}`},
		"default breaks another": {`{"type":"object","properties":{"a":{"default":1}},"maxProperties":1}`, `{"b":1}`, `{"b":1}`},
		"default fits":           {`{"type":"object","properties":{"a":{"default":1}},"maxProperties":1}`, `{}`, `{"a":1}`},
		"beside a reference":     {`{"type":"object","properties":{"a":{"$ref":"#/$defs/n","default":3.0}},"$defs":{"n":{"type":"integer"}}}`, `{}`, `{"a":3}`},
		"within a reference":     {`{"type":"object","properties":{"a":{"$ref":"#/$defs/o"}},"$defs":{"o":{"type":"object","properties":{"x":{"type":"integer","default":1}}}}}`, `{"a":{}}`, `{"a":{"x":1}}`},
		"recursive": {`{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#"}},"n":{"type":"integer","default":1}}}`,
			`{"kids":[{"kids":[{}],"n":5.0}]}`, `{"kids":[{"kids":[{"n":1}],"n":5}],"n":1}`},
		"in a tuple":       {`{"type":"object","properties":{"t":{"prefixItems":[{"type":"integer"},{"type":"object","properties":{"d":{"default":true}}}]}}}`, `{"t":[1.0,{}]}`, `{"t":[1,{"d":true}]}`},
		"in a map":         {`{"type":"object","additionalProperties":{"type":"object","properties":{"d":{"type":"integer","default":2}}}}`, `{"x":{}}`, `{"x":{"d":2}}`},
		"draft 7":          {`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"l":{"type":"array","items":{"type":"integer"}},"d":{"default":1}}}`, `{"l":[2.0]}`, `{"d":1,"l":[2]}`},
		"null by union":    {`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer"},{"type":"null"}]},"b":{"type":"integer"}}}`, `{"a":null,"b":null}`, `{"a":null}`},
		"null by any":      {`{"type":"object","properties":{"a":{}}}`, `{"a":null}`, `{"a":null}`},
		"null of unknown":  {`{"type":"object"}`, `{"a":null}`, `{"a":null}`},
		"union stays text": {`{"type":"object","properties":{"v":{"anyOf":[{"type":"array","items":{}},{"type":"string"}]}}}`, `{"v":"[\"x\"]"}`, `{"v":"[\"x\"]"}`}, // public fault 27
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			args, violations := compile(t, tt.schema).Read([]byte(tt.in))
			if got := marshal(t, args); len(violations) > 0 || got != tt.want {
				t.Errorf("got %s, %+v\nwant %s", got, violations, tt.want)
			}
		})
	}
}

// A fault in a large argument costs a short reason. public fault 35
func TestReadLarge(t *testing.T) {
	d := compile(t, issueSchema)
	pad := strings.Repeat("secret ", 150_000)
	in := fmt.Sprintf(`{"issue_number":1,"note":%q,"a":[{},{},{},{"b":7}]}`, pad)
	_, violations := d.Read([]byte(in))
	want := []schema.Violation{{
		Field: "a.b", Pointer: "/a/3/b", Rule: "type",
		Reason:  "Within the element at index 3, this must be a string.",
		Allowed: map[string]any{"type": "string"},
	}}
	if diff := cmp.Diff(want, violations); diff != "" {
		t.Error(diff)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`{}`, `null`, ``, `[1]`, `{"a":[1,2.5e3,-0,"x",true,false,null,{}]}`, `{"a":1,"a":1}`, `{"a":"\ud83d\ude00\ud800\u0041\n"}`, "{\"a\":\"\xff\xc3\"}",
		`{"a":1e400}`, `{"a":01}`, `{"":""}`, "\ufeff{}", `{"a":"` + strings.Repeat("x", 100) + `"} `, strings.Repeat(`{"a":`, 70), `{"a":1}}`, `{"a":"\u00"}`, "{\"a\":\"\x7f\u2028\"}", `{"a":1E-5}`,
	} {
		f.Add([]byte(s))
	}
	d := compile(f, `{"type":"object"}`)
	f.Fuzz(func(t *testing.T, raw []byte) {
		args, violations := d.Read(raw)
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		var want map[string]any
		err := dec.Decode(&want)
		valid := json.Valid(raw) && err == nil
		if len(violations) == 0 {
			if len(bytes.Trim(raw, " \t\r\n")) == 0 {
				return
			}
			if want == nil {
				want = map[string]any{}
			}
			if !valid || !reflect.DeepEqual(args, want) {
				t.Fatalf("read %v from %q; encoding/json has %v, %v", args, raw, want, err)
			}
			again, err := schema.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			if back, violations := d.Read(again); len(violations) > 0 || !reflect.DeepEqual(back, args) {
				t.Fatalf("%q does not read back: %v, %+v", again, back, violations)
			}
			return
		}
		for _, v := range violations {
			if !utf8.ValidString(v.Field+v.Pointer+v.Reason) || strings.ContainsAny(v.Field+v.Pointer+v.Reason, "\n\r\u2028\x00") {
				t.Fatalf("unsafe text in %+v", v)
			}
			if valid && v.Rule == "syntax" {
				t.Fatalf("%+v for valid JSON %q", v, raw)
			}
		}
	})
}
