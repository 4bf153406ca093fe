package uri_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/mcpkit/uri"
)

func seedSet(t testing.TB) *uri.Set {
	t.Helper()
	return newSet(t, seeds...)
}

func newSet(t testing.TB, sources ...string) *uri.Set {
	t.Helper()
	var list []*uri.Template
	for _, source := range sources {
		list = append(list, parse(t, source))
	}
	set, err := uri.NewSet(list...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestSetMatch(t *testing.T) {
	mixed := []string{
		"x://{+rest}",
		"x://a/{b}",
		"x://a/{b}.json",
		"x://a/new",
		"x://{a}/b",
		"x://{+p}/chunks/{id}",
		"x://{a}/{b}/{c}",
	}
	tests := []struct {
		name      string
		templates []string
		uri, want string // "" is no template
		kind      uri.Kind
	}{
		{"fixed", seeds, "wiki://spaces", "wiki://spaces", ""},
		{"list", seeds, "ghissues://repos/a/b/issues?state=open", seeds[2], ""},
		{"list without query", seeds, "ghissues://repos/a/b/issues", seeds[2], ""},
		{"body", seeds, "ghissues://repos/a/b/issues/1", seeds[3], ""},
		{"below the body", seeds, "ghissues://repos/a/b/issues/1/comments", seeds[4], ""},
		{"chunk", seeds, "wiki://spaces/eng/pages/p/chunks/s01", seeds[10], ""},
		{"none", seeds, "wiki://space", "", ""},
		{"fault of its template", seeds, "wiki://spaces/eng/pages?state=open", seeds[8], uri.Unknown},
		{"fault of none", seeds, "wiki://spaces#x", "", uri.Malformed},
		{"literal first", mixed, "x://a/new", "x://a/new", ""},
		{"left literal first", mixed, "x://a/b", "x://a/{b}", ""},
		{"more literal text first", mixed, "x://a/b.json", "x://a/{b}.json", ""},
		{"right literal", mixed, "x://q/b", "x://{a}/b", ""},
		{"variable before reserved", mixed, "x://q/chunks/7", "x://{a}/{b}/{c}", ""},
		{"reserved with more text", mixed, "x://q/r/chunks/7", "x://{+p}/chunks/{id}", ""},
		{"reserved", mixed, "x://q", "x://{+rest}", ""},
		{"not past a refusal", mixed, "x://a/b%2Fc", "x://a/{b}", uri.Traversal},
		{"no laxer template for a query", mixed, "x://a/new?q=1", "x://a/new", uri.Unknown},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			shuffled := append([]string(nil), test.templates...)
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			for _, set := range []*uri.Set{newSet(t, test.templates...), newSet(t, shuffled...)} {
				template, _, err := set.Match(test.uri)
				got := ""
				if template != nil {
					got = template.String()
				}
				if got != test.want {
					t.Errorf("template %q, want %q", got, test.want)
				}
				var e *uri.Error
				switch {
				case test.kind != "":
					if !errors.As(err, &e) || e.Kind != test.kind {
						t.Errorf("error %v, want %s", err, test.kind)
					}
				case test.want == "":
					if !errors.Is(err, uri.ErrNoMatch) {
						t.Error(err)
					}
				case err != nil:
					t.Error(err)
				}
			}
		})
	}
}

func TestNewSetFaults(t *testing.T) {
	tests := []struct {
		name, a, b string
		ok         bool
	}{
		{"the same", "x://a", "x://a", false},
		{"other names", "x://{a}", "x://{b}", false},
		{"other query", "x://a{?b}", "x://a{?c}", false},
		{"with and without query", "x://a{?b}", "x://a", false},
		{"prefix against suffix", "x://p{a}", "x://{a}p", false},
		{"prefix against suffix in the middle", "x://p{a}/z", "x://{a}p/z", false},
		{"reserved with as much text", "x://{+p}/{a}", "x://{+p}:{a}", false},
		{"other prefix", "x://p{a}", "x://q{a}", true},
		{"other suffix", "x://{a}p", "x://{a}q", true},
		{"other literal segment", "x://{a}/p/{b}", "x://{a}/q/{b}", true},
		{"other length", "x://{a}", "x://{a}/{b}", true},
		{"other scheme", "x://{a}", "y://{a}", true},
		{"reserved with other suffix", "x://{+p}.a", "x://{+p}.b", true},
		{"reserved after other literals", "x://a/{+p}", "x://b/{+p}", true},
		{"crossing", "x://a/{b}", "x://{a}/b", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a, b := parse(t, test.a), parse(t, test.b)
			_, err := uri.NewSet(a, b)
			_, back := uri.NewSet(b, a)
			if (err == nil) != test.ok || (back == nil) != test.ok {
				t.Errorf("errors %v and %v", err, back)
			}
		})
	}
	same := parse(t, "x://a")
	_, err := uri.NewSet(same, same, same)
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("not all faults: %v", err)
	}
	if _, _, err := newSet(t).Match("x://a"); !errors.Is(err, uri.ErrNoMatch) {
		t.Error(err)
	}
}

func TestSetTemplatesOrder(t *testing.T) {
	var got []string
	for _, template := range newSet(t, "x://{+p}", "x://{a}", "y://b", "x://a").Templates() {
		got = append(got, template.String())
	}
	if diff := cmp.Diff([]string{"x://a", "y://b", "x://{a}", "x://{+p}"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestZeroAndNilTemplates(t *testing.T) {
	var zero uri.Template
	if _, err := zero.Match(""); !errors.Is(err, uri.ErrNoMatch) {
		t.Error(err)
	}
	if s, err := zero.Expand(nil); s != "" || err != nil {
		t.Errorf("Expand = %q, %v", s, err)
	}
	_, err := uri.NewSet(nil, parse(t, "x://a"), nil)
	if err == nil || err.Error() != "uri: template 0 of the set is nil\nuri: template 2 of the set is nil" {
		t.Error(err)
	}
	set, err := uri.NewSet(&zero, parse(t, "x://a"))
	if err != nil {
		t.Fatal(err)
	}
	if template, _, err := set.Match("x://a"); err != nil || template.String() != "x://a" {
		t.Error(template, err)
	}
}
