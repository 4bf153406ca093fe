package schema_test

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

// tagged returns the type of a struct with one field v that has the tags.
func tagged(field reflect.Type, jsonschema, mcp string) reflect.Type {
	tag := `json:"v" jsonschema:` + strconv.Quote(jsonschema) + ` mcp:` + strconv.Quote(mcp)
	return reflect.StructOf([]reflect.StructField{{Name: "V", Type: field, Tag: reflect.StructTag(tag)}})
}

// No tag panics or gives a schema that does not compile; faults are one line
// each and the same on every run; and a value keeps every byte when its commas
// are escaped.
func FuzzTag(f *testing.F) {
	for _, tag := range []string{
		"", ",", ",,", "=", "minLength=1,maxLength=256", "pattern=^[A-Z]{0,3}$,maxLength=10", "enum=a,enum=b,default=a",
		`pattern=a\,b`, `title=a\`, "enum=a,b", "enum=a, enum=b", "title=If true, descend, then list.", "nullable,uniqueItems",
		"items.enum=1,items.minimum=0", "minimum=-1e400", "minimum=1e999", "maximum=9223372036854775808", "multipleOf=0.0",
		"default=[1,2]", `default={"a":1}`, "format=uri,format=uri", "pattern=(?i)x", "pattern=(\n", "\xff=1", "title=\u2028",
	} {
		f.Add(tag, "scope")
	}
	for _, roles := range []string{"", ",", "cursor,detail", "lookup=acme_list", "lookup=", "sensitive,set"} {
		f.Add("minLength=1", roles)
	}
	kinds := []reflect.Type{
		reflect.TypeFor[string](), reflect.TypeFor[int8](), reflect.TypeFor[float64](), reflect.TypeFor[bool](),
		reflect.TypeFor[[]string](), reflect.TypeFor[map[string]int](), reflect.TypeFor[*money](),
	}
	f.Fuzz(func(t *testing.T, tag, roles string) {
		for _, kind := range kinds {
			for _, dir := range []schema.Direction{schema.Input, schema.Output} {
				typ := tagged(kind, tag, roles)
				s, err := schema.For(typ, dir, nil)
				if err == nil {
					if !json.Valid(s.JSON()) {
						t.Fatalf("%q on %v: not JSON: %s", tag, kind, s.JSON())
					}
					if _, err := schema.Compile(s.JSON()); err != nil {
						t.Fatalf("%q on %v: %v", tag, kind, err)
					}
					continue
				}
				faults := schema.Faults(err)
				if len(faults) == 0 {
					t.Fatalf("%q on %v: an error without a fault: %v", tag, kind, err)
				}
				for _, fault := range faults {
					if strings.Contains(fault.Reason, "\n") || fault.Reason == "" {
						t.Errorf("%q on %v: reason %q is not one line", tag, kind, fault.Reason)
					}
				}
				if _, again := schema.For(typ, dir, nil); again == nil || again.Error() != err.Error() {
					t.Errorf("%q on %v: first %v, then %v", tag, kind, err, again)
				}
			}
		}

		if tag == "" || !utf8.ValidString(tag) {
			return
		}
		escaped := "maxLength=5,title=" + strings.ReplaceAll(tag, ",", `\,`)
		s, err := schema.For(tagged(reflect.TypeFor[string](), escaped, ""), schema.Input, nil)
		if err != nil {
			t.Fatalf("%q: %v", escaped, err)
		}
		var property struct {
			Title     string
			MaxLength int
		}
		if err := json.Unmarshal(s.Fields()[0].Schema, &property); err != nil {
			t.Fatal(err)
		}
		if property.Title != tag || property.MaxLength != 5 {
			t.Errorf("title %q, maxLength %d; want %q, 5", property.Title, property.MaxLength, tag)
		}
	})
}
