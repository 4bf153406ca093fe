package tracker_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/tracker"
)

// searchable returns a tracker with these issues, an hour apart:
//
//	1 open    Memory leak in /v2/users   bug                ann, assigned to Ben
//	2 closed  Leaks of file handles      bug, Needs Triage  v1.0, completed
//	3 open    Document paging            docs               mentions @cy-two
//	4 open    "50% slower"               none               commented: memory; @cy
//	5 closed  Überlauf im Zähler 検索機能  none               not planned, locked
//	6 in another repository: Memory
func searchable(t *testing.T) *tracker.Tracker {
	c := &clock{}
	tr := small(t, c.options())
	closed, completed, notPlanned := backend.Closed, backend.Completed, backend.NotPlanned
	yes := true
	create(t, tr, shop, backend.NewIssue{Title: "Memory leak in /v2/users", Body: "Grows by the hour.", Labels: []string{"bug"}, Assignees: []string{"ben"}})
	c.advance(3600)
	create(t, tr, shop, backend.NewIssue{Title: "Leaks of file handles", Body: "See the log: key:value", Labels: []string{"bug", "needs triage"}, Milestone: 1})
	update(t, tr, shop, 2, backend.Change{State: &closed, StateReason: completed})
	c.advance(3600)
	create(t, tr, shop, backend.NewIssue{Title: "Document paging", Body: "Ask @cy-two about it.", Labels: []string{"docs"}})
	c.advance(3600)
	create(t, tr, shop, backend.NewIssue{Title: `"50% slower"`})
	if _, err := tr.AddComment(t.Context(), shop, 4, "Is it memory, @CY?"); err != nil {
		t.Fatal(err)
	}
	c.advance(3600)
	create(t, tr, shop, backend.NewIssue{Title: "Überlauf im Zähler 検索機能"})
	update(t, tr, shop, 5, backend.Change{State: &closed, StateReason: notPlanned, Locked: &yes})
	c.advance(3600)
	create(t, tr, backend.Repo{Owner: "umbrella", Name: "docs"}, backend.NewIssue{Title: "Memory", Labels: []string{"bug"}})
	return tr
}

func TestSearchText(t *testing.T) {
	tr := searchable(t)
	const other = 101 // stands for the issue of the other repository, whose number is 1
	tests := []struct {
		text string
		want []int // in ascending order of creation
	}{
		{"memory", []int{1, 4, other}},
		{"MEMORY", []int{1, 4, other}},
		{"mem", []int{1, 4, other}}, // beginning of a word
		{"emory", nil},              // not inside of one
		{"memory leak", []int{1}},
		{"leak memory", []int{1}}, // any order
		{"leak", []int{1, 2}},
		{`"leak"`, []int{1}}, // whole words in quotes
		{`"memory leak"`, []int{1}},
		{`"leak memory"`, nil},
		{"/v2/users", []int{1}},
		{"v2 > users", []int{1}}, // punctuation says nothing
		{"50%", []int{4}},
		{"überlauf", []int{5}},
		{"ZÄHLER", []int{5}},
		{"機能", []int{5}},
		{"能機", nil},
		{"in:title memory", []int{1, other}},
		{"in:comments memory", []int{4}},
		{"in:body hour", []int{1}},
		{"in:title hour", nil},
		{"in:title,comments memory", []int{1, 4, other}},
		{"-memory", []int{2, 3, 5}},
		{"leak -memory", []int{2}},
		{"leak NOT memory", []int{2}},
		{`-"memory leak" memory`, []int{4, other}},
		{"label:bug", []int{1, 2, other}},
		{"label:Bug", []int{1, 2, other}},
		{`label:"needs triage"`, []int{2}},
		{"label:bug label:docs", nil},
		{"label:bug,docs", []int{1, 2, 3, other}},
		{"-label:bug", []int{3, 4, 5}},
		{"label:nonsense", nil},
		{"no:label", []int{4, 5}},
		{"-no:label", []int{1, 2, 3, other}},
		{"no:assignee", []int{2, 3, 4, 5, other}},
		{"no:milestone label:bug", []int{1, other}},
		{"milestone:v1.0", []int{2}},
		{"state:closed", []int{2, 5}},
		{"is:open", []int{1, 3, 4, other}},
		{"is:OPEN", []int{1, 3, 4, other}},
		{"-is:open", []int{2, 5}},
		{"is:open is:closed", nil},
		{"is:issue is:locked", []int{5}},
		{"type:issue is:unlocked is:closed", []int{2}},
		{"reason:completed", []int{2}},
		{`reason:"not planned"`, []int{5}},
		{"archived:false is:closed", []int{2, 5}},
		{"archived:true", nil},
		{"author:ann label:docs", []int{3}},
		{"author:@me label:docs", []int{3}},
		{"author:cy", nil},
		{"assignee:ben", []int{1}},
		{"assignee:@Ben", []int{1}},
		{"commenter:@me", []int{4}},
		{"mentions:cy", []int{4}}, // not cy-two
		{"involves:ben", []int{1}},
		{"repo:acme/shop memory", []int{1, 4}},
		{"repo:ACME/SHOP repo:umbrella/docs memory", []int{1, 4, other}},
		{"-repo:acme/shop", []int{other}},
		{"user:umbrella", []int{other}},
		{"org:acme memory", []int{1, 4}},
		{"comments:1", []int{4}},
		{"comments:>=1", []int{4}},
		{"comments:0..1 label:docs", []int{3}},
		{"created:2026-07-01", []int{1, 2, 3, 4, 5, other}},
		{"created:>2026-07-01", nil},
		{"created:<=2026-07-01 label:docs", []int{3}},
		{"created:<2026-07-01T13:00:00Z", []int{1}},
		{"created:>=2026-07-01T16:00:00Z", []int{5, other}},
		{"created:2026-07-01T13:00:00Z..2026-07-01T14:00:00Z", []int{2, 3}},
		{"created:*..2026-07-01T13:00:00Z", []int{1, 2}},
		{"updated:2026-07-01T17:00:00Z..*", []int{other}},
		{"closed:>=2026-07-01T16:00:00Z", []int{5}},
		{"-closed:>=2020-01-01", []int{1, 3, 4, other}},
		{"key:value", []int{2}}, // a qualifier that nobody knows is text
		{"unheard:of", nil},
		{"See: log", []int{2}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var got []int
			for _, issue := range walk(t, tr, backend.Query{Text: tt.text, Sort: backend.ByCreated, Order: backend.Ascending}, 2) {
				n := issue.Number
				if issue.Repo.Owner == "umbrella" {
					n = other
				}
				got = append(got, n)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSearchTextRefused(t *testing.T) {
	tr := searchable(t)
	tests := []struct {
		text, qualifier string
		allowed         []string
	}{
		{" ", "", nil},
		{"?!", "", nil},
		{"in:title", "", nil},
		{"memory OR leak", "", nil},
		{"state:opened", "state", []string{"open", "closed"}},
		{"state:all", "state", []string{"open", "closed"}},
		{"is:pr", "is", []string{"open", "closed", "issue", "locked", "unlocked"}},
		{"is:zzsecretzz", "is", []string{"open", "closed", "issue", "locked", "unlocked", "public"}},
		{"type:bug", "type", []string{"issue"}},
		{"no:comments", "no", []string{"label", "assignee", "milestone"}},
		{"in:zzsecretzz x", "in", []string{"title", "body", "comments"}},
		{"-in:title x", "in", []string{"title", "body", "comments"}},
		{"reason:zzsecretzz", "reason", []string{"completed", "not_planned", "duplicate", "reopened"}},
		{"archived:maybe", "archived", []string{"true", "false"}},
		{"repo:acme/secret", "repo", nil}, // private, and so not there
		{"repo:acme", "repo", nil},
		{"user:nobody", "user", nil},
		{"org:nobody", "org", nil},
		{"created:yesterday", "created", nil},
		{"created:>=", "created", nil},
		{"created:=>2026-01-01", "created", nil},
		{"comments:many", "comments", nil},
		{"comments:1..many", "comments", nil},
		{"sort:updated", "sort", nil},
		{"review:none", "review", nil},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			_, err := tr.Search(t.Context(), backend.Query{Text: tt.text}, "", 10)
			var invalid *backend.InvalidQueryError
			if !errors.As(err, &invalid) {
				t.Fatalf("got %v, want an InvalidQueryError", err)
			}
			if invalid.Qualifier != tt.qualifier || !slices.Equal(invalid.Allowed, tt.allowed) {
				t.Errorf("got qualifier %q, allowed %q, want %q, %q", invalid.Qualifier, invalid.Allowed, tt.qualifier, tt.allowed)
			}
			if strings.Contains(err.Error(), "zzsecretzz") {
				t.Errorf("the error repeats the value: %v", err)
			}
		})
	}
}

func TestSearchFilters(t *testing.T) {
	tr := searchable(t)
	tests := []struct {
		name  string
		query backend.Query
		want  []int
	}{
		{"default order is latest update first", backend.Query{Repo: &shop}, []int{5, 4, 3, 2, 1}},
		{"state", backend.Query{Repo: &shop, State: backend.Closed}, []int{5, 2}},
		{"all labels", backend.Query{Repo: &shop, Labels: []string{"BUG", "needs triage"}}, []int{2}},
		{"assignee", backend.Query{Repo: &shop, Assignee: "BEN"}, []int{1}},
		{"creator", backend.Query{Repo: &shop, Creator: "Ann", State: backend.Closed}, []int{5, 2}},
		{"updated at or after", backend.Query{Repo: &shop, UpdatedAfter: start.Add(3 * time.Hour)}, []int{5, 4}},
		{"by comments", backend.Query{Repo: &shop, Sort: backend.ByComments}, []int{4, 5, 3, 2, 1}},
		{"by comments, ascending", backend.Query{Repo: &shop, Sort: backend.ByComments, Order: backend.Ascending}, []int{1, 2, 3, 5, 4}},
		{"filter and text must both hold", backend.Query{Repo: &shop, State: backend.Open, Text: "is:closed"}, nil},
		{"repository and text must both hold", backend.Query{Repo: &shop, Text: "repo:umbrella/docs"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := numbers(walk(t, tr, tt.query, 2)); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			page, err := tr.Search(t.Context(), tt.query, "", 1)
			if err != nil || page.EstimatedTotal == nil || *page.EstimatedTotal != int64(len(tt.want)) {
				t.Errorf("estimated total %v, error %v, want %d", page.EstimatedTotal, err, len(tt.want))
			}
		})
	}
}

func TestSearchRefused(t *testing.T) {
	tr := searchable(t)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	var field *backend.InvalidFieldError
	if _, err := tr.Search(canceled, backend.Query{}, "", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: got %v", err)
	}
	if _, err := tr.Search(t.Context(), backend.Query{Repo: &backend.Repo{Owner: "acme", Name: "secret"}}, "", 1); !errors.Is(err, backend.ErrRepoNotFound) {
		t.Errorf("private repository: got %v", err)
	}
	if _, err := tr.Search(t.Context(), backend.Query{Sort: "size"}, "", 1); !errors.As(err, &field) || field.Field != "sort" {
		t.Errorf("sort: got %v", err)
	}
	if _, err := tr.Search(t.Context(), backend.Query{Order: "down"}, "", 1); !errors.As(err, &field) || field.Field != "order" {
		t.Errorf("order: got %v", err)
	}
	if _, err := tr.Search(t.Context(), backend.Query{}, "", 0); err == nil {
		t.Error("a page for no rows is no error")
	}
	for _, bad := range []backend.Position{"x", "1.2", "1.2.3.4", "1.2.+3", "1.2.03", "1.2.A", "1..3", "é.1.2", "9999999999999999.1.1"} {
		if _, err := tr.Search(t.Context(), backend.Query{}, bad, 1); !errors.Is(err, backend.ErrPosition) {
			t.Errorf("position %q: got %v", bad, err)
		}
		if _, err := tr.Comments(t.Context(), shop, 4, bad+".", 1); !errors.Is(err, backend.ErrPosition) {
			t.Errorf("position of a comment %q: got %v", bad, err)
		}
		if _, err := tr.Labels(t.Context(), shop, bad+".", 1); !errors.Is(err, backend.ErrPosition) {
			t.Errorf("position of a label %q: got %v", bad, err)
		}
	}
	if _, err := tr.Labels(t.Context(), shop, "4", 1); !errors.Is(err, backend.ErrPosition) {
		t.Error("position behind all labels accepted")
	}
}

func FuzzSearch(f *testing.F) {
	tr := tracker.New(nil)
	for _, text := range []string{"memory", "label:bug -is:open", `"`, "created:2026-01-01..*", "NOT", "comments:>3,<2", "機"} {
		f.Add(text, "a.1.2")
	}
	f.Fuzz(func(t *testing.T, text, after string) {
		page, err := tr.Search(t.Context(), backend.Query{Text: text}, backend.Position(after), 40)
		if err != nil {
			var invalid *backend.InvalidQueryError
			if !errors.As(err, &invalid) && !errors.Is(err, backend.ErrPosition) {
				t.Fatal(err)
			}
			return
		}
		for _, row := range page.Rows {
			if len(row.After) > 64 {
				t.Fatalf("position %q is too long", row.After)
			}
		}
	})
}
