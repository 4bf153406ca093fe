// Surfacediff compares two saved surfaces of an MCP server and says which
// changes break its clients.
//
//	go run github.com/mcpkit-go/agentmcp/mcpkit/cmd/surfacediff OLD NEW
//
// OLD and NEW are files as [versioning.Surface.Format] writes them; - is the
// standard input, for one of the two:
//
//	git show v1.0.0:surface.json | surfacediff - surface.json
//
// It prints a line for each change, the breaking ones first, and the number of
// changes in each class. The rules are those of [versioning.Diff]. With -json it
// prints one object instead, whose changes are sorted by path:
//
//	{"breaking": 1, "additive": 0, "documentation": 0, "changes": [
//	  {"path": "/tools/wiki_get_page", "class": "breaking", "before": {…}, "reason": "…"}]}
//
// The exit status is 0 if no change is breaking, 1 if one is, and 2 if the
// command was called wrongly or a file cannot be read or is no surface. go run
// itself exits with 1 in both cases; use go install, go build or go tool to tell
// them apart.
//
// [versioning.Surface.Format]: https://pkg.go.dev/github.com/mcpkit-go/agentmcp/versioning#Surface.Format
// [versioning.Diff]: https://pkg.go.dev/github.com/mcpkit-go/agentmcp/versioning#Diff
package main
