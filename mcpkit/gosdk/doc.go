// Package gosdk serves a contract declared with package mcpkit on a server of
// the official Go SDK, github.com/modelcontextprotocol/go-sdk.
//
//	kit, err := mcpkit.New(mcpkit.Server{ … }, searchIssues, getIssue)
//	server := gosdk.NewServer(kit, nil)            // *mcp.Server
//	err = server.Run(ctx, &mcp.StdioTransport{})   // stdio
//	http.Handle("/mcp", gosdk.Handler(server, nil)) // streamable HTTP, stateless
//
// # What it does
//
// Tools are registered through the SDK's untyped Server.AddTool, so that
// arguments reach the kit as they were sent: 64-bit integers exact, duplicate
// keys visible. Schemas go out byte for byte as the kit made them. An outermost
// receiving middleware answers calls of unknown tools with the error envelope
// in error.data, recovers panics of anything below it, and puts the
// fingerprint into server/discover.
//
// Both protocol revisions, 2026-07-28 and 2025-11-25, are served by one server,
// on stdio and over stateless streamable HTTP. What differs is one thing: an
// error result carries structuredContent for 2026-07-28 alone, because older
// clients check it against the tool's output schema (see [mcpkit.Result]).
//
// # Who calls
//
// Over HTTP the caller is the user of the bearer token that the SDK's auth
// middleware verified; on stdio it is the one local client. A request over HTTP
// without a verified token has no principal, and cursors and idempotency keys
// are refused to it, since they would serve anyone. Options.Anonymous opts out
// of that by giving all such requests one name.
//
// # Caching
//
// The SDK marks every list as publicly cacheable unless told otherwise. Here
// lists and discovery are private and immediately stale by default;
// Options.CatalogTTL lets clients keep them.
package gosdk
