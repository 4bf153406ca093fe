package tracker_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/tracker"
)

var (
	api = backend.Repo{Owner: "acme", Name: "api"}
	web = backend.Repo{Owner: "acme", Name: "web"}
	ctx = context.Background()
)

// walk reads a whole search in pages of n.
func walk(t *testing.T, b backend.Backend, q backend.Query, n int) []backend.Issue {
	t.Helper()
	var all []backend.Issue
	after := backend.Position("")
	for {
		p, err := b.Search(ctx, q, after, n)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.Rows {
			if !r.Skip {
				all = append(all, r.Value)
			}
			after = r.After
		}
		if len(p.Rows) < n {
			return all
		}
	}
}

func TestSeed(t *testing.T) {
	b := tracker.New(nil)
	all := walk(t, b, backend.Query{Repo: &api}, 50)
	open := walk(t, b, backend.Query{Repo: &api, State: backend.Open}, 50)
	if len(all) < 350 || len(open) <= 300 {
		t.Errorf("%d issues, %d open", len(all), len(open))
	}
	issue, err := b.Issue(ctx, api, 512)
	if err != nil || issue.State != backend.Open || issue.Comments != 75 || !slices.Contains(issue.Labels, "bug") {
		t.Errorf("#512: %v %+v", err, issue)
	}
	locked, err := b.Issue(ctx, api, 431)
	if err != nil || !locked.Locked {
		t.Errorf("#431: %v %+v", err, locked)
	}
	hostile, err := b.Issue(ctx, api, 466)
	if err != nil || !strings.Contains(hostile.Title, "\x1b[31m") || !strings.Contains(hostile.Title, "\u202e") || !strings.Contains(hostile.Body, "ignore all previous instructions") {
		t.Errorf("#466: %v %q", err, hostile.Title)
	}
	var gone *backend.GoneError
	if _, err := b.Issue(ctx, api, 377); !errors.As(err, &gone) || gone.DeletedAt.IsZero() {
		t.Errorf("#377: %v", err)
	}
	var moved *backend.TransferredError
	if _, err := b.Issue(ctx, api, 289); !errors.As(err, &moved) || moved.Repo != web {
		t.Errorf("#289: %v", err)
	} else if _, err := b.Issue(ctx, moved.Repo, moved.Number); err != nil {
		t.Errorf("#289 is not at its new place: %v", err)
	}
	if _, err := b.Issue(ctx, api, 511); !errors.Is(err, backend.ErrPullRequest) {
		t.Errorf("#511: %v", err)
	}
	if _, err := b.Issue(ctx, backend.Repo{Owner: "acme", Name: "payroll"}, 1); !errors.Is(err, backend.ErrRepoNotFound) {
		t.Errorf("private repository: %v", err)
	}
	labels, err := b.Labels(ctx, api, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range labels.Rows {
		names = append(names, r.Value.Name)
	}
	for _, name := range []string{"bug", "resolved", "enhancement", "docs", "security"} {
		if !slices.Contains(names, name) {
			t.Errorf("no label %s in %v", name, names)
		}
	}
	if slices.Contains(names, "breaking-change") {
		t.Error("an unused label is listed")
	}
	if diff := cmp.Diff(all, walk(t, tracker.New(nil), backend.Query{Repo: &api}, 37)); diff != "" {
		t.Errorf("two trackers differ: %s", diff)
	}
	for _, i := range all {
		if i.UpdatedAt.After(time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)) || i.UpdatedAt.Before(i.CreatedAt) || (i.ClosedAt != nil) != (i.State == backend.Closed) {
			t.Errorf("odd times: %+v", i)
		}
	}
}

func TestSearch(t *testing.T) {
	b := tracker.New(nil)
	tests := []struct {
		name  string
		query backend.Query
		match func(backend.Issue) bool
	}{
		{"repo", backend.Query{Repo: &backend.Repo{Owner: "ACME", Name: "Web"}}, func(i backend.Issue) bool { return i.Repo == web }},
		{"state", backend.Query{State: backend.Closed}, func(i backend.Issue) bool { return i.State == backend.Closed }},
		{"labels, all of them", backend.Query{Labels: []string{"BUG", "area/users"}}, func(i backend.Issue) bool {
			return slices.Contains(i.Labels, "bug") && slices.Contains(i.Labels, "area/users")
		}},
		{"assignee", backend.Query{Assignee: "mira-chen"}, func(i backend.Issue) bool { return slices.Contains(i.Assignees, "mira-chen") }},
		{"creator", backend.Query{Creator: "kestrel-dev"}, func(i backend.Issue) bool { return i.Author == "kestrel-dev" }},
		{"updated after", backend.Query{UpdatedAfter: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}, func(i backend.Issue) bool {
			return !i.UpdatedAt.Before(time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC))
		}},
		{"text qualifiers", backend.Query{Text: "label:bug -state:closed repo:acme/api"}, func(i backend.Issue) bool {
			return i.Repo == api && i.State == backend.Open && slices.Contains(i.Labels, "bug")
		}},
		{"text in the title", backend.Query{Text: `in:title "/v2/users when page"`}, func(i backend.Issue) bool {
			return strings.Contains(i.Title, "/v2/users when page")
		}},
	}
	everything := walk(t, b, backend.Query{}, 100)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var want, got []string
			for _, i := range everything {
				if tt.match(i) {
					want = append(want, fmt.Sprintf("%s#%d", i.Repo, i.Number))
				}
			}
			for _, i := range walk(t, b, tt.query, 7) {
				got = append(got, fmt.Sprintf("%s#%d", i.Repo, i.Number))
			}
			if len(want) == 0 {
				t.Fatal("the seed has nothing of this kind")
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, text := range []string{"state:sideways", "a OR b", "created:soon", "comments:many"} {
		var invalid *backend.InvalidQueryError
		if _, err := b.Search(ctx, backend.Query{Text: text}, "", 1); !errors.As(err, &invalid) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := b.Search(ctx, backend.Query{}, "no position", 1); !errors.Is(err, backend.ErrPosition) {
		t.Errorf("position: %v", err)
	}
}

func TestSearchOrder(t *testing.T) {
	b := tracker.New(nil)
	keys := map[backend.Sort]func(backend.Issue) int64{
		backend.ByCreated:  func(i backend.Issue) int64 { return i.CreatedAt.UnixNano() },
		backend.ByUpdated:  func(i backend.Issue) int64 { return i.UpdatedAt.UnixNano() },
		backend.ByComments: func(i backend.Issue) int64 { return int64(i.Comments) },
	}
	for sort, key := range keys {
		for _, order := range []backend.Order{backend.Ascending, backend.Descending} {
			rows := walk(t, b, backend.Query{Repo: &api, Sort: sort, Order: order}, 9)
			for i := 1; i < len(rows); i++ {
				a, c := key(rows[i-1]), key(rows[i])
				if order == backend.Ascending && a > c || order == backend.Descending && a < c {
					t.Errorf("%s %s: rows %d and %d", sort, order, i-1, i)
				}
			}
		}
	}
}

// Rows that stay are met once each, whatever comes and goes meanwhile.
func TestWalkUnderChange(t *testing.T) {
	b := tracker.New(nil)
	q := backend.Query{Repo: &api, Sort: backend.ByCreated, Order: backend.Descending}
	before := walk(t, b, q, 100)
	met := map[int]int{}
	after := backend.Position("")
	for {
		p, err := b.Search(ctx, q, after, 11)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.Rows {
			met[r.Value.Number]++
			after = r.After
		}
		if _, err := b.Create(ctx, api, backend.NewIssue{Title: "in between"}); err != nil {
			t.Fatal(err)
		}
		if len(p.Rows) < 11 {
			break
		}
	}
	for _, i := range before {
		if met[i.Number] != 1 {
			t.Errorf("#%d was met %d times", i.Number, met[i.Number])
		}
	}
}

func TestUpdateIsAtomic(t *testing.T) {
	b := tracker.New(nil)
	title, closed, empty := "changed", backend.Closed, []string{}
	var label *backend.LabelNotFoundError
	var field *backend.InvalidFieldError
	tests := []struct {
		name   string
		change backend.Change
		target any
	}{
		{"unknown label to add", backend.Change{Title: &title, AddLabels: []string{"bug", "nope"}}, &label},
		{"unknown label to remove", backend.Change{State: &closed, RemoveLabels: []string{"nope"}}, &label},
		{"label in both lists", backend.Change{Title: &title, AddLabels: []string{"docs"}, RemoveLabels: []string{"DOCS"}}, &field},
		{"reason without state", backend.Change{Assignees: &empty, StateReason: backend.Completed}, &field},
		{"reason that does not fit", backend.Change{State: &closed, StateReason: backend.Reopened}, &field},
	}
	was, err := b.Issue(ctx, api, 512)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		_, _, err := b.Update(ctx, api, 512, tt.change, nil)
		if !errors.As(err, tt.target) || !backend.NothingApplied(err) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if now, _ := b.Issue(ctx, api, 512); !cmp.Equal(was, now) {
			t.Fatalf("%s: something was applied: %s", tt.name, cmp.Diff(was, now))
		}
	}
	stop := errors.New("stop")
	if _, _, err := b.Update(ctx, api, 512, backend.Change{Title: &title}, func(backend.Issue) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("precondition: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := b.Update(cancelled, api, 512, backend.Change{Title: &title}, nil); !errors.Is(err, context.Canceled) || !backend.NothingApplied(err) {
		t.Errorf("cancelled: %v", err)
	}
	if now, _ := b.Issue(ctx, api, 512); !cmp.Equal(was, now) {
		t.Errorf("something was applied: %s", cmp.Diff(was, now))
	}

	before, after, err := b.Update(ctx, api, 512, backend.Change{State: &closed, AddLabels: []string{"resolved"}}, nil)
	if err != nil || !cmp.Equal(before, was) {
		t.Fatalf("%v %s", err, cmp.Diff(was, before))
	}
	if diff := cmp.Diff([]backend.Field{"state", "state_reason", "add_labels"}, backend.Changed(before, after)); diff != "" {
		t.Error(diff)
	}
	if after.StateReason != backend.Completed || after.ClosedAt == nil {
		t.Errorf("closed: %+v", after)
	}
	_, same, err := b.Update(ctx, api, 512, backend.Change{AddLabels: []string{"resolved"}, RemoveLabels: []string{"docs"}}, nil)
	if err != nil || !same.UpdatedAt.Equal(after.UpdatedAt) {
		t.Errorf("a change that changes nothing moves the time: %v", err)
	}
}

func TestCreateAndComment(t *testing.T) {
	now := time.Date(2026, 7, 2, 3, 4, 5, 600, time.UTC)
	b := tracker.New(&tracker.Options{Now: func() time.Time { return now }, Login: "ann"})
	issue, err := b.Create(ctx, web, backend.NewIssue{Title: "T", Labels: []string{"BUG", "bug"}})
	if err != nil || issue.Author != "ann" || !issue.CreatedAt.Equal(now.Truncate(time.Second)) || !slices.Equal(issue.Labels, []string{"bug"}) {
		t.Errorf("%v %+v", err, issue)
	}
	var label *backend.LabelNotFoundError
	if _, err := b.Create(ctx, web, backend.NewIssue{Title: "x", Labels: []string{"bug", "nope"}}); !errors.As(err, &label) || label.Index != 1 || label.Field != backend.FieldLabels {
		t.Errorf("label: %v", err)
	}
	var assignee *backend.AssigneeNotFoundError
	if _, err := b.Create(ctx, web, backend.NewIssue{Title: "x", Assignees: []string{"nobody"}}); !errors.As(err, &assignee) {
		t.Errorf("assignee: %v", err)
	}
	if _, err := b.Create(ctx, web, backend.NewIssue{Title: "x", Milestone: 99}); !errors.Is(err, backend.ErrMilestoneNotFound) {
		t.Errorf("milestone: %v", err)
	}
	next, err := b.Create(ctx, web, backend.NewIssue{Title: "unused but defined label", Labels: nil})
	if err != nil || next.Number != issue.Number+1 {
		t.Errorf("a failed creation used a number: %v %d after %d", err, next.Number, issue.Number)
	}
	if _, err := b.Create(ctx, api, backend.NewIssue{Title: "x", Labels: []string{"breaking-change"}}); err != nil {
		t.Errorf("a defined but unused label: %v", err)
	}
	if _, err := b.AddComment(ctx, api, 431, "x"); !errors.Is(err, backend.ErrIssueLocked) {
		t.Errorf("locked: %v", err)
	}
	if _, err := tracker.New(&tracker.Options{Maintainer: true}).AddComment(ctx, api, 431, "x"); err != nil {
		t.Errorf("a maintainer cannot write: %v", err)
	}
	c, err := b.AddComment(ctx, web, issue.Number, "hello")
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.Comments(ctx, web, issue.Number, "", 10)
	if err != nil || len(p.Rows) != 1 || !cmp.Equal(p.Rows[0].Value, c) {
		t.Errorf("%v %+v", err, p)
	}
}

func TestConcurrentUse(t *testing.T) {
	b := tracker.New(nil)
	var wg sync.WaitGroup
	numbers := make(chan int, 64)
	for i := range 16 {
		wg.Go(func() {
			issue, err := b.Create(ctx, web, backend.NewIssue{Title: fmt.Sprint("c", i)})
			if err != nil {
				t.Error(err)
			}
			numbers <- issue.Number
			if _, err := b.AddComment(ctx, api, 512, "hello"); err != nil {
				t.Error(err)
			}
			title := fmt.Sprint("u", i)
			if _, _, err := b.Update(ctx, web, issue.Number, backend.Change{Title: &title}, nil); err != nil {
				t.Error(err)
			}
			if _, err := b.Search(ctx, backend.Query{Text: "hello"}, "", 30); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	close(numbers)
	seen := map[int]bool{}
	for n := range numbers {
		if seen[n] {
			t.Errorf("#%d was given twice", n)
		}
		seen[n] = true
	}
	if issue, _ := b.Issue(ctx, api, 512); issue.Comments != 75+16 {
		t.Errorf("%d comments", issue.Comments)
	}
}

func TestAddRepo(t *testing.T) {
	b := tracker.Empty(nil)
	if err := b.AddRepo(tracker.Setup{Repo: web, Labels: []backend.Label{{Name: "bug"}}, Assignable: []string{"ann"}}); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]tracker.Setup{
		"no name": {}, "taken": {Repo: backend.Repo{Owner: "ACME", Name: "WEB"}},
		"label twice": {Repo: api, Labels: []backend.Label{{Name: "a"}, {Name: "A"}}},
		"login twice": {Repo: api, Assignable: []string{"a", "A"}},
	} {
		if b.AddRepo(s) == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := b.Create(ctx, web, backend.NewIssue{Title: "first", Assignees: []string{"ANN"}}); err != nil {
		t.Error(err)
	}
}

func Example() {
	t := tracker.New(nil)
	issue, err := t.Issue(context.Background(), backend.Repo{Owner: "acme", Name: "api"}, 512)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(issue.Title, issue.Comments)
	// Output: 500 on /v2/users when page > 100 75
}
