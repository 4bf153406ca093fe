package paginate_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/cursor"
	"github.com/mcpkit-go/agentmcp/paginate"
)

// A world is a table that others change while a walk is under way, with a
// record of who was there all the time.
type world struct {
	table
	rng      *rand.Rand
	changes  int          // still to come
	survived map[int]bool // ids that were there at the begin and still are
	known    map[int]bool // ids that were ever there
	nextID   int
}

func newWorld(rng *rand.Rand) *world {
	w := &world{rng: rng, changes: rng.IntN(40), survived: map[int]bool{}, known: map[int]bool{}}
	for range rng.IntN(40) {
		w.add()
	}
	for _, r := range w.rows {
		w.survived[r.ID] = true
	}
	return w
}

// add inserts a row anywhere; few distinct times make for many ties.
func (w *world) add() {
	w.nextID++
	id := w.nextID*7919%1000*1000 + w.nextID // unique, in no order
	w.insert(row{Created: w.rng.IntN(8), ID: id, Hidden: w.rng.IntN(3) == 0})
	w.known[id] = true
}

func (w *world) change() {
	for w.changes > 0 && w.rng.IntN(3) > 0 {
		w.changes--
		if len(w.rows) == 0 || w.rng.IntN(2) == 0 {
			w.add()
			continue
		}
		id := w.rows[w.rng.IntN(len(w.rows))].ID
		w.delete(id)
		delete(w.survived, id)
	}
}

// short fetches like the table, but may stop early, as sources do that filter
// on their side, and the table changes between fetches too.
func (w *world) short(ctx context.Context, after key, started bool, n int) ([]row, error) {
	w.change()
	rows, err := w.after(ctx, after, started, n)
	if len(rows) > 1 && w.rng.IntN(3) == 0 {
		return rows[:1+w.rng.IntN(len(rows)-1)], paginate.ErrShort
	}
	return rows, err
}

// model walks a changing table to the end, each position through a real
// cursor, and checks what a client may rely on.
func model(t *testing.T, seed uint64, inMemory bool) {
	rng := rand.New(rand.NewPCG(seed, 1))
	w := newWorld(rng)
	keep := func(row) bool { return true }
	if !inMemory && rng.IntN(2) == 0 {
		keep = visible
	}
	walk := paginate.Walk{Size: 1 + rng.IntN(6), Fetches: rng.IntN(4)}
	if rng.IntN(3) == 0 {
		walk.Budget = 1 + rng.IntN(30)
	}
	pages, bind := codec(t), cursor.Bind("model", "", nil)

	var delivered []row
	var pos paginate.Position[key]
	truncated := false
	for n := 0; ; n++ {
		if n > 500 {
			t.Fatal("the walk does not end")
		}
		w.change()
		var r paginate.Result[row, key]
		var err error
		if inMemory {
			r, err = paginate.Slice(walk, w.rows, pos, keyOf, compare)
		} else {
			r, err = paginate.Keyset(t.Context(), walk, pos, keyOf, keep, w.short)
		}
		if err != nil {
			t.Fatal(err)
		}
		page, err := r.Page(func(p paginate.Position[key]) (string, error) { return pages.Seal(p, bind), nil }, "hint")
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Rows) > walk.Size {
			t.Fatalf("page of %d rows, size is %d", len(r.Rows), walk.Size)
		}
		if inMemory && page.HasMore && len(r.Rows) < walk.Size {
			t.Fatal("a page from memory is short, but not the last")
		}
		if page.HasMore != (page.NextCursor != "") || page.HasMore && page.Truncated {
			t.Fatalf("inconsistent page %+v", page)
		}
		delivered = append(delivered, r.Rows...)
		if !page.HasMore {
			truncated = page.Truncated
			break
		}
		if pos, err = pages.Open(page.NextCursor, bind); err != nil {
			t.Fatal(err)
		}
	}

	// In strictly ascending order, so nothing repeats.
	for i := 1; i < len(delivered); i++ {
		if compare(keyOf(delivered[i-1]), keyOf(delivered[i])) >= 0 {
			t.Fatalf("%+v follows %+v", delivered[i], delivered[i-1])
		}
	}
	for _, r := range delivered {
		if !w.known[r.ID] || !keep(r) {
			t.Errorf("%+v does not belong to the list", r)
		}
	}
	if walk.Budget > 0 && len(delivered) > walk.Budget {
		t.Errorf("%d rows, the budget is %d", len(delivered), walk.Budget)
	}
	if truncated {
		if len(delivered) != walk.Budget {
			t.Errorf("truncated after %d rows, the budget is %d", len(delivered), walk.Budget)
		}
		// What survives and sorts before the end was delivered.
		if len(delivered) == 0 {
			return
		}
	}
	for _, r := range w.rows {
		if !w.survived[r.ID] || !keep(r) || truncated && compare(keyOf(r), keyOf(delivered[len(delivered)-1])) > 0 {
			continue
		}
		if !slices.Contains(delivered, r) {
			t.Errorf("%+v was there all the time, but was lost", r)
		}
	}
}

func codec(t testing.TB) *cursor.Codec[paginate.Position[key]] {
	t.Helper()
	keys, err := cursor.NewKeyring([]byte("32 bytes that only a test may use"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := cursor.New[paginate.Position[key]](keys, time.Hour, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// public fault 72 and its kind: no surviving row is lost or repeated.
func TestModel(t *testing.T) {
	for seed := range uint64(1000) {
		for _, inMemory := range []bool{false, true} {
			if t.Failed() {
				return
			}
			t.Run(fmt.Sprintf("seed %d, in memory %v", seed, inMemory), func(t *testing.T) { model(t, seed, inMemory) })
		}
	}
}

func FuzzModel(f *testing.F) {
	f.Add(uint64(1), true)
	f.Add(uint64(2), false)
	f.Fuzz(func(t *testing.T, seed uint64, inMemory bool) { model(t, seed, inMemory) })
}
