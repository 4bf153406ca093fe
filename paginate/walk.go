package paginate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"sort"
)

// A Position is how far a walk has come: the payload of its cursor. The zero
// Position is the start of a walk.
//
// K is the sort key with everything that makes it unique, such as a time and
// an id. It should be a plain value, a string or integer or a struct of them,
// so that a cursor can carry it.
type Position[K any] struct {
	After   K    // key of the last row that the walk has passed
	Seen    int  // rows delivered so far, counted against the budget
	Started bool // false only at the start, where After means nothing
}

// DefaultFetches is the bound of [Walk] when its Fetches is zero.
const DefaultFetches = 5

// maxSize keeps Size+1 and the memory of one page within reason.
const maxSize = 1 << 20

// Walk has the bounds of a walk. All pages of one walk use the same.
type Walk struct {
	// Size is the number of rows of a full page, 1 to 1,048,576.
	Size int
	// Budget is the number of rows that all pages of the walk together may
	// deliver; the page that reaches it is the last. Default 0, no bound.
	Budget int
	// Fetches bounds the calls of fetch for one page of [Keyset]. Default 0,
	// which is [DefaultFetches].
	Fetches int
}

// A Result is one page of a walk.
type Result[R, K any] struct {
	// Rows are at most Walk.Size rows in the order of the source. It is
	// never nil. It may be short or empty although there is a Next.
	Rows []R
	// Next is where the next page starts, nil on the last page.
	Next *Position[K]
	// Truncated reports that the walk ended at its budget though the source
	// has, or may have, further rows. Next is nil then.
	Truncated bool
}

// ErrShort is what a fetch of [Keyset] returns along with rows when these are
// fewer than were asked for although the source has more, as sources do that
// page by number or filter on their side. The rows count; there must be at
// least one.
var ErrShort = errors.New("paginate: short page, more rows follow")

var errTie = errors.New("paginate: two neighbouring rows have the same key, which loses rows between pages; add a unique part, such as the id")

// check returns the number of rows that this page may hold.
func (w Walk) check(seen int) (limit int, err error) {
	switch {
	case w.Size < 1 || w.Size > maxSize:
		return 0, fmt.Errorf("paginate: page size is %d, need 1 to %d", w.Size, maxSize)
	case w.Budget < 0:
		return 0, fmt.Errorf("paginate: budget is %d, need 0 or more", w.Budget)
	case w.Fetches < 0:
		return 0, fmt.Errorf("paginate: fetches is %d, need 0 or more", w.Fetches)
	case seen < 0:
		return 0, fmt.Errorf("paginate: position has seen %d rows, need 0 or more", seen)
	case w.Budget > 0:
		return max(min(w.Size, w.Budget-seen), 0), nil
	}
	return w.Size, nil
}

// end returns the page of rows after which the walk stands at after. More says
// that further rows exist, or that it is not known that none do.
func end[R, K any](w Walk, pos Position[K], rows []R, after K, more bool) Result[R, K] {
	seen := pos.Seen + len(rows)
	r := Result[R, K]{Rows: rows}
	switch {
	case !more:
	case w.Budget > 0 && seen >= w.Budget:
		r.Truncated = true
	default:
		r.Next = &Position[K]{After: after, Seen: seen, Started: true}
	}
	return r
}

// same reports whether two keys are equal.
func same[K any](a, b K) bool { return reflect.DeepEqual(a, b) }

// Keyset returns the page of a walk that starts at pos, read from a source
// that can be asked for the rows after a key.
//
// Fetch returns up to n rows in the source's order: those that follow the key
// after, or the first rows if started is false. Fewer than n rows mean that
// the source ends there, unless the error is [ErrShort]. Any other error ends
// the page and is returned as it is. Key is the sort key of a row, unique in
// the source; its order is the source's order and does not change while a row
// exists. Keep tells which rows belong to the list, nil all of them.
//
// Keyset asks for one row more than it delivers, which tells it whether there
// is a next page without a further call. When keep drops rows it fetches
// again, at most w.Fetches times in all, and then returns what it has, down to
// no row at all, with a Next from which the walk goes on. So every page makes
// progress, and a walk that follows Next delivers each row that exists from
// its begin to its end exactly once, whatever is inserted or deleted meanwhile.
//
// A key that two neighbours share would lose rows, so it is an error, as are a
// row that repeats the key it was to follow, an [ErrShort] without rows, a nil
// key or fetch, and bounds that [Walk] excludes. ctx is checked before each
// fetch and handed to it.
func Keyset[R, K any](ctx context.Context, w Walk, pos Position[K], key func(R) K, keep func(R) bool, fetch func(ctx context.Context, after K, started bool, n int) ([]R, error)) (Result[R, K], error) {
	none := Result[R, K]{Rows: []R{}}
	if key == nil || fetch == nil {
		return none, errors.New("paginate: key and fetch are needed")
	}
	limit, err := w.check(pos.Seen)
	if err != nil {
		return none, err
	}
	rows, after, started := none.Rows, pos.After, pos.Started
	if limit == 0 {
		return end(w, pos, rows, after, true), nil
	}
	for range cmp.Or(w.Fetches, DefaultFetches) {
		if err := ctx.Err(); err != nil {
			return none, err
		}
		batch, err := fetch(ctx, after, started, limit+1)
		short := errors.Is(err, ErrShort)
		if err != nil && !short {
			return none, err
		}
		if short && len(batch) == 0 {
			return none, errors.New("paginate: fetch returned ErrShort without a row, so the walk cannot go on")
		}
		for _, row := range batch {
			k := key(row)
			if started && same(k, after) {
				return none, errTie
			}
			if keep == nil || keep(row) {
				if len(rows) == limit {
					return end(w, pos, rows, after, true), nil
				}
				rows = append(rows, row)
			}
			after, started = k, true
		}
		if !short && len(batch) <= limit {
			return end(w, pos, rows, after, false), nil
		}
	}
	return end(w, pos, rows, after, true), nil
}

// Slice returns the page of a walk that starts at pos, taken from rows that
// are in memory.
//
// Rows are sorted by key, ascending as compare has it, and no two keys are
// equal; Slice checks this for the rows that it delivers and their neighbours.
// Compare returns a negative number if a is before b, zero if they are equal
// and a positive one otherwise, as [cmp.Compare] does. The place is found by
// binary search, so the row at pos may be gone and others may have been added:
// each call may pass another state of the list. Rows is not retained.
//
// Errors are rows out of order, a nil key or compare, and bounds that [Walk]
// excludes.
func Slice[R, K any](w Walk, rows []R, pos Position[K], key func(R) K, compare func(a, b K) int) (Result[R, K], error) {
	none := Result[R, K]{Rows: []R{}}
	if key == nil || compare == nil {
		return none, errors.New("paginate: key and compare are needed")
	}
	limit, err := w.check(pos.Seen)
	if err != nil {
		return none, err
	}
	start := 0
	if pos.Started {
		start = sort.Search(len(rows), func(i int) bool { return compare(key(rows[i]), pos.After) > 0 })
	}
	stop := min(start+limit, len(rows))
	for i := max(start, 1); i <= stop && i < len(rows); i++ {
		if compare(key(rows[i-1]), key(rows[i])) >= 0 {
			return none, fmt.Errorf("paginate: keys of rows %d and %d are not in ascending order", i-1, i)
		}
	}
	page, after := append(none.Rows, rows[start:stop]...), pos.After
	if stop > start {
		after = key(rows[stop-1])
	}
	return end(w, pos, page, after, stop < len(rows)), nil
}
