package chunk_test

import (
	"errors"
	"fmt"

	"github.com/mcpkit-go/agentmcp/mcpkit/chunk"
	"github.com/mcpkit-go/agentmcp/mcpkit/chunk/markdown"
)

// A page from its first read to a citation that went stale.
func Example() {
	limits := chunk.Limits{Target: 40, Max: 80} // tiny, for the example
	page := markdown.Split("# Runbook\n\n## Paging paths\n\nCall the primary.\n\n## Escalation\n\nAfter 5 minutes, call the secondary.\n", limits)
	uri := chunk.Under("wiki://spaces/eng/pages/runbook")

	first := page.First().Linked(uri)
	fmt.Println(first.ID, "then", first.NextURI)
	for _, e := range page.Catalog(uri) {
		fmt.Println(e.ID, e.Size, e.Heading)
	}
	c, err := page.Chunk("s02-escalation")
	fmt.Printf("%q %v\n", c.Content, err)

	// The page is edited.
	edited := markdown.Split("# Runbook\n\nMoved to another team.\n", limits).Replacing(page)
	_, err = edited.Chunk("s02-escalation")
	fmt.Println(err, errors.Is(err, chunk.ErrStale))
	_, err = edited.Chunk("s02-appendix")
	fmt.Println(err, errors.Is(err, chunk.ErrNotFound))
	// Output:
	// s01-paging-paths then wiki://spaces/eng/pages/runbook/chunks/s02-escalation
	// s01-paging-paths 47 Paging paths
	// s02-escalation 52 Escalation
	// "## Escalation\n\nAfter 5 minutes, call the secondary.\n" <nil>
	// chunk: stale true
	// chunk: not found true
}

// A format of one's own: the parts come from another splitter.
func ExampleNew() {
	doc := chunk.New("WARN disk\nINFO up\n", []chunk.Part{{Size: 10, Heading: "Warnings"}, {Size: 8, Heading: "Other"}})
	for c := range doc.All() {
		fmt.Printf("%s %q\n", c.ID, c.Content)
	}
	// Output:
	// s01-warnings "WARN disk\n"
	// s02-other "INFO up\n"
}

// A version of one's own, and clients that name the one they know.
func ExampleDocument_ChunkOf() {
	doc := chunk.New("text", nil).WithVersion("rev-8843")
	_, err := doc.ChunkOf("rev-8842", "s01")
	fmt.Println(err)
	c, err := doc.ChunkOf("rev-8843", "s01")
	fmt.Println(c.Content, err)
	// Output:
	// chunk: stale
	// text <nil>
}

// The comments of an issue, 30 in a chunk.
func ExampleNewList() {
	comments := make([]string, 97)
	list := chunk.NewList("Comments", len(comments), 30, "v1:sha256:0f343b0931126a20f133d67c2b018a3b")
	r, err := list.Chunk("s04-comments-91")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Heading, len(comments[r.From:r.To]), r.NextID == "")
	// Output:
	// Comments 91 to 97 7 true
}

func ExampleLimits_Resolved() {
	fmt.Println(chunk.Limits{}.Resolved())
	// Output:
	// {16384 65536}
}
