package backend_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
)

func TestParseText(t *testing.T) {
	word := func(s string) backend.Term { return backend.Term{Values: []string{s}} }
	not := func(t backend.Term) backend.Term { t.Not = true; return t }
	qualified := func(name string, values ...string) backend.Term {
		return backend.Term{Qualifier: name, Values: values}
	}
	quoted := func(s string) backend.Term { return backend.Term{Values: []string{s}, Quoted: true} }
	tests := []struct {
		text string
		want []backend.Term
	}{
		{"", nil},
		{"  \t\n\u3000", nil},
		{"memory leak", []backend.Term{word("memory"), word("leak")}},
		{`"memory leak"`, []backend.Term{quoted("memory leak")}},
		{`"no end`, []backend.Term{quoted("no end")}},
		{`""`, nil},
		{"label:bug", []backend.Term{qualified("label", "bug")}},
		{"LABEL:bug", []backend.Term{qualified("label", "bug")}},
		{`label:"needs triage"`, []backend.Term{qualified("label", "needs triage")}},
		{"label:bug,docs", []backend.Term{qualified("label", "bug", "docs")}},
		{`label:"a b",c,,"d"`, []backend.Term{qualified("label", "a b", "c", "d")}},
		{"label: bug", []backend.Term{word("label:"), word("bug")}},
		{"Fix: crash 12:30", []backend.Term{word("Fix:"), word("crash"), word("12:30")}},
		{"-label:bug", []backend.Term{not(qualified("label", "bug"))}},
		{"NOT leak", []backend.Term{not(word("leak"))}},
		{"NOT -leak", []backend.Term{word("leak")}},
		{"a AND b", []backend.Term{word("a"), word("b")}},
		{"a OR b", []backend.Term{word("a"), word("OR"), word("b")}},
		{`"AND"`, []backend.Term{quoted("AND")}},
		{"-", []backend.Term{word("-")}},
		{"- a", []backend.Term{word("-"), word("a")}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, backend.ParseText(tt.text)); diff != "" {
			t.Errorf("%q: %s", tt.text, diff)
		}
	}
}

func FuzzParseText(f *testing.F) {
	for _, s := range []string{"", "a b", `label:"x y",z -w`, `"`, "-", ":", "a:", "NOT", "\xff:\xfe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, term := range backend.ParseText(s) {
			if len(term.Values) == 0 || term.Qualifier == "" && len(term.Values) != 1 {
				t.Fatalf("%q: %+v", s, term)
			}
			for _, v := range term.Values {
				if v == "" {
					t.Fatalf("%q: empty value in %+v", s, term)
				}
			}
		}
	})
}

func TestChanged(t *testing.T) {
	base := backend.Issue{
		Title: "t", Body: "b", State: backend.Open, Labels: []string{"bug", "docs"}, Assignees: []string{"ann", "bob"},
		Milestone: &backend.Milestone{Number: 3, Title: "x"},
	}
	tests := []struct {
		name   string
		change func(*backend.Issue)
		want   []backend.Field
	}{
		{"nothing", func(*backend.Issue) {}, []backend.Field{}},
		{"order and case", func(i *backend.Issue) { i.Labels, i.Assignees = []string{"DOCS", "bug"}, []string{"Bob", "ann"} }, []backend.Field{}},
		{"a milestone's title", func(i *backend.Issue) { i.Milestone = &backend.Milestone{Number: 3, Title: "y"} }, []backend.Field{}},
		{"closed", func(i *backend.Issue) { i.State, i.StateReason = backend.Closed, backend.Completed }, []backend.Field{"state", "state_reason"}},
		{"label swapped", func(i *backend.Issue) { i.Labels = []string{"bug", "new"} }, []backend.Field{"add_labels", "remove_labels"}},
		{"all else", func(i *backend.Issue) {
			i.Title, i.Body, i.Assignees, i.Milestone, i.Locked, i.LockReason = "T", "", nil, nil, true, backend.Spam
		}, []backend.Field{"title", "body", "assignee_logins", "milestone_number", "locked", "lock_reason"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			after := base.Clone()
			tt.change(&after)
			if diff := cmp.Diff(tt.want, backend.Changed(base, after)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNothingApplied(t *testing.T) {
	tests := []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.New("x"), false},
		{backend.ErrRepoNotFound, true},
		{fmt.Errorf("get: %w", backend.ErrPullRequest), true},
		{&backend.GoneError{}, true},
		{&backend.TransferredError{}, true},
		{&backend.LabelNotFoundError{}, true},
		{&backend.AssigneeNotFoundError{}, true},
		{&backend.InvalidFieldError{}, true},
		{&backend.InsufficientScopeError{}, true},
		{&backend.RateLimitError{}, true},
		{&backend.UnavailableError{}, true},
		{&backend.UnavailableError{Sent: true}, false},
		{&backend.PartialError{Err: backend.ErrIssueLocked}, false},
		{context.Canceled, false},
		{backend.NotStarted(context.Canceled), true},
	}
	for _, tt := range tests {
		if got := backend.NothingApplied(tt.err); got != tt.want {
			t.Errorf("%v: %v", tt.err, got)
		}
	}
	if backend.NotStarted(nil) != nil {
		t.Error("NotStarted(nil) is an error")
	}
}

func TestKindsOfNotFound(t *testing.T) {
	for _, err := range []error{backend.ErrPullRequest, &backend.GoneError{}, &backend.TransferredError{}} {
		if !errors.Is(err, backend.ErrIssueNotFound) {
			t.Errorf("%v is no ErrIssueNotFound", err)
		}
	}
	if errors.Is(backend.ErrRepoNotFound, backend.ErrIssueNotFound) {
		t.Error("a missing repository counts as a missing issue")
	}
}

func TestRateLow(t *testing.T) {
	for _, tt := range []struct {
		rate *backend.Rate
		want bool
	}{{nil, false}, {&backend.Rate{Limit: 5000, Remaining: 499}, true}, {&backend.Rate{Limit: 5000, Remaining: 500}, false}, {&backend.Rate{}, false}} {
		if got := tt.rate.Low(); got != tt.want {
			t.Errorf("%+v: %v", tt.rate, got)
		}
	}
}

func TestCloneSharesNothing(t *testing.T) {
	at := time.Unix(1, 0)
	a := backend.Issue{Labels: []string{"x"}, Assignees: []string{"y"}, Milestone: &backend.Milestone{Number: 1}, ClosedAt: &at}
	b := a.Clone()
	b.Labels[0], b.Assignees[0], b.Milestone.Number, *b.ClosedAt = "-", "-", 9, time.Unix(2, 0)
	if a.Labels[0] != "x" || a.Assignees[0] != "y" || a.Milestone.Number != 1 || !a.ClosedAt.Equal(time.Unix(1, 0)) {
		t.Errorf("%+v", a)
	}
}

func ExampleParseText() {
	for _, term := range backend.ParseText(`crash label:bug,docs -author:"ann"`) {
		fmt.Println(term.Not, term.Qualifier, term.Values)
	}
	// Output:
	// false  [crash]
	// false label [bug docs]
	// true author [ann]
}
