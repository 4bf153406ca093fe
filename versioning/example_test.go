package versioning_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/mcpkit-go/agentmcp/versioning"
)

type issue struct {
	Title   string   `json:"title"`
	Labels  []string `json:"labels" version:"set"`
	Updated string   `json:"updated_at" version:"-"`
}

func ExampleOf() {
	read, _ := versioning.Of(issue{"Retry fails", []string{"bug", "api"}, "12:00"})
	same, _ := versioning.Of(issue{"Retry fails", []string{"api", "bug"}, "12:01"})
	other, _ := versioning.Of(issue{"Retries fail", []string{"bug", "api"}, "12:00"})
	fmt.Println(read)
	fmt.Println(read == same, read == other)
	// Output:
	// v1:sha256:3fdca0d71216a5589c989517750eab21
	// true false
}

func ExampleMatch() {
	stored := issue{Title: "Retry fails"}
	read, _ := versioning.Of(stored) // what the caller saw

	stored.Title = "Retries fail" // somebody else writes
	current, _ := versioning.Of(stored)

	fmt.Println(errors.Is(versioning.Match(read, current), versioning.ErrConflict))
	fmt.Println(versioning.Match(current, current))
	fmt.Println(versioning.Match("", current)) // no precondition
	fmt.Println(versioning.Match("newest", current))
	// Output:
	// true
	// <nil>
	// <nil>
	// versioning: malformed version token
}

func ExampleCheck() {
	type record struct {
		Name string   `json:"name" version:"set"`
		Tags []string `json:"tags" version:"sorted"`
	}
	fmt.Println(versioning.Check(reflect.TypeFor[record]()))
	// Output:
	// versioning: versioning_test.record.Tags: the version tag is neither "-" nor "set"
	// versioning: versioning_test.record.name: version:"set" on a field that is not encoded as a list of its elements
}

func ExampleOfJSON() {
	a, _ := versioning.OfJSON([]byte(`{"id": 9007199254740993, "n": 1.0}`))
	b, _ := versioning.OfJSON([]byte(`{"n":1,"id":9007199254740993}`))
	c, _ := versioning.OfJSON([]byte(`{"n":1,"id":9007199254740992}`))
	fmt.Println(a == b, a == c)

	_, err := versioning.OfJSON([]byte(`{"n":1,"n":2}`))
	fmt.Println(err)
	// Output:
	// true false
	// versioning: duplicate key at byte 7
}

func ExampleCanonical() {
	canonical, _ := versioning.Canonical([]byte(`{"b": [1.0, 1e30, -0], "a": "\u003c\u00e9\/"}`))
	fmt.Println(string(canonical))
	// Output: {"a":"<é/","b":[1,1e+30,0]}
}

func ExampleIfMatch() {
	tag := versioning.ETag("v1:sha256:0123456789abcdef0123456789abcdef")
	for _, header := range []string{tag, `"other", ` + tag, "W/" + tag, "*", "unquoted"} {
		ok, err := versioning.IfMatch(header, tag, true)
		fmt.Println(ok, err)
	}
	// Output:
	// true <nil>
	// true <nil>
	// false <nil>
	// true <nil>
	// false versioning: malformed If-Match header
}

func ExampleIfNoneMatch() {
	tag := versioning.WeakETag("v1:sha256:0123456789abcdef0123456789abcdef")
	changed, _ := versioning.IfNoneMatch(tag, tag, true) // false: answer 304
	creates, _ := versioning.IfNoneMatch("*", "", false) // true: there is nothing yet
	fmt.Println(changed, creates)
	// Output: false true
}

func ExampleNewFingerprint() {
	parts := []versioning.Part{
		{Covers: "tools", JSON: []byte(`[{"name":"wiki_get_page","inputSchema":{"required":["space","slug"]}}]`)},
		{Covers: "error_codes", JSON: []byte(`{"page_not_found":"No page has this slug."}`)},
	}
	fingerprint, err := versioning.NewFingerprint("acme-wiki", "1.0.0", parts...)
	fmt.Println(fingerprint, versioning.Covers(parts...), err)

	parts[0].JSON = []byte(`[{"name":"wiki_get_page","inputSchema":{"required":["slug","space"]}}]`)
	again, _ := versioning.NewFingerprint("acme-wiki", "1.0.0", parts...)
	fmt.Println(again == fingerprint)
	// Output:
	// acme-wiki@1.0.0+4aa2af6 [error_codes tools] <nil>
	// true
}

func ExampleShapeHash() {
	before := versioning.Part{Covers: "tools", JSON: []byte(`[{"name":"wiki_get_page","description":"Read a page."}]`)}
	after := versioning.Part{Covers: "tools", JSON: []byte(`[{"name":"wiki_get_page","description":"Read one page."}]`)}
	a, _ := versioning.ShapeHash(before)
	b, _ := versioning.ShapeHash(after)
	fmt.Println("only words changed:", a == b)
	// Output: only words changed: true
}

func ExampleLifecycle() {
	successor := "wiki_get_page"
	l := versioning.Lifecycle{
		Stability: versioning.Stable,
		Deprecation: &versioning.Deprecation{
			Since: "2026-07-28", RemovalAtOrAfter: "soon",
			ReplacedBy: &successor, Migration: "Call wiki_get_page with the same arguments.",
		},
	}
	fmt.Println(l.Validate())

	l.Deprecation.RemovalAtOrAfter = "2027-01-28"
	raw, _ := json.Marshal(l)
	fmt.Println(string(raw), l.Validate())
	// Output:
	// versioning: deprecation.removal_at_or_after: must be an RFC 3339 date such as 2026-07-28, or date-time such as 2026-07-28T12:00:00Z
	// {"stability":"stable","deprecation":{"since":"2026-07-28","removal_at_or_after":"2027-01-28","replaced_by":"wiki_get_page","migration":"Call wiki_get_page with the same arguments."}} <nil>
}
