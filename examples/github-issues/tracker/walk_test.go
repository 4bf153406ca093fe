package tracker_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/tracker"
	"github.com/mcpkit-go/agentmcp/paginate"
)

// Issues that are there from the begin of a walk to its end are met once each,
// in order, though all of them share their sort key and others come and go.
// Public faults 68 and 72.
func TestWalkWithTies(t *testing.T) {
	for _, sort := range []backend.Sort{backend.ByCreated, backend.ByUpdated, backend.ByComments} {
		for _, order := range []backend.Order{backend.Ascending, backend.Descending} {
			for _, size := range []int{1, 2, 3, 6, 7} {
				t.Run(fmt.Sprint(sort, order, size), func(t *testing.T) {
					tr := small(t, (&clock{}).options())
					for i := range 12 {
						create(t, tr, shop, backend.NewIssue{Title: fmt.Sprint("issue ", i+1)})
					}
					deleted := []int{1, 12, 6, 5} // before and behind wherever the walk may be
					var met []int
					var after backend.Position
					for page := 0; ; page++ {
						p, err := tr.Search(t.Context(), backend.Query{Sort: sort, Order: order}, after, size)
						if err != nil {
							t.Fatal(err)
						}
						for _, row := range p.Rows {
							met = append(met, row.Value.Number)
							after = row.After
						}
						if len(p.Rows) < size {
							break
						}
						if page < len(deleted) {
							if err := tr.Delete(t.Context(), shop, deleted[page]); err != nil {
								t.Fatal(err)
							}
							create(t, tr, shop, backend.NewIssue{Title: "new"})
						}
					}
					survivors := slices.DeleteFunc(slices.Clone(met), func(n int) bool { return slices.Contains(deleted, n) || n > 12 })
					want := []int{2, 3, 4, 7, 8, 9, 10, 11}
					if order == backend.Descending {
						slices.Reverse(want)
					}
					if !slices.Equal(survivors, want) {
						t.Errorf("survivors met: %v, want %v", survivors, want)
					}
					if unique := slices.Compact(slices.Sorted(slices.Values(met))); len(unique) != len(met) {
						t.Errorf("met twice: %v", met)
					}
				})
			}
		}
	}
}

// The row behind which a walk stands may vanish. Public fault 72.
func TestWalkBehindADeletedRow(t *testing.T) {
	tr := small(t, (&clock{}).options())
	for range 4 {
		create(t, tr, shop, backend.NewIssue{Title: "x"})
	}
	q := backend.Query{Sort: backend.ByCreated, Order: backend.Ascending}
	first, err := tr.Search(t.Context(), q, "", 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Delete(t.Context(), shop, 2); err != nil {
		t.Fatal(err)
	}
	second, err := tr.Search(t.Context(), q, first.Rows[1].After, 5)
	if err != nil || len(second.Rows) != 2 || second.Rows[0].Value.Number != 3 || second.Rows[1].Value.Number != 4 {
		t.Errorf("got %+v, %v, want 3 and 4", second.Rows, err)
	}
}

// No page claims a next one when the rows divide evenly. Public faults 67, 71.
func TestWalkWithPaginate(t *testing.T) {
	for _, count := range []int{0, 1, 29, 30, 31, 60, 61} {
		tr := small(t, (&clock{}).options())
		for range count {
			create(t, tr, shop, backend.NewIssue{Title: "x"})
		}
		var pos paginate.Position[backend.Position]
		pages, rows := 0, 0
		for more := true; more; {
			page, err := paginate.Keyset(t.Context(), paginate.Walk{Size: 30}, pos,
				func(r backend.Row[backend.Issue]) backend.Position { return r.After },
				func(r backend.Row[backend.Issue]) bool { return !r.Skip },
				func(ctx context.Context, after backend.Position, _ bool, n int) ([]backend.Row[backend.Issue], error) {
					p, err := tr.Search(ctx, backend.Query{Repo: &shop}, after, n)
					return p.Rows, err
				})
			if err != nil {
				t.Fatal(err)
			}
			pages++
			rows += len(page.Rows)
			if more = page.Next != nil; more {
				pos = *page.Next
			}
		}
		if want := max(1, (count+29)/30); pages != want || rows != count {
			t.Errorf("%d issues: %d rows on %d pages, want %d pages", count, rows, pages, want)
		}
	}
}

func TestCommentWalk(t *testing.T) {
	tr := tracker.New(nil)
	for _, size := range []int{1, 25, 30, 75, 76} {
		var ids []int64
		var after backend.Position
		for {
			p, err := tr.Comments(t.Context(), api, 512, after, size)
			if err != nil {
				t.Fatal(err)
			}
			if p.EstimatedTotal == nil || *p.EstimatedTotal != 75 {
				t.Errorf("estimated total %v, want 75", p.EstimatedTotal)
			}
			for _, row := range p.Rows {
				ids = append(ids, row.Value.ID)
				after = row.After
			}
			if len(p.Rows) < size {
				break
			}
		}
		if len(ids) != 75 || !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != 75 {
			t.Errorf("pages of %d: %d comments, sorted %v", size, len(ids), slices.IsSorted(ids))
		}
	}
}

// A label that goes out of use between pages leads to no other being lost.
func TestLabelWalk(t *testing.T) {
	tr := small(t, (&clock{}).options())
	create(t, tr, shop, backend.NewIssue{Title: "x", Labels: []string{"needs triage", "DOCS", "bug"}})
	first, err := tr.Labels(t.Context(), shop, "", 2)
	if err != nil || len(first.Rows) != 2 || first.Rows[0].Value != (backend.Label{Name: "bug", Color: "ff0000"}) || first.Rows[1].Value.Name != "docs" {
		t.Fatalf("got %+v, %v, want bug and docs", first.Rows, err)
	}
	update(t, tr, shop, 1, backend.Change{RemoveLabels: []string{"docs"}})
	second, err := tr.Labels(t.Context(), shop, first.Rows[1].After, 2)
	if err != nil || len(second.Rows) != 1 || second.Rows[0].Value.Name != "Needs Triage" {
		t.Errorf("got %+v, %v, want Needs Triage", second.Rows, err)
	}
}

// Each label comes once and in order, whatever the size of the pages.
func TestLabelWalkOfTheSeed(t *testing.T) {
	tr := tracker.New(nil)
	whole, err := tr.Labels(t.Context(), api, "", 100)
	if err != nil || len(whole.Rows) != 34 {
		t.Fatalf("%d labels, %v, want 34", len(whole.Rows), err)
	}
	for _, size := range []int{1, 17, 30, 34} {
		var rows []backend.Row[backend.Label]
		var after backend.Position
		for {
			p, err := tr.Labels(t.Context(), api, after, size)
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, p.Rows...)
			if len(p.Rows) < size {
				break
			}
			after = p.Rows[size-1].After
		}
		if !slices.Equal(rows, whole.Rows) {
			t.Errorf("pages of %d: %v", size, rows)
		}
	}
}
