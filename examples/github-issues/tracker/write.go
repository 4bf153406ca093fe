package tracker

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
)

const (
	maxTitle     = 256
	maxBody      = 65536
	maxAssignees = 10
)

// Create implements backend.Backend.
func (t *Tracker) Create(ctx context.Context, name backend.Repo, draft backend.NewIssue) (backend.Issue, error) {
	if err := begin(ctx); err != nil {
		return backend.Issue{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r, err := t.repo(name)
	if err != nil {
		return backend.Issue{}, err
	}
	issue := backend.Issue{Repo: r.name, Title: draft.Title, Body: draft.Body, State: backend.Open, Author: t.login}
	if err := checkTitle(draft.Title); err != nil {
		return backend.Issue{}, err
	}
	if err := checkBody(draft.Body); err != nil {
		return backend.Issue{}, err
	}
	if issue.Labels, err = r.resolveLabels(backend.FieldLabels, draft.Labels); err != nil {
		return backend.Issue{}, err
	}
	if issue.Assignees, err = r.resolveAssignees(draft.Assignees); err != nil {
		return backend.Issue{}, err
	}
	if issue.Milestone, err = r.resolveMilestone(draft.Milestone); err != nil {
		return backend.Issue{}, err
	}
	if err := begin(ctx); err != nil {
		return backend.Issue{}, err
	}
	issue.CreatedAt = t.clock(issue.CreatedAt)
	issue.UpdatedAt = issue.CreatedAt
	r.lastNumber++
	issue.Number = r.lastNumber
	issue.URL = issueURL(r.name, issue.Number)
	r.issues = append(r.issues, newRecord(r.rank, issue, nil))
	return issue.Clone(), nil
}

// Update implements backend.Backend. No other change comes between precondition
// and update.
func (t *Tracker) Update(ctx context.Context, name backend.Repo, number int, change backend.Change, precondition func(backend.Issue) error) (before, after backend.Issue, err error) {
	if err := begin(ctx); err != nil {
		return before, after, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r, at, err := t.issue(name, number)
	if err != nil {
		return before, after, err
	}
	current := r.issues[at]
	if precondition != nil {
		if err := precondition(current.issue.Clone()); err != nil {
			return before, after, err
		}
	}
	next := current.issue.Clone()
	if err := r.apply(change, &next); err != nil {
		return before, after, err
	}
	if err := begin(ctx); err != nil {
		return before, after, err
	}
	before = current.issue.Clone()
	if len(backend.Changed(current.issue, next)) == 0 {
		return before, before.Clone(), nil
	}
	next.UpdatedAt = t.clock(current.issue.UpdatedAt)
	switch {
	case next.State == backend.Open:
		next.ClosedAt = nil
	case next.ClosedAt == nil:
		closed := next.UpdatedAt
		next.ClosedAt = &closed
	}
	r.issues[at] = newRecord(r.rank, next, current.comments)
	return before, next.Clone(), nil
}

// AddComment implements backend.Backend.
func (t *Tracker) AddComment(ctx context.Context, name backend.Repo, number int, body string) (backend.Comment, error) {
	if err := begin(ctx); err != nil {
		return backend.Comment{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r, at, err := t.issue(name, number)
	if err != nil {
		return backend.Comment{}, err
	}
	current := r.issues[at]
	if current.issue.Locked && !t.maintainer {
		return backend.Comment{}, backend.ErrIssueLocked
	}
	if strings.TrimSpace(body) == "" {
		return backend.Comment{}, invalid(backend.FieldBody, "must not be blank")
	}
	if err := checkBody(body); err != nil {
		return backend.Comment{}, err
	}
	if err := begin(ctx); err != nil {
		return backend.Comment{}, err
	}
	t.lastComment++
	c := backend.Comment{
		ID:        t.lastComment,
		Author:    t.login,
		Body:      body,
		CreatedAt: t.clock(current.issue.UpdatedAt),
		URL:       commentURL(current.issue.URL, t.lastComment),
	}
	next := current.issue.Clone()
	next.Comments++
	next.UpdatedAt = c.CreatedAt
	// Readers of the old record never look behind its length, so that the two
	// may share memory.
	r.issues[at] = newRecord(r.rank, next, append(current.comments, comment{c, words(body)}))
	return c, nil
}

// apply carries out a change on an issue. On error the issue is in no
// particular state.
func (r *repo) apply(c backend.Change, issue *backend.Issue) error {
	if c.Title != nil {
		if err := checkTitle(*c.Title); err != nil {
			return err
		}
		issue.Title = *c.Title
	}
	if c.Body != nil {
		if err := checkBody(*c.Body); err != nil {
			return err
		}
		issue.Body = *c.Body
	}
	if err := applyState(c, issue); err != nil {
		return err
	}
	if err := r.applyLabels(c, issue); err != nil {
		return err
	}
	if c.Assignees != nil {
		logins, err := r.resolveAssignees(*c.Assignees)
		if err != nil {
			return err
		}
		issue.Assignees = logins
	}
	if c.Milestone != nil {
		m, err := r.resolveMilestone(*c.Milestone)
		if err != nil {
			return err
		}
		issue.Milestone = m
	}
	return applyLock(c, issue)
}

func applyState(c backend.Change, issue *backend.Issue) error {
	reason := c.StateReason
	if c.State == nil {
		if reason != backend.NoReason {
			return invalid(backend.FieldStateReason, "has a meaning only together with state")
		}
		return nil
	}
	switch *c.State {
	case backend.Open:
		if reason != backend.NoReason && reason != backend.Reopened {
			return invalid(backend.FieldStateReason, "does not fit an open issue", string(backend.Reopened))
		}
		if issue.State == backend.Closed {
			issue.StateReason = backend.Reopened
		}
	case backend.Closed:
		switch reason {
		case backend.NoReason:
			reason = backend.Completed
		case backend.Completed, backend.NotPlanned, backend.Duplicate:
		default:
			return invalid(backend.FieldStateReason, "does not fit a closed issue", string(backend.Completed), string(backend.NotPlanned))
		}
		issue.StateReason = reason
	default:
		return invalid(backend.FieldState, "is not a state", string(backend.Open), string(backend.Closed))
	}
	issue.State = *c.State
	return nil
}

func (r *repo) applyLabels(c backend.Change, issue *backend.Issue) error {
	add, err := r.resolveLabels(backend.FieldAddLabels, c.AddLabels)
	if err != nil {
		return err
	}
	remove, err := r.resolveLabels(backend.FieldRemoveLabels, c.RemoveLabels)
	if err != nil {
		return err
	}
	for i, name := range c.RemoveLabels {
		if containsFold(add, name) {
			return invalid(backend.FieldRemoveLabels, fmt.Sprintf("names at index %d a label that add_labels names too", i))
		}
	}
	issue.Labels = dedupe(append(issue.Labels, add...))
	issue.Labels = slices.DeleteFunc(issue.Labels, func(name string) bool { return containsFold(remove, name) })
	return nil
}

func applyLock(c backend.Change, issue *backend.Issue) error {
	if c.Locked == nil {
		return nil
	}
	issue.Locked, issue.LockReason = *c.Locked, backend.NoLockReason
	if !*c.Locked {
		return nil
	}
	switch c.LockReason {
	case backend.NoLockReason, backend.OffTopic, backend.TooHeated, backend.Resolved, backend.Spam:
		issue.LockReason = c.LockReason
		return nil
	}
	return invalid(backend.FieldLockReason, "is not a lock reason",
		string(backend.OffTopic), string(backend.TooHeated), string(backend.Resolved), string(backend.Spam))
}

// resolveLabels returns the labels' own spelling, each once.
func (r *repo) resolveLabels(field backend.Field, names []string) ([]string, error) {
	var resolved []string
	for i, name := range names {
		at := slices.IndexFunc(r.labels, func(l backend.Label) bool { return strings.EqualFold(l.Name, name) })
		if at < 0 {
			return nil, &backend.LabelNotFoundError{Field: field, Index: i}
		}
		resolved = append(resolved, r.labels[at].Name)
	}
	return dedupe(resolved), nil
}

func (r *repo) resolveAssignees(logins []string) ([]string, error) {
	var resolved []string
	for i, login := range logins {
		at := slices.IndexFunc(r.assignable, func(have string) bool { return strings.EqualFold(have, login) })
		if at < 0 {
			return nil, &backend.AssigneeNotFoundError{Index: i}
		}
		resolved = append(resolved, r.assignable[at])
	}
	resolved = dedupe(resolved)
	if len(resolved) > maxAssignees {
		return nil, invalid(backend.FieldAssignees, fmt.Sprintf("names more than %d logins", maxAssignees))
	}
	return resolved, nil
}

func (r *repo) resolveMilestone(number int) (*backend.Milestone, error) {
	if number == 0 {
		return nil, nil
	}
	at := slices.IndexFunc(r.milestones, func(m backend.Milestone) bool { return m.Number == number })
	if at < 0 {
		return nil, backend.ErrMilestoneNotFound
	}
	m := r.milestones[at]
	return &m, nil
}

func checkTitle(title string) error {
	switch {
	case strings.TrimSpace(title) == "":
		return invalid(backend.FieldTitle, "must not be blank")
	case !utf8.ValidString(title):
		return invalid(backend.FieldTitle, "must be UTF-8")
	case utf8.RuneCountInString(title) > maxTitle:
		return invalid(backend.FieldTitle, fmt.Sprintf("must have at most %d characters", maxTitle))
	}
	return nil
}

func checkBody(body string) error {
	switch {
	case !utf8.ValidString(body):
		return invalid(backend.FieldBody, "must be UTF-8")
	case utf8.RuneCountInString(body) > maxBody:
		return invalid(backend.FieldBody, fmt.Sprintf("must have at most %d characters", maxBody))
	}
	return nil
}

func invalid(field backend.Field, reason string, allowed ...string) error {
	return &backend.InvalidFieldError{Field: field, Reason: reason, Allowed: allowed}
}
