package markdown_test

import (
	"fmt"
	"strings"

	"github.com/mcpkit-go/agentmcp/mcpkit/chunk"
	"github.com/mcpkit-go/agentmcp/mcpkit/chunk/markdown"
)

func ExampleSplit() {
	source := `# On-call Runbook

This runbook covers the rotation.

## Overview

Two people are on call.

## Paging paths

` + strings.Repeat("Page the primary first. ", 6) + `

## Escalation

` + strings.Repeat("Then page the secondary. ", 5) + "\n"

	doc := markdown.Split(source, chunk.Limits{Target: 128})
	for c := range doc.All() {
		fmt.Println(c.ID, len(c.Content), "next", c.NextID)
	}
	// Output:
	// s01-overview 92 next s02-paging-paths
	// s02-paging-paths 163 next s03-escalation
	// s03-escalation 141 next
}

// A table beyond the limit is cut between rows, and each further piece knows the
// header.
func ExampleSplit_table() {
	source := "| city | code |\n|------|------|\n| Bern | 3000 |\n| Genf | 1200 |\n| Zug  | 6300 |\n"
	for c := range markdown.Split(source, chunk.Limits{Target: 48, Max: 48}).All() {
		fmt.Printf("%s continues %q\n%s", c.ID, c.Continuation, c.Content)
	}
	// Output:
	// s01 continues ""
	// | city | code |
	// |------|------|
	// | Bern | 3000 |
	// s02 continues "| city | code |\n|------|------|\n"
	// | Genf | 1200 |
	// | Zug  | 6300 |
}
