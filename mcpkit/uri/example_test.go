package uri_test

import (
	"errors"
	"fmt"

	"github.com/mcpkit-go/agentmcp/mcpkit/uri"
)

func Example() {
	issues, err := uri.Parse("ghissues://repos/{owner}/{repo}/issues{?state,labels}")
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := issues.Match("ghissues://repos/acme/api/issues?labels=good%20first&state=open")
	fmt.Println(v["owner"], v["repo"], v["labels"], err)

	fmt.Println(issues.Expand(uri.Values{"owner": "acme", "repo": "api", "labels": "größe"}))
	// Output:
	// acme api good first <nil>
	// ghissues://repos/acme/api/issues?labels=gr%C3%B6%C3%9Fe <nil>
}

// An Error is for the client to repair; its text has nothing of the URI.
func ExampleTemplate_Match() {
	issues, err := uri.Parse("ghissues://repos/{owner}/{repo}/issues{?state,labels}")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = issues.Match("ghissues://repos/acme/api/issues?status=open")
	var e *uri.Error
	if errors.As(err, &e) {
		fmt.Println(e.Kind, e.Allowed)
	}
	_, err = issues.Match("ghissues://repos/acme/..%2Fsecret/issues")
	fmt.Println(err)
	_, err = issues.Match("ghissues://repos/acme")
	fmt.Println(err)
	// Output:
	// unknown [state labels]
	// uri: repo has a slash or backslash
	// uri: no match
}

// All faults of a template are found at once.
func ExampleParse() {
	_, err := uri.Parse("docs://{space}{page}/{tags*}?lang={lang}")
	fmt.Println(err)
	// Output:
	// uri: template "docs://{space}{page}/{tags*}?lang={lang}", byte 21: modifier '*' is not supported
	// uri: template "docs://{space}{page}/{tags*}?lang={lang}", byte 28: a query is written {?name}
	// uri: template "docs://{space}{page}/{tags*}?lang={lang}", byte 14: two variables need a character between them that neither can contain, such as /
}

func ExampleTemplate_AllowSlash() {
	label, err := uri.Parse("ghissues://labels/{name}")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = label.Expand(uri.Values{"name": "area/api"})
	fmt.Println(err)

	label, err = label.AllowSlash("name")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(label.Expand(uri.Values{"name": "area/api"}))
	_, err = label.Match("ghissues://labels/..%2Fapi")
	fmt.Println(err)
	// Output:
	// uri: name has a slash or backslash
	// ghissues://labels/area%2Fapi <nil>
	// uri: name has an empty segment or one that is . or ..
}

func ExampleSet() {
	var templates []*uri.Template
	for _, source := range []string{
		"wiki://spaces/{space}/pages/{slug}",
		"wiki://spaces/{space}/pages/recent",
		"wiki://spaces/{space}/pages{?query,cursor}",
	} {
		t, err := uri.Parse(source)
		if err != nil {
			fmt.Println(err)
			return
		}
		templates = append(templates, t)
	}
	set, err := uri.NewSet(templates...)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range []string{"wiki://spaces/eng/pages/recent", "wiki://spaces/eng/pages/on-call", "wiki://spaces/eng/pages?cursor=x"} {
		t, v, err := set.Match(s)
		fmt.Println(t, v, err)
	}
	// Output:
	// wiki://spaces/{space}/pages/recent map[space:eng] <nil>
	// wiki://spaces/{space}/pages/{slug} map[slug:on-call space:eng] <nil>
	// wiki://spaces/{space}/pages{?query,cursor} map[cursor:x space:eng] <nil>
}
