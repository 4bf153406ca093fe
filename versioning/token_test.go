package versioning_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpkit-go/agentmcp/versioning"
)

func TestTokenOfKnownContent(t *testing.T) {
	canonical := `{"labels":["bug"],"title":"x"}`
	sum := sha256.Sum256([]byte(canonical))
	want := "v1:sha256:" + hex.EncodeToString(sum[:16])
	for _, raw := range []string{canonical, "{ \"title\" : \"\\u0078\",\n\"labels\":[\"bug\"] }"} {
		got, err := versioning.OfJSON([]byte(raw))
		if got != want || err != nil {
			t.Errorf("OfJSON(%s) = %s, %v; want %s", raw, got, err, want)
		}
		appended, err := versioning.AppendOfJSON([]byte("at "), []byte(raw))
		if string(appended) != "at "+want || err != nil {
			t.Errorf("AppendOfJSON(%s) = %s, %v", raw, appended, err)
		}
		digest, err := versioning.Digest([]byte(raw))
		if digest != sum || err != nil {
			t.Errorf("Digest(%s) = %x, %v", raw, digest, err)
		}
		form, err := versioning.AppendCanonical([]byte("at "), []byte(raw))
		if string(form) != "at "+canonical || err != nil {
			t.Errorf("AppendCanonical(%s) = %s, %v", raw, form, err)
		}
	}
}

// Contents of one class have one token, and contents of two classes have two.
func TestTokensOfMeaning(t *testing.T) {
	classes := map[string][]string{
		// public fault 77
		"one":                {`1`, `1.0`, `1e0`, ` 1 `},
		"zero":               {`0`, `-0`, `-0.0`},
		"2^53":               {`9007199254740992`, `9007199254740992.0`},
		"2^53+1":             {`9007199254740993`, `9007199254740993e0`},
		"1e30":               {`1e30`, `1000000000000000000000000000000`},
		"the double of 1e30": {`1000000000000000019884624838656`},
		"1e21":               {`1e21`, `1000000000000000000000`},
		"1e-7":               {`1e-7`, `0.0000001`},
		// public fault 76
		"composed":   {`"\u00e9"`, `"é"`},
		"decomposed": {`"e\u0301"`, "\"e\u0301\""},
		// public fault 74
		"HTML": {`{"a":"<b>&\u2028"}`, `{"a":"\u003cb\u003e\u0026` + "\u2028" + `"}`},
		// public fault 75
		"order":         {"{\"\ufffd\":1,\"\U00010000\":2}", "{\"\U00010000\":2,\"\ufffd\":1}"},
		"list":          {`[1,2]`},
		"list reversed": {`[2,1]`},
		"text":          {`"1"`},
		"null":          {`null`},
		"absent":        {`{}`, "{\n}"},
		"null member":   {`{"a":null}`},
		"false":         {`false`},
	}
	owner := map[string]string{}
	for name, spellings := range classes {
		first := ""
		for _, raw := range spellings {
			token, err := versioning.OfJSON([]byte(raw))
			if err != nil {
				t.Fatalf("%s: %v", raw, err)
			}
			if first == "" {
				first = token
			}
			if token != first {
				t.Errorf("%s: %s has another token than %s", name, raw, spellings[0])
			}
		}
		if other, ok := owner[first]; ok {
			t.Errorf("%s and %s share a token", name, other)
		}
		owner[first] = name
	}
}

func TestInputErrors(t *testing.T) {
	secret := "hunter2hunter2"
	for _, raw := range []string{
		``, `{"` + secret + `":1,"` + secret + `":2}`, `"` + secret + "\xff\"", `"` + secret + `\ud800"`, `["` + secret + `"] 2`, `1e999`, `1e-999`,
		strings.Repeat("[", versioning.MaxDepth+1) + strings.Repeat("]", versioning.MaxDepth+1), `{"a":` + secret + `}`,
	} {
		_, canonicalErr := versioning.Canonical([]byte(raw))
		token, ofErr := versioning.OfJSON([]byte(raw))
		sum, digestErr := versioning.Digest([]byte(raw))
		kept, appendErr := versioning.AppendOfJSON([]byte("kept"), []byte(raw))
		for _, err := range []error{canonicalErr, ofErr, digestErr, appendErr} {
			var e *versioning.InputError
			if !errors.As(err, &e) || e.Reason == "" || e.Offset < 0 || e.Offset > len(raw) {
				t.Errorf("%.40q: error %#v", raw, err)
			} else if want := fmt.Sprintf("versioning: %s at byte %d", e.Reason, e.Offset); err.Error() != want || strings.Contains(want, secret) {
				t.Errorf("%.40q: error %q", raw, err)
			}
		}
		if token != "" || sum != [32]byte{} || string(kept) != "kept" {
			t.Errorf("%.40q: results beside the error: %q, %x, %q", raw, token, sum, kept)
		}
	}
}

func TestMatch(t *testing.T) {
	token := func(raw string) string {
		s, err := versioning.OfJSON([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	current, stale := token(`{"n":2}`), token(`{"n":1}`)
	tests := []struct {
		name, expected, current string
		want                    error
	}{
		{"no precondition", "", current, nil},
		{"current", current, current, nil},
		{"stale", stale, current, versioning.ErrConflict},
		{"nothing there any more", stale, "", versioning.ErrConflict},
		{"free text", "latest", current, versioning.ErrMalformed},
		{"upper case", strings.ToUpper(current), current, versioning.ErrMalformed},
		{"upper-case digits", "v1:sha256:" + strings.ToUpper(current[10:]), current, versioning.ErrMalformed},
		{"cut", current[:len(current)-1], current, versioning.ErrMalformed},
		{"longer", current + "0", current, versioning.ErrMalformed},
		{"no digits", "v1:sha256:" + strings.Repeat("g", 32), current, versioning.ErrMalformed},
		{"another format", "v2:sha256:" + current[10:], current, versioning.ErrMalformed},
		{"entity tag", versioning.ETag(current), current, versioning.ErrMalformed},
		{"space around", " " + current, current, versioning.ErrMalformed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := versioning.Match(tt.expected, tt.current)
			if !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
				t.Fatalf("got %v, want %v", err, tt.want)
			}
			if err != nil && tt.expected != "" && strings.Contains(err.Error(), tt.expected) {
				t.Errorf("the error holds the value: %v", err)
			}
		})
	}
}

func FuzzMatch(f *testing.F) {
	current, _ := versioning.OfJSON([]byte(`1`))
	for _, s := range []string{"", current, current[1:], "v1:sha256:00000000000000000000000000000000", "v1:sha256:é0000000000000000000000000000000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, expected string) {
		err := versioning.Match(expected, current)
		digits, rest, found := strings.Cut(expected, "v1:sha256:")
		raw, hexErr := hex.DecodeString(rest)
		isToken := found && digits == "" && hexErr == nil && len(raw) == 16 && rest == hex.EncodeToString(raw)
		switch {
		case expected == "" || expected == current:
			if err != nil {
				t.Fatal(err)
			}
		case isToken && err != versioning.ErrConflict, !isToken && !errors.Is(err, versioning.ErrMalformed):
			t.Fatalf("Match(%q) = %v", expected, err)
		}
	})
}

// Of and OfJSON agree on trees of any shape.
func FuzzTree(f *testing.F) {
	for _, s := range []string{`{"b":[1,{"c":null}],"a":"\u2028<"}`, `[1.50,9007199254740993,1e30,-0]`, `"x"`, `{"":{"":[]}}`, `[[[[]]]]`, `1e999`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		canonical, err := versioning.Canonical(raw)
		if err != nil {
			return
		}
		tree, err := decode(canonical)
		if err != nil {
			t.Fatalf("canonical %q does not decode: %v", canonical, err)
		}
		want, err := versioning.OfJSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := versioning.Of(tree); got != want || err != nil {
			t.Fatalf("Of(%q) = %s, %v; want %s", canonical, got, err, want)
		}
		if again, err := versioning.Canonical(canonical); err != nil || !bytes.Equal(again, canonical) {
			t.Fatalf("%q becomes %q, %v", canonical, again, err)
		}
	})
}
