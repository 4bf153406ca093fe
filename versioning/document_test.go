package versioning_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpkit-go/agentmcp/versioning"
)

func TestParseSurfaceRefuses(t *testing.T) {
	for _, row := range []struct{ name, document, want string }{
		{"nothing", ``, "versioning: "},
		{"null", `null`, "must be a JSON object"},
		{"list", `[]`, "must be a JSON object"},
		{"duplicate key", `{"name":"a","name":"b"}`, "duplicate key"},
		{"unknown member", `{"tolls":[]}`, "a member that no surface has"},
		{"another case", `{"Tools":[]}`, "a member that no surface has"},
		{"null list", `{"tools":null}`, "tools: must be a list"},
		{"list that is none", `{"prompts":{}}`, "prompts: must be a list"},
		{"code that is no string", `{"error_codes":{"a":1}}`, "error_codes: must be an object of strings"},
		{"capabilities", `{"capabilities":[]}`, "capabilities: must be an object"},
		{"record that is no object", `{"tools":["t"]}`, "tools[0]: must be an object"},
		{"no name", `{"tools":[{"name":"t"},{"title":"t"}]}`, "tools[1]: name: must be a string"},
		{"no uri", `{"resources":[{"name":"r"}]}`, "resources[0]: uri: must be a string"},
		{"no template", `{"resourceTemplates":[{"uri":"r"}]}`, "resourceTemplates[0]: uriTemplate: must be a string"},
		{"twice", `{"tools":[{"name":"t"},{"name":"t"}]}`, "tools[1]: name: is that of an earlier record"},
		{"schema", `{"tools":[{"name":"t","inputSchema":[]}]}`, "tools[0]: inputSchema: must be an object or a boolean"},
		{"removal date", deprecated("2026-07-28", "soon", "null", "Stop."), "deprecation.removal_at_or_after: must be an RFC 3339 date"}, // public fault 114
		{"no replacement said", lifecycle(`{"deprecation":{"since":"2026-07-28","removal_at_or_after":"2027-01-01","migration":"Stop."}}`), "tools[0]: _meta: lifecycle: must be an object of"},
		{"fifth member", lifecycle(`{"deprecation":{"since":"2026-07-28","removal_at_or_after":"2027-01-01","replaced_by":null,"migration":"Stop.","sunset":""}}`), "tools[0]: _meta: lifecycle: must be an object of"},
		{"tier", lifecycle(`{"stability":"deprecated"}`), "stability: must be stable, preview or experimental"},
		{"marker that is no object", lifecycle(`"stable"`), "tools[0]: _meta: lifecycle: must be an object of"},
		{"two markers", `{"tools":[{"name":"t","_meta":{"a/lifecycle":{},"b/lifecycle":{}}}]}`, "two lifecycle markers"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := versioning.ParseSurface([]byte(row.document))
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v, want %s", err, row.want)
			}
		})
	}
}

func TestParseSurfaceReportsAllFaults(t *testing.T) {
	_, err := versioning.ParseSurface([]byte(`{"tools":[{},{"name":"t","outputSchema":1}],"prompts":[0]}`))
	for _, want := range []string{"tools[0]", "tools[1]", "prompts[0]"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}

// public fault 111
func TestFormatIsTheSameForEqualSurfaces(t *testing.T) {
	const want = `{
  "error_codes": {
    "a": "A <b>."
  },
  "tools": [
    {
      "name": "t",
      "x": 1
    },
    {
      "name": "u"
    }
  ],
  "version": "1.0.0"
}
`
	for _, s := range []versioning.Surface{
		{Version: "1.0.0", ErrorCodes: map[string]string{"a": "A <b>."}, Tools: []json.RawMessage{[]byte(`{"name":"u"}`), []byte(`{"x":1.0,"name":"t"}`)}},
		{Version: "1.0.0", ErrorCodes: map[string]string{"a": "A <b>."}, Tools: []json.RawMessage{[]byte(`{"name":"t","x":1}`), []byte(`{ "name" : "u" }`)}},
	} {
		got, err := s.Format()
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v", got, err)
		}
		if string(s.Tools[1]) == `{"name":"u"}` {
			t.Error("the surface itself was sorted")
		}
	}
	if _, err := (versioning.Surface{Tools: []json.RawMessage{nil}}).Format(); err == nil {
		t.Error("a record that is no JSON was formatted")
	}
}

// Whatever parses can be formatted and compared: it equals its own document,
// and differs from the empty surface exactly if it says anything.
func FuzzParseSurface(f *testing.F) {
	seeds, err := filepath.Glob("../examples/*/surface.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range seeds {
		raw, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, []byte(`{}`))
	}
	f.Add([]byte(deprecated("2026-07-28", "2027-01-01", "null", "Stop.")), []byte(lifecycle(`{"stability":"preview"}`)))
	f.Add([]byte(`{"tools":[{"name":"t","inputSchema":{"$ref":"#","allOf":[{"$ref":"#/allOf/0"}],"items":{"$ref":"#","title":"x"}}}]}`),
		[]byte(`{"tools":[{"name":"t","inputSchema":{"additionalProperties":{"$ref":"#"},"items":{"$ref":"#/additionalProperties"}}}]}`))
	f.Add([]byte(`{"tools":[{"name":"t","outputSchema":{"enum":[null,1],"const":2,"minimum":"a","exclusiveMinimum":1,"multipleOf":0,"required":[1],"type":7,"prefixItems":{},"oneOf":5}}]}`),
		[]byte(`{"tools":[{"name":"t","outputSchema":false,"annotations":[],"_meta":{"a/errors":3}}],"prompts":[{"name":"p","arguments":[{"name":"a","required":{}}]}]}`))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		a, errA := versioning.ParseSurface(first)
		b, errB := versioning.ParseSurface(second)
		if errA != nil || errB != nil {
			return
		}
		document, err := a.Format()
		if err != nil {
			t.Fatal(err)
		}
		again, err := versioning.ParseSurface(document)
		if err != nil {
			t.Fatal(err)
		}
		if changes, err := versioning.Diff(a, again); err != nil || len(changes) != 0 {
			t.Fatalf("differs from itself: %v, %v", changes, err)
		}
		forth, err := versioning.Diff(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if twice, _ := versioning.Diff(a, b); !reflect.DeepEqual(forth, twice) {
			t.Fatalf("two answers: %v and %v", forth, twice)
		}
		for _, c := range forth {
			if strings.ContainsAny(c.String(), "\n\r\x1b") {
				t.Fatalf("not one line: %q", c.String())
			}
			if c.Before != nil && !json.Valid(c.Before) || c.After != nil && !json.Valid(c.After) {
				t.Fatalf("not JSON: %+v", c)
			}
		}
		if back, err := versioning.Diff(b, a); err != nil || len(back) == 0 != (len(forth) == 0) {
			t.Fatalf("there %v, back %v, %v", forth, back, err)
		}
	})
}
