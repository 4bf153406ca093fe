// Package agentmcp is the root of a module for MCP servers that agents can plan
// against: every failure says what to call next, every list can be walked and
// resumed, every write can be retried and cannot clobber, every surface is
// closed, typed, small and versioned.
//
// The root package holds no code. Import the packages below, one or all.
//
// # Leaf packages: standard library only, no SDK
//
// [github.com/mcpkit-go/agentmcp/envelope] is the error that an agent can act on:
//
//	err := envelope.NotFound("issue", "No issue #9 in acme/api.").
//		At("issue_number", "Upstream has no issue of this number.")
//	body := err.ToolJSON(envelope.Stamp{RequestID: id})
//
// [github.com/mcpkit-go/agentmcp/cursor] makes continuation tokens that cannot be
// forged, lent to another caller or used with another query:
//
//	keys, err := cursor.NewKeyring(current, previous)
//	pages, err := cursor.New[position](keys, 15*time.Minute, nil)
//	token := pages.Seal(pos, cursor.Bind("wiki_list_pages", user, digest))
//
// [github.com/mcpkit-go/agentmcp/paginate] walks lists without losing or repeating
// a row while the data change, and says honestly where a walk ends.
//
// [github.com/mcpkit-go/agentmcp/versioning] derives version tokens from content
// for optimistic locking, and fingerprints of whole surfaces.
//
// # The contract
//
// [github.com/mcpkit-go/agentmcp/mcpkit] declares tools from Go structs and runs
// their calls; its subpackages schema, detail and idempotency do the parts that
// are useful alone: closed JSON Schemas with field-level validation, summary and
// full views, and effects that happen once.
//
// # Adapters
//
// [github.com/mcpkit-go/agentmcp/mcpkit/gosdk], a module of its own, serves a
// contract on the official Go SDK, over stdio and streamable HTTP, for protocol
// revisions 2026-07-28 and 2025-11-25.
//
// # Examples
//
// The module github.com/mcpkit-go/agentmcp/examples has a complete server,
// github-issues, and a client, agentwalk, that uses it as an agent would and
// repairs its own wrong calls. Run
//
//	go run ./examples/agentwalk
//
// in a clone to watch it.
package agentmcp
