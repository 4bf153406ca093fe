package mcpkit

import (
	"context"
	"encoding/json"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/failure"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/requestid"
)

// CodeInvalidParams is JSON-RPC 2.0's "Invalid params", which the MCP
// specification ("Tools", Error Handling) prescribes for an unknown tool.
const CodeInvalidParams = -32602

// An RPCError is a JSON-RPC error object with the envelope in Data.
type RPCError struct {
	Code    int             // JSON-RPC code; agents branch on data.machine_code instead
	Message string          // the sentence, ending with the repair in words
	Data    json.RawMessage // the envelope with machine_code and human_message
}

// UnknownTool returns the error for a tools/call of a tool that is not
// registered, or false if c.Tool is registered. The envelope names the nearest
// registered tool; if the name is a slip of it, the tool only reads, and the
// arguments fit, the repair calls it.
func (k *Kit) UnknownTool(ctx context.Context, c Call) (*RPCError, bool) {
	if _, ok := k.tools[c.Tool]; ok {
		return nil, false
	}
	s := &callState{requestID: requestid.New(), principal: c.Principal, unknownTool: c.Tool}
	e := k.finish(ctx, s, nil, k.unknownTool(c))
	return k.rpcError(s, CodeInvalidParams, e), true
}

// Recovered returns the error for a panic that an adapter recovered outside of
// [Kit.Call]. The panic's value and the stack go to the log only.
func (k *Kit) Recovered(ctx context.Context, value any) *RPCError {
	s := &callState{requestID: requestid.New()}
	const codeInternalError = -32603
	return k.rpcError(s, codeInternalError, k.finish(ctx, s, nil, failure.Panic(value)))
}

func (k *Kit) rpcError(s *callState, code int, e *envelope.Error) *RPCError {
	stamp := envelope.Stamp{RequestID: s.requestID, Fingerprint: k.fingerprint}
	return &RPCError{Code: code, Message: e.Sentence(), Data: e.RPCJSON(stamp)}
}

func (k *Kit) unknownTool(c Call) error {
	return failure.UnknownTool(c.Tool, c.Arguments, k.names, func(name string) (failure.Tool, bool) {
		t, ok := k.tools[name]
		if !ok {
			return failure.Tool{}, false
		}
		return t.provable(c.Principal), true
	})
}
