package idempotency

import (
	"errors"
	"fmt"
	"time"
)

// What [Keeper.Do] and the drivers report. Match them with [errors.Is].
var (
	// ErrReused: the key belongs to an earlier request whose digest differs.
	// Nothing was run, and nothing of the earlier request is revealed.
	ErrReused = errors.New("idempotency: key was already used for another request")

	// ErrInProgress: the first request with this key is still running after
	// [Options.Wait]. The error is an [*InProgressError].
	ErrInProgress = errors.New("idempotency: first request with this key is still running")

	// ErrExpired: the window of the key is over and its answer is gone, but
	// its tombstone remains. Nothing was run.
	ErrExpired = errors.New("idempotency: key has expired")

	// ErrOutcomeUnknown: a request with this key was started, and whether it
	// took effect was not learnt. It is not run again. The error is an
	// [*UnknownError].
	ErrOutcomeUnknown = errors.New("idempotency: outcome unknown")

	// ErrUnavailable: the store did not take the claim, so nothing was run and
	// the same request may be sent again. The error is an [*UnavailableError].
	ErrUnavailable = errors.New("idempotency: store unavailable")

	// ErrFull is what a [Store] returns when it has no room that it may take.
	// Nothing was changed. The error may have a method RetryAfter() time.Duration.
	ErrFull = errors.New("idempotency: store is full")

	// ErrStale is what a [Store] returns to a holder whose claim is not, or no
	// longer, the one on record: its lease ran out, or the key was released.
	// Nothing was changed.
	ErrStale = errors.New("idempotency: claim is no longer held")
)

// An InProgressError is the [ErrInProgress] of one call.
type InProgressError struct{ after time.Duration }

// Error returns the text of [ErrInProgress] and the delay.
func (e *InProgressError) Error() string {
	return fmt.Sprintf("%v; ask again in %v", ErrInProgress, e.after)
}

// Is reports whether target is [ErrInProgress].
func (e *InProgressError) Is(target error) bool { return target == ErrInProgress }

// RetryAfter is the delay, more than zero, after which it makes sense to ask
// again: one second, or less if the lease of the running call ends sooner.
func (e *InProgressError) RetryAfter() time.Duration { return e.after }

// An UnknownError is the [ErrOutcomeUnknown] of one call.
type UnknownError struct{ cause error }

// Error returns the text of [ErrOutcomeUnknown] and of the cause. It is for
// logs: the cause may hold what a client must not see.
func (e *UnknownError) Error() string {
	if e.cause == nil {
		return ErrOutcomeUnknown.Error()
	}
	return fmt.Sprintf("%v: %v", ErrOutcomeUnknown, e.cause)
}

// Is reports whether target is [ErrOutcomeUnknown].
func (e *UnknownError) Is(target error) bool { return target == ErrOutcomeUnknown }

// Unwrap returns what run returned, or a [*PanicError], in the call that ran
// it. It returns nil in every other call, because causes are not stored.
func (e *UnknownError) Unwrap() error { return e.cause }

// An UnavailableError is the [ErrUnavailable] of one call.
type UnavailableError struct{ cause error }

// Error returns the text of [ErrUnavailable] and of the cause. It is for logs.
func (e *UnavailableError) Error() string { return fmt.Sprintf("%v: %v", ErrUnavailable, e.cause) }

// Is reports whether target is [ErrUnavailable].
func (e *UnavailableError) Is(target error) bool { return target == ErrUnavailable }

// Unwrap returns the error of the store, such as [ErrFull].
func (e *UnavailableError) Unwrap() error { return e.cause }

// SafeToRetry returns true: run was not called.
func (e *UnavailableError) SafeToRetry() bool { return true }

// RetryAfter is the delay, more than zero, after which the call may succeed:
// what the store says, else one second.
func (e *UnavailableError) RetryAfter() time.Duration {
	var delay interface{ RetryAfter() time.Duration }
	if errors.As(e.cause, &delay) {
		return max(delay.RetryAfter(), time.Millisecond)
	}
	return time.Second
}

// A PanicError is the cause of an [*UnknownError] when run panicked.
type PanicError struct {
	Value any    // what was passed to panic
	Stack []byte // of the goroutine, for the log
}

// Error says that run panicked and with which value. It is for logs.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the value if it is an error, otherwise nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
