package versioning_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mcpkit-go/agentmcp/versioning"
)

func TestETag(t *testing.T) {
	token, err := versioning.OfJSON([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ token, strong, weak string }{
		{token, `"` + token + `"`, `W/"` + token + `"`},
		{"rev-8842", `"rev-8842"`, `W/"rev-8842"`},
		{"", `""`, `W/""`},
		{"a,b", `"a,b"`, `W/"a,b"`},
		{"é", `"é"`, `W/"é"`},
		{`a"b`, "", ""},
		{"a b", "", ""},
		{"a\nb", "", ""},
		{"a\x7f", "", ""},
	} {
		if got := versioning.ETag(tt.token); got != tt.strong {
			t.Errorf("ETag(%q) = %s, want %s", tt.token, got, tt.strong)
		}
		if got := versioning.WeakETag(tt.token); got != tt.weak {
			t.Errorf("WeakETag(%q) = %s, want %s", tt.token, got, tt.weak)
		}
	}
}

// public fault 81: weak tags, lists, star, commas inside a tag, tags without
// quotes. match and noneMatch are what IfMatch and IfNoneMatch report.
func TestPreconditions(t *testing.T) {
	const is, gone = true, false
	tests := []struct {
		name, header, current string
		exists                bool
		match, noneMatch      bool
	}{
		{"no header", ``, `"a"`, is, true, true},
		{"no header, nothing there", ``, ``, gone, true, true},
		{"same", `"a"`, `"a"`, is, true, false},
		{"other", `"b"`, `"a"`, is, false, true},
		{"case counts", `"A"`, `"a"`, is, false, true},
		{"weak header", `W/"a"`, `"a"`, is, false, false},
		{"weak current", `"a"`, `W/"a"`, is, false, false},
		{"both weak", `W/"a"`, `W/"a"`, is, false, false},
		{"other weak", `W/"b"`, `"a"`, is, false, true},
		{"list", `"b", "a"`, `"a"`, is, true, false},
		{"list without space", `"b","a","c"`, `"a"`, is, true, false},
		{"list without it", `"b", "c"`, `"a"`, is, false, true},
		{"list of weak and strong", `W/"a", "a"`, `"a"`, is, true, false},
		{"list with empty members", `, "b",, "a" ,`, `"a"`, is, true, false},
		{"tabs", "\t\"b\"\t,\t\"a\"\t", `"a"`, is, true, false},
		{"comma in a tag", `"a,b"`, `"a,b"`, is, true, false},
		{"comma in a tag is one tag", `"a,b"`, `"a"`, is, false, true},
		{"comma in one of two tags", `"x","a,b"`, `"a,b"`, is, true, false},
		{"empty tag", `""`, `""`, is, true, false},
		{"star", `*`, `"a"`, is, true, false},
		{"star with space", ` * `, `"a"`, is, true, false},
		{"star, nothing there", `*`, ``, gone, false, true},
		{"star, no tag", `*`, ``, is, true, false},
		{"tag, nothing there", `"a"`, `"a"`, gone, false, true},
		{"tag, nothing there and no tag", `"a"`, ``, gone, false, true},
		{"tag, no current one", `"a"`, ``, is, false, true},
		{"bytes beyond ASCII", `"é"`, `"é"`, is, true, false},
		{"a star as a tag", `"*"`, `"a"`, is, false, true},
		{"a version token", `"v1:sha256:0123456789abcdef0123456789abcdef"`, `"v1:sha256:0123456789abcdef0123456789abcdef"`, is, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			match, err := versioning.IfMatch(tt.header, tt.current, tt.exists)
			if match != tt.match || err != nil {
				t.Errorf("IfMatch = %v, %v; want %v", match, err, tt.match)
			}
			none, err := versioning.IfNoneMatch(tt.header, tt.current, tt.exists)
			if none != tt.noneMatch || err != nil {
				t.Errorf("IfNoneMatch = %v, %v; want %v", none, err, tt.noneMatch)
			}
		})
	}
}

func TestMalformedPreconditions(t *testing.T) {
	for _, header := range []string{
		`a`, `"a`, `a"`, `'a'`, `"a" "b"`, `"a", b`, `"a"b`, `w/"a"`, `W/a`, `W/`, `W /"a"`, `*, "a"`, `"a", *`, `**`,
		`"a b"`, "\"a\x00\"", "\"a\x7f\"", `,`, ` `, `"a"; q=1`, `""a""`, `"a",W/`,
	} {
		for _, exists := range []bool{true, false} {
			match, err := versioning.IfMatch(header, `"a"`, exists)
			none, noneErr := versioning.IfNoneMatch(header, `"a"`, exists)
			for name, err := range map[string]error{"If-Match": err, "If-None-Match": noneErr} {
				if !errors.Is(err, versioning.ErrMalformed) {
					t.Errorf("%s: %q: error %v", name, header, err)
				} else if want := "versioning: malformed " + name + " header"; err.Error() != want {
					t.Errorf("%s: %q: error %q, want %q", name, header, err, want)
				}
			}
			if match || none {
				t.Errorf("%q: %v and %v beside an error", header, match, none)
			}
		}
	}
	for _, current := range []string{`a`, `v1:sha256:00`, `"a`, `"a", "b"`, `*`} {
		for _, precondition := range []func(string, string, bool) (bool, error){versioning.IfMatch, versioning.IfNoneMatch} {
			if ok, err := precondition(`"a"`, current, true); ok || !errors.Is(err, versioning.ErrMalformed) {
				t.Errorf("current %q: %v, %v", current, ok, err)
			}
			if _, err := precondition(`"a"`, current, false); err != nil {
				t.Errorf("current %q counts though nothing exists: %v", current, err)
			}
		}
	}
}

func FuzzPreconditions(f *testing.F) {
	for _, header := range []string{`"a"`, `W/"a"`, `*`, `"b", "a"`, `"a,b"`, `a`, `, ,"a"`, "\"\xff\"", ``} {
		f.Add(header, "a", true)
		f.Add(header, "x y", false)
	}
	f.Fuzz(func(t *testing.T, header, token string, exists bool) {
		tag := versioning.ETag(token)
		match, err := versioning.IfMatch(header, tag, exists)
		none, noneErr := versioning.IfNoneMatch(header, tag, exists)
		if (err == nil) != (noneErr == nil) {
			t.Fatalf("%q: errors %v and %v", header, err, noneErr)
		}
		star := strings.Trim(header, " \t") == "*"
		switch {
		case err != nil:
			if match || none || !errors.Is(err, versioning.ErrMalformed) {
				t.Fatalf("%q: %v, %v, %v", header, match, none, err)
			}
			return
		case header == "":
			return
		case match && none:
			t.Fatalf("%q matches and does not match %s", header, tag)
		case match && !star && (tag == "" || !strings.Contains(header, tag)):
			t.Fatalf("%q matches %s", header, tag)
		}
		if tag == "" || star {
			return
		}
		// One more member of the list decides.
		if match, err := versioning.IfMatch(header+", "+tag, tag, true); !match || err != nil {
			t.Fatalf("%q and %s: %v, %v", header, tag, match, err)
		}
		if none, err := versioning.IfNoneMatch("W/"+tag+","+header, tag, true); none || err != nil {
			t.Fatalf("%q and W/%s: %v, %v", header, tag, none, err)
		}
	})
}
