package gosdk

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/failure"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The codes of failures below tools and resources. [envelope.Standard] does not
// have them, for a server declared with mcpkit does not send them.
const (
	// CodeMalformedMessage: the message is no JSON, or no JSON-RPC request.
	CodeMalformedMessage envelope.Code = "malformed_message"
	// CodeUnknownMethod: the server does not have the method.
	CodeUnknownMethod envelope.Code = "unknown_method"
	// CodeInvalidParams: the params do not have the form that the method wants.
	CodeInvalidParams envelope.Code = "invalid_params"
	// CodePromptNotFound: no prompt has the name.
	CodePromptNotFound envelope.Code = "prompt_not_found"
	// CodeResourceNotFound: no resource has the URI.
	CodeResourceNotFound envelope.Code = "resource_not_found"
)

// legacyResourceNotFound is the JSON-RPC code of revisions before 2026-07-28.
const legacyResourceNotFound = -32002

// sdkResourceNotFound is the message of [mcp.ResourceNotFoundError], which has
// the code of invalid params.
const sdkResourceNotFound = "Resource not found"

// fail turns the error of any method but tools/call into a JSON-RPC error with
// the envelope.
func (r *request) fail(ctx context.Context, err error) (mcp.Result, error) {
	if strings.HasPrefix(r.method, "notifications/") {
		r.log(ctx, r.w.classify(ctx, err))
		return nil, err
	}
	s := r.stamp()
	var code int64 = jsonrpc.CodeInternalError
	var e *envelope.Error
	rpc, isRPC := err.(*jsonrpc.Error)
	switch {
	case r.badCursor(err):
		e = envelope.InvalidField("cursor", "It was not issued by this list; start the list again without cursor.")
		code = jsonrpc.CodeInvalidParams
	case r.method == "resources/read" && isRPC &&
		(rpc.Code == legacyResourceNotFound || rpc.Code == jsonrpc.CodeInvalidParams && rpc.Message == sdkResourceNotFound):
		e = envelope.New(CodeResourceNotFound, "There is no such resource; resources/list and resources/templates/list say what there is.").
			At("uri", "No resource has this URI.").NothingApplied()
		code = r.notFoundCode()
		s.ResourceURI = r.uri()
	case r.method == "prompts/get" && isRPC && rpc.Code == jsonrpc.CodeInvalidParams && strings.HasPrefix(rpc.Message, "unknown prompt"):
		e, code = r.unknownPrompt(ctx), jsonrpc.CodeInvalidParams
	case r.incomplete() != "":
		e, code = envelope.InvalidField(r.incomplete(), "Is required and missing.").Because(err), jsonrpc.CodeInvalidParams
	case isRPC && len(rpc.Data) > 0: // its data has a meaning of its own
		return nil, err
	case isRPC:
		e, code = ofRPC(rpc), rpc.Code
	default:
		if wire := (*jsonrpc.Error)(nil); errors.As(err, &wire) && wire != nil && sdkCode(wire.Code) {
			// The SDK wraps its own codes: "invalid params: missing …".
			e, code = ofRPC(&jsonrpc.Error{Code: wire.Code}).Because(err), wire.Code
			break
		}
		e = r.proven(ctx, r.w.classify(ctx, err))
		s.ResourceURI = r.uri()
		switch e.Code() {
		case envelope.CodeNotFound, CodeResourceNotFound:
			code = r.notFoundCode()
			if r.method == "resources/read" && e.Code() == envelope.CodeNotFound {
				e = envelope.New(CodeResourceNotFound, e.Message()).Because(err)
			}
		case envelope.CodeInvalidField, envelope.CodeCursorExpired:
			code = jsonrpc.CodeInvalidParams
		}
	}
	r.log(ctx, e)
	return nil, rpcError(code, e, s)
}

func sdkCode(code int64) bool {
	return code == jsonrpc.CodeInvalidParams || code == jsonrpc.CodeInvalidRequest || code == jsonrpc.CodeMethodNotFound
}

// badCursor reports whether err is the SDK's for a list cursor that it cannot
// decode. It names neither.
func (r *request) badCursor(err error) bool {
	if !strings.HasSuffix(r.method, "/list") {
		return false
	}
	cursor := ""
	switch p := r.req.GetParams().(type) {
	case *mcp.ListToolsParams:
		if p != nil {
			cursor = p.Cursor
		}
	case *mcp.ListPromptsParams:
		if p != nil {
			cursor = p.Cursor
		}
	case *mcp.ListResourcesParams:
		if p != nil {
			cursor = p.Cursor
		}
	case *mcp.ListResourceTemplatesParams:
		if p != nil {
			cursor = p.Cursor
		}
	}
	var panicked *failure.Panicked
	rpc, ok := err.(*jsonrpc.Error)
	return cursor != "" && (ok && rpc.Code == jsonrpc.CodeInvalidParams || errors.As(err, &panicked))
}

// incomplete names what the SDK misses in a completion/complete; "" if it is
// not that.
func (r *request) incomplete() string {
	p, ok := r.req.GetParams().(*mcp.CompleteParams)
	switch {
	case !ok || p == nil:
		return ""
	case p.Ref == nil:
		return "ref"
	case p.Argument.Name == "":
		return "argument.name"
	}
	return ""
}

func (r *request) uri() string {
	if p, ok := r.req.GetParams().(*mcp.ReadResourceParams); ok && p != nil {
		return p.URI
	}
	return ""
}

// notFoundCode is -32602 since revision 2026-07-28 and was -32002 before.
func (r *request) notFoundCode() int64 {
	if read, ok := r.req.(*mcp.ReadResourceRequest); ok && read.ProtocolVersion() < revisionStructuredErrors {
		return legacyResourceNotFound
	}
	return jsonrpc.CodeInvalidParams
}

func (r *request) unknownPrompt(ctx context.Context) *envelope.Error {
	var names []string
	r.pages(func(cursor string) string {
		page, err := ask[*mcp.ListPromptsResult](ctx, r, "prompts/list", listRequest(r, &mcp.ListPromptsParams{Cursor: cursor}))
		if page == nil || err != nil {
			return ""
		}
		for _, p := range page.Prompts {
			names = append(names, p.Name)
		}
		return page.NextCursor
	})
	slices.Sort(names)
	got := ""
	if p, ok := r.req.GetParams().(*mcp.GetPromptParams); ok && p != nil {
		got = p.Name
	}
	reason := "No prompt has a similar name."
	if nearest := failure.Nearest(got, names); nearest != "" {
		reason = "The nearest prompt is " + nearest + "."
	}
	return envelope.New(CodePromptNotFound, "There is no such prompt. "+reason).
		With(envelope.Field("name", reason).Allowed(names)).NothingApplied()
}

// ofRPC makes an envelope of a JSON-RPC error without data. The SDK's own
// messages repeat the request, so for the codes of the specification the
// sentence is ours; what a handler says under a code of its own is its word to
// the client.
func ofRPC(rpc *jsonrpc.Error) *envelope.Error {
	var e *envelope.Error
	switch rpc.Code {
	case jsonrpc.CodeParseError:
		e = envelope.New(CodeMalformedMessage, "The message is not JSON; send one JSON-RPC request.").NothingApplied()
	case jsonrpc.CodeInvalidRequest:
		e = envelope.New(CodeMalformedMessage, "The message is not a request that this server can take: it needs jsonrpc \"2.0\", an id, a method and the params of that method.").NothingApplied()
	case jsonrpc.CodeMethodNotFound:
		e = envelope.New(CodeUnknownMethod, "The server does not have this method.").NothingApplied()
	case jsonrpc.CodeInvalidParams:
		e = envelope.New(CodeInvalidParams, "The params do not have the form that this method wants.")
	case mcp.CodeHeaderMismatch:
		e = envelope.New(CodeInvalidParams, "The HTTP headers and the body of the request do not agree; send Mcp-Method, Mcp-Name and MCP-Protocol-Version as in the body.").NothingApplied()
	case jsonrpc.CodeInternalError, 0:
		return envelope.Internal(rpc)
	default:
		e = envelope.New(CodeFailed, envelope.Redact(rpc.Message))
	}
	return e.Because(rpc)
}
