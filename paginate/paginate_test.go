package paginate_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/paginate"
)

// A row is sorted by time, then by id, which is unique.
type row struct {
	Created int
	ID      int
	Hidden  bool
}

type key struct{ Created, ID int }

func keyOf(r row) key { return key{r.Created, r.ID} }

func compare(a, b key) int { return cmp.Or(cmp.Compare(a.Created, b.Created), cmp.Compare(a.ID, b.ID)) }

func visible(r row) bool { return !r.Hidden }

// A table is a source with an index on key.
type table struct {
	rows    []row // sorted
	asked   []int // the n of each fetch
	fetched int   // rows handed out
}

func newTable(rows ...row) *table {
	t := &table{}
	for _, r := range rows {
		t.insert(r)
	}
	return t
}

// ids returns a table whose rows have the ids from first to last.
func ids(first, last int) *table {
	t := &table{}
	for id := first; id <= last; id++ {
		t.insert(row{ID: id})
	}
	return t
}

func (t *table) insert(r row) {
	if i, found := slices.BinarySearchFunc(t.rows, keyOf(r), func(r row, k key) int { return compare(keyOf(r), k) }); !found {
		t.rows = slices.Insert(t.rows, i, r)
	}
}

func (t *table) delete(id int) {
	t.rows = slices.DeleteFunc(t.rows, func(r row) bool { return r.ID == id })
}

func (t *table) after(_ context.Context, after key, started bool, n int) ([]row, error) {
	t.asked = append(t.asked, n)
	i := 0
	if started {
		i, _ = slices.BinarySearchFunc(t.rows, after, func(r row, k key) int {
			if c := compare(keyOf(r), k); c != 0 {
				return c
			}
			return -1
		})
	}
	found := slices.Clone(t.rows[i:min(i+n, len(t.rows))])
	t.fetched += len(found)
	return found, nil
}

// A pager returns the page at a position.
type pager func(paginate.Walk, paginate.Position[key]) (paginate.Result[row, key], error)

// pagers are the two walks over the same table.
func pagers(t *table) map[string]pager {
	return map[string]pager{
		"Keyset": func(w paginate.Walk, pos paginate.Position[key]) (paginate.Result[row, key], error) {
			return paginate.Keyset(context.Background(), w, pos, keyOf, nil, t.after)
		},
		"Slice": func(w paginate.Walk, pos paginate.Position[key]) (paginate.Result[row, key], error) {
			return paginate.Slice(w, t.rows, pos, keyOf, compare)
		},
	}
}

// walkIDs follows Next to the end and returns the ids of each page. Between is
// called before each page but the first.
func walkIDs(t *testing.T, w paginate.Walk, page pager, between func(page int)) (pages [][]int, truncated bool) {
	t.Helper()
	var pos paginate.Position[key]
	for n := 1; ; n++ {
		r, err := page(w, pos)
		if err != nil {
			t.Fatalf("page %d: %v", n, err)
		}
		if r.Rows == nil {
			t.Fatalf("page %d: Rows is nil", n)
		}
		got := []int{}
		for _, row := range r.Rows {
			got = append(got, row.ID)
		}
		pages = append(pages, got)
		if r.Next == nil {
			return pages, r.Truncated
		}
		if r.Truncated {
			t.Fatalf("page %d: truncated, but there is a next page", n)
		}
		if !r.Next.Started || r.Next.Seen != pos.Seen+len(r.Rows) {
			t.Fatalf("page %d: Next = %+v after %+v and %d rows", n, *r.Next, pos, len(r.Rows))
		}
		if n > 1000 {
			t.Fatal("the walk does not end")
		}
		pos = *r.Next
		if between != nil {
			between(n + 1)
		}
	}
}

func count(first, last int) []int {
	var ids []int
	for id := first; id <= last; id++ {
		ids = append(ids, id)
	}
	return ids
}

// public faults 67, 71, 72, and the same for every size around a full page.
func TestPages(t *testing.T) {
	for name := range pagers(nil) {
		t.Run(name, func(t *testing.T) {
			for size := 1; size <= 5; size++ {
				for n := 0; n <= 16; n++ {
					pages, truncated := walkIDs(t, paginate.Walk{Size: size}, pagers(ids(1, n))[name], nil)
					if want := max((n+size-1)/size, 1); len(pages) != want {
						t.Errorf("%d rows by %d: %d pages, want %d", n, size, len(pages), want)
					}
					for i, p := range pages[:len(pages)-1] {
						if len(p) != size {
							t.Errorf("%d rows by %d: page %d has %d rows", n, size, i+1, len(p))
						}
					}
					if got := slices.Concat(pages...); !slices.Equal(got, count(1, n)) {
						t.Errorf("%d rows by %d: %v", n, size, got)
					}
					if truncated {
						t.Errorf("%d rows by %d: truncated without a budget", n, size)
					}
				}
			}
			tests := []struct {
				name string
				rows int
				size int
				want []int // sizes of the pages
			}{
				{"public fault 67: 8 items, page size 8", 8, 8, []int{8}},
				{"public fault 67: no items", 0, 8, []int{0}},
				{"public fault 71: 31 items, page size 30", 31, 30, []int{30, 1}},
			}
			for _, tt := range tests {
				pages, _ := walkIDs(t, paginate.Walk{Size: tt.size}, pagers(ids(1, tt.rows))[name], nil)
				got := []int{}
				for _, p := range pages {
					got = append(got, len(p))
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("%s: pages of %v, want %v", tt.name, got, tt.want)
				}
			}
		})
	}
}

// public fault 68: rows that tie on the sort value.
func TestTies(t *testing.T) {
	rows := []row{}
	for id := 1; id <= 5; id++ {
		rows = append(rows, row{Created: 7, ID: id})
	}
	for name, page := range pagers(newTable(rows...)) {
		pages, _ := walkIDs(t, paginate.Walk{Size: 2}, page, nil)
		if want := [][]int{{1, 2}, {3, 4}, {5}}; !slices.EqualFunc(pages, want, slices.Equal) {
			t.Errorf("%s: %v, want %v", name, pages, want)
		}
	}
}

// public fault 68: where the key does not tell ties apart, a walk would lose
// rows. It says so instead.
func TestTiesInTheKey(t *testing.T) {
	created := func(r row) int { return r.Created }
	rows := []row{{Created: 1, ID: 1}, {Created: 2, ID: 2}, {Created: 2, ID: 3}, {Created: 3, ID: 4}}
	fetch := func(_ context.Context, after int, started bool, n int) ([]row, error) {
		var found []row
		for _, r := range rows {
			if (!started || r.Created > after) && len(found) < n {
				found = append(found, r)
			}
		}
		return found, nil
	}
	for size := 2; size <= 4; size++ { // 2: the tie lies between two pages
		w := paginate.Walk{Size: size}
		if r, err := paginate.Keyset(t.Context(), w, paginate.Position[int]{}, created, nil, fetch); err == nil || !strings.Contains(err.Error(), "same key") {
			t.Errorf("Keyset by %d: %+v, %v", size, r, err)
		}
		if r, err := paginate.Slice(w, rows, paginate.Position[int]{}, created, cmp.Compare[int]); err == nil || err.Error() != "paginate: keys of rows 1 and 2 are not in ascending order" {
			t.Errorf("Slice by %d: %+v, %v", size, r, err)
		}
	}
	inclusive := func(_ context.Context, after int, _ bool, n int) ([]row, error) { // >= in place of >
		return []row{{Created: after}}, nil
	}
	if _, err := paginate.Keyset(t.Context(), paginate.Walk{Size: 2}, paginate.Position[int]{After: 2, Started: true}, created, nil, inclusive); err == nil {
		t.Error("a source that repeats the row at the cursor was not noticed")
	}
}

// public fault 72: rows come and go between pages.
func TestConcurrentChange(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *table)
		want   [][]int
	}{
		{"delete the row at the cursor, insert before it", func(t *table) { t.delete(2); t.insert(row{ID: 0}) }, [][]int{{1, 2}, {3, 4}, {5, 6}}},
		{"delete all that was delivered", func(t *table) { t.delete(1); t.delete(2) }, [][]int{{1, 2}, {3, 4}, {5, 6}}},
		{"delete the first row to come", func(t *table) { t.delete(3) }, [][]int{{1, 2}, {4, 5}, {6}}},
		{"insert behind the cursor", func(t *table) { t.insert(row{ID: 7}) }, [][]int{{1, 2}, {3, 4}, {5, 6}, {7}}},
		{"delete all to come", func(t *table) { t.rows = t.rows[:2] }, [][]int{{1, 2}, {}}},
		{"delete everything", func(t *table) { t.rows = nil }, [][]int{{1, 2}, {}}},
		{"many before the cursor", func(t *table) {
			for id := -100; id < 1; id++ {
				t.insert(row{ID: id})
			}
		}, [][]int{{1, 2}, {3, 4}, {5, 6}}},
	}
	for _, tt := range tests {
		for name := range pagers(nil) {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				tab := ids(1, 6)
				// Slice sees the table as it is at each page.
				page := func(w paginate.Walk, pos paginate.Position[key]) (paginate.Result[row, key], error) {
					return pagers(tab)[name](w, pos)
				}
				got, _ := walkIDs(t, paginate.Walk{Size: 2}, page, func(n int) {
					if n == 2 {
						tt.change(tab)
					}
				})
				if d := diff.Diff(tt.want, got); d != "" {
					t.Errorf("pages (-want +got):\n%s", d)
				}
			})
		}
	}
}

func TestBudget(t *testing.T) {
	tests := []struct {
		name      string
		rows      int
		w         paginate.Walk
		sizes     []int
		truncated bool
	}{
		{"more rows than the budget", 350, paginate.Walk{Size: 30, Budget: 300}, []int{30, 30, 30, 30, 30, 30, 30, 30, 30, 30}, true},
		{"as many rows as the budget", 300, paginate.Walk{Size: 30, Budget: 300}, []int{30, 30, 30, 30, 30, 30, 30, 30, 30, 30}, false},
		{"one row more", 301, paginate.Walk{Size: 100, Budget: 300}, []int{100, 100, 100}, true},
		{"one row fewer", 299, paginate.Walk{Size: 100, Budget: 300}, []int{100, 100, 99}, false},
		{"the budget is no multiple of the size", 350, paginate.Walk{Size: 40, Budget: 100}, []int{40, 40, 20}, true},
		{"ends in the cut page", 100, paginate.Walk{Size: 40, Budget: 100}, []int{40, 40, 20}, false},
		{"budget below the size", 10, paginate.Walk{Size: 30, Budget: 4}, []int{4}, true},
		{"no rows", 0, paginate.Walk{Size: 30, Budget: 4}, []int{0}, false},
		{"no budget", 350, paginate.Walk{Size: 100}, []int{100, 100, 100, 50}, false},
	}
	for _, tt := range tests {
		for name, page := range pagers(ids(1, tt.rows)) {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				pages, truncated := walkIDs(t, tt.w, page, nil)
				sizes := []int{}
				for _, p := range pages {
					sizes = append(sizes, len(p))
				}
				if !slices.Equal(sizes, tt.sizes) || truncated != tt.truncated {
					t.Errorf("pages of %v, truncated %v, want %v, %v", sizes, truncated, tt.sizes, tt.truncated)
				}
			})
		}
	}
	t.Run("lowered during a walk", func(t *testing.T) {
		for name, page := range pagers(ids(1, 10)) {
			r, err := page(paginate.Walk{Size: 3, Budget: 3}, paginate.Position[key]{After: key{0, 6}, Seen: 6, Started: true})
			if err != nil || len(r.Rows) != 0 || r.Rows == nil || r.Next != nil || !r.Truncated {
				t.Errorf("%s: %+v, %v, want an empty truncated page", name, r, err)
			}
		}
	})
}

// One row more than needed is asked for, and never less after rows were dropped.
func TestKeysetAsksOneMore(t *testing.T) {
	tab := ids(1, 10)
	r, err := paginate.Keyset(t.Context(), paginate.Walk{Size: 3}, paginate.Position[key]{}, keyOf, nil, tab.after)
	if err != nil || len(r.Rows) != 3 || !slices.Equal(tab.asked, []int{4}) {
		t.Errorf("%+v, %v, asked for %v", r, err, tab.asked)
	}
	tab = ids(1, 10)
	r, err = paginate.Keyset(t.Context(), paginate.Walk{Size: 30, Budget: 5}, paginate.Position[key]{Seen: 3}, keyOf, nil, tab.after)
	if err != nil || len(r.Rows) != 2 || !r.Truncated || !slices.Equal(tab.asked, []int{3}) {
		t.Errorf("near the budget: %+v, %v, asked for %v", r, err, tab.asked)
	}
}

func TestRefill(t *testing.T) {
	// hide returns the table of ids 1 to n without those shown.
	hide := func(n int, shown ...int) *table {
		tab := &table{}
		for id := 1; id <= n; id++ {
			tab.insert(row{ID: id, Hidden: !slices.Contains(shown, id)})
		}
		return tab
	}
	tests := []struct {
		name  string
		tab   *table
		w     paginate.Walk
		want  [][]int
		calls int
	}{
		{"nothing dropped", hide(4, 1, 2, 3, 4), paginate.Walk{Size: 2}, [][]int{{1, 2}, {3, 4}}, 2},
		{"refilled until full", hide(9, 4, 8, 9), paginate.Walk{Size: 2}, [][]int{{4, 8}, {9}}, 4},
		{"last page known although only dropped rows follow", hide(8, 1, 2), paginate.Walk{Size: 2}, [][]int{{1, 2}}, 3},
		{"all dropped", hide(5), paginate.Walk{Size: 2}, [][]int{{}}, 2},
		{"short page at the bound, then on", hide(9, 1, 9), paginate.Walk{Size: 2, Fetches: 2}, [][]int{{1}, {9}}, 4},
		{"empty page at the bound, then on", hide(9, 9), paginate.Walk{Size: 2, Fetches: 1}, [][]int{{}, {}, {9}, {}}, 4},
		{"full, but not known to be last: one empty page", hide(9, 1, 2), paginate.Walk{Size: 2, Fetches: 2}, [][]int{{1, 2}, {}}, 4},
		{"default bound", hide(100, 100), paginate.Walk{Size: 9}, [][]int{{}, {100}, {}}, 11},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := walkIDs(t, tt.w, func(w paginate.Walk, pos paginate.Position[key]) (paginate.Result[row, key], error) {
				before := len(tt.tab.asked)
				r, err := paginate.Keyset(t.Context(), w, pos, keyOf, visible, tt.tab.after)
				if n, most := len(tt.tab.asked)-before, cmp.Or(w.Fetches, paginate.DefaultFetches); n > most {
					t.Errorf("%d fetches for one page, want at most %d", n, most)
				}
				return r, err
			}, nil)
			if d := diff.Diff(tt.want, got); d != "" {
				t.Errorf("pages (-want +got):\n%s", d)
			}
			if len(tt.tab.asked) != tt.calls {
				t.Errorf("%d fetches, want %d", len(tt.tab.asked), tt.calls)
			}
		})
	}
	t.Run("truncated when the rest is not known to be empty", func(t *testing.T) {
		r, err := paginate.Keyset(t.Context(), paginate.Walk{Size: 2, Budget: 2, Fetches: 1}, paginate.Position[key]{}, keyOf, visible, hide(9, 1, 2).after)
		if err != nil || len(r.Rows) != 2 || !r.Truncated || r.Next != nil {
			t.Errorf("%+v, %v", r, err)
		}
	})
	t.Run("a source that returns more than it was asked for", func(t *testing.T) {
		all := func(_ context.Context, after key, started bool, _ int) ([]row, error) {
			return ids(1, 9).after(t.Context(), after, started, 100)
		}
		got, _ := walkIDs(t, paginate.Walk{Size: 4}, func(w paginate.Walk, pos paginate.Position[key]) (paginate.Result[row, key], error) {
			return paginate.Keyset(t.Context(), w, pos, keyOf, nil, all)
		}, nil)
		if d := diff.Diff([][]int{{1, 2, 3, 4}, {5, 6, 7, 8}, {9}}, got); d != "" {
			t.Errorf("pages (-want +got):\n%s", d)
		}
	})
}

func TestErrors(t *testing.T) {
	ctx := t.Context()
	upstream := errors.New("upstream is down")
	failing := func(context.Context, key, bool, int) ([]row, error) { return []row{{ID: 1}}, upstream }
	stuck := func(context.Context, key, bool, int) ([]row, error) { return nil, paginate.ErrShort }
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	tab := ids(1, 3)
	w := paginate.Walk{Size: 2}
	none := paginate.Position[key]{}
	tests := []struct {
		name string
		page func() (paginate.Result[row, key], error)
		want string
	}{
		{"fetch fails", func() (paginate.Result[row, key], error) {
			return paginate.Keyset(ctx, w, none, keyOf, nil, failing)
		}, "upstream is down"},
		{"context is done", func() (paginate.Result[row, key], error) {
			return paginate.Keyset(canceled, w, none, keyOf, nil, tab.after)
		}, "context canceled"},
		{"short without rows", func() (paginate.Result[row, key], error) {
			return paginate.Keyset(ctx, w, none, keyOf, nil, stuck)
		}, "paginate: fetch returned ErrShort without a row, so the walk cannot go on"},
		{"no key", func() (paginate.Result[row, key], error) {
			return paginate.Keyset(ctx, w, none, nil, nil, tab.after)
		}, "paginate: key and fetch are needed"},
		{"no fetch", func() (paginate.Result[row, key], error) {
			return paginate.Keyset(ctx, w, none, keyOf, nil, nil)
		}, "paginate: key and fetch are needed"},
		{"no key for a slice", func() (paginate.Result[row, key], error) {
			return paginate.Slice(w, tab.rows, none, nil, compare)
		}, "paginate: key and compare are needed"},
		{"no compare", func() (paginate.Result[row, key], error) {
			return paginate.Slice(w, tab.rows, none, keyOf, nil)
		}, "paginate: key and compare are needed"},
		{"descending rows", func() (paginate.Result[row, key], error) {
			return paginate.Slice(w, []row{{ID: 2}, {ID: 1}}, none, keyOf, compare)
		}, "paginate: keys of rows 0 and 1 are not in ascending order"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := tt.page()
			if err == nil || err.Error() != tt.want {
				t.Errorf("error = %v, want %s", err, tt.want)
			}
			if r.Rows == nil || len(r.Rows) != 0 || r.Next != nil || r.Truncated {
				t.Errorf("result along with the error: %+v, want an empty one", r)
			}
		})
	}
	if _, err := tests[0].page(); !errors.Is(err, upstream) {
		t.Error("the source's error is not returned as it is")
	}
}

func TestBounds(t *testing.T) {
	tests := []struct {
		w    paginate.Walk
		seen int
		want string
	}{
		{paginate.Walk{}, 0, "paginate: page size is 0, need 1 to 1048576"},
		{paginate.Walk{Size: -1}, 0, "paginate: page size is -1, need 1 to 1048576"},
		{paginate.Walk{Size: 1<<20 + 1}, 0, "paginate: page size is 1048577, need 1 to 1048576"},
		{paginate.Walk{Size: 1, Budget: -1}, 0, "paginate: budget is -1, need 0 or more"},
		{paginate.Walk{Size: 1, Fetches: -1}, 0, "paginate: fetches is -1, need 0 or more"},
		{paginate.Walk{Size: 1}, -1, "paginate: position has seen -1 rows, need 0 or more"},
	}
	for _, tt := range tests {
		for name, page := range pagers(ids(1, 3)) {
			if _, err := page(tt.w, paginate.Position[key]{Seen: tt.seen}); err == nil || err.Error() != tt.want {
				t.Errorf("%s, %+v: error = %v, want %s", name, tt.w, err, tt.want)
			}
		}
	}
	for name, page := range pagers(ids(1, 3)) {
		if r, err := page(paginate.Walk{Size: 1 << 20}, paginate.Position[key]{}); err != nil || len(r.Rows) != 3 {
			t.Errorf("%s, greatest size: %+v, %v", name, r, err)
		}
	}
}

// The rows of a page are the caller's: the list does not change with them.
func TestSliceRetainsNothing(t *testing.T) {
	rows := []row{{ID: 1}, {ID: 2}, {ID: 3}}
	r, err := paginate.Slice(paginate.Walk{Size: 2}, rows, paginate.Position[key]{}, keyOf, compare)
	if err != nil {
		t.Fatal(err)
	}
	r.Rows[0].ID = 99
	_ = append(r.Rows, row{ID: 98})
	if d := diff.Diff([]row{{ID: 1}, {ID: 2}, {ID: 3}}, rows); d != "" {
		t.Errorf("the list changed (-want +got):\n%s", d)
	}
}

// public fault 71: requested page sizes (AIP-158).
func TestSize(t *testing.T) {
	tests := []struct {
		requested, def, max int
		want                int
		err                 string
	}{
		{0, 30, 100, 30, ""},
		{1, 30, 100, 1, ""},
		{30, 30, 100, 30, ""},
		{100, 30, 100, 100, ""},
		{101, 30, 100, 100, ""},
		{1000, 30, 100, 100, ""},
		{0, 1, 1, 1, ""},
		{-1, 30, 100, 0, "paginate: page size is negative"},
		{-1 << 62, 30, 100, 0, "paginate: page size is negative"},
		{5, 0, 100, 0, "paginate: default page size 0 and maximum 100, need 1 ≤ default ≤ maximum"},
		{5, 30, 29, 0, "paginate: default page size 30 and maximum 29, need 1 ≤ default ≤ maximum"},
	}
	for _, tt := range tests {
		got, err := paginate.Size(tt.requested, tt.def, tt.max)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got != tt.want || text != tt.err {
			t.Errorf("Size(%d, %d, %d) = %d, %q, want %d, %q", tt.requested, tt.def, tt.max, got, text, tt.want, tt.err)
		}
	}
}

func TestPageFields(t *testing.T) {
	sealed := 0
	seal := func(p paginate.Position[key]) (string, error) {
		sealed++
		return fmt.Sprintf("token-%d", p.After.ID), nil
	}
	total := int64(0)
	next := &paginate.Position[key]{After: key{0, 30}, Seen: 30, Started: true}
	tests := []struct {
		name  string
		r     paginate.Result[row, key]
		total *int64
		want  string
		seals int
	}{
		{"public fault 67: last page", paginate.Result[row, key]{}, nil, `{"has_more":false,"truncated":false}`, 0},
		{"next page", paginate.Result[row, key]{Next: next}, nil, `{"has_more":true,"next_cursor":"token-30","truncated":false}`, 1},
		{"truncated", paginate.Result[row, key]{Truncated: true}, nil, `{"has_more":false,"truncated":true,"truncation_hint":"Narrow it."}`, 0},
		{"none in total is known, not absent", paginate.Result[row, key]{}, &total, `{"has_more":false,"estimated_total":0,"truncated":false}`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sealed = 0
			page, err := tt.r.Page(seal, "Narrow it.")
			if err != nil {
				t.Fatal(err)
			}
			page.EstimatedTotal = tt.total
			got, err := json.Marshal(page)
			if err != nil || string(got) != tt.want || sealed != tt.seals {
				t.Errorf("%s, %v, %d seals, want %s, %d", got, err, sealed, tt.want, tt.seals)
			}
		})
	}
}

func TestPageFaults(t *testing.T) {
	broken := errors.New("no key")
	next := paginate.Result[row, key]{Next: &paginate.Position[key]{}}
	tests := []struct {
		name string
		r    paginate.Result[row, key]
		seal func(paginate.Position[key]) (string, error)
		hint string
		want string
	}{
		{"seal fails", next, func(paginate.Position[key]) (string, error) { return "half", broken }, "hint", "no key"},
		{"empty cursor", next, func(paginate.Position[key]) (string, error) { return "", nil }, "hint", "paginate: seal returned an empty cursor"},
		{"no seal", next, nil, "hint", "paginate: a next page needs seal"},
		{"no hint", paginate.Result[row, key]{Truncated: true}, nil, "", "paginate: a truncated result needs a hint"},
	}
	for _, tt := range tests {
		page, err := tt.r.Page(tt.seal, tt.hint)
		if err == nil || err.Error() != tt.want || page != (paginate.Page{}) {
			t.Errorf("%s: %+v, %v, want %s", tt.name, page, err, tt.want)
		}
	}
}

func TestContinuation(t *testing.T) {
	for _, tt := range []struct {
		c    paginate.Continuation
		want string
	}{
		{paginate.Continuation{}, `{"has_more":false}`},
		{paginate.Continuation{HasMore: true, NextCursor: "t"}, `{"has_more":true,"next_cursor":"t"}`},
	} {
		if got, err := json.Marshal(tt.c); err != nil || string(got) != tt.want {
			t.Errorf("%s, %v, want %s", got, err, tt.want)
		}
	}
}
