package uri_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/mcpkit/uri"
)

var shapes = append([]string{
	"docs://{a}:{b}/{c}{?d,e}",
	"docs://v{a}.x/{b}.json",
	"file:///{+a}{?b}",
	"wiki://{a}/{+b}/chunks/{c}.md",
	"wiki://{+a}/x%2Fy:{b}@{c}",
}, seeds...)

// expandThenMatch holds for every template and all values.
func expandThenMatch(t *testing.T, template *uri.Template, values uri.Values) {
	t.Helper()
	s, err := template.Expand(values)
	if err != nil {
		var e *uri.Error
		if !errors.As(err, &e) {
			t.Fatalf("error of type %T", err)
		}
		return
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			t.Fatalf("%q is not a URI", s)
		}
	}
	got, err := template.Match(s)
	if err != nil {
		t.Fatalf("%s: %q of %q: %v", template, s, values, err)
	}
	if diff := cmp.Diff(values, got); diff != "" {
		t.Fatalf("%s: %q: %s", template, s, diff)
	}
}

func TestExpandThenMatch(t *testing.T) {
	random := rand.New(rand.NewPCG(106, 1))
	alphabet := []rune("ab./\\%2F2e:@?#&=+[] {}~-_'é日😀\x00\n")
	for range 20_000 {
		template := parse(t, shapes[random.IntN(len(shapes))])
		if random.IntN(2) == 0 {
			for _, v := range template.Variables() {
				if v.Required {
					template, _ = template.AllowSlash(v.Name)
				}
			}
		}
		values := uri.Values{}
		for _, v := range template.Variables() {
			if !v.Required && random.IntN(2) == 0 {
				continue
			}
			value := make([]rune, random.IntN(6))
			for i := range value {
				value[i] = alphabet[random.IntN(len(alphabet))]
			}
			values[v.Name] = string(value)
		}
		expandThenMatch(t, template, values)
	}
}

func FuzzExpandThenMatch(f *testing.F) {
	f.Add("wiki://{a}/{+b}/chunks/{c}.md", "eng", "a/chunks/b", "7", false)
	f.Add("docs://{name}/{id}", "a/b", "1", "", true)
	f.Add("docs://{name}/{id}", "..%2F..%2Fetc", "größe", "", true)
	f.Add("docs://{a}:{b}{?c}", "x:y", ".", "a&b=+", false)
	f.Fuzz(func(t *testing.T, source, first, second, third string, slashes bool) {
		template, err := uri.Parse(source)
		if err != nil {
			return
		}
		values := uri.Values{}
		given := []string{first, second, third}
		for i, v := range template.Variables() {
			if v.Required && slashes {
				template, _ = template.AllowSlash(v.Name)
			}
			if v.Required || i < len(given) {
				values[v.Name] = given[i%len(given)]
			}
		}
		expandThenMatch(t, template, values)
	})
}

func FuzzMatchThenExpand(f *testing.F) {
	for _, s := range []string{
		"ghissues://repos/acme/api/issues?state=open&labels=a%2Cb",
		"docs://..%2F..%2Fetc/1", "docs://%zz", "docs://a%252F", "docs://größe?a=1&a=2", "wiki://a//b/../chunks/%2e.md",
		"file:///a%2Fb?b=", "docs://v1.x.x/a.json.json", "wiki://a/x%2Fy:b@c",
	} {
		for i := range shapes {
			f.Add(i, s)
		}
	}
	f.Fuzz(func(t *testing.T, shape int, s string) {
		template := parse(t, shapes[uint(shape)%uint(len(shapes))])
		values, err := template.Match(s)
		if err != nil {
			var e *uri.Error
			if !errors.As(err, &e) && !errors.Is(err, uri.ErrNoMatch) {
				t.Fatalf("error of type %T", err)
			}
			return
		}
		canonical, err := template.Expand(values)
		var e *uri.Error
		if errors.As(err, &e) && e.Kind == uri.TooLong {
			return // raw text is longer when it is encoded
		}
		if err != nil {
			t.Fatal(err)
		}
		expandThenMatch(t, template, values)
		if again, err := template.Match(canonical); err != nil || !cmp.Equal(values, again) {
			t.Fatalf("%q, then %q: %v, %v", s, canonical, again, err)
		}
	})
}

// No URI has a second template that would have taken it had the first not
// been there, unless the order says so: the set agrees with trying each.
func FuzzSet(f *testing.F) {
	f.Add("x://p{a}", "x://{a}q", "x://pq")
	f.Add("x://{+p}/{a}", "x://{+p}:{a}", "x://a/b:c")
	f.Add("x://{a}.json", "x://{a}", "x://a.json")
	f.Add("x://{a}:b/{c}", "x://{a}/{+b}", "x://a:b/c")
	f.Fuzz(func(t *testing.T, first, second, s string) {
		a, err := uri.Parse(first)
		if err != nil {
			return
		}
		b, err := uri.Parse(second)
		if err != nil {
			return
		}
		set, err := uri.NewSet(a, b)
		if err != nil {
			return
		}
		reverse, err := uri.NewSet(b, a)
		if err != nil {
			t.Fatal("the order of registration matters")
		}
		one, _, errOne := set.Match(s)
		two, _, errTwo := reverse.Match(s)
		if one != two || (errOne == nil) != (errTwo == nil) {
			t.Fatalf("%v and %v", one, two)
		}
		if _, err := a.Match(s); err == nil && one == nil {
			t.Fatal("the first template matches alone")
		}
		if _, err := b.Match(s); err == nil && one == nil {
			t.Fatal("the second template matches alone")
		}
	})
}
