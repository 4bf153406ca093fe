package uri_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpkit-go/agentmcp/mcpkit/uri"
)

// Twenty templates as a server has them; the URI belongs to the last of them.
func twenty() []string {
	list := append([]string(nil), seeds...)
	for i := len(list); i < 19; i++ {
		list = append(list, fmt.Sprintf("wiki://spaces/{space}/kind%d/{slug}", i))
	}
	return append(list, "wiki://spaces/{space}/last/{slug}")
}

const twentieth = "wiki://spaces/eng/last/on%20call"

func BenchmarkSet20(b *testing.B) {
	set := newSet(b, twenty()...)
	b.ReportAllocs()
	for b.Loop() {
		if _, v, err := set.Match(twentieth); err != nil || v["slug"] != "on call" {
			b.Fatal(v, err)
		}
	}
}

func BenchmarkSet20NoMatch(b *testing.B) {
	set := newSet(b, twenty()...)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := set.Match("wiki://spaces/eng/other/on%20call"); err == nil {
			b.Fatal("matched")
		}
	}
}

func BenchmarkExpand(b *testing.B) {
	template := parse(b, "wiki://spaces/{space}/pages/{slug}")
	values := uri.Values{"space": "eng", "slug": "on call"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := template.Expand(values); err != nil {
			b.Fatal(err)
		}
	}
}

var expression = regexp.MustCompile(`\\\{[^}]*\\\}`)

func pattern(source string) string {
	path, _, _ := strings.Cut(source, "{?")
	return "^" + expression.ReplaceAllString(regexp.QuoteMeta(path), "([^/]*)") + "$"
}

// The floors do less than a Set: they find the groups and decode them, without
// query, names or checks. One compiles on each read, as a matcher does that keeps
// templates as text; the other once.
func BenchmarkFloorCompileEach20(b *testing.B) {
	list := twenty()
	b.ReportAllocs()
	for b.Loop() {
		found := false
		for _, source := range list {
			if m := regexp.MustCompile(pattern(source)).FindStringSubmatch(twentieth); m != nil {
				_, err := url.PathUnescape(m[2])
				found = err == nil
			}
		}
		if !found {
			b.Fatal("no match")
		}
	}
}

func BenchmarkFloorCompiledOnce20(b *testing.B) {
	var list []*regexp.Regexp
	for _, source := range twenty() {
		list = append(list, regexp.MustCompile(pattern(source)))
	}
	b.ReportAllocs()
	for b.Loop() {
		found := false
		for _, re := range list {
			if m := re.FindStringSubmatch(twentieth); m != nil {
				_, err := url.PathUnescape(m[2])
				found = err == nil
			}
		}
		if !found {
			b.Fatal("no match")
		}
	}
}
