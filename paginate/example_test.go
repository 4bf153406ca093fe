package paginate_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mcpkit-go/agentmcp/cursor"
	"github.com/mcpkit-go/agentmcp/paginate"
)

// A list tool from end to end: the cursor is opened, a page is taken from
// memory, the next position is sealed.
func Example() {
	type issue struct {
		Number int `json:"issue_number"`
	}
	type output struct {
		Issues []issue `json:"issues"`
		paginate.Page
	}
	issues := []issue{{1}, {2}, {3}, {5}, {8}}

	keys, err := cursor.NewKeyring([]byte("an example's key, from a vault..."))
	if err != nil {
		fmt.Println(err)
		return
	}
	pages, err := cursor.New[paginate.Position[int]](keys, 15*time.Minute, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	bind := cursor.Bind("list_issues cursor", "alice", nil)

	list := func(token string) (out output, err error) {
		var pos paginate.Position[int]
		if token != "" {
			if pos, err = pages.Open(token, bind); err != nil {
				return out, err
			}
		}
		walk := paginate.Walk{Size: 2, Budget: 4}
		r, err := paginate.Slice(walk, issues, pos, func(i issue) int { return i.Number }, cmp.Compare[int])
		if err != nil {
			return out, err
		}
		out.Issues = r.Rows
		out.Page, err = r.Page(func(p paginate.Position[int]) (string, error) {
			return pages.Seal(p, bind), nil
		}, "Set updated_after to see fewer issues.")
		return out, err
	}

	first, err := list("")
	fmt.Println(first.Issues, first.HasMore, err)
	second, err := list(first.NextCursor)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := json.Marshal(second)
	fmt.Println(string(text))
	// Output:
	// [{1} {2}] true <nil>
	// {"issues":[{"issue_number":3},{"issue_number":5}],"has_more":false,"truncated":true,"truncation_hint":"Set updated_after to see fewer issues."}
}

// GitHub lists issues by page number and mixes pull requests in. Numbered
// adapts the source, keep drops what is not wanted, and the walk goes on until
// the page is full.
func ExampleKeyset() {
	upstream := [][]string{{"PR #1", "PR #2", "PR #3", "issue #4", "PR #5"}, {"issue #6", "issue #7", "issue #8"}}
	list := func(_ context.Context, page int) (rows []string, more bool, err error) {
		return upstream[page-1], page < len(upstream), nil
	}
	isIssue := func(p paginate.Placed[string]) bool { return strings.HasPrefix(p.Row, "issue") }

	var pos paginate.Position[paginate.Place]
	for {
		r, err := paginate.Keyset(context.Background(), paginate.Walk{Size: 2}, pos,
			paginate.Placed[string].At, isIssue, paginate.Numbered(list))
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, p := range r.Rows {
			fmt.Print(p.Row, " ")
		}
		if r.Next == nil {
			fmt.Println("end")
			return
		}
		pos = *r.Next // by way of a cursor
		fmt.Printf("then after %+v\n", pos.After)
	}
	// Output:
	// issue #4 issue #6 then after {Page:2 Offset:0}
	// issue #7 issue #8 end
}

// A source with an index: the query selects what sorts after the key, as in
// WHERE (created_at, id) > ($1, $2) ORDER BY created_at, id LIMIT $3.
func ExampleKeyset_index() {
	type issue struct{ Created, ID int }
	type key struct{ Created, ID int } // created_at alone may tie
	stored := []issue{{2024, 11}, {2025, 10}, {2025, 12}, {2025, 13}, {2026, 1}}
	query := func(_ context.Context, after key, started bool, n int) (found []issue, err error) {
		for _, i := range stored {
			later := i.Created > after.Created || i.Created == after.Created && i.ID > after.ID
			if (!started || later) && len(found) < n {
				found = append(found, i)
			}
		}
		return found, nil
	}
	pos := paginate.Position[key]{After: key{2025, 10}, Seen: 2, Started: true}
	r, err := paginate.Keyset(context.Background(), paginate.Walk{Size: 2}, pos, func(i issue) key { return key(i) }, nil, query)
	fmt.Println(r.Rows, *r.Next, err)
	// Output:
	// [{2025 12} {2025 13}] {{2025 13} 4 true} <nil>
}

func ExampleSlice() {
	labels := []string{"bug", "docs", "infra", "security"}
	itself := func(s string) string { return s }
	// Whether "done" still exists does not matter.
	pos := paginate.Position[string]{After: "done", Seen: 2, Started: true}
	r, err := paginate.Slice(paginate.Walk{Size: 10}, labels, pos, itself, cmp.Compare[string])
	fmt.Println(r.Rows, r.Next, err)
	// Output:
	// [infra security] <nil> <nil>
}

// The fields of a second list in one output.
func ExamplePrefixed() {
	type output struct {
		Comments   []string `json:"comments"`
		HasMore    bool     `json:"comments_has_more"`
		NextCursor string   `json:"comments_next_cursor,omitempty"`
	}
	setPage, err := paginate.Prefixed[output]("comments_") // once, at start-up
	if err != nil {
		fmt.Println(err)
		return
	}
	out := output{Comments: []string{"First!"}}
	setPage(&out, paginate.Page{HasMore: true, NextCursor: "c2VhbGVk"})
	text, _ := json.Marshal(out)
	fmt.Println(string(text))

	_, err = paginate.Prefixed[output]("replies_")
	fmt.Println(err)
	// Output:
	// {"comments":["First!"],"comments_has_more":true,"comments_next_cursor":"c2VhbGVk"}
	// paginate: paginate_test.output has no field with the JSON name replies_has_more
	// paginate: paginate_test.output has no field with the JSON name replies_next_cursor
}

func ExampleSize() {
	fmt.Println(paginate.Size(0, 30, 100))
	fmt.Println(paginate.Size(1000, 30, 100))
	fmt.Println(paginate.Size(-1, 30, 100))
	// Output:
	// 30 <nil>
	// 100 <nil>
	// 0 paginate: page size is negative
}
