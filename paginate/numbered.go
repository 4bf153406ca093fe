package paginate

import (
	"context"
	"errors"
)

// A Place is the key of a row in a source that pages by number.
type Place struct {
	Page   int // number of the source's page, from 1
	Offset int // of the row in that page, from 0
}

// A Placed is a row with its place in the source.
type Placed[R any] struct {
	Row   R
	Place Place
}

// At returns p's place. The method expression Placed[R].At is the key function
// for [Keyset].
func (p Placed[R]) At() Place { return p.Place }

// maxEmpty is how many empty pages in a row Numbered passes over.
const maxEmpty = 5

// Numbered returns a fetch for [Keyset] from a source that can only be asked
// for its pages by number, as many REST APIs can. List returns one such page
// and whether the source has further ones. The page size is for list to choose;
// it stays the same during a walk and need not be that of the walk.
//
// Each fetch makes one call of list, two where it continues at the end of a
// page, and up to five more where the source returns empty pages though it has
// more; if those are all empty, that is an error. Errors of list are returned
// as they are.
//
// A walk over a source of this kind is best effort: a row that is inserted or
// deleted before the place of the cursor shifts all rows behind it, so one may
// be repeated or lost at the border of a page. Ask the source for an order in
// which new rows come last.
func Numbered[R any](list func(ctx context.Context, page int) (rows []R, more bool, err error)) func(ctx context.Context, after Place, started bool, n int) ([]Placed[R], error) {
	return func(ctx context.Context, after Place, started bool, n int) ([]Placed[R], error) {
		page, skip := 1, 0
		if started {
			page, skip = after.Page, after.Offset+1
		}
		for range maxEmpty + 1 {
			rows, more, err := list(ctx, page)
			if err != nil {
				return nil, err
			}
			var placed []Placed[R]
			for i := max(skip, 0); i < len(rows) && len(placed) < n; i++ {
				placed = append(placed, Placed[R]{rows[i], Place{page, i}})
			}
			switch {
			case !more, len(placed) == n:
				return placed, nil
			case len(placed) > 0:
				return placed, ErrShort
			}
			page, skip = page+1, 0
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		return nil, errors.New("paginate: the source returns empty pages but says that it has more")
	}
}
