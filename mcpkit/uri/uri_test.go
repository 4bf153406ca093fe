package uri_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/mcpkit/uri"
)

func parse(t testing.TB, source string, slashes ...string) *uri.Template {
	t.Helper()
	template, err := uri.Parse(source)
	if err == nil {
		template, err = template.AllowSlash(slashes...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return template
}

// The templates of the two example servers.
var seeds = []string{
	"ghissues://server/summary",
	"ghissues://server/errors",
	"ghissues://repos/{owner}/{repo}/issues{?state,labels,assignee_login,updated_after}",
	"ghissues://repos/{owner}/{repo}/issues/{issue_number}",
	"ghissues://repos/{owner}/{repo}/issues/{issue_number}/comments",
	"ghissues://repos/{owner}/{repo}/labels",
	"wiki://capabilities",
	"wiki://spaces",
	"wiki://spaces/{space}/pages{?query,updated_after,cursor}",
	"wiki://spaces/{space}/pages/{slug}",
	"wiki://spaces/{space}/pages/{slug}/chunks/{chunk_id}",
}

func TestMatch(t *testing.T) {
	const list = "wiki://spaces/{space}/pages{?query,updated_after,cursor}"
	tests := []struct {
		name, template, uri string
		want                uri.Values
		canonical           string // "" if it is uri
	}{
		{"no variables", "wiki://spaces", "wiki://spaces", uri.Values{}, ""},
		{"segments", "ghissues://repos/{owner}/{repo}/issues/{n}", "ghissues://repos/acme/my.api/issues/42", uri.Values{"owner": "acme", "repo": "my.api", "n": "42"}, ""},
		{"no query", list, "wiki://spaces/eng/pages", uri.Values{"space": "eng"}, ""},
		// public fault 107: any order
		{"query in order", list, "wiki://spaces/eng/pages?query=a&cursor=b", uri.Values{"space": "eng", "query": "a", "cursor": "b"}, ""},
		{"query out of order", list, "wiki://spaces/eng/pages?cursor=b&query=a", uri.Values{"space": "eng", "query": "a", "cursor": "b"}, "wiki://spaces/eng/pages?query=a&cursor=b"},
		{"empty query value", list, "wiki://spaces/eng/pages?query=", uri.Values{"space": "eng", "query": ""}, ""},
		{"query is free text", list, "wiki://spaces/eng/pages?query=../a/..?b=c%26d%00", uri.Values{"space": "eng", "query": "../a/..?b=c&d\x00"}, "wiki://spaces/eng/pages?query=..%2Fa%2F..%3Fb%3Dc%26d%00"},
		{"plus is plus", list, "wiki://spaces/eng/pages?updated_after=2026-01-01T00:00:00+02:00", uri.Values{"space": "eng", "updated_after": "2026-01-01T00:00:00+02:00"}, "wiki://spaces/eng/pages?updated_after=2026-01-01T00%3A00%3A00%2B02%3A00"},
		{"decoded once", "docs://{name}", "docs://%252e%252e%252F", uri.Values{"name": "%2e%2e%2F"}, "docs://%252e%252e%252F"},
		{"unreserved encoded", "docs://{name}", "docs://%61%7e", uri.Values{"name": "a~"}, "docs://a~"},
		{"non-ASCII encoded", "docs://{name}", "docs://gr%C3%B6%C3%9Fe%E6%97%A5", uri.Values{"name": "größe日"}, ""},
		{"non-ASCII raw", "docs://{name}", "docs://größe日", uri.Values{"name": "größe日"}, "docs://gr%C3%B6%C3%9Fe%E6%97%A5"},
		{"sub-delims raw", "docs://{name}", "docs://a:b@c!d", uri.Values{"name": "a:b@c!d"}, "docs://a%3Ab%40c%21d"},
		{"dots in a value", "docs://{name}", "docs://...", uri.Values{"name": "..."}, ""},
		{"suffix", "docs://{name}.json", "docs://a.json.json", uri.Values{"name": "a.json"}, ""},
		{"affixes", "docs://v{major}.x/{name}", "docs://v1.x.x/n", uri.Values{"major": "1.x", "name": "n"}, ""},
		{"colon between", "docs://{a}:{b}", "docs://x%3Ay:z", uri.Values{"a": "x:y", "b": "z"}, ""},
		{"escape in literal", "docs://a%20b/{n}", "docs://a%20b/x", uri.Values{"n": "x"}, ""},
		// public fault 106
		{"reserved", "file:///{+path}", "file:///a/b", uri.Values{"path": "a/b"}, ""},
		{"reserved, encoded slash", "file:///{+path}", "file:///a%2Fb", uri.Values{"path": "a/b"}, "file:///a/b"},
		{"reserved in the middle", "wiki://{space}/{+path}/chunks/{id}.md", "wiki://eng/a/chunks/b/chunks/7.md", uri.Values{"space": "eng", "path": "a/chunks/b", "id": "7"}, ""},
		{"reserved with query", "wiki://{+path}{?q}", "wiki://a%3Fb%23/%25c[1]?q=1", uri.Values{"path": "a?b#/%c[1]", "q": "1"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			template := parse(t, test.template)
			got, err := template.Match(test.uri)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			want := test.uri
			if test.canonical != "" {
				want = test.canonical
			}
			if back, err := template.Expand(got); back != want || err != nil {
				t.Errorf("Expand = %q, %v; want %q", back, err, want)
			}
		})
	}
}

// public fault 106: the slash in {name} comes back where the name is opted in.
func TestAllowSlash(t *testing.T) {
	template := parse(t, "docs://{name}/{id}", "name")
	values := uri.Values{"name": `a/b\c`, "id": "1"}
	s, err := template.Expand(values)
	if s != "docs://a%2Fb%5Cc/1" || err != nil {
		t.Fatalf("Expand = %q, %v", s, err)
	}
	got, err := template.Match(s)
	if diff := cmp.Diff(values, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	// public fault 104: opting in admits slashes, not traversal
	for _, name := range []string{"..%2F..%2Fetc", "a%2f..", "..%5Cetc", "%2Fetc", "a%2F", "a%2F%2Fb", "a%2F.%2Fb"} {
		_, err := template.Match("docs://" + name + "/1")
		checkError(t, err, uri.Traversal, "name")
	}
	if _, err := template.AllowSlash("id", "nme", "q"); err == nil || err.Error() != `uri: template "docs://{name}/{id}" has no path variable "nme", "q"` {
		t.Error(err)
	}
	if _, err := parse(t, "docs://{name}/{id}").Match("docs://a%2Fb/1"); err == nil {
		t.Error("AllowSlash of another template changed this one")
	}
}

func checkError(t *testing.T, err error, kind uri.Kind, variable string) {
	t.Helper()
	var e *uri.Error
	if !errors.As(err, &e) || e.Kind != kind || e.Variable != variable {
		t.Errorf("error %v, want %s of %q", err, kind, variable)
	}
}

func TestMatchRefuses(t *testing.T) {
	const list = "docs://{id}/pages{?a,b}"
	tests := []struct {
		name, template, uri string
		kind                uri.Kind // "" is ErrNoMatch
		variable            string
	}{
		// public fault 104: a dot is a dot; every spelling of traversal
		{"dot is a dot", "weather://a.b", "weather://aXb", "", ""},
		{"dot is a dot, in the middle", "weather://a.b/{city}", "weather://aXb/x", "", ""},
		{"encoded traversal", "docs://{name}/{id}", "docs://..%2F..%2Fetc/1", uri.Traversal, "name"},
		{"lower-case escape", "docs://{name}/{id}", "docs://..%2f..%2fetc/1", uri.Traversal, "name"},
		{"backslash", "docs://{name}/{id}", "docs://..%5C..%5Cetc/1", uri.Traversal, "name"},
		{"encoded dots", "docs://{name}/{id}", "docs://%2e%2E/1", uri.Traversal, "name"},
		{"raw dots", "docs://{name}/{id}", "docs://../1", uri.Traversal, "name"},
		{"dot", "docs://{name}/{id}", "docs://a/.", uri.Traversal, "id"},
		{"encoded slash", "docs://{name}/{id}", "docs://a%2Fb/1", uri.Traversal, "name"},
		{"reserved: raw dots", "file:///{+path}", "file:///a/../b", uri.Traversal, "path"},
		{"reserved: encoded", "file:///{+path}", "file:///a%2F%2e%2e%2Fb", uri.Traversal, "path"},
		{"reserved: absolute", "file://{+path}", "file:///etc/passwd", uri.Traversal, "path"},
		{"reserved: end", "file:///{+path}", "file:///a/", uri.Traversal, "path"},
		{"NUL", "docs://{name}", "docs://a%00.md", uri.Malformed, "name"},
		{"line end", "file:///{+path}", "file:///a%0D%0Ab", uri.Malformed, "path"},
		// public fault 107: malformed escapes, empty variables
		{"escape without digits", "docs://{name}", "docs://%zz", uri.Malformed, "name"},
		{"escape cut short", "docs://{name}", "docs://a%4", uri.Malformed, "name"},
		{"lone percent sign", "docs://{name}", "docs://100%", uri.Malformed, "name"},
		{"escape in the query", list, "docs://1/pages?a=%g0", uri.Malformed, "a"},
		{"escape in reserved", "file:///{+path}", "file:///a/%", uri.Malformed, "path"},
		{"empty", "docs://{name}", "docs://", uri.Empty, "name"},
		{"empty first", "docs://{name}/{id}", "docs:///1", uri.Empty, "name"},
		{"empty last", "docs://{name}/{id}", "docs://a/", uri.Empty, "id"},
		{"empty before a suffix", "docs://{name}.json", "docs://.json", uri.Empty, "name"},
		{"empty reserved", "file:///{+path}", "file:///", uri.Empty, "path"},
		{"not UTF-8", "docs://{name}", "docs://%ff", uri.Malformed, "name"},
		{"overlong slash", "docs://{name}", "docs://..%c0%af", uri.Malformed, "name"},
		{"encoded surrogate", "docs://{name}", "docs://%ED%A0%80", uri.Malformed, "name"},
		{"raw bytes not UTF-8", "docs://{name}", "docs://\xff", uri.Malformed, "name"},
		{"query not UTF-8", list, "docs://1/pages?b=%ff", uri.Malformed, "b"},
		{"the template itself", "docs://{name}", "docs://{name}", uri.Malformed, "name"},
		{"space", "docs://{name}", "docs://a b", uri.Malformed, "name"},
		{"raw backslash", "docs://{name}", `docs://a\b`, uri.Malformed, "name"},
		{"fragment", "docs://{name}", "docs://a#b", uri.Malformed, ""},
		{"too long", "docs://{name}", "docs://" + strings.Repeat("a", uri.MaxLength), uri.TooLong, ""},
		{"unknown query name", list, "docs://1/pages?c=1", uri.Unknown, ""},
		{"unknown after known", list, "docs://1/pages?a=1&A=1", uri.Unknown, ""},
		{"encoded query name", list, "docs://1/pages?%61=1", uri.Unknown, ""},
		{"query without names", "docs://{id}", "docs://1?a=1", uri.Unknown, ""},
		{"query on a fixed URI", "docs://all", "docs://all?a=1", uri.Unknown, ""},
		{"path name in the query", list, "docs://1/pages?id=2", uri.Unknown, ""},
		{"given twice", list, "docs://1/pages?a=1&b=2&a=1", uri.Duplicate, "a"},
		{"empty query", list, "docs://1/pages?", uri.Malformed, ""},
		{"empty pair", list, "docs://1/pages?a=1&&b=2", uri.Malformed, ""},
		{"query name without value", list, "docs://1/pages?a", uri.Malformed, ""},
		{"value without name", list, "docs://1/pages?=1", uri.Malformed, ""},

		{"other scheme", "docs://{name}", "doc://a", "", ""},
		{"other case", "docs://{name}", "DOCS://a", "", ""},
		{"escaped literal", "docs://a/{name}", "docs://%61/x", "", ""},
		{"raw slash", "docs://{name}", "docs://a/b", "", ""},
		{"missing segment", "docs://{name}/{id}", "docs://a", "", ""},
		{"longer", "docs://{name}/end", "docs://a/endless", "", ""},
		{"prefix and suffix overlap", "docs://aba{name}aba", "docs://aba", "", ""},
		{"suffix missing", "docs://{name}.json", "docs://a.yaml", "", ""},
		{"separator missing", "docs://{a}.x/{b}", "docs://a/b", "", ""},
		{"separator from the right", "docs://{+a}/x:{b}", "docs://a/y:b", "", ""},
		{"empty URI", "docs://{name}", "", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			values, err := parse(t, test.template).Match(test.uri)
			if values != nil {
				t.Errorf("values %v", values)
			}
			if test.kind == "" {
				if !errors.Is(err, uri.ErrNoMatch) {
					t.Errorf("error %v, want ErrNoMatch", err)
				}
				return
			}
			checkError(t, err, test.kind, test.variable)
		})
	}
}

func TestUnknownListsWhatIsAllowed(t *testing.T) {
	_, err := parse(t, "docs://{id}{?b,a}").Match("docs://1?hunter2=1")
	var e *uri.Error
	if !errors.As(err, &e) || !slices.Equal(e.Allowed, []string{"b", "a"}) {
		t.Fatal(err)
	}
	if e.Error() != "uri: unknown query variable; allowed: b, a" {
		t.Error(e)
	}
	e.Allowed[0] = "changed"
	_, err = parse(t, "docs://all").Match("docs://all?x=1")
	if err.Error() != "uri: unknown query variable; none is allowed" {
		t.Error(err)
	}
}

func TestExpandRefuses(t *testing.T) {
	template := parse(t, "docs://{name}/{+path}{?q}")
	good := func() uri.Values { return uri.Values{"name": "a", "path": "b/c", "q": "d"} }
	tests := []struct {
		name, variable, value string
		kind                  uri.Kind
	}{
		{"slash", "name", "a/b", uri.Traversal},
		{"dots", "name", "..", uri.Traversal},
		{"empty", "name", "", uri.Empty},
		{"NUL", "name", "a\x00", uri.Malformed},
		{"not UTF-8", "name", "\xff", uri.Malformed},
		{"absolute path", "path", "/etc", uri.Traversal},
		{"dots in a path", "path", `a\..\b`, uri.Traversal},
		{"query not UTF-8", "q", "\xff", uri.Malformed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			values := good()
			values[test.variable] = test.value
			s, err := template.Expand(values)
			checkError(t, err, test.kind, test.variable)
			if s != "" {
				t.Errorf("result %q", s)
			}
		})
	}
	missing := good()
	delete(missing, "path")
	_, err := template.Expand(missing)
	checkError(t, err, uri.Empty, "path")

	extra := good()
	extra["Q"] = "x"
	_, err = template.Expand(extra)
	checkError(t, err, uri.Unknown, "")
	if err.Error() != "uri: unknown variable; allowed: name, path, q" {
		t.Error(err)
	}

	for _, long := range []string{strings.Repeat("日", uri.MaxLength/8), strings.Repeat("x", 3*uri.MaxLength)} {
		values := good()
		values["q"] = long
		_, err = template.Expand(values)
		checkError(t, err, uri.TooLong, "")
	}
}

func TestParseFaults(t *testing.T) {
	tests := []struct {
		template string
		want     []string // after `uri: template "…", `
	}{
		{"", []string{"byte 0: a template begins with a scheme in lower case and a colon"}},
		{"{scheme}://x", []string{"byte 0: a template begins with a scheme in lower case and a colon"}},
		{"Docs://x", []string{"byte 0: a template begins with a scheme in lower case and a colon"}},
		{"docs://{a", []string{"byte 7: the brace is not closed"}},
		{"docs://{a{b}}", []string{"byte 7: the brace is not closed"}},
		{"docs://a}", []string{"byte 8: literal text must be the characters of a URI, others percent-encoded"}},
		{"docs://\xaf", []string{"byte 7: literal text must be the characters of a URI, others percent-encoded"}},
		{"docs://日 a ", []string{"byte 7: literal text must be the characters of a URI, others percent-encoded", "byte 12: literal text must be the characters of a URI, others percent-encoded"}},
		{"docs://%4", []string{"byte 7: a percent sign needs two hex digits"}},
		{"docs://a?b={b}", []string{"byte 8: a query is written {?name}"}},
		{"docs://a/../{b}/.", []string{"byte 9: a segment may not be . or ..", "byte 16: a segment may not be . or .."}},
		{"docs://{}", []string{"byte 7: a variable has no name"}},
		{"docs://{?}", []string{"byte 7: a variable has no name"}},
		{"docs://x{?a,}", []string{"byte 8: a variable has no name"}},
		{"docs://{a,b}", []string{"byte 7: a path expression has one variable"}},
		{"docs://{a:3}", []string{"byte 7: modifier ':' is not supported"}},
		{"docs://x{?a*}", []string{"byte 8: modifier '*' is not supported"}},
		{"docs://{a-b}/{.c}", []string{
			"byte 7: a variable's name has letters, digits and underscores, and single dots between them",
			"byte 13: operator '.' is not supported; use {name}, {+name} or {?a,b}"}},
		{"docs://{größe}", []string{"byte 7: a variable's name has letters, digits and underscores, and single dots between them"}},
		{"docs://x{#a}", []string{"byte 8: operator '#' is not supported; use {name}, {+name} or {?a,b}"}},
		{"docs://{a}/{a}{?a}", []string{"byte 11: variable a occurs twice", "byte 14: variable a occurs twice"}},
		{"docs://x{?a,a}", []string{"byte 8: variable a occurs twice"}},
		{"docs://{a}{b}", []string{"byte 10: two variables need a character between them that neither can contain, such as /"}},
		{"docs://{a}-{b}", []string{"byte 10: two variables need a character between them that neither can contain, such as /"}},
		{"docs://{+a}/{+b}", []string{"byte 12: a template has at most one {+name}"}},
		{"docs://x{?a}/b", []string{"byte 12: nothing may follow the query"}},
		{"docs://x{?a}{?b}", []string{"byte 12: nothing may follow the query"}},
		{"docs:" + path(17), []string{"byte 86: a template has at most 16 path variables"}},
	}
	for _, test := range tests {
		t.Run(test.template, func(t *testing.T) {
			template, err := uri.Parse(test.template)
			if err == nil || template != nil {
				t.Fatalf("Parse = %v, %v", template, err)
			}
			var got []string
			for line := range strings.Lines(err.Error()) {
				_, reason, _ := strings.Cut(strings.TrimSuffix(line, "\n"), `", `)
				got = append(got, reason)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, err := uri.Parse("docs:" + strings.Repeat("a", uri.MaxLength)); err == nil {
		t.Error("a template of any length is parsed")
	}
}

// path has n variables of one segment each.
func path(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("/{v" + string(rune('a'+i)) + "}")
	}
	return b.String()
}

func TestVariables(t *testing.T) {
	template := parse(t, "docs://{b}/{+a}{?d,c}")
	want := []uri.Variable{{Name: "b", Required: true}, {Name: "a", Required: true}, {Name: "d"}, {Name: "c"}}
	if diff := cmp.Diff(want, template.Variables()); diff != "" {
		t.Error(diff)
	}
	if got := template.String(); got != "docs://{b}/{+a}{?d,c}" {
		t.Error(got)
	}
}

func TestConcurrentUse(t *testing.T) {
	set := seedSet(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				template, v, err := set.Match("wiki://spaces/eng/pages/on%20call")
				if err != nil || v["slug"] != "on call" {
					t.Error(v, err)
					return
				}
				if s, err := template.Expand(v); s != "wiki://spaces/eng/pages/on%20call" || err != nil {
					t.Error(s, err)
				}
			}
		})
	}
	wg.Wait()
}
