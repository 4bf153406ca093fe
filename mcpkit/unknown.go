package mcpkit

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpkit-go/agentmcp/envelope"
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
// registered tool, and calls it with the same arguments where they fit.
func (k *Kit) UnknownTool(ctx context.Context, c Call) (*RPCError, bool) {
	if _, ok := k.tools[c.Tool]; ok {
		return nil, false
	}
	s := &callState{requestID: newRequestID(), principal: c.Principal, unknownTool: c.Tool}
	e := k.finish(ctx, s, nil, k.unknownTool(c.Tool, c.Arguments))
	return k.rpcError(s, CodeInvalidParams, e), true
}

// Recovered returns the error for a panic that an adapter recovered outside of
// [Kit.Call]. The panic's value and the stack go to the log only.
func (k *Kit) Recovered(ctx context.Context, value any) *RPCError {
	s := &callState{requestID: newRequestID()}
	const codeInternalError = -32603
	return k.rpcError(s, codeInternalError, k.finish(ctx, s, nil, panicError(value)))
}

func (k *Kit) rpcError(s *callState, code int, e *envelope.Error) *RPCError {
	stamp := envelope.Stamp{RequestID: s.requestID, Fingerprint: k.fingerprint}
	return &RPCError{Code: code, Message: e.Sentence(), Data: e.RPCJSON(stamp)}
}

func (k *Kit) unknownTool(name string, arguments json.RawMessage) error {
	message := fmt.Sprintf("Unknown tool %s.", envelope.Quote(name, maxToolName+8))
	nearest := nearestName(name, k.names)
	if nearest == "" {
		return envelope.New(envelope.CodeUnknownTool, message).NothingApplied().
			With(envelope.Field("name", "No registered tool has a similar name.").Allowed(k.names))
	}
	reason := "The nearest registered tool is " + nearest + "."
	e := envelope.New(envelope.CodeUnknownTool, message+" "+reason).NothingApplied().
		With(envelope.Field("name", reason).Allowed(k.names))
	t := k.tools[nearest]
	args, violations := t.doc.Read(arguments)
	if len(violations) > 0 {
		var ok bool
		if args, ok = t.doc.Correct(args, violations); !ok {
			return e
		}
	} else {
		args = explicit(args, arguments)
	}
	if r, ok := k.sameCall(t, stepOtherTool, args); ok {
		return e.Repair(r)
	}
	return e
}

// nearestName returns the name that got is most likely a slip of: the one that
// needs the fewest edits, of several the first, or else the only one that got
// begins. A sixth of the name may be edited, so that a slip is found and
// another verb is not: delete must not lead to create.
func nearestName(got string, names []string) string {
	if len(got) > 2*maxToolName {
		return ""
	}
	best, bestDistance := "", 0
	var begun []string
	for _, name := range names {
		d := distance(got, name)
		if d <= max(2, len(name)/6) && (best == "" || d < bestDistance) {
			best, bestDistance = name, d
		}
		if strings.HasPrefix(name, got+"_") {
			begun = append(begun, name)
		}
	}
	if best == "" && len(begun) == 1 {
		return begun[0]
	}
	return best
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
