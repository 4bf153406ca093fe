package tracker_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/tracker"
)

func ptr[T any](v T) *T { return &v }

func TestUpdateSemantics(t *testing.T) {
	closed := func(reason backend.StateReason) backend.Change {
		return backend.Change{State: ptr(backend.Closed), StateReason: reason}
	}
	tests := []struct {
		name   string
		before []backend.Change // what was done to a new issue with the label bug, assigned to ann, in milestone 1
		change backend.Change
		want   func(*backend.Issue) // what differs from the issue before
		fields []backend.Field
	}{
		{"nothing", nil, backend.Change{}, nil, nil},
		{"title", nil, backend.Change{Title: ptr("new")}, func(i *backend.Issue) { i.Title = "new" }, []backend.Field{"title"}},
		{"body cleared", nil, backend.Change{Body: ptr("")}, func(i *backend.Issue) { i.Body = "" }, []backend.Field{"body"}},
		{"close without reason", nil, closed(""), func(i *backend.Issue) { i.State, i.StateReason = "closed", "completed" }, []backend.Field{"state", "state_reason"}},
		{"close as not planned", nil, closed("not_planned"), func(i *backend.Issue) { i.State, i.StateReason = "closed", "not_planned" }, []backend.Field{"state", "state_reason"}},
		{"close again", []backend.Change{closed("")}, closed("completed"), nil, nil},
		{"close again without reason means completed", []backend.Change{closed("not_planned")}, closed(""),
			func(i *backend.Issue) { i.StateReason = "completed" }, []backend.Field{"state_reason"}},
		{"reopen", []backend.Change{closed("")}, backend.Change{State: ptr(backend.Open)},
			func(i *backend.Issue) { i.State, i.StateReason = "open", "reopened" }, []backend.Field{"state", "state_reason"}},
		{"open what was never closed", nil, backend.Change{State: ptr(backend.Open), StateReason: "reopened"}, nil, nil},
		{"title only keeps the reason", []backend.Change{closed("not_planned")}, backend.Change{Title: ptr("new")}, // public fault 56
			func(i *backend.Issue) { i.Title = "new" }, []backend.Field{"title"}},
		{"add a label that is there", nil, backend.Change{AddLabels: []string{"BUG"}}, nil, nil},
		{"add labels", nil, backend.Change{AddLabels: []string{"needs triage", "Needs Triage", "docs"}},
			func(i *backend.Issue) { i.Labels = []string{"bug", "Needs Triage", "docs"} }, []backend.Field{"add_labels"}},
		{"remove a label that is not there", nil, backend.Change{RemoveLabels: []string{"unused"}}, nil, nil},
		{"add and remove labels", nil, backend.Change{AddLabels: []string{"docs"}, RemoveLabels: []string{"Bug"}},
			func(i *backend.Issue) { i.Labels = []string{"docs"} }, []backend.Field{"add_labels", "remove_labels"}},
		{"replace assignees", nil, backend.Change{Assignees: &[]string{"ben", "BEN", "cy"}},
			func(i *backend.Issue) { i.Assignees = []string{"Ben", "cy"} }, []backend.Field{"assignee_logins"}},
		{"remove assignees", nil, backend.Change{Assignees: &[]string{}}, func(i *backend.Issue) { i.Assignees = nil }, []backend.Field{"assignee_logins"}},
		{"same assignees", nil, backend.Change{Assignees: &[]string{"ANN"}}, nil, nil},
		{"other milestone", nil, backend.Change{Milestone: ptr(4)},
			func(i *backend.Issue) { i.Milestone = &backend.Milestone{Number: 4, Title: "Next one"} }, []backend.Field{"milestone_number"}},
		{"no milestone", nil, backend.Change{Milestone: ptr(0)}, func(i *backend.Issue) { i.Milestone = nil }, []backend.Field{"milestone_number"}},
		{"lock", nil, backend.Change{Locked: ptr(true)}, func(i *backend.Issue) { i.Locked = true }, []backend.Field{"locked"}},
		{"lock with reason", nil, backend.Change{Locked: ptr(true), LockReason: "too heated"},
			func(i *backend.Issue) { i.Locked, i.LockReason = true, "too heated" }, []backend.Field{"locked", "lock_reason"}},
		{"lock again without reason", []backend.Change{{Locked: ptr(true), LockReason: "spam"}}, backend.Change{Locked: ptr(true)},
			func(i *backend.Issue) { i.LockReason = "" }, []backend.Field{"lock_reason"}},
		{"unlock ignores the reason", []backend.Change{{Locked: ptr(true), LockReason: "spam"}}, backend.Change{Locked: ptr(false), LockReason: "resolved"},
			func(i *backend.Issue) { i.Locked, i.LockReason = false, "" }, []backend.Field{"locked", "lock_reason"}},
		{"reason without lock is ignored", nil, backend.Change{LockReason: "spam"}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := &clock{}
			tr := small(t, c.options())
			want := create(t, tr, shop, backend.NewIssue{Title: "old", Body: "text", Labels: []string{"bug"}, Assignees: []string{"ann"}, Milestone: 1})
			for _, change := range tt.before {
				_, want = update(t, tr, shop, 1, change)
			}
			c.advance(60)
			before, after := update(t, tr, shop, 1, tt.change)
			if !reflect.DeepEqual(before, want) {
				t.Errorf("before: got %+v\nwant %+v", before, want)
			}
			if tt.want != nil {
				tt.want(&want)
				want.UpdatedAt = start.Add(time.Minute)
			}
			if want.State == backend.Open {
				want.ClosedAt = nil
			} else if want.ClosedAt == nil {
				want.ClosedAt = ptr(start.Add(time.Minute))
			}
			if len(want.Assignees) == 0 && len(after.Assignees) == 0 {
				want.Assignees = after.Assignees
			}
			if !reflect.DeepEqual(after, want) {
				t.Errorf("after: got %+v\nwant %+v", after, want)
			}
			if got := backend.Changed(before, after); fmt.Sprint(got) != fmt.Sprint(tt.fields) {
				t.Errorf("changed: got %v, want %v", got, tt.fields)
			}
			if again, same := update(t, tr, shop, 1, tt.change); !reflect.DeepEqual(again, same) || !reflect.DeepEqual(same, after) {
				t.Errorf("the same change again: %+v", same)
			}
		})
	}
}

func TestRefusedWrites(t *testing.T) {
	long := strings.Repeat("ü", 257)
	label := func(f backend.Field, i int) error { return &backend.LabelNotFoundError{Field: f, Index: i} }
	field := func(f backend.Field) error { return &backend.InvalidFieldError{Field: f} }
	tests := []struct {
		name   string
		create *backend.NewIssue
		change *backend.Change
		want   error
	}{
		{"blank title", &backend.NewIssue{Title: " \n"}, &backend.Change{Title: ptr("")}, field("title")},
		{"long title", &backend.NewIssue{Title: long}, &backend.Change{Title: &long}, field("title")},
		{"title that is no UTF-8", &backend.NewIssue{Title: "\xff"}, &backend.Change{Title: ptr("\xff")}, field("title")},
		{"long body", &backend.NewIssue{Title: "x", Body: strings.Repeat("ü", 65537)}, &backend.Change{Body: ptr(strings.Repeat("ü", 65537))}, field("body")},
		{"body that is no UTF-8", &backend.NewIssue{Title: "x", Body: "\xff"}, &backend.Change{Body: ptr("\xff")}, field("body")},
		{"unknown label", &backend.NewIssue{Title: "x", Labels: []string{"docs", "nope"}}, nil, label("labels", 1)},
		{"unknown label to add", nil, &backend.Change{Title: ptr("y"), AddLabels: []string{"docs", "nope"}}, label("add_labels", 1)},
		{"unknown label to remove", nil, &backend.Change{Title: ptr("y"), RemoveLabels: []string{"nope"}}, label("remove_labels", 0)},
		{"label in both lists", nil, &backend.Change{AddLabels: []string{"docs"}, RemoveLabels: []string{"DOCS"}}, field("remove_labels")},
		{"unknown assignee", &backend.NewIssue{Title: "x", Assignees: []string{"ann", "zoe"}}, &backend.Change{Assignees: &[]string{"ann", "zoe"}},
			&backend.AssigneeNotFoundError{Index: 1}},
		{"unknown milestone", &backend.NewIssue{Title: "x", Milestone: 2}, &backend.Change{Title: ptr("y"), Milestone: ptr(2)}, backend.ErrMilestoneNotFound},
		{"unknown state", nil, &backend.Change{State: ptr(backend.State("opened"))}, field("state")},
		{"reason without state", nil, &backend.Change{StateReason: "completed"}, field("state_reason")},
		{"closed as reopened", nil, &backend.Change{State: ptr(backend.Closed), StateReason: "reopened"}, field("state_reason")},
		{"open as completed", nil, &backend.Change{State: ptr(backend.Open), StateReason: "completed"}, field("state_reason")},
		{"unknown lock reason", nil, &backend.Change{Title: ptr("y"), Locked: ptr(true), LockReason: "bored"}, field("lock_reason")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := small(t, (&clock{}).options())
			issue := create(t, tr, shop, backend.NewIssue{Title: "old", Labels: []string{"bug"}})
			check := func(what string, err error) {
				var invalid *backend.InvalidFieldError
				got := err
				if errors.As(err, &invalid) { // its words are not tested
					got = &backend.InvalidFieldError{Field: invalid.Field}
				}
				if !reflect.DeepEqual(got, tt.want) || !backend.NothingApplied(err) {
					t.Errorf("%s: got %v, want %v", what, err, tt.want)
				}
			}
			if tt.create != nil {
				_, err := tr.Create(t.Context(), shop, *tt.create)
				check("create", err)
			}
			if tt.change != nil {
				_, _, err := tr.Update(t.Context(), shop, 1, *tt.change, nil)
				check("update", err)
			}
			if now, err := tr.Issue(t.Context(), shop, 1); err != nil || !reflect.DeepEqual(now, issue) {
				t.Errorf("something was applied: %+v, %v", now, err)
			}
			if next := create(t, tr, shop, backend.NewIssue{Title: "next"}); next.Number != 2 {
				t.Errorf("the refused call used up a number: next is %d", next.Number)
			}
		})
	}
}

func TestRefusedComments(t *testing.T) {
	tr := small(t, nil)
	create(t, tr, shop, backend.NewIssue{Title: "x"})
	for _, body := range []string{"", " \n", "\xff", strings.Repeat("ü", 65537)} {
		var invalid *backend.InvalidFieldError
		if _, err := tr.AddComment(t.Context(), shop, 1, body); !errors.As(err, &invalid) || invalid.Field != backend.FieldBody {
			t.Errorf("body of %d bytes: got %v", len(body), err)
		}
	}
	if issue, err := tr.Issue(t.Context(), shop, 1); err != nil || issue.Comments != 0 {
		t.Errorf("%d comments, %v", issue.Comments, err)
	}
	if _, err := tr.AddComment(t.Context(), shop, 1, strings.Repeat("ü", 65536)); err != nil {
		t.Errorf("65536 characters: %v", err)
	}
}

func TestUnlockedIssueTakesComments(t *testing.T) {
	tr := tracker.New(nil)
	if _, err := tr.AddComment(t.Context(), api, 431, "x"); !errors.Is(err, backend.ErrIssueLocked) {
		t.Fatalf("got %v", err)
	}
	update(t, tr, api, 431, backend.Change{Locked: ptr(false)})
	if _, err := tr.AddComment(t.Context(), api, 431, "x"); err != nil {
		t.Error(err)
	}
}

// Every method refuses a context that is done, and an absent repository or
// issue, before it does anything.
func TestEveryMethod(t *testing.T) {
	tr := tracker.New(nil)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	methods := map[string]func(ctx context.Context, repo backend.Repo, number int) error{
		"Search": func(ctx context.Context, repo backend.Repo, _ int) error {
			_, err := tr.Search(ctx, backend.Query{Repo: &repo}, "", 1)
			return err
		},
		"Issue": func(ctx context.Context, repo backend.Repo, n int) error {
			_, err := tr.Issue(ctx, repo, n)
			return err
		},
		"Comments": func(ctx context.Context, repo backend.Repo, n int) error {
			_, err := tr.Comments(ctx, repo, n, "", 1)
			return err
		},
		"Create": func(ctx context.Context, repo backend.Repo, _ int) error {
			_, err := tr.Create(ctx, repo, backend.NewIssue{Title: "x"})
			return err
		},
		"Update": func(ctx context.Context, repo backend.Repo, n int) error {
			_, _, err := tr.Update(ctx, repo, n, backend.Change{}, nil)
			return err
		},
		"AddComment": func(ctx context.Context, repo backend.Repo, n int) error {
			_, err := tr.AddComment(ctx, repo, n, "x")
			return err
		},
		"Labels": func(ctx context.Context, repo backend.Repo, _ int) error {
			_, err := tr.Labels(ctx, repo, "", 1)
			return err
		},
		"Delete": func(ctx context.Context, repo backend.Repo, n int) error { return tr.Delete(ctx, repo, n) },
		"Transfer": func(ctx context.Context, repo backend.Repo, n int) error {
			_, err := tr.Transfer(ctx, repo, n, web)
			return err
		},
	}
	aboutOne := []string{"Issue", "Comments", "Update", "AddComment", "Delete", "Transfer"}
	for name, call := range methods {
		if err := call(canceled, api, 512); !errors.Is(err, context.Canceled) || !backend.NothingApplied(err) {
			t.Errorf("%s, canceled: got %v", name, err)
		}
		for _, repo := range []backend.Repo{{Owner: "acme", Name: "payroll"}, {Owner: "acme", Name: "nothing"}, {}} {
			if err := call(t.Context(), repo, 1); err != backend.ErrRepoNotFound {
				t.Errorf("%s, %s: got %v", name, repo, err)
			}
		}
	}
	for _, name := range aboutOne {
		for number, want := range map[int]error{0: backend.ErrIssueNotFound, -1: backend.ErrIssueNotFound, 624: backend.ErrIssueNotFound, 511: backend.ErrPullRequest} {
			if err := methods[name](t.Context(), api, number); err != want {
				t.Errorf("%s, #%d: got %v, want %v", name, number, err, want)
			}
		}
		for _, number := range []int{377, 289} {
			if err := methods[name](t.Context(), api, number); !errors.Is(err, backend.ErrIssueNotFound) {
				t.Errorf("%s, #%d: got %v", name, number, err)
			}
		}
	}
}

func TestPrecondition(t *testing.T) {
	tr := small(t, nil)
	create(t, tr, shop, backend.NewIssue{Title: "x", Labels: []string{"bug"}})
	stale := errors.New("stale")
	_, _, err := tr.Update(t.Context(), shop, 1, backend.Change{AddLabels: []string{"nope"}}, func(i backend.Issue) error {
		i.Labels[0] = "changed by the precondition"
		return stale
	})
	if err != stale {
		t.Errorf("got %v, want the precondition's error before that of the change", err)
	}
	if now, err := tr.Issue(t.Context(), shop, 1); err != nil || now.Labels[0] != "bug" {
		t.Errorf("the precondition changed the issue: %+v, %v", now, err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _, _ = tr.Update(t.Context(), shop, 1, backend.Change{}, func(backend.Issue) error { panic("precondition") })
	}()
	update(t, tr, shop, 1, backend.Change{Title: ptr("still works")}) // the lock is free
}

// Of many writers that expect the same content exactly one wins.
func TestPreconditionIsAtomic(t *testing.T) {
	tr := small(t, nil)
	create(t, tr, shop, backend.NewIssue{Title: "0"})
	stale := errors.New("stale")
	const writers, rounds = 8, 40
	for round := range rounds {
		var wg sync.WaitGroup
		won := make(chan bool, writers)
		for range writers {
			wg.Go(func() {
				_, _, err := tr.Update(t.Context(), shop, 1, backend.Change{Title: ptr(fmt.Sprint(round + 1))}, func(i backend.Issue) error {
					if i.Title != fmt.Sprint(round) {
						return stale
					}
					return nil
				})
				if err != nil && err != stale {
					t.Error(err)
				}
				won <- err == nil
			})
		}
		wg.Wait()
		close(won)
		winners := 0
		for w := range won {
			if w {
				winners++
			}
		}
		if winners != 1 {
			t.Fatalf("round %d has %d winners", round, winners)
		}
	}
}

// What a caller does to a result has no effect on the tracker.
func TestResultsAreCopies(t *testing.T) {
	tr := small(t, nil)
	spoil := func(i backend.Issue) { i.Labels[0], i.Assignees[0], i.Milestone.Number = "x", "x", 99 }
	spoil(create(t, tr, shop, backend.NewIssue{Title: "x", Labels: []string{"bug"}, Assignees: []string{"ann"}, Milestone: 1}))
	before, after := update(t, tr, shop, 1, backend.Change{Title: ptr("y")})
	spoil(before)
	spoil(after)
	page, err := tr.Search(t.Context(), backend.Query{}, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	spoil(page.Rows[0].Value)
	now, err := tr.Issue(t.Context(), shop, 1)
	if err != nil || now.Labels[0] != "bug" || now.Assignees[0] != "ann" || now.Milestone.Number != 1 {
		t.Errorf("got %+v, %v", now, err)
	}
}

// Time never runs backwards on an issue, whatever the clock says.
func TestClockBehind(t *testing.T) {
	tr := tracker.New(&tracker.Options{Now: func() time.Time { return time.Unix(0, 0) }})
	was, err := tr.Issue(t.Context(), api, 512)
	if err != nil {
		t.Fatal(err)
	}
	c, err := tr.AddComment(t.Context(), api, 512, "x")
	if err != nil || c.CreatedAt.Before(was.UpdatedAt) {
		t.Errorf("comment of %s on an issue of %s, %v", c.CreatedAt, was.UpdatedAt, err)
	}
}

func TestTransferAndDelete(t *testing.T) {
	c := &clock{}
	tr := small(t, c.options())
	docs := backend.Repo{Owner: "umbrella", Name: "docs"}
	create(t, tr, shop, backend.NewIssue{Title: "x", Labels: []string{"docs", "bug"}, Assignees: []string{"ann"}, Milestone: 1})
	if _, err := tr.AddComment(t.Context(), shop, 1, "hello"); err != nil {
		t.Fatal(err)
	}
	c.advance(5)
	moved, err := tr.Transfer(t.Context(), shop, 1, docs)
	if err != nil {
		t.Fatal(err)
	}
	if moved.Repo != docs || moved.Number != 1 || moved.Milestone != nil || len(moved.Assignees) != 0 || len(moved.Labels) != 1 ||
		moved.URL != "https://github.example/umbrella/docs/issues/1" || !moved.UpdatedAt.Equal(start.Add(5*time.Second)) {
		t.Errorf("got %+v", moved)
	}
	comments, err := tr.Comments(t.Context(), docs, 1, "", 5)
	if err != nil || len(comments.Rows) != 1 || !strings.HasPrefix(comments.Rows[0].Value.URL, moved.URL+"#issuecomment-") {
		t.Errorf("comments: %+v, %v", comments.Rows, err)
	}
	if _, err := tr.Transfer(t.Context(), docs, 1, docs); err == nil {
		t.Error("transfer to the same repository is no error")
	}
	if _, err := tr.Transfer(t.Context(), docs, 1, backend.Repo{Owner: "acme", Name: "secret"}); !errors.Is(err, backend.ErrRepoNotFound) {
		t.Errorf("transfer to a private repository: got %v", err)
	}
	if next := create(t, tr, shop, backend.NewIssue{Title: "y"}); next.Number != 2 {
		t.Errorf("the number of the transferred issue was used again: %d", next.Number)
	}
	c.advance(5)
	if err := tr.Delete(t.Context(), shop, 2); err != nil {
		t.Fatal(err)
	}
	var gone *backend.GoneError
	if _, err := tr.Issue(t.Context(), shop, 2); !errors.As(err, &gone) || !gone.DeletedAt.Equal(start.Add(10*time.Second)) {
		t.Errorf("deleted: got %v", err)
	}
}
