package mcpkit

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/mcpkit-go/agentmcp/mcpkit/internal/failure"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

// pointerEscape writes a name as a step of a JSON pointer (RFC 6901 section 3).
var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

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
	changed := maps.Clone(args)
	var rest []schema.Violation
	for _, v := range violations {
		topLevel := v.Pointer == "/"+pointerEscape.Replace(v.Field)
		switch {
		case v.Rule == "additionalProperties" && topLevel && slices.Contains(k.server.IgnoreArguments, v.Field):
			delete(changed, v.Field)
			continue
		case v.Rule == "type" && topLevel && t.acceptStringified:
			if value, ok := failure.Unstringify(args[v.Field]); ok {
				changed[v.Field] = value
				k.logger.LogAttrs(ctx, slog.LevelInfo, "mcpkit: stringified argument decoded",
					slog.String("request_id", s.requestID), slog.String("tool", t.name), slog.String("field", v.Field))
				continue
			}
		}
		rest = append(rest, v)
	}
	if len(rest) == len(violations) {
		return args, violations
	}
	again, err := schema.Marshal(changed)
	if err != nil {
		return args, violations
	}
	// What was a fault of the text itself, such as a duplicate key, does not
	// show in the tree, so it is carried over.
	mended, more := t.doc.Read(again)
	for _, v := range rest {
		if !slices.ContainsFunc(more, func(m schema.Violation) bool { return m.Pointer == v.Pointer && m.Rule == v.Rule }) {
			more = append(more, v)
		}
	}
	return mended, more
}
