package gosdk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/failure"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
	"github.com/mcpkit-go/agentmcp/versioning"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// revisionStructuredErrors is the first revision whose clients do not validate
// error results against the output schema. Revisions are dates, so they compare
// as strings.
const revisionStructuredErrors = "2026-07-28"

// callTool is the life of a tools/call: the arguments by the published schema,
// the handler, and whatever went wrong as an envelope.
func (r *request) callTool(ctx context.Context, call *mcp.CallToolRequest) (result mcp.Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			result, err = r.toolError(ctx, r.w.classify(ctx, failure.Panic(v)))
		}
	}()
	known := r.w.surface.Load()
	r.look(known, call)
	if r.tool == nil { // not registered, or since the last list
		known = r.list(ctx)
		if r.look(known, call); r.tool == nil {
			if known == nil { // there is nothing to go by
				return r.handle(ctx, call)
			}
			e := failure.UnknownTool(call.Params.Name, call.Params.Arguments, known.names, func(name string) (failure.Tool, bool) {
				return known.tools[name].provable()
			})
			r.log(ctx, e)
			return nil, rpcError(jsonrpc.CodeInvalidParams, e, r.stamp())
		}
	}
	if r.tool.document == nil {
		return r.handle(ctx, call)
	}
	call, e := r.validate(ctx, call)
	if e != nil {
		if now := r.list(ctx); now != known {
			// The tool was replaced, so it is judged by the new schema.
			if r.look(now, call); r.tool == nil || r.tool.document == nil {
				return r.handle(ctx, call)
			}
			call, e = r.validate(ctx, call)
		}
	}
	if e != nil {
		return r.toolError(ctx, e)
	}
	if key, _ := r.args[r.tool.options.IdempotencyKey].(string); key != "" && r.tool.options.IdempotencyKey != "" {
		return r.keyed(ctx, call, key)
	}
	return r.handle(ctx, call)
}

func (r *request) look(s *surface, call *mcp.CallToolRequest) {
	if s == nil {
		r.tool = nil
		return
	}
	r.tool = s.tools[call.Params.Name]
}

// validate reads the arguments by the published schema. It returns the call as
// it goes to the handler: with the arguments as they were sent, unless they had
// to be changed for the SDK's own reading to find the same in them.
func (r *request) validate(ctx context.Context, call *mcp.CallToolRequest) (*mcp.CallToolRequest, *envelope.Error) {
	raw := call.Params.Arguments
	args, violations := r.tool.document.Read(raw)
	changed := false
	if len(violations) > 0 {
		args, violations, changed = r.unstringify(ctx, args, violations)
	}
	r.args = args
	if len(violations) > 0 {
		t, _ := r.tool.provable()
		if e, ok := t.Corrected(args, violations); ok {
			return call, e
		}
		return call, failure.Invalid(violations)
	}
	if changed {
		r.args = failure.Explicit(args, raw)
	} else {
		r.args = failure.Explicit(args, raw)
		changed = differs(raw)
	}
	if !changed {
		return call, nil
	}
	again, err := schema.Marshal(r.args)
	if err != nil {
		return call, nil
	}
	params := *call.Params
	params.Arguments = again
	return &mcp.CallToolRequest{Session: call.Session, Params: &params, Extra: call.Extra}, nil
}

// differs reports whether raw, which is valid, may hold what the strict read
// takes for something else than the SDK does: null for an absent property, and
// integers such as 512.0.
func differs(raw json.RawMessage) bool {
	if bytes.Contains(raw, []byte("null")) {
		return true
	}
	for i := 1; i < len(raw); i++ {
		if c := raw[i]; (c == '.' || c == 'e' || c == 'E') && '0' <= raw[i-1] && raw[i-1] <= '9' {
			return true
		}
	}
	return false
}

// unstringify decodes the arguments that the author opted in, and reads the
// result again.
func (r *request) unstringify(ctx context.Context, args map[string]any, violations []schema.Violation) (map[string]any, []schema.Violation, bool) {
	return failure.Mend(r.tool.document, args, violations, func(v schema.Violation, changed map[string]any) bool {
		if v.Rule != "type" || !slices.Contains(r.tool.options.Stringified, v.Field) {
			return false
		}
		value, ok := failure.Unstringify(changed[v.Field])
		if ok {
			changed[v.Field] = value
			r.w.logger.LogAttrs(ctx, slog.LevelInfo, "gosdk: stringified argument decoded",
				slog.String("request_id", r.id), slog.String("tool", r.tool.tool.Name), slog.String("field", v.Field))
		}
		return ok
	})
}

// handle runs the handler and mends what comes of it.
func (r *request) handle(ctx context.Context, call *mcp.CallToolRequest) (mcp.Result, error) {
	result, err := r.run(ctx, call)
	switch {
	case err == nil:
		return r.capped(ctx, result)
	case r.w.foreign(err):
		return nil, err
	}
	return r.toolFailed(ctx, call, err)
}

// run returns a result that is no error, or an error. What a handler built as
// an error result is a *builtError.
func (r *request) run(ctx context.Context, call *mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
	defer func() {
		if v := recover(); v != nil {
			result, err = nil, failure.Panic(v)
		}
	}()
	got, err := r.next(ctx, r.method, call)
	switch {
	case err != nil:
		return nil, err
	case isNil(got):
		return nil, errNilResult
	}
	result, ok := got.(*mcp.CallToolResult)
	switch {
	case !ok: // the result type of another middleware
		return nil, &otherResult{got}
	case !result.IsError:
		return result, nil
	case result.GetError() != nil:
		return nil, result.GetError()
	}
	return nil, &builtError{result}
}

// A builtError is a result with isError that the handler made itself.
type builtError struct{ result *mcp.CallToolResult }

func (b *builtError) Error() string { return "the handler returned an error result" }

// An otherResult passes a result of unknown type.
type otherResult struct{ result mcp.Result }

func (o *otherResult) Error() string { return "a result of another type" }

// SafeToRetry lets go of an idempotency key: such a result cannot be recorded.
func (o *otherResult) SafeToRetry() bool { return true }

// foreign reports whether err is a JSON-RPC error whose data has a meaning of
// its own, as that of an elicitation does. It goes out as it is.
func (w *Wrapped) foreign(err error) bool {
	e, ok := err.(*jsonrpc.Error)
	return ok && len(e.Data) > 0
}

// toolFailed turns the error of a handler into the answer.
func (r *request) toolFailed(ctx context.Context, call *mcp.CallToolRequest, err error) (mcp.Result, error) {
	var other *otherResult
	if errors.As(err, &other) {
		return other.result, nil
	}
	var built *builtError
	if errors.As(err, &built) {
		return r.built(ctx, built.result)
	}
	if rpc, ok := err.(*jsonrpc.Error); ok {
		if s := r.list(ctx); s != nil && s.tools[call.Params.Name] == nil {
			// It was removed after the last list.
			e := failure.UnknownTool(call.Params.Name, call.Params.Arguments, s.names, func(name string) (failure.Tool, bool) {
				return s.tools[name].provable()
			})
			r.log(ctx, e)
			return nil, rpcError(jsonrpc.CodeInvalidParams, e, r.stamp())
		}
		e := ofRPC(rpc)
		r.log(ctx, e)
		return nil, &jsonrpc.Error{Code: rpc.Code, Message: e.Sentence(), Data: e.RPCJSON(r.stamp())}
	}
	if e, ok := r.refused(err); ok {
		return r.toolError(ctx, e)
	}
	e := r.w.classify(ctx, err)
	return r.toolError(ctx, r.proven(ctx, e))
}

// refused recognizes what the SDK's own reading of the arguments refuses after
// ours did not: integers beyond the Go type, mostly. The handler has not run.
func (r *request) refused(err error) (*envelope.Error, bool) {
	var mismatch *json.UnmarshalTypeError
	switch {
	case strings.HasPrefix(err.Error(), `validating "arguments":`):
		return envelope.New(envelope.CodeInvalidField, "The arguments do not match the input schema of the tool.").
			At("arguments", "The tool's own validation refuses them.").NothingApplied().Because(err), true
	case errors.As(err, &mismatch):
		field, _, _ := strings.Cut(mismatch.Field, ".")
		if _, sent := r.args[field]; sent && err == error(mismatch) {
			return envelope.InvalidField(field, "It does not fit into the tool's own type, such as an integer that is too large.").Because(err), true
		}
	}
	return nil, false
}

// proven removes a repair that the registered tools do not accept, and gives
// one that says to wait where that is right.
func (r *request) proven(ctx context.Context, e *envelope.Error) *envelope.Error {
	s := r.w.surface.Load()
	repair, given := e.Suggested()
	if given {
		if s != nil && s.accepts(repair) {
			return e
		}
		r.w.logger.LogAttrs(ctx, slog.LevelError, "gosdk: repair is not callable and was not sent",
			slog.String("request_id", r.id), slog.String("repair_tool", repair.Tool))
		return e.Repair(envelope.Repair{})
	}
	if r.tool == nil || r.args == nil || !e.Temporary() {
		return e
	}
	keyed := r.tool.options.IdempotencyKey != "" && r.args[r.tool.options.IdempotencyKey] != nil
	if t, ok := r.tool.provable(); ok && (keyed || e.SafeToRetry() || r.tool.repeatable()) {
		if repair, ok := t.Call(failure.StepWait, r.args); ok {
			return e.Repair(repair)
		}
	}
	return e
}

func (s *surface) accepts(repair envelope.Repair) bool {
	t := s.tools[repair.Tool]
	if t == nil || t.document == nil || repair.NextStep == "" || len(repair.Arguments) > failure.MaxRepairArguments {
		return false
	}
	_, violations := t.document.Read(repair.Arguments)
	return len(violations) == 0
}

// CodeFailed is the code of a failure that a handler put into words itself: an error result
// or a JSON-RPC error with a code of its own.
const CodeFailed envelope.Code = "failed"

// built makes an envelope of an error result that the handler made. Its text is
// the author's word to the client and becomes the message, with what looks like
// a credential redacted; an envelope in it is taken over.
func (r *request) built(ctx context.Context, result *mcp.CallToolResult) (mcp.Result, error) {
	var text string
	var rest []mcp.Content
	for _, c := range result.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			text += t.Text + "\n"
			continue
		}
		rest = append(rest, c)
	}
	raw, isRaw := result.StructuredContent.(json.RawMessage)
	e, ok := parsed(result.StructuredContent, text)
	if !ok {
		text = strings.TrimSpace(envelope.Redact(text))
		if text == "" {
			text = "The tool reports a failure without saying more."
		}
		e = envelope.New(CodeFailed, text)
	}
	if isRaw && len(raw) > 0 && r.tool != nil && r.tool.tool.OutputSchema != nil && !ok {
		r.w.once(ctx, slog.LevelWarn, "gosdk: the structured content of an error result is not an envelope, most likely because the SDK put the typed Out in its place; "+fixTypedOut,
			r.tool.tool.Name, slog.String("tool", r.tool.tool.Name))
	}
	answer, err := r.toolError(ctx, r.proven(ctx, e))
	if out, ok := answer.(*mcp.CallToolResult); ok {
		out.Content = append(out.Content, rest...)
	}
	return answer, err
}

// parsed finds an envelope that the handler made.
func parsed(structured any, text string) (*envelope.Error, bool) {
	if structured != nil {
		if raw, err := json.Marshal(structured); err == nil {
			if e, _, err := envelope.Parse(raw); err == nil {
				return e, true
			}
		}
	}
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		if e, _, err := envelope.Parse([]byte(strings.TrimSpace(rest))); err == nil {
			return e, true
		}
	}
	return nil, false
}

// toolError is the result that carries e, and logs it.
func (r *request) toolError(ctx context.Context, e *envelope.Error) (mcp.Result, error) {
	r.log(ctx, e)
	s := r.stamp()
	result := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: e.Text(s)}}}
	call, ok := r.req.(*mcp.CallToolRequest)
	if ok && call.ProtocolVersion() >= revisionStructuredErrors || r.tool == nil || r.tool.tool.OutputSchema == nil {
		result.StructuredContent = e.ToolJSON(s)
	}
	return result, nil
}

// keyed runs the handler at most once for an idempotency key.
func (r *request) keyed(ctx context.Context, call *mcp.CallToolRequest, key string) (mcp.Result, error) {
	o := r.tool.options
	principal := principalOf(call.Extra, r.w.options.Anonymous)
	if principal == "" {
		return r.toolError(ctx, failure.NoPrincipal("An idempotency key belongs to the caller that used it."))
	}
	if r.w.keeper == nil {
		return r.toolError(ctx, envelope.Internal(errors.New("no idempotency keeper")))
	}
	asked := maps.Clone(r.args)
	delete(asked, o.IdempotencyKey)
	raw, err := schema.Marshal(asked)
	if err != nil {
		return r.toolError(ctx, r.w.classify(ctx, err))
	}
	digest, err := versioning.Digest(raw)
	if err != nil {
		return r.toolError(ctx, r.w.classify(ctx, err))
	}
	scope := make([]string, len(o.Scope))
	for i, name := range o.Scope {
		part, err := schema.Marshal(r.args[name])
		if err != nil {
			return r.toolError(ctx, r.w.classify(ctx, err))
		}
		scope[i] = string(part)
	}
	reply, err := r.w.keeper.Do(ctx, idempotency.Request{
		Tool: r.tool.tool.Name, Principal: principal, Scope: scope, Key: key, Digest: digest,
	}, func(ctx context.Context) ([]byte, error) {
		result, err := r.run(ctx, call)
		if err != nil {
			return nil, r.proof(ctx, err)
		}
		if result.NeedsInput() {
			return nil, &otherResult{result} // only a question; the effect is still to come
		}
		return json.Marshal(result)
	})
	var other *otherResult
	switch {
	case errors.As(err, &other):
		return other.result, nil
	case err != nil:
		err = failure.Key(err, o.IdempotencyKey, func() (envelope.Repair, bool) { return envelope.Repair{}, false })
		return r.toolFailed(ctx, call, err)
	}
	if reply.Unrecorded != nil {
		r.w.logger.LogAttrs(ctx, slog.LevelWarn, "gosdk: the result of an idempotency key was not recorded; repeats will be outcome_unknown",
			slog.String("request_id", r.id), slog.String("tool", r.tool.tool.Name), slog.String("cause", reply.Unrecorded.Error()))
	}
	result, err := recorded(reply.Body)
	if err != nil {
		return r.toolError(ctx, r.w.classify(ctx, err))
	}
	result.Meta = withEntry(result.Meta, "com.github.mcpkit-go/idempotency", map[string]bool{"replayed": reply.Replayed})
	return r.capped(ctx, result)
}

// proof classifies the error of a keyed call, so that one whose envelope proves
// that nothing was applied lets go of the key.
func (r *request) proof(ctx context.Context, err error) error {
	if e, ok := r.refused(err); ok {
		return e
	}
	if _, ok := err.(*otherResult); ok {
		return err
	}
	return r.w.classify(ctx, err)
}

// recorded is a result that shares nothing with others: the SDK writes to it.
func recorded(body []byte) (*mcp.CallToolResult, error) {
	var result mcp.CallToolResult
	if err := json.Unmarshal(body, &result); err != nil {
		return nil, err
	}
	var exact struct {
		Structured json.RawMessage `json:"structuredContent"`
	}
	if err := json.Unmarshal(body, &exact); err != nil {
		return nil, err
	}
	if result.StructuredContent != nil {
		result.StructuredContent = exact.Structured
	}
	return &result, nil
}
