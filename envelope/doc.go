// Package envelope turns a failure into an object that an agent can act on: a
// stable code to branch on, the parameter at fault, whether and when the
// unchanged call may succeed, and the one call that repairs it.
//
// An [Error] is an ordinary Go error. A handler builds it from a constructor
// and returns it:
//
//	return envelope.Conflict("expected_version", token,
//		"expected_version does not match the current content.").
//		Repair(envelope.Repair{
//			NextStep:  "reread_then_reapply",
//			Tool:      "github_get_issue",
//			Arguments: json.RawMessage(`{"owner":"acme","repo":"api","issue_number":512}`),
//		})
//
// and whatever sits at the edge of the server renders it:
//
//	e := envelope.From(err)                  // any error, never nil for one
//	text := e.Text(envelope.Stamp{RequestID: id, Fingerprint: fingerprint})
//
// The package knows no SDK and imports the standard library alone. It gives
// plain JSON and plain text; where they go is said below.
//
// # What reaches the caller
//
// Code, message, details, retry semantics and repair. The cause set by
// [Error.Because] never does, not even through Error(): log it with log/slog,
// to which an Error presents its cause. An error that nobody classified becomes
// [Internal], one fixed sentence.
//
// Text from outside (an upstream's message, a title, an unknown argument's
// name) enters a message only through [Quote], which redacts credentials,
// escapes what does not show, keeps it on one line and in quotes, and only then
// cuts it. A received value is not echoed at all: errors locate it by field and
// index. [EchoPolicy] is the sentence by which a server discloses that.
//
// # Two carriers
//
// A failed tool call is a result with isError true. [Error.Text] is its one
// text block, [Error.ToolJSON] its structuredContent. Every other failure is a
// JSON-RPC error: [Error.Sentence] is its message, [Error.RPCJSON] its data, in
// which code and message are called machine_code and human_message, because
// the JSON-RPC object has a code and a message already. [Parse] reads both.
//
//	{"code":"conflict","message":"…",
//	 "details":{"field":"expected_version","value":"v1:sha256:…","reason":"…"},
//	 "temporary":false,"retry_after_ms":null,
//	 "repair":{"next_step":"reread_then_reapply","tool":"github_get_issue","arguments":{…}},
//	 "request_id":"req_…","fingerprint":"github-issues-mcp@1.0.0+c3f9a12"}
//
// # Retrying
//
// Two questions are kept apart. May the unchanged call succeed later?
// [Error.Retryable] and [Error.RetryAfter] say yes. Is it certain that nothing
// was done? [Error.NothingApplied] says yes, which constructors of refusals
// ([Invalid], [NotFound], [Conflict], [RateLimited], the credential errors)
// include and others do not. A handler that fails halfway adds
// [Error.MaybeApplied], or returns [OutcomeUnknown].
//
// # Codes
//
// A server lists its codes in a [Catalog], which documents each once; [Standard]
// has those of this package. The types here cannot prove that a repair's tool
// exists or accepts the arguments: package mcpkit does that before an envelope
// leaves, and removes a repair by Repair(Repair{}).
package envelope
