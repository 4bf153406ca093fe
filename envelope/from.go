package envelope

import (
	"context"
	"errors"
)

// From returns err as an *Error, and nil for nil; for any other err the result
// is not nil.
//
//   - An *Error anywhere in the chain of err is returned as it is.
//   - A bare [Code] gets its standard meaning as message.
//   - [context.DeadlineExceeded] and [context.Canceled] get their codes. They
//     are not temporary, since From cannot know whether the call may be
//     repeated; who knows adds [Error.Retryable].
//   - Everything else, a nil *Error inside a non-nil error too, becomes
//     [Internal] with err as cause.
//
// If err proves by SafeToRetry() that nothing was sent, as errors of pgconn do,
// the result has [Error.NothingApplied].
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) && e != nil {
		return e
	}
	e = New(codeOf(err), "").Because(err)
	var safe interface{ SafeToRetry() bool }
	if errors.As(err, &safe) && safe.SafeToRetry() {
		return e.NothingApplied()
	}
	return e
}

func codeOf(err error) Code {
	var code Code
	switch {
	case errors.As(err, &code) && code.Valid():
		return code
	case errors.Is(err, context.DeadlineExceeded):
		return CodeDeadlineExceeded
	case errors.Is(err, context.Canceled):
		return CodeCanceled
	}
	return CodeInternal
}
