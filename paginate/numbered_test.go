package paginate_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/paginate"
)

// A feed is an upstream that pages by number and mixes pull requests, "PR…",
// into issues, "I…".
type feed struct {
	pages [][]string
	calls []int
}

func newFeed(pages ...string) *feed {
	f := &feed{}
	for _, p := range pages {
		f.pages = append(f.pages, strings.Fields(p))
	}
	return f
}

func (f *feed) list(_ context.Context, page int) ([]string, bool, error) {
	f.calls = append(f.calls, page)
	if page > len(f.pages) {
		return nil, false, nil
	}
	return f.pages[page-1], page < len(f.pages), nil
}

type placed = paginate.Placed[string]

func isIssue(p placed) bool { return strings.HasPrefix(p.Row, "I") }

func (f *feed) walk(t *testing.T, w paginate.Walk) [][]string {
	t.Helper()
	var all [][]string
	var pos paginate.Position[paginate.Place]
	for {
		r, err := paginate.Keyset(t.Context(), w, pos, placed.At, isIssue, paginate.Numbered(f.list))
		if err != nil {
			t.Fatal(err)
		}
		page := []string{}
		for _, p := range r.Rows {
			page = append(page, p.Row)
		}
		all = append(all, page)
		if r.Next == nil {
			return all
		}
		pos = *r.Next
	}
}

func TestNumbered(t *testing.T) {
	tests := []struct {
		name  string
		feed  *feed
		w     paginate.Walk
		want  [][]string
		calls []int
	}{
		{"public fault 48: only pull requests on the page, more follow", newFeed("PR PR", "I1"), paginate.Walk{Size: 2, Fetches: 1},
			[][]string{{}, {"I1"}}, []int{1, 1, 2}},
		{"public fault 48: only pull requests at all", newFeed("PR PR", "PR PR"), paginate.Walk{Size: 2},
			[][]string{{}}, []int{1, 1, 2}},
		{"public fault 49: refill of a mixed feed", newFeed("PR PR PR I1 PR", "I2 I3 I4 I5 I6"), paginate.Walk{Size: 5},
			[][]string{{"I1", "I2", "I3", "I4", "I5"}, {"I6"}}, []int{1, 1, 2, 2}},
		{"public fault 67: the count divides evenly", newFeed("I1 I2", "I3 I4"), paginate.Walk{Size: 2},
			[][]string{{"I1", "I2"}, {"I3", "I4"}}, []int{1, 1, 2, 1, 2}},
		{"public fault 67: nothing", newFeed(""), paginate.Walk{Size: 2}, [][]string{{}}, []int{1}},
		{"public fault 71: one more than a page", newFeed("I1 I2 I3", "I4"), paginate.Walk{Size: 3},
			[][]string{{"I1", "I2", "I3"}, {"I4"}}, []int{1, 1, 2, 1, 2}},
		{"the source's page is larger", newFeed("I1 I2 I3 PR I4"), paginate.Walk{Size: 2},
			[][]string{{"I1", "I2"}, {"I3", "I4"}}, []int{1, 1, 1}},
		{"empty pages in between", newFeed("I1", "", "", "I2"), paginate.Walk{Size: 1},
			[][]string{{"I1"}, {"I2"}}, []int{1, 1, 2, 3, 4, 1, 2, 3, 4}},
		{"empty last page", newFeed("I1 I2", ""), paginate.Walk{Size: 2}, [][]string{{"I1", "I2"}}, []int{1, 1, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.feed.walk(t, tt.w)
			if d := diff.Diff(tt.want, got); d != "" {
				t.Errorf("pages (-want +got):\n%s", d)
			}
			if !slices.Equal(tt.feed.calls, tt.calls) {
				t.Errorf("pages asked for: %v, want %v", tt.feed.calls, tt.calls)
			}
		})
	}
}

// Every feed of a few rows, every page size of the source and of the walk: all
// issues, in order, once.
func TestNumberedExhaustively(t *testing.T) {
	for bits := range 1 << 7 {
		var rows, issues []string
		for i := range 7 {
			if bits>>i&1 == 1 {
				issues = append(issues, "I"+string(rune('a'+i)))
				rows = append(rows, issues[len(issues)-1])
			} else {
				rows = append(rows, "PR")
			}
		}
		for per := 1; per <= 8; per++ {
			for size := 1; size <= 8; size++ {
				for _, fetches := range []int{1, 2, 0} {
					f := &feed{pages: slices.Collect(slices.Chunk(rows, per))}
					got := slices.Concat(f.walk(t, paginate.Walk{Size: size, Fetches: fetches})...)
					if !slices.Equal(got, issues) {
						t.Fatalf("%v by %d, walk by %d with %d fetches: %v, want %v", rows, per, size, fetches, got, issues)
					}
				}
			}
		}
	}
}

func TestNumberedErrors(t *testing.T) {
	broken := errors.New("502")
	ctx, cancel := context.WithCancel(t.Context())
	tests := []struct {
		name string
		list func(context.Context, int) ([]string, bool, error)
		want string
	}{
		{"the source fails", func(context.Context, int) ([]string, bool, error) { return nil, true, broken }, "502"},
		{"empty pages for ever", func(context.Context, int) ([]string, bool, error) { return nil, true, nil },
			"paginate: the source returns empty pages but says that it has more"},
		{"canceled meanwhile", func(context.Context, int) ([]string, bool, error) { cancel(); return nil, true, nil }, "context canceled"},
	}
	for _, tt := range tests {
		r, err := paginate.Keyset(ctx, paginate.Walk{Size: 2}, paginate.Position[paginate.Place]{}, placed.At, nil, paginate.Numbered(tt.list))
		if err == nil || err.Error() != tt.want || len(r.Rows) != 0 {
			t.Errorf("%s: %+v, %v, want %s", tt.name, r, err, tt.want)
		}
	}
}

// A position from elsewhere does not make Numbered panic.
func TestNumberedOddPlaces(t *testing.T) {
	f := newFeed("I1 I2")
	for _, tt := range []struct {
		after paginate.Place
		want  int
	}{
		{paginate.Place{Page: 1, Offset: -9}, 2},
		{paginate.Place{Page: 1, Offset: 99}, 0},
		{paginate.Place{Page: 99, Offset: 0}, 0},
	} {
		rows, err := paginate.Numbered(f.list)(t.Context(), tt.after, true, 5)
		if err != nil || len(rows) != tt.want {
			t.Errorf("after %+v: %v, %v, want %d rows", tt.after, rows, err, tt.want)
		}
	}
}
