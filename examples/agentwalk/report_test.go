package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestAbbreviate(t *testing.T) {
	long := strings.Repeat("wide ", 30)
	tests := []struct {
		name, in string
		width    int
		want     string
	}{
		{"short", `{"b": 1, "a": [true, null, -1.50]}`, 80, `{"b":1,"a":[true,null,-1.50]}`},
		{"duplicate keys", `{"a":1,"a":2}`, 80, `{"a":1,"a":2}`},
		{"exact integer", `9007199254740993`, 80, `9007199254740993`},
		{"long string", `{"body":"` + long + `"}`, 80, `{"body":"wide wide wide wide wide wide wide wide wid…"}`},
		{"objects", `{"rows":[{"a":1},{"a":2},{"a":3}],"n":3}`, 80, `{"rows":[3 objects],"n":3}`},
		{"long list", `[1,2,3,4,5,6,7,8]`, 80, `[1,2,3,4,5,6,… 2 more]`},
		{"width", `{"a":"1234567890","b":"1234567890"}`, 20, `{"a":"1234567890","…`},
		{"terminal sequences", `"\u001b[31mred\u0007"`, 80, `"\x1b[31mred\x07"`},
		{"bidi", `"\u202egnp.exe"`, 80, `"\u202egnp.exe"`},
		{"C1 in a name", "{\"\u009b2J\":1}", 80, `{"\u009b2J":1}`},
		{"line break", `"a\nb"`, 80, `"a\nb"`},
		{"no JSON", "\x1b[2J oops", 80, `\x1b[2J oops`},
		{"cut JSON", `{"a":`, 80, `{"a":`},
		{"nothing", ``, 80, ``},
	}
	for _, test := range tests {
		if got := abbreviate(json.RawMessage(test.in), test.width); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func FuzzAbbreviate(f *testing.F) {
	f.Add(`{"a":[{"b":"\u001b[0m"}],"c":null}`, 40)
	f.Add("\x9b[", 3)
	f.Add("[\"\u202e\",\"\u2066\",\"\u200b\",\"\u2001\"]", 100)
	f.Fuzz(func(t *testing.T, in string, width int) {
		if width < 1 || width > 1000 {
			return
		}
		got := abbreviate(json.RawMessage(in), width)
		if n := utf8.RuneCountInString(got); n > width {
			t.Errorf("%q: %d characters, want at most %d", in, n, width)
		}
		for _, r := range got {
			if !unicode.IsGraphic(r) {
				t.Errorf("%q: shows %q", in, r)
			}
		}
	})
}

func TestASCII(t *testing.T) {
	in := "{\n  \"a\": \"é\u202e\u009b\U0001f600\x7f\"\n}\n"
	got := ascii(in)
	if want := `{` + "\n" + `  "a": "\u00e9\u202e\u009b\ud83d\ude00\u007f"` + "\n}\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var before, after any
	if err := errors.Join(json.Unmarshal([]byte(in), &before), json.Unmarshal([]byte(got), &after)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the value changed:\n%s", diff)
	}
}

// play reports a small walk.
func play(r report) {
	c := func(tool, arguments string) call { return call{tool, json.RawMessage(arguments)} }
	offered := &failure{Code: "label_not_found", Fields: []string{"add_labels"}, Carrier: "text",
		Repair: &offer{"look", "labels", json.RawMessage(`{"repo":"api"}`)}}
	r.server(served{"srv\x1b[2J", "1.0.0", "2026-07-28", 1})
	r.begin(task{name: "relabel", about: "Add a label"})
	r.step(step{Number: 1, Kind: kindCall, call: c("update", `{"add_labels":["x"]}`), answer: answer{failed: offered}})
	r.step(step{Number: 2, Kind: kindRepair, call: c("labels", `{"repo":"api"}`), answer: answer{result: json.RawMessage(`{"labels":[{"name":"y"}]}`)}})
	r.step(step{Number: 3, Kind: kindResend, call: c("update", `{"add_labels":["y"]}`), answer: answer{result: json.RawMessage(`{"ok":true}`)}, Changed: []string{"add_labels"}})
	r.end(outcome{Note: "repaired in one hop"})
	r.begin(task{name: "fail", about: "Go wrong", flags: []string{"-x", "1s"}})
	r.step(step{Number: 4, Kind: kindCall, call: c("nope", `{}`), answer: answer{failed: &failure{Code: "evil\u202e", Carrier: "error.data"}}})
	r.end(outcome{Failed: errors.New("bad\x1b[2J")})
	r.begin(task{name: "skip", about: "Not here"})
	r.end(outcome{Skipped: "elsewhere"})
	r.finish(summary{
		Tasks: 3, Failed: []string{"fail"}, Skipped: 1, List: listing{17000, 4000},
		Figures: figures{Calls: 4, Errors: 2, OneHop: 1, NotRepaired: 1},
	})
}

func TestText(t *testing.T) {
	const want = `srv\x1b[2J 1.0.0, protocol revision 2026-07-28, 1 tool

relabel  Add a label
   1 update {"add_labels":["x"]}
     failed: label_not_found at add_labels
   2 repair: labels {"repo":"api"}
     {"labels":[1 objects]}
   3 again, other add_labels: update {"add_labels":["y"]}
     {"ok":true}
  ok  repaired in one hop

fail  Go wrong
     on a server of its own, started with -x 1s
   4 nope {}
     failed: evil\u202e, no repair
  FAILED  bad\x1b[2J

skip  Not here
  skipped  elsewhere

3 tasks, 1 failed, 1 skipped
failed: fail
    4 calls made
    2 errors met
    1 repaired in one hop
    0 repaired in more hops
    1 not repaired
    0 that no call can repair, as expected
17000 bytes of tools/list, 4000 o200k tokens
`
	var plain, coloured bytes.Buffer
	play(&text{out: &plain, width: 80})
	if diff := cmp.Diff(want, plain.String()); diff != "" {
		t.Errorf("transcript (-want +got):\n%s", diff)
	}
	play(&text{out: &coloured, width: 80, colour: true})
	stripped := coloured.String()
	for _, code := range []string{bold, dim, red, green, yellow} {
		if !strings.Contains(stripped, "\x1b["+code+"m") {
			t.Errorf("colour %s is not used", code)
		}
		stripped = strings.ReplaceAll(stripped, "\x1b["+code+"m", "")
	}
	stripped = strings.ReplaceAll(stripped, "\x1b[0m", "")
	if diff := cmp.Diff(want, stripped); diff != "" {
		t.Errorf("coloured transcript (-want +got):\n%s", diff)
	}
}

func TestDocument(t *testing.T) {
	const want = `{
  "server": {"name": "srv\u001b[2J", "version": "1.0.0", "revision": "2026-07-28", "tools": 1},
  "tools_list": {"bytes": 17000, "o200k_tokens": 4000},
  "ok": false,
  "tasks": [
    {"name": "relabel", "about": "Add a label", "status": "ok", "note": "repaired in one hop", "calls": [
      {"number": 1, "kind": "call", "tool": "update", "arguments": {"add_labels": ["x"]}, "error": {
        "code": "label_not_found", "fields": ["add_labels"], "carrier": "text",
        "repair": {"next_step": "look", "tool": "labels", "arguments": {"repo": "api"}}}},
      {"number": 2, "kind": "repair", "tool": "labels", "arguments": {"repo": "api"}, "result_bytes": 25},
      {"number": 3, "kind": "resend", "tool": "update", "arguments": {"add_labels": ["y"]}, "replaced": ["add_labels"], "result_bytes": 11}]},
    {"name": "fail", "about": "Go wrong", "status": "failed", "note": "bad\u001b[2J", "calls": [
      {"number": 4, "kind": "call", "tool": "nope", "arguments": {}, "error": {"code": "evil\u202e", "carrier": "error.data"}}]},
    {"name": "skip", "about": "Not here", "status": "skipped", "note": "elsewhere", "calls": []}
  ],
  "figures": {"calls": 4, "errors": 2, "repaired_in_one_hop": 1, "repaired_in_more_hops": 0, "not_repaired": 1, "none_expected": 0}
}`
	var got, expected bytes.Buffer
	d := &document{out: &got}
	play(d)
	if i := strings.IndexFunc(got.String(), func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }); i >= 0 {
		t.Errorf("not printable ASCII at byte %d", i)
	}
	var compacted bytes.Buffer
	if err := errors.Join(json.Compact(&expected, []byte(want)), json.Compact(&compacted, got.Bytes())); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(expected.String(), compacted.String()); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
}
