package failure

import (
	"context"
	"errors"
	"log/slog"

	"github.com/mcpkit-go/agentmcp/envelope"
)

// Log writes the one record of a failed request: the request id, the code, what
// attrs say of the request, the cause, and the stack of a panic. What is the
// server's fault is an error, what may have had an effect a warning, and the
// rest, which the caller can mend, information.
func Log(ctx context.Context, logger *slog.Logger, message, requestID string, e *envelope.Error, attrs ...slog.Attr) {
	level := slog.LevelInfo
	cause := e.Unwrap()
	switch {
	case e.Code() == envelope.CodeInternal:
		level = slog.LevelError
	case cause != nil && !e.SafeToRetry():
		level = slog.LevelWarn
	}
	if !logger.Enabled(ctx, level) {
		return
	}
	all := []slog.Attr{slog.String("request_id", requestID), slog.String("code", string(e.Code()))}
	all = append(all, attrs...)
	if cause != nil {
		all = append(all, slog.String("cause", envelope.Redact(cause.Error())))
		var p *Panicked
		if errors.As(cause, &p) {
			all = append(all, slog.String("stack", p.Stack))
		}
	}
	logger.LogAttrs(ctx, level, message, all...)
}
