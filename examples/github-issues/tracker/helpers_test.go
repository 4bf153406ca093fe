package tracker_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/tracker"
)

var start = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// clock is a clock for Options.Now that stands still until it is moved.
type clock struct{ seconds atomic.Int64 }

func (c *clock) now() time.Time            { return start.Add(time.Duration(c.seconds.Load()) * time.Second) }
func (c *clock) advance(seconds int64)     { c.seconds.Add(seconds) }
func (c *clock) options() *tracker.Options { return &tracker.Options{Login: "ann", Now: c.now} }

// small returns a tracker with two small repositories and a private one.
func small(t *testing.T, opts *tracker.Options) *tracker.Tracker {
	t.Helper()
	tr := tracker.Empty(opts)
	for _, setup := range []tracker.Setup{
		{
			Repo:       backend.Repo{Owner: "Acme", Name: "Shop"},
			Labels:     []backend.Label{{Name: "bug", Color: "ff0000"}, {Name: "Needs Triage"}, {Name: "docs"}, {Name: "unused"}},
			Assignable: []string{"ann", "Ben", "cy"},
			Milestones: []backend.Milestone{{Number: 1, Title: "v1.0"}, {Number: 4, Title: "Next one"}},
		},
		{Repo: backend.Repo{Owner: "umbrella", Name: "docs"}, Labels: []backend.Label{{Name: "BUG"}}},
		{Repo: backend.Repo{Owner: "acme", Name: "secret"}, Private: true},
	} {
		if err := tr.AddRepo(setup); err != nil {
			t.Fatal(err)
		}
	}
	return tr
}

var shop = backend.Repo{Owner: "acme", Name: "shop"} // not the canonical spelling

func create(t *testing.T, tr *tracker.Tracker, repo backend.Repo, draft backend.NewIssue) backend.Issue {
	t.Helper()
	issue, err := tr.Create(t.Context(), repo, draft)
	if err != nil {
		t.Fatal(err)
	}
	return issue
}

func update(t *testing.T, tr *tracker.Tracker, repo backend.Repo, number int, change backend.Change) (before, after backend.Issue) {
	t.Helper()
	before, after, err := tr.Update(t.Context(), repo, number, change, nil)
	if err != nil {
		t.Fatal(err)
	}
	return before, after
}

func numbers(issues []backend.Issue) []int {
	list := make([]int, len(issues))
	for i, issue := range issues {
		list[i] = issue.Number
	}
	return list
}
