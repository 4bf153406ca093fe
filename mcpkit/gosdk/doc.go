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
// # Servers that already exist
//
// Wrap does the same for a server that was not declared with mcpkit, without a
// change to its handlers:
//
//	server := mcp.NewServer(impl, nil)
//	mcp.AddTool(server, tool, handler) // as it was
//	gosdk.Wrap(server, nil)            // the one line
//
// Arguments are validated against the schema that each tool publishes before
// the SDK does so with one text; all violations are answered, sorted, with a
// repair that is proven to validate. Panics and nil results become the error
// internal. Errors of handlers get a code by [WrapOptions].Errors, by what is
// known of their kind, or are masked; their text goes to the log only. Errors
// of resources, prompts, completion and lists, and calls of unknown tools, carry
// the envelope in error.data.
//
// What never reaches middleware is mended by the transport:
//
//	w := gosdk.Wrap(server, nil)
//	err := server.Run(ctx, w.Stdio())          // one bad line does not end the session
//	http.Handle("/mcp", w.Handler(sdkHandler)) // malformed JSON gets the envelope too
//
// Three things cannot be mended from outside. The SDK's typed handlers round
// integers beyond 2^53, and overwrite the structured content of an error result
// with the zero value of their output; Wrap logs where the second can happen and
// where it did. And a tool whose name holds other characters than letters,
// digits and _-./ gets no repair, since envelopes do not carry such names.
//
// # Who calls
//
// Over HTTP the caller is the user of the bearer token that the SDK's auth
// middleware verified; on stdio it is the one local client. A request over HTTP
// without a verified token has no principal, and cursors and idempotency keys
// are refused to it, since they would serve anyone. Options.Anonymous opts out
// of that by giving all such requests one name.
//
// # What the SDK answers itself
//
// Some input never reaches the kit: a line on stdio that is no JSON-RPC message
// ends the session, params that do not decode are answered without an envelope,
// and over HTTP so are messages nested deeper than 1,000 levels, numbers beyond
// a float64 and empty tool names. [Wrapped.Stdio] and [Wrapped.Handler] mend that
// for servers that [Wrap] has changed.
//
// # Caching
//
// The SDK marks every list as publicly cacheable unless told otherwise. Here
// lists and discovery are private and immediately stale by default;
// Options.CatalogTTL lets clients keep them.
package gosdk
