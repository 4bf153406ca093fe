package tracker

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
)

var errSize = errors.New("tracker: a page needs room for at least one row")

// Issue implements backend.Backend.
func (t *Tracker) Issue(ctx context.Context, repo backend.Repo, number int) (backend.Issue, error) {
	if err := begin(ctx); err != nil {
		return backend.Issue{}, err
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	r, at, err := t.issue(repo, number)
	if err != nil {
		return backend.Issue{}, err
	}
	return r.issues[at].issue.Clone(), nil
}

// Comments implements backend.Backend.
func (t *Tracker) Comments(ctx context.Context, repo backend.Repo, number int, after backend.Position, n int) (backend.Page[backend.Comment], error) {
	var page backend.Page[backend.Comment]
	if err := begin(ctx); err != nil {
		return page, err
	}
	if n < 1 {
		return page, errSize
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	r, at, err := t.issue(repo, number)
	if err != nil {
		return page, err
	}
	comments := r.issues[at].comments
	total := int64(len(comments))
	if after != "" {
		id, ok := decode(after, 1)
		if !ok {
			return page, backend.ErrPosition
		}
		first, _ := slices.BinarySearchFunc(comments, id[0]+1, func(c comment, id int64) int { return cmp.Compare(c.ID, id) })
		comments = comments[first:]
	}
	for _, c := range comments[:min(n, len(comments))] {
		page.Rows = append(page.Rows, backend.Row[backend.Comment]{Value: c.Comment, After: encode(c.ID)})
	}
	page.EstimatedTotal = &total
	return page, nil
}

// Labels implements backend.Backend.
func (t *Tracker) Labels(ctx context.Context, repo backend.Repo, after backend.Position, n int) (backend.Page[backend.Label], error) {
	var page backend.Page[backend.Label]
	if err := begin(ctx); err != nil {
		return page, err
	}
	if n < 1 {
		return page, errSize
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	r, err := t.repo(repo)
	if err != nil {
		return page, err
	}
	var last *backend.Label
	if after != "" {
		index, ok := decode(after, 1)
		if !ok || index[0] < 0 || index[0] >= int64(len(r.labels)) {
			return page, backend.ErrPosition
		}
		last = &r.labels[index[0]]
	}
	used := r.used()
	total := int64(len(used))
	page.EstimatedTotal = &total
	for _, index := range used {
		if last != nil && compareFold(r.labels[index].Name, last.Name) <= 0 {
			continue
		}
		if len(page.Rows) == n {
			break
		}
		page.Rows = append(page.Rows, backend.Row[backend.Label]{Value: r.labels[index], After: encode(int64(index))})
	}
	return page, nil
}

// used returns the indexes of the labels that are on an issue, by name.
func (r *repo) used() []int {
	names := map[string]bool{}
	for _, rec := range r.issues {
		for _, name := range rec.issue.Labels {
			names[name] = true
		}
	}
	var used []int
	for i, label := range r.labels {
		if names[label.Name] {
			used = append(used, i)
		}
	}
	slices.SortFunc(used, func(a, b int) int { return compareFold(r.labels[a].Name, r.labels[b].Name) })
	return used
}

func compareFold(a, b string) int {
	return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
}
