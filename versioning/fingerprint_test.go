package versioning_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcpkit-go/agentmcp/versioning"
)

func part(covers, json string) versioning.Part {
	return versioning.Part{Covers: covers, JSON: []byte(json)}
}

func fingerprint(t *testing.T, parts ...versioning.Part) string {
	t.Helper()
	s, err := versioning.NewFingerprint("acme-wiki", "1.0.0", parts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFingerprintForm(t *testing.T) {
	form := regexp.MustCompile(`^acme-wiki@1\.0\.0\+[0-9a-f]{7}$`)
	if got := fingerprint(t, part("tools", `[]`)); !form.MatchString(got) {
		t.Errorf("got %s", got)
	}
	// Pinned, because clients keep it: another value is a breaking change.
	if got, want := fingerprint(t, part("tools", `[{"name":"a"}]`), part("summary", `"S"`)), pinned; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

const pinned = "acme-wiki@1.0.0+4a0b75d"

// public fault 111: the same surface in another order has the same fingerprint
func TestFingerprintIgnoresSpelling(t *testing.T) {
	want := fingerprint(t, part("tools", `[{"name":"a","n":1}]`), part("error_codes", `{"x":"X","y":"Y"}`))
	for name, parts := range map[string][]versioning.Part{
		"order of parts":    {part("error_codes", `{"x":"X","y":"Y"}`), part("tools", `[{"name":"a","n":1}]`)},
		"order of members":  {part("tools", `[{"n":1,"name":"a"}]`), part("error_codes", `{"y":"Y","x":"X"}`)},
		"space and escapes": {part("tools", "[ {\"name\":\"\\u0061\",\n\"n\":1.0} ]"), part("error_codes", `{"x":"X","y":"Y"}`)},
	} {
		if got := fingerprint(t, parts...); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	for name, parts := range map[string][]versioning.Part{
		"order of a list":  {part("tools", `[{"name":"a","n":1}]`), part("error_codes", `["y","x"]`)},
		"another part":     {part("tools", `[{"name":"a","n":1}]`), part("errors", `{"x":"X","y":"Y"}`)},
		"a part less":      {part("tools", `[{"name":"a","n":1}]`)},
		"contents swapped": {part("error_codes", `[{"name":"a","n":1}]`), part("tools", `{"x":"X","y":"Y"}`)},
		"big integer":      {part("tools", `[{"name":"a","n":9007199254740993}]`), part("error_codes", `{}`)},
		"its neighbour":    {part("tools", `[{"name":"a","n":9007199254740992}]`), part("error_codes", `{}`)},
	} {
		if got := fingerprint(t, parts...); got == want {
			t.Errorf("%s: the same fingerprint", name)
		}
	}
}

// public fault 112: lists that are sets, lists that are not, and words. same
// and shape say whether a change keeps the fingerprint and the shape's hash.
func TestFingerprintOfSchemas(t *testing.T) {
	tests := []struct {
		name, before, after string
		same, shape         bool
	}{
		{"required", `{"required":["a","b"]}`, `{"required":["b","a"]}`, true, true},
		{"required, changed", `{"required":["a","b"]}`, `{"required":["a"]}`, false, false},
		{"required, deep", `{"inputSchema":{"properties":{"x":{"items":{"required":["a","b"]}}}}}`, `{"inputSchema":{"properties":{"x":{"items":{"required":["b","a"]}}}}}`, true, true},
		{"enum", `{"enum":["a",1,null]}`, `{"enum":[null,"a",1.0]}`, true, true},
		{"enum, changed", `{"enum":["a","b"]}`, `{"enum":["a","c"]}`, false, false},
		{"enum of lists", `{"enum":[[1,2],[3]]}`, `{"enum":[[3],[2,1]]}`, false, false},
		{"enum of required", `{"enum":[{"required":["a","b"]}]}`, `{"enum":[{"required":["b","a"]}]}`, false, false},
		{"type", `{"type":["string","null"]}`, `{"type":["null","string"]}`, true, true},
		{"dependentRequired", `{"dependentRequired":{"x":["a","b"]}}`, `{"dependentRequired":{"x":["b","a"]}}`, true, true},
		{"prefixItems", `{"prefixItems":[{"type":"string"},{"type":"null"}]}`, `{"prefixItems":[{"type":"null"},{"type":"string"}]}`, false, false},
		{"required under prefixItems", `{"prefixItems":[{"required":["a","b"]}]}`, `{"prefixItems":[{"required":["b","a"]}]}`, true, true},
		{"anyOf", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`, false, false},
		{"default", `{"default":["a","b"]}`, `{"default":["b","a"]}`, false, false},
		{"required in a default", `{"default":{"required":["a","b"]}}`, `{"default":{"required":["b","a"]}}`, false, false},
		{"const", `{"const":{"enum":[1,2]}}`, `{"const":{"enum":[2,1]}}`, false, false},
		{"a property named required", `{"properties":{"required":{"default":[1,2]}}}`, `{"properties":{"required":{"default":[2,1]}}}`, false, false},
		{"a property named default", `{"properties":{"default":{"required":["a","b"]}}}`, `{"properties":{"default":{"required":["b","a"]}}}`, true, true},
		{"a definition named enum", `{"$defs":{"enum":{"required":["a","b"]}}}`, `{"$defs":{"enum":{"required":["b","a"]}}}`, true, true},
		{"required of one bit", `{"arguments":[{"required":true}]}`, `{"arguments":[{"required":false}]}`, false, false},
		{"description", `{"description":"a"}`, `{"description":"b"}`, false, true},
		{"description added", `[{"name":"a"}]`, `[{"name":"a","description":"b"}]`, false, true},
		{"description, deep", `{"properties":{"x":{"description":"a"}}}`, `{"properties":{"x":{"description":"b"}}}`, false, true},
		{"title", `{"annotations":{"title":"a"}}`, `{"annotations":{"title":"b"}}`, false, true},
		{"comment and examples", `{"$comment":"a","examples":[1]}`, `{"$comment":"b","examples":[2]}`, false, true},
		{"a property named description", `{"properties":{"description":{"type":"string"}}}`, `{"properties":{"description":{"type":"null"}}}`, false, false},
		{"a property named title, gone", `{"properties":{"title":{"type":"string"}}}`, `{"properties":{}}`, false, false},
		{"a description inside a default", `{"default":{"description":"a"}}`, `{"default":{"description":"b"}}`, false, false},
		{"a name", `[{"name":"a"}]`, `[{"name":"b"}]`, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if same := fingerprint(t, part("x", tt.before)) == fingerprint(t, part("x", tt.after)); same != tt.same {
				t.Errorf("same fingerprint: %v", same)
			}
			before, err := versioning.ShapeHash(part("x", tt.before))
			if err != nil {
				t.Fatal(err)
			}
			after, err := versioning.ShapeHash(part("x", tt.after))
			if err != nil {
				t.Fatal(err)
			}
			if (before == after) != tt.shape {
				t.Errorf("hashes of the shape: %s and %s", before, after)
			}
			if !regexp.MustCompile(`^[0-9a-f]{7}$`).MatchString(before) {
				t.Errorf("form of %q", before)
			}
		})
	}
}

func TestFingerprintFaults(t *testing.T) {
	_, err := versioning.NewFingerprint("acme wiki", "v1", part("tools", `{"a":1,"a":2}`), part("", `1`), part("summary", `1`), part("summary", `[`))
	const want = `versioning: name: must be of ASCII letters, digits and ._-/
versioning: version: must be a semantic version without build metadata, such as 1.0.0
versioning: part: has no name
versioning: part "summary": is there twice
versioning: part "summary": versioning: unexpected end at byte 1
versioning: part "tools": versioning: duplicate key at byte 7`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if s, err := versioning.NewFingerprint("acme-wiki", "1.0.0"); err == nil || s != "" {
		t.Errorf("no part: %q, %v", s, err)
	}
	if s, err := versioning.ShapeHash(); err == nil || s != "" {
		t.Errorf("no part: %q, %v", s, err)
	}
	one := part("tools", `[]`)
	for _, v := range []string{"0.0.0", "1.0.0", "10.20.30", "1.0.0-rc.1", "1.0.0-alpha", "1.0.0--", "1.0.0-0a.b-c"} {
		if s, err := versioning.NewFingerprint("a", v, one); err != nil || !strings.HasPrefix(s, "a@"+v+"+") {
			t.Errorf("version %s: %s, %v", v, s, err)
		}
	}
	for _, v := range []string{"", "1", "1.0", "v1.0.0", "1.0.0+build", "01.0.0", "1.0.0-01", "1.0.0-", "1.0.0-a..b", "1.0.0 ", "1.0.0\n", "1.0.x"} {
		if s, err := versioning.NewFingerprint("a", v, one); err == nil {
			t.Errorf("version %q: %s", v, s)
		}
	}
	for _, name := range []string{"", "a@b", "a+b", "a b", "-a", "é", "a\n", "a\u202eb"} {
		if s, err := versioning.NewFingerprint(name, "1.0.0", one); err == nil {
			t.Errorf("name %q: %s", name, s)
		}
	}
}

func TestCovers(t *testing.T) {
	got := versioning.Covers(part("tools", ``), part("error_codes", ``), part("summary", ``), part("tools", ``))
	if want := []string{"error_codes", "summary", "tools"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := versioning.Covers(); got == nil || len(got) != 0 {
		t.Errorf("of nothing: %#v", got)
	}
}

func TestFingerprintLeavesPartsAlone(t *testing.T) {
	parts := []versioning.Part{part("b", `{"required":["y","x"]}`), part("a", `1`)}
	fingerprint(t, parts...)
	if parts[0].Covers != "b" || string(parts[0].JSON) != `{"required":["y","x"]}` || parts[1].Covers != "a" {
		t.Errorf("changed to %s", parts)
	}
}

func FuzzFingerprint(f *testing.F) {
	for _, s := range []string{`[{"name":"a","inputSchema":{"required":["b","a"],"properties":{"default":{"enum":[2,1]}}}}]`,
		`{"required":{"required":[]},"enum":3,"type":["b","a"],"default":{"required":["b","a"]}}`, `{"dependentRequired":{"x":[1]},"properties":[1]}`, `1`, `{`, `"\ud800"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		canonical, wantErr := versioning.Canonical(raw)
		got, err := versioning.NewFingerprint("a", "1.0.0", versioning.Part{Covers: "x", JSON: raw})
		shape, shapeErr := versioning.ShapeHash(versioning.Part{Covers: "x", JSON: raw})
		if (err == nil) != (wantErr == nil) || (shapeErr == nil) != (wantErr == nil) {
			t.Fatalf("%q: errors %v, %v and %v", raw, wantErr, err, shapeErr)
		}
		if err != nil {
			return
		}
		if again := fingerprint(t, versioning.Part{Covers: "x", JSON: canonical}); again[len(again)-7:] != got[len(got)-7:] {
			t.Fatalf("%q: %s, and in canonical form %s", raw, got, again)
		}
		if again, err := versioning.ShapeHash(versioning.Part{Covers: "x", JSON: canonical}); again != shape || err != nil {
			t.Fatalf("%q: %s, and in canonical form %s, %v", raw, shape, again, err)
		}
	})
}
