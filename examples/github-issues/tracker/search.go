package tracker

import (
	"cmp"
	"context"
	"slices"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
)

// Search implements backend.Backend.
func (t *Tracker) Search(ctx context.Context, q backend.Query, after backend.Position, n int) (backend.Page[backend.Issue], error) {
	var page backend.Page[backend.Issue]
	if err := begin(ctx); err != nil {
		return page, err
	}
	if n < 1 {
		return page, errSize
	}
	sortKey, err := keyOf(q.Sort, q.Order)
	if err != nil {
		return page, err
	}
	records, visible, err := t.records(q.Repo)
	if err != nil {
		return page, err
	}
	match, err := compile(q, t.login, visible)
	if err != nil {
		return page, err
	}
	var matched []*record
	for i, rec := range records {
		if i%256 == 255 && ctx.Err() != nil {
			return page, begin(ctx)
		}
		if match(rec) {
			matched = append(matched, rec)
		}
	}
	slices.SortFunc(matched, func(a, b *record) int { return sortKey(a).compare(sortKey(b)) })
	total := int64(len(matched))
	if after != "" {
		numbers, ok := decode(after, 3)
		if !ok {
			return page, backend.ErrPosition
		}
		first, exact := slices.BinarySearchFunc(matched, place{numbers[0], numbers[1], numbers[2]}.turned(q.Order),
			func(rec *record, p place) int { return sortKey(rec).compare(p) })
		if exact {
			first++
		}
		matched = matched[first:]
	}
	for _, rec := range matched[:min(n, len(matched))] {
		p := sortKey(rec).turned(q.Order)
		page.Rows = append(page.Rows, backend.Row[backend.Issue]{
			Value: rec.issue.Clone(),
			After: encode(p.key, p.rank, p.number),
		})
	}
	page.EstimatedTotal = &total
	return page, nil
}

// records returns the records of one repository or of all visible ones, and the
// names of the latter.
func (t *Tracker) records(only *backend.Repo) ([]*record, []backend.Repo, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	var names []backend.Repo
	var records []*record
	for _, r := range t.repos {
		if r.private {
			continue
		}
		names = append(names, r.name)
		if only == nil || only.Equal(r.name) {
			records = append(records, r.issues...)
		}
	}
	if only != nil {
		if _, err := t.repo(*only); err != nil {
			return nil, nil, err
		}
	}
	return records, names, nil
}

// place is where a record stands in a sorted list. It is unique.
type place struct{ key, rank, number int64 }

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.key, q.key), cmp.Compare(p.rank, q.rank), cmp.Compare(p.number, q.number))
}

// turned reverses the order of places for a descending list. The complement,
// other than the negative, has no overflow.
func (p place) turned(o backend.Order) place {
	if o == backend.Ascending {
		return p
	}
	return place{^p.key, ^p.rank, ^p.number}
}

// keyOf returns the function that places records in the order of a list.
func keyOf(s backend.Sort, o backend.Order) (func(*record) place, error) {
	var key func(backend.Issue) int64
	switch s {
	case backend.ByUpdated, "":
		key = func(i backend.Issue) int64 { return i.UpdatedAt.Unix() }
	case backend.ByCreated:
		key = func(i backend.Issue) int64 { return i.CreatedAt.Unix() }
	case backend.ByComments:
		key = func(i backend.Issue) int64 { return int64(i.Comments) }
	default:
		return nil, &backend.InvalidFieldError{Field: "sort", Reason: "is not a sort key",
			Allowed: []string{string(backend.ByCreated), string(backend.ByUpdated), string(backend.ByComments)}}
	}
	if o != "" && o != backend.Ascending && o != backend.Descending {
		return nil, &backend.InvalidFieldError{Field: "order", Reason: "is not a direction",
			Allowed: []string{string(backend.Ascending), string(backend.Descending)}}
	}
	return func(rec *record) place {
		return place{key(rec.issue), int64(rec.rank), int64(rec.issue.Number)}.turned(o)
	}, nil
}
