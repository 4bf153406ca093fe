package agentmcp_test

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/mcpkit-go/agentmcp/cursor"
	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/paginate"
	"github.com/mcpkit-go/agentmcp/versioning"
)

// The leaf packages work together and each alone, in any Go server: a page of a
// list with a cursor that only its caller can use, and an edit that does not
// overwrite another.
func Example() {
	type page struct {
		Slug string `json:"slug"`
		Text string `json:"text"`
	}
	pages := []page{{"faq", "…"}, {"oncall", "…"}, {"setup", "…"}}

	keys, err := cursor.NewKeyring([]byte("thirty-two bytes from your vault"))
	if err != nil {
		fmt.Println(err)
		return
	}
	tokens, err := cursor.New[paginate.Position[string]](keys, 15*time.Minute, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	bind := cursor.Bind("wiki_list_pages", "alice", nil)
	first, err := paginate.Slice(paginate.Walk{Size: 2}, pages, paginate.Position[string]{},
		func(p page) string { return p.Slug },
		cmp.Compare[string])
	if err != nil {
		fmt.Println(err)
		return
	}
	token := tokens.Seal(*first.Next, bind)
	position, err := tokens.Open(token, bind)
	fmt.Println(len(first.Rows), position.After, err)
	_, err = tokens.Open(token, cursor.Bind("wiki_list_pages", "bob", nil))
	fmt.Println(err)

	read, err := versioning.Of(pages[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	pages[0].Text = "somebody else's edit"
	now, err := versioning.Of(pages[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := versioning.Match(read, now); errors.Is(err, versioning.ErrConflict) {
		e := envelope.Conflict("expected_version", read, "The page changed after your read; nothing was applied.")
		fmt.Println(string(e.ToolJSON(envelope.Stamp{RequestID: "req_1"})))
	}
	// Output:
	// 2 oncall <nil>
	// cursor: invalid
	// {"code":"conflict","message":"The page changed after your read; nothing was applied.","details":{"field":"expected_version","value":"v1:sha256:b57bcab6c8ae6343b4c9d235ef1573a3","reason":"The resource was modified after this token was minted."},"temporary":false,"retry_after_ms":null,"request_id":"req_1"}
}
