package mcpkit

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/failure"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
	"github.com/mcpkit-go/agentmcp/versioning"
)

// classify makes an envelope of any error of a handler.
func (k *Kit) classify(t *tool, err error) *envelope.Error {
	var e *envelope.Error
	if errors.As(err, &e) && e != nil {
		return envelope.From(err)
	}
	if t != nil && t.versionField != "" {
		switch {
		case errors.Is(err, versioning.ErrConflict):
			return envelope.Conflict(t.versionField, "", "The content changed after this version token was issued; nothing was applied.").Because(err)
		case errors.Is(err, versioning.ErrMalformed):
			return envelope.InvalidField(t.versionField, "This is not a version token that the server issued; take it from the latest read or mutation.").Because(err)
		}
	}
	return envelope.From(err)
}

// invalid is the error for arguments that the schema refuses.
func (k *Kit) invalid(s *callState, args map[string]any, violations []schema.Violation) error {
	t := s.tool
	tool := t.provable(s.principal)
	if e, ok := tool.Corrected(args, violations); ok {
		return e
	}
	if _, ok := args[t.cursorField]; ok && t.cursorField != "" {
		// A cursor belongs to the question that it was issued for. If the
		// corrected question is another one, its list starts anew.
		restart := maps.Clone(args)
		delete(restart, t.cursorField)
		rest := slices.DeleteFunc(slices.Clone(violations), func(v schema.Violation) bool { return v.Field == t.cursorField })
		if len(rest) > 0 {
			if e, ok := tool.Corrected(restart, rest); ok {
				return e
			}
		} else if r, ok := tool.Call(failure.StepRestart, restart); ok {
			return failure.Invalid(violations).Repair(r)
		}
	}
	e := failure.Invalid(violations)
	for _, v := range violations {
		switch v.Rule {
		case "maxItems", "minItems", "uniqueItems", "maxLength":
			continue // the values may be right; there are too many
		}
		if r, ok := k.lookup(s, v.Field, args); ok {
			return e.Repair(r)
		}
	}
	return e
}

// provable is what a repair by which principal calls t is proven with.
func (t *tool) provable(principal string) failure.Tool {
	return failure.Tool{
		Name: t.name, Document: t.doc, Sensitive: t.sensitive, Writes: t.effect != Reads,
		Accepts: func(args map[string]any) bool {
			if _, err := t.decode(args); err != nil {
				return false
			}
			return openCursor(&callState{tool: t, principal: principal, args: args}) == nil
		},
	}
}

// lookup is the repair that calls the tool which lists valid values of field,
// with the arguments that both tools share.
func (k *Kit) lookup(s *callState, field string, args map[string]any) (envelope.Repair, bool) {
	t := s.tool
	other := k.tools[t.lookups[field]]
	if other == nil {
		return envelope.Repair{}, false
	}
	shared := map[string]any{}
	for _, p := range other.in.Fields() {
		if p.Name == other.cursorField || p.Name == other.detailField || slices.Contains(t.sensitive, p.Name) {
			continue
		}
		if v, ok := args[p.Name]; ok && t.hasParameter(p.Name) {
			shared[p.Name] = v
		}
	}
	return other.provable(s.principal).Call(failure.StepLookup, shared)
}

func (t *tool) hasParameter(name string) bool {
	return slices.ContainsFunc(t.in.Fields(), func(p schema.Field) bool { return p.Name == name })
}

// withRepair gives e the repair that the kit can make where the author gave
// none, and takes away one that cannot be proven.
func (k *Kit) withRepair(ctx context.Context, s *callState, args map[string]any, e *envelope.Error) *envelope.Error {
	r, given := e.Suggested()
	if !given {
		if r, ok := k.repairFor(s, args, e); ok {
			return e.Repair(r)
		}
		return e
	}
	if reason := k.unprovable(r); reason != "" {
		k.authorFault(ctx, s, "repair is not callable and was not sent",
			slog.String("repair_tool", r.Tool), slog.String("reason", reason))
		if k.strict {
			return envelope.Internal(errors.New("repair is not callable: " + reason))
		}
		return e.Repair(envelope.Repair{})
	}
	return e
}

// repairFor makes a repair for an error that has none.
func (k *Kit) repairFor(s *callState, args map[string]any, e *envelope.Error) (envelope.Repair, bool) {
	t := s.tool
	if t == nil || args == nil {
		return envelope.Repair{}, false
	}
	names := fieldsOf(e)
	switch {
	case e.Temporary():
		keyed := t.keyField != "" && args[t.keyField] != nil
		if t.effect.repeatable() || keyed || e.SafeToRetry() {
			return t.provable(s.principal).Call(failure.StepWait, args)
		}
	case t.cursorField != "" && slices.Contains(names, t.cursorField) &&
		(e.Code() == envelope.CodeCursorExpired || e.Code() == envelope.CodeInvalidField):
		restart := maps.Clone(args)
		delete(restart, t.cursorField)
		return t.provable(s.principal).Call(failure.StepRestart, restart)
	case len(names) == 1 && e.Code() != envelope.CodeInvalidField:
		return k.lookup(s, names[0], args)
	}
	return envelope.Repair{}, false
}

func fieldsOf(e *envelope.Error) []string {
	d, ok := e.Details()
	if !ok {
		return nil
	}
	return d.Fields()
}

// unprovable says why a repair must not leave; "" if it may.
func (k *Kit) unprovable(r envelope.Repair) string {
	t := k.tools[r.Tool]
	switch {
	case t == nil:
		return "tool " + r.Tool + " is not registered"
	case r.NextStep == "":
		return "next_step is empty"
	case len(r.Arguments) > failure.MaxRepairArguments:
		return "arguments are too large"
	case len(r.Arguments) == 0:
		return "arguments are missing"
	}
	args, violations := t.doc.Read(r.Arguments)
	if len(violations) > 0 {
		return "arguments of " + r.Tool + ": " + violations[0].Field + ": " + violations[0].Reason
	}
	if _, err := t.decode(args); err != nil {
		return "arguments of " + r.Tool + " are refused by Check: " + err.Error()
	}
	return ""
}
