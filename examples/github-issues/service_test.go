package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/tracker"
)

// reporting is a backend that says what GitHub can say about a page.
type reporting struct {
	backend.Backend
	capped bool
	rate   *backend.Rate
}

func (r reporting) Search(ctx context.Context, q backend.Query, after backend.Position, n int) (backend.Page[backend.Issue], error) {
	p, err := r.Backend.Search(ctx, q, after, n)
	p.Capped, p.Rate = r.capped, r.rate
	return p, err
}

// A source that ends before the matches do is told as truncated, and a budget
// that runs low before it is used up.
func TestSearchPassesOnWhatTheSourceSays(t *testing.T) {
	for _, tt := range []struct {
		name      string
		b         reporting
		truncated bool
		remaining any
	}{
		{"nothing", reporting{}, false, nil},
		{"capped", reporting{capped: true}, true, nil},
		{"budget", reporting{rate: &backend.Rate{Limit: 5000, Remaining: 500}}, false, nil},
		{"low budget", reporting{rate: &backend.Rate{Limit: 5000, Remaining: 499}}, false, 499.0},
	} {
		tt.b.Backend = tracker.New(nil)
		var out map[string]any
		newCaller(t, tt.b).ok("github_search_issues", `{"owner":"acme","repo":"web","state":"all"}`, &out)
		_, hint := out["truncation_hint"]
		if out["truncated"] != tt.truncated || hint != tt.truncated || out["has_more"] != false || out["rate_limit_remaining"] != tt.remaining {
			t.Errorf("%s: %v", tt.name, out)
		}
	}
}

// The reconcile call of a creation is valid for every title, whatever its
// length and characters.
func TestFindByTitle(t *testing.T) {
	s := &service{}
	s.search.Name = "github_search_issues"
	for title, want := range map[string]string{
		`Plain title`:               `in:title "Plain title"`,
		`Say "hello"  twice`:        `in:title "Say hello twice"`,
		strings.Repeat("日", 256):    `in:title "` + strings.Repeat("日", 245) + `"`,
		strings.Repeat("a b ", 100): "",
		`"`:                         "",
	} {
		r := s.findByTitle(createIn{Owner: "acme", Repo: "api", Title: title})
		var call struct {
			Query, State string
		}
		if err := json.Unmarshal(r.Arguments, &call); err != nil {
			t.Fatal(err)
		}
		if n := utf8.RuneCountInString(call.Query); n > 256 || call.State != "all" {
			t.Errorf("%.20s…: %d characters, state %q", title, n, call.State)
		}
		if want != "" && call.Query != want {
			t.Errorf("%.20s…: %s", title, call.Query)
		}
	}
}

// Every part of the content that the design names changes the version, and
// nothing else does.
func TestVersionOf(t *testing.T) {
	base := backend.Issue{
		Title: "t", Body: "b", State: backend.Open, Labels: []string{"x", "y"}, Assignees: []string{"ann", "bob"},
		Milestone: &backend.Milestone{Number: 1, Title: "m"},
	}
	version := func(change func(*backend.Issue)) string {
		i := base.Clone()
		change(&i)
		v, err := versionOf(i)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	same := version(func(*backend.Issue) {})
	for name, change := range map[string]func(*backend.Issue){
		"title": func(i *backend.Issue) { i.Title = "T" }, "body": func(i *backend.Issue) { i.Body = "" },
		"state": func(i *backend.Issue) { i.State = backend.Closed }, "state_reason": func(i *backend.Issue) { i.StateReason = backend.Reopened },
		"labels": func(i *backend.Issue) { i.Labels = []string{"x"} }, "assignees": func(i *backend.Issue) { i.Assignees = nil },
		"milestone": func(i *backend.Issue) { i.Milestone.Number = 2 }, "no milestone": func(i *backend.Issue) { i.Milestone = nil },
		"locked": func(i *backend.Issue) { i.Locked = true },
	} {
		if version(change) == same {
			t.Errorf("%s does not change the version", name)
		}
	}
	for name, change := range map[string]func(*backend.Issue){
		"order of lists": func(i *backend.Issue) { i.Labels, i.Assignees = []string{"y", "x"}, []string{"bob", "ann"} },
		"comments":       func(i *backend.Issue) { i.Comments = 9 },
		"time":           func(i *backend.Issue) { i.UpdatedAt = i.UpdatedAt.Add(1e9) },
	} {
		if version(change) != same {
			t.Errorf("%s changes the version", name)
		}
	}
}

func TestPreview(t *testing.T) {
	for body, want := range map[string]string{
		"":                        "",
		"one\n\n two\tthree":      "one two three",
		strings.Repeat("日", 200):  strings.Repeat("日", 200),
		strings.Repeat("日", 201):  strings.Repeat("日", 200) + "…",
		"\x1b[2Jgone\u202e":       `\x1b[2Jgone\u202e`,
		strings.Repeat(" ", 9999): "",
	} {
		if got := preview(body); got != want {
			t.Errorf("%.20q: %q", body, got)
		}
	}
}
