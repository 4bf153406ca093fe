package mcpkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/mcpkit-go/agentmcp/cursor"
	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/detail"
	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/failure"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/requestid"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

// A Call is one tools/call request, as an adapter hands it to [Kit.Call].
type Call struct {
	Tool      string
	Arguments json.RawMessage // as received; nil and null mean {}

	// Principal is who calls: the verified user on HTTP, a constant on stdio.
	// Empty means unknown; then cursors and idempotency keys are refused.
	Principal string

	// Revision is the protocol revision of the request, such as "2026-07-28".
	// It decides whether an error carries structuredContent (see [Result]).
	Revision string
}

// A Result is the outcome of a [Call]: the parts of a CallToolResult. It
// belongs to the caller, who may change it.
type Result struct {
	IsError bool

	// Structured is the structuredContent: the tool's output, or the error
	// envelope. It is nil for an error that goes to a client of a revision
	// before 2026-07-28, unless the envelope is part of the output schema:
	// such clients check errors against the output schema too and would hide
	// the error behind their own.
	Structured json.RawMessage

	// Text is the one text block: the same JSON for a success; for an error
	// the sentence, a newline, and the envelope as JSON.
	Text string

	// Meta are entries for the result's _meta, or nil.
	Meta map[string]json.RawMessage
}

// revisionStructuredErrors is the first revision whose clients do not validate
// error results against the output schema. Revisions are dates, so they
// compare as strings.
const revisionStructuredErrors = "2026-07-28"

// Call runs one tool call through its whole life: strict decoding, validation,
// defaults, cursor and idempotency key, the handler, projection and encoding.
// It never panics and has no error: whatever goes wrong is a Result with
// IsError. It is safe for concurrent use.
func (k *Kit) Call(ctx context.Context, c Call) (result Result) {
	s := &callState{requestID: requestid.New(), principal: c.Principal}
	// The last line of defence: a fault of the kit itself.
	defer func() {
		if r := recover(); r != nil {
			result = k.errorResult(ctx, s, c, nil, failure.Panic(r))
		}
	}()
	t, ok := k.tools[c.Tool]
	if !ok {
		s.unknownTool = c.Tool
		return k.errorResult(ctx, s, c, nil, k.unknownTool(c))
	}
	s.tool = t

	args, violations := k.read(ctx, s, c.Arguments)
	if len(violations) > 0 {
		return k.errorResult(ctx, s, c, args, k.invalid(s, args, violations))
	}
	s.args = args
	body, replayed, err := k.run(context.WithValue(ctx, stateKey{}, s), s)
	if err != nil {
		return k.errorResult(ctx, s, c, failure.Explicit(args, c.Arguments), err)
	}
	result = Result{Structured: body, Text: string(body)}
	if t.keyField != "" && args[t.keyField] != nil {
		result.Meta = map[string]json.RawMessage{
			k.namespace + "/idempotency": fmt.Appendf(nil, `{"replayed":%t}`, replayed),
		}
	}
	return result
}

// run does everything between validated arguments and encoded output.
func (k *Kit) run(ctx context.Context, s *callState) (body json.RawMessage, replayed bool, err error) {
	t := s.tool
	if err := refuseEmpty(s); err != nil {
		return nil, false, err
	}
	in, err := k.decode(s)
	if err != nil {
		return nil, false, err
	}
	if err := openCursor(s); err != nil {
		return nil, false, err
	}
	work := func(ctx context.Context) (out []byte, err error) {
		defer func() {
			if r := recover(); r != nil {
				err = failure.Panic(r)
			}
		}()
		value, err := t.handle(ctx, in)
		if err != nil {
			return nil, err
		}
		return k.encode(s, value)
	}
	key, _ := s.args[t.keyField].(string)
	if t.keyField == "" || key == "" {
		body, err := work(ctx)
		return body, false, err
	}
	return k.once(ctx, s, in, key, work)
}

// decode turns the arguments into the author's type; a panic in its Check is
// an error like any other.
func (k *Kit) decode(s *callState) (in any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = failure.Panic(r)
		}
	}()
	return s.tool.decode(s.args)
}

// refuseEmpty refuses "" where it would switch a protection off: an agent that
// sends an empty version believes that it is checked.
func refuseEmpty(s *callState) error {
	for _, f := range []struct{ name, omitted string }{
		{s.tool.cursorField, "starts the list"},
		{s.tool.keyField, "does without deduplication"},
		{s.tool.versionField, "does without the check"},
	} {
		if text, ok := s.args[f.name].(string); ok && f.name != "" && text == "" {
			return envelope.InvalidField(f.name, "Must not be empty; leaving it out "+f.omitted+".")
		}
	}
	return nil
}

func openCursor(s *callState) error {
	t := s.tool
	token, _ := s.args[t.cursorField].(string)
	if t.cursorField == "" || token == "" {
		return nil
	}
	if s.principal == "" {
		return failure.NoPrincipal("A cursor belongs to the caller that it was issued to.")
	}
	b, err := s.binding()
	if err != nil {
		return err
	}
	s.position, err = t.cursor.open(token, b)
	switch {
	case errors.Is(err, cursor.ErrExpired):
		return envelope.New(envelope.CodeCursorExpired, "The cursor has expired; start the list again without it.").
			With(envelope.Field(t.cursorField, fmt.Sprintf("Cursors are valid for %s.", t.cursor.TTL())).Minted(token)).
			NothingApplied()
	case err != nil:
		return envelope.InvalidField(t.cursorField,
			"This cursor was not issued by this server to this caller for this tool and these arguments; start the list again without it.")
	}
	return nil
}

// once runs work under the idempotency key.
func (k *Kit) once(ctx context.Context, s *callState, in any, key string, work func(context.Context) ([]byte, error)) (json.RawMessage, bool, error) {
	t := s.tool
	if s.principal == "" {
		return nil, false, failure.NoPrincipal("An idempotency key belongs to the caller that used it.")
	}
	digest, err := s.canonicalDigest()
	if err != nil {
		return nil, false, err
	}
	scope := make([]string, len(t.scope))
	for i, name := range t.scope {
		raw, err := schema.Marshal(s.meaning(name))
		if err != nil {
			return nil, false, err
		}
		scope[i] = string(raw)
	}
	reply, err := k.keeper.Do(ctx, idempotency.Request{
		Tool: t.name, Principal: s.principal, Scope: scope, Key: key, Digest: digest,
	}, work)
	if err != nil {
		return nil, false, failure.Key(err, t.keyField, func() (envelope.Repair, bool) { return t.reconcile(in) })
	}
	if reply.Unrecorded != nil {
		k.logger.LogAttrs(ctx, slog.LevelWarn, "mcpkit: the result of an idempotency key was not recorded; repeats will be outcome_unknown",
			slog.String("request_id", s.requestID), slog.String("tool", t.name), slog.String("cause", reply.Unrecorded.Error()))
	}
	return reply.Body, reply.Replayed, nil
}

// encode projects and encodes what the handler returned.
func (k *Kit) encode(s *callState, value any) (json.RawMessage, error) {
	t := s.tool
	level := detail.Full
	if text, ok := s.args[t.detailField].(string); ok && t.detailField != "" {
		level = detail.Level(text)
	}
	body, err := t.encoder.Append(nil, value, level)
	if err != nil {
		return nil, fmt.Errorf("encode the output of %s: %w", t.name, err)
	}
	if k.strict {
		if _, violations := t.outDoc.Read(body); len(violations) > 0 {
			return nil, fmt.Errorf("the output of %s does not match its schema: %+v", t.name, violations)
		}
	}
	return body, nil
}

// errorResult turns err into the result that carries it, and logs its cause.
// args are what could be read of the caller's arguments.
func (k *Kit) errorResult(ctx context.Context, s *callState, c Call, args map[string]any, err error) Result {
	e := k.finish(ctx, s, args, err)
	stamp := envelope.Stamp{RequestID: s.requestID, Fingerprint: k.fingerprint}
	r := Result{IsError: true, Text: e.Text(stamp)}
	if c.Revision >= revisionStructuredErrors || s.tool == nil || k.envelopeInOutput {
		r.Structured = e.ToolJSON(stamp)
	}
	return r
}

// finish makes the final envelope: classified, with a repair that is proven or
// with none, and logged.
func (k *Kit) finish(ctx context.Context, s *callState, args map[string]any, err error) *envelope.Error {
	e := k.classify(s.tool, err)
	if s.tool != nil && !k.documents(s.tool, e.Code()) {
		k.authorFault(ctx, s, "error code is not declared", slog.String("code", string(e.Code())))
		if k.strict {
			e = envelope.Internal(fmt.Errorf("%s returned the undeclared code %s: %w", s.tool.name, e.Code(), err))
		}
	}
	e = k.withRepair(ctx, s, args, e)
	k.log(ctx, s, e)
	return e
}

func (k *Kit) log(ctx context.Context, s *callState, e *envelope.Error) {
	var about []slog.Attr
	switch {
	case s.tool != nil:
		about = append(about, slog.String("tool", s.tool.name))
	case s.unknownTool != "":
		about = append(about, slog.String("unknown_tool", envelope.Quote(s.unknownTool, failure.MaxName)))
	}
	failure.Log(ctx, k.logger, "tool call failed", s.requestID, e, about...)
}

// authorFault reports a mistake in the server's code that the client cannot
// mend and need not see.
func (k *Kit) authorFault(ctx context.Context, s *callState, what string, attrs ...slog.Attr) {
	attrs = append(attrs, slog.String("request_id", s.requestID))
	if s.tool != nil {
		attrs = append(attrs, slog.String("tool", s.tool.name))
	}
	k.logger.LogAttrs(ctx, slog.LevelError, "mcpkit: "+what, attrs...)
}
