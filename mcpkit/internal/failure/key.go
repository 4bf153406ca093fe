package failure

import (
	"errors"
	"time"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
)

// Key puts the outcomes of an idempotency keeper into envelopes; other errors
// are returned as they are. field is the parameter that holds the key, and
// reconcile the call that shows whether the first one took effect, if there is
// such a call.
func Key(err error, field string, reconcile func() (envelope.Repair, bool)) error {
	switch {
	case errors.Is(err, idempotency.ErrReused):
		return envelope.New(envelope.CodeIdempotencyKeyReused, "This idempotency key was already used with other arguments; nothing was applied.").
			At(field, "The key belongs to an earlier call of this tool whose arguments differ. Use a new key for a new effect.").
			NothingApplied()
	case errors.Is(err, idempotency.ErrInProgress):
		e := envelope.New(envelope.CodeIdempotencyInProgress, "A call with this idempotency key is still running; ask again for its result.").
			At(field, "The first call with this key has not finished.")
		return Later(e, err)
	case errors.Is(err, idempotency.ErrUnavailable):
		return Later(envelope.UpstreamUnavailable(err).NothingApplied(), err)
	case errors.Is(err, idempotency.ErrExpired):
		e := envelope.New(envelope.CodeIdempotencyKeyExpired, "The deduplication window of this idempotency key is over, so its result is no longer kept; nothing was applied.").
			At(field, "Check whether the first call took effect, then use a new key if it did not.").
			NothingApplied()
		if r, ok := reconcile(); ok {
			e = e.Repair(r)
		}
		return e
	case errors.Is(err, idempotency.ErrOutcomeUnknown):
		e := envelope.OutcomeUnknown(err).At(field, "The first call with this key started and its outcome was not learnt; it will not be run again.")
		if r, ok := reconcile(); ok {
			e = e.Repair(r)
		}
		return e
	}
	return err
}

// Later marks e as temporary, with the delay that err knows.
func Later(e *envelope.Error, err error) *envelope.Error {
	var delay interface{ RetryAfter() time.Duration }
	if errors.As(err, &delay) {
		return e.RetryAfter(delay.RetryAfter())
	}
	return e.Retryable()
}
