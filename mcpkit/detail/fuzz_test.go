package detail_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/mcpkit/detail"
)

// harmless fails t if out is not valid JSON on one line without anything that
// acts on a display.
func harmless(t *testing.T, out []byte) {
	t.Helper()
	if !json.Valid(out) || !utf8.Valid(out) {
		t.Fatalf("invalid JSON: %q", out)
	}
	for _, r := range string(out) {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Fatalf("%q has %U", out, r)
		}
	}
}

// decoded is the value of JSON, numbers as they are spelled.
func decoded(t *testing.T, raw []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}

func compile[T any](f *testing.F) *detail.Encoder {
	enc, err := detail.Compile(reflect.TypeFor[T]())
	if err != nil {
		f.Fatal(err)
	}
	return enc
}

// FuzzText holds the strings that are written, plain, as keys and with the
// string option, against those of encoding/json.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "plain", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "a\u202eb\u200b\u2028\ufeff", "\xff\xc3(\xed\xa0\x80", "<&>'", "😀\U000e0041", "\u0085\u00a0\u00ad"} {
		f.Add(s)
	}
	type texts struct {
		Plain  string
		Quoted string `json:",string"`
		Keys   map[string]string
		Any    any
	}
	enc := compile[texts](f)
	f.Fuzz(func(t *testing.T, s string) {
		v := texts{Plain: s, Quoted: s, Keys: map[string]string{s: s}, Any: s}
		out, err := enc.Append(nil, &v, detail.Full)
		if err != nil {
			t.Fatal(err)
		}
		harmless(t, out)
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		// Read back, since inside of the string option escapes are part of the value.
		var theirs, ours texts
		if err := json.Unmarshal(want, &theirs); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out, &ours); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(theirs, ours); diff != "" {
			t.Errorf("values differ: %s", diff)
		}
	})
}

// FuzzRaw writes what a MarshalJSON could return.
func FuzzRaw(f *testing.F) {
	for _, s := range []string{`null`, ` [ 1 , {"a" : "\u003c\ud800\\" } ] `, "\"\u202e\x7f\xff\"", `{"a":1,"a":2}`, `{"a":}`, `"\"`, ``, `[1 2]`, "{\"\u2028\":-0.0e-0}"} {
		f.Add([]byte(s))
	}
	enc := compile[struct{ Raw json.RawMessage }](f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		v := struct{ Raw json.RawMessage }{raw}
		out, err := enc.Append(nil, v, detail.Full)
		want, wantErr := json.Marshal(v)
		if err != nil {
			if wantErr == nil && depth(raw) < 900 {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		if wantErr != nil {
			t.Fatalf("accepted %q: %v", raw, wantErr)
		}
		harmless(t, out)
		if diff := cmp.Diff(decoded(t, want), decoded(t, out)); diff != "" {
			t.Errorf("values differ: %s", diff)
		}
	})
}

func depth(raw []byte) int { return bytes.Count(raw, []byte("[")) + bytes.Count(raw, []byte("{")) }

// FuzzLevels reads a value of a type with every tag and holds its two views
// against encoding/json and against each other.
func FuzzLevels(f *testing.F) {
	f.Add([]byte(`{"number":1,"state":"open","reason":"x","labels":["a","b"],"author":{"login":"l","email":"e"},"assignees":[null,{"bio":"b"}],"by_role":{"r":{"login":"x"}},"votes":{"n":null,"v":3}}`))
	f.Add([]byte(`{"state":"closed","id":"7","priority":3,"score":1.5,"colour":"red,green","due":"2026-01-01T09:00:00Z","version":null,"plain":{"email":null}}`))
	f.Add([]byte(`{"labels":[],"body":"\u202e\ud800","note":"","score":1e-7}`))
	enc := compile[issue](f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		var v issue
		if json.Unmarshal(raw, &v) != nil {
			return
		}
		v.Due = v.Due.UTC()
		full, err := enc.Append(nil, v, detail.Full)
		if err != nil {
			if _, refused := json.Marshal(v); refused == nil {
				t.Fatal(err)
			}
			return
		}
		harmless(t, full)
		want, err := json.Marshal(withoutNil(v))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decoded(t, want), decoded(t, full)); diff != "" {
			t.Fatalf("full differs from encoding/json: %s", diff)
		}
		summary, err := enc.Append(nil, v, detail.Summary)
		if err != nil {
			t.Fatal(err)
		}
		harmless(t, summary)
		within(t, "", decoded(t, summary), decoded(t, full))
		if len(summary) >= len(full) {
			t.Errorf("the summary has %d bytes, full has %d", len(summary), len(full))
		}
	})
}

// within expects summary to be full without fields that may be left out.
func within(t *testing.T, path string, summary, full any) {
	t.Helper()
	switch full := full.(type) {
	case map[string]any:
		summary := summary.(map[string]any)
		for name := range summary {
			if _, ok := full[name]; !ok {
				t.Errorf("%s.%s is only in the summary", path, name)
			}
		}
		for name, value := range full {
			s, ok := summary[name]
			switch {
			case ok:
				within(t, path+"."+name, s, value)
			case path == ".by_role" || path == ".votes":
				t.Errorf("the summary has no entry %s.%q", path, name)
			case !mayBeLeftOut(name, value):
				t.Errorf("the summary has no %s.%s, which is %v", path, name, value)
			case name == "version" || name == "priority" || name == "number":
				t.Errorf("the summary has no %s.%s", path, name)
			}
		}
	case []any:
		summary := summary.([]any)
		if len(summary) != len(full) {
			t.Fatalf("%s has %d rows, %d in full", path, len(summary), len(full))
		}
		for i := range full {
			within(t, path, summary[i], full[i])
		}
	default:
		if summary != full {
			t.Errorf("%s is %v, %v in full", path, summary, full)
		}
	}
}

// mayBeLeftOut reports whether a field of issue or person is only in full, or
// has the value null or its default.
func mayBeLeftOut(name string, value any) bool {
	if slices.Contains([]string{"body", "note", "bio"}, name) || value == nil {
		return true
	}
	if list, ok := value.([]any); ok {
		return name == "labels" && len(list) == 0
	}
	return value == map[string]any{
		"state": "open", "comments": json.Number("0"), "score": json.Number("1.5"), "locked": false,
		"id": "7", "colour": "red,green", "due": "2026-01-01T00:00:00Z",
	}[name]
}

// Every character there is, in one string.
func TestAllCharacters(t *testing.T) {
	var all []rune
	for r := range rune(unicode.MaxRune + 1) {
		if utf8.ValidRune(r) {
			all = append(all, r)
		}
	}
	out := encode(t, string(all), detail.Full)
	harmless(t, []byte(out))
	if decoded(t, []byte(out)) != string(all) {
		t.Error("the characters read back differ")
	}
	// What needs no escape has none.
	written := map[rune]bool{}
	for _, r := range out {
		written[r] = true
	}
	for _, r := range all {
		if r >= ' ' && r != '"' && r != '\\' && !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && !written[r] {
			t.Errorf("%U is escaped", r)
		}
	}
}
