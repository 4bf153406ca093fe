package tracker

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
)

// Delete removes an issue for good. From then on its number gives a
// *backend.GoneError and is not used again.
func (t *Tracker) Delete(ctx context.Context, name backend.Repo, number int) error {
	if err := begin(ctx); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r, at, err := t.issue(name, number)
	if err != nil {
		return err
	}
	r.delete(at, t.clock(r.issues[at].issue.UpdatedAt))
	return nil
}

func (r *repo) delete(at int, when time.Time) {
	number := r.issues[at].issue.Number
	r.issues = slices.Delete(r.issues, at, at+1)
	r.others[number] = &backend.GoneError{DeletedAt: when}
}

// Transfer moves an issue with its comments to another repository, where it gets
// a new number. Its old number gives a *backend.TransferredError from then on.
// The issue keeps the labels and assignees that the other repository has too,
// and loses its milestone.
func (t *Tracker) Transfer(ctx context.Context, name backend.Repo, number int, to backend.Repo) (backend.Issue, error) {
	if err := begin(ctx); err != nil {
		return backend.Issue{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r, at, err := t.issue(name, number)
	if err != nil {
		return backend.Issue{}, err
	}
	target, err := t.repo(to)
	if err != nil {
		return backend.Issue{}, err
	}
	if target == r {
		return backend.Issue{}, errors.New("tracker: the issue is in that repository already")
	}
	return target.take(r, at, t.clock(r.issues[at].issue.UpdatedAt)), nil
}

// take moves the issue at an index of another repository to the end of r.
func (r *repo) take(from *repo, at int, when time.Time) backend.Issue {
	old := from.issues[at]
	r.lastNumber++
	issue := old.issue.Clone()
	issue.Repo, issue.Number, issue.URL = r.name, r.lastNumber, issueURL(r.name, r.lastNumber)
	issue.Milestone = nil
	issue.Labels = slices.DeleteFunc(issue.Labels, func(name string) bool {
		_, err := r.resolveLabels("", []string{name})
		return err != nil
	})
	issue.Assignees = slices.DeleteFunc(issue.Assignees, func(login string) bool { return !containsFold(r.assignable, login) })
	issue.UpdatedAt = when
	comments := slices.Clone(old.comments)
	for i := range comments {
		comments[i].URL = commentURL(issue.URL, comments[i].ID)
	}
	r.issues = append(r.issues, newRecord(r.rank, issue, comments))
	from.issues = slices.Delete(from.issues, at, at+1)
	from.others[old.issue.Number] = &backend.TransferredError{Repo: r.name, Number: issue.Number}
	return issue.Clone()
}
