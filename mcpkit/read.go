package mcpkit

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"

	"github.com/mcpkit-go/agentmcp/mcpkit/internal/failure"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

// read is the strict read of the arguments, with the two exceptions that an
// author can opt into: parameters that a host adds on its own, and lists and
// objects that a host sends as text. Neither widens the schema, and each use of
// the second is logged.
func (k *Kit) read(ctx context.Context, s *callState, raw json.RawMessage) (map[string]any, []schema.Violation) {
	t := s.tool
	args, violations := t.doc.Read(raw)
	if len(violations) == 0 {
		return args, nil
	}
	args, violations, _ = failure.Mend(t.doc, args, violations, func(v schema.Violation, changed map[string]any) bool {
		switch {
		case v.Rule == "additionalProperties" && slices.Contains(k.server.IgnoreArguments, v.Field):
			delete(changed, v.Field)
			return true
		case v.Rule == "type" && t.acceptStringified:
			value, ok := failure.Unstringify(changed[v.Field])
			if ok {
				changed[v.Field] = value
				k.logger.LogAttrs(ctx, slog.LevelInfo, "mcpkit: stringified argument decoded",
					slog.String("request_id", s.requestID), slog.String("tool", t.name), slog.String("field", v.Field))
			}
			return ok
		}
		return false
	})
	return args, violations
}
