package envelope

import (
	"errors"
	"log/slog"
	"time"
)

// An Error is a failure in the form that a caller can act on. It is an
// ordinary Go error: return it, wrap it with %w, find it with [errors.As],
// test it with errors.Is(err, code).
//
// An Error never changes. Each builder method returns a changed copy, so a
// package-level Error is a template that any number of goroutines may extend.
// What the type cannot express cannot reach the wire: there is no delay
// without temporary, no details with both field and fields, no repair that
// names no tool.
//
// The zero Error and a nil *Error behave as Internal(nil).
type Error struct {
	code    Code
	message string

	details Details
	repair  *Repair

	temporary bool
	delay     optional[time.Duration]
	remaining optional[int]

	cause          error
	nothingApplied bool
}

// optional is a value that may be unknown.
type optional[T any] struct {
	value T
	known bool
}

var errBadCode = errors.New("envelope: code is not snake_case")

// New returns an Error that is not temporary and carries only code and message.
//
// The message is one or two sentences for the model that reads it. It becomes
// one line: control, bidi and invisible characters are escaped as by [Escape],
// recognizable credentials are redacted, and what exceeds 2 KiB is cut on a
// rune border. Put text that comes from outside (an upstream's words, a
// title, a name) into it only through [Quote]. An empty message becomes the
// code's meaning in [Standard], where it has one.
//
// A code that is not [Code.Valid] becomes [CodeInternal], with the fault as
// cause.
func New(code Code, message string) *Error {
	e := &Error{code: code}
	if !code.Valid() {
		e.code, e.cause = CodeInternal, errBadCode
	}
	return e.Saying(message)
}

// clone returns a copy to be changed by a builder.
func (e *Error) clone() *Error {
	if e == nil {
		return Internal(nil)
	}
	c := *e
	return &c
}

// Saying replaces the message, under the rules given at [New].
func (e *Error) Saying(message string) *Error {
	c := e.clone()
	c.message = prose(message)
	if c.message == "" {
		c.message = meaningOr(c.Code(), "The call failed.")
	}
	return c
}

// At names the offending parameter and says what is wrong with it:
// With(Field(field, reason)).
func (e *Error) At(field, reason string) *Error { return e.With(Field(field, reason)) }

// With replaces the details. The zero Details removes them.
func (e *Error) With(d Details) *Error {
	c := e.clone()
	c.details = d
	return c
}

// Repair sets the call that fixes the failure. A Repair that does not pass
// [Repair.Validate] removes it, the zero Repair too: what cannot be called is
// not suggested.
func (e *Error) Repair(r Repair) *Error {
	c := e.clone()
	c.repair = nil
	if r.Validate() == nil {
		r = r.normal()
		c.repair = &r
	}
	return c
}

// Because records the cause, for [errors.Is], [errors.As] and logs. It is
// never rendered: no carrier and no sentence contains it.
func (e *Error) Because(cause error) *Error {
	c := e.clone()
	c.cause = cause
	return c
}

// Retryable marks the failure as temporary with an unknown delay: the
// unchanged call may succeed later.
func (e *Error) Retryable() *Error {
	c := e.clone()
	c.temporary, c.delay = true, optional[time.Duration]{}
	return c
}

// RetryAfter marks the failure as temporary and says when the unchanged call
// may succeed. The delay is rounded up to whole milliseconds; a negative one
// counts as zero.
func (e *Error) RetryAfter(delay time.Duration) *Error {
	c := e.clone()
	c.temporary, c.delay = true, optional[time.Duration]{wholeMillis(delay), true}
	return c
}

// wholeMillis rounds up, and stays within the range of a Duration.
func wholeMillis(d time.Duration) time.Duration {
	const most = time.Duration(1<<63-1) / time.Millisecond * time.Millisecond
	switch {
	case d <= 0:
		return 0
	case d >= most:
		return most
	}
	return (d + time.Millisecond - 1) / time.Millisecond * time.Millisecond
}

// RateLimitRemaining says how many calls the rate limit still allows. A
// negative n counts as zero.
func (e *Error) RateLimitRemaining(n int) *Error {
	c := e.clone()
	c.remaining = optional[int]{max(n, 0), true}
	return c
}

// NothingApplied records the proof that no effect of the call has started, so
// that sending it again cannot do anything twice. An idempotency key is then
// released instead of being burnt.
func (e *Error) NothingApplied() *Error {
	c := e.clone()
	c.nothingApplied = true
	return c
}

// MaybeApplied withdraws [Error.NothingApplied]. A handler that has changed
// something before it meets a failure adds it to errors such as [NotFound] or
// [RateLimited], which otherwise claim that nothing happened.
func (e *Error) MaybeApplied() *Error {
	c := e.clone()
	c.nothingApplied = false
	return c
}

// Code returns the branch key; it is always valid.
func (e *Error) Code() Code {
	if e == nil || e.code == "" {
		return CodeInternal
	}
	return e.code
}

// Message returns the message as it is rendered: one line, never empty.
func (e *Error) Message() string {
	if e == nil || e.message == "" {
		return meaningOr(CodeInternal, "")
	}
	return e.message
}

// Details returns the details, and whether there are any.
func (e *Error) Details() (Details, bool) {
	if e == nil || e.details.IsZero() {
		return Details{}, false
	}
	return e.details, true
}

// Suggested returns the repair, and whether there is one.
func (e *Error) Suggested() (Repair, bool) {
	if e == nil || e.repair == nil {
		return Repair{}, false
	}
	return e.repair.normal(), true
}

// Temporary reports whether the unchanged call may succeed later.
func (e *Error) Temporary() bool { return e != nil && e.temporary }

// Delay returns how long to wait before the unchanged call, in whole
// milliseconds, and whether that is known. It is never known for an error that
// is not temporary.
func (e *Error) Delay() (time.Duration, bool) {
	if e == nil {
		return 0, false
	}
	return e.delay.value, e.delay.known
}

// Remaining returns what [Error.RateLimitRemaining] recorded, and whether it
// did.
func (e *Error) Remaining() (int, bool) {
	if e == nil {
		return 0, false
	}
	return e.remaining.value, e.remaining.known
}

// SafeToRetry reports whether it is certain that no effect has started. It is
// about effects only; whether a retry may succeed is [Error.Temporary]. The
// name is the convention of pgconn, so that packages can ask any error for
// interface{ SafeToRetry() bool } without importing this one.
func (e *Error) SafeToRetry() bool { return e != nil && e.nothingApplied }

// Unwrap returns the cause, which may be nil.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.cause
}

// Is reports whether target is the error's [Code].
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code()
}

// Error returns "code: message". The cause is left out on purpose: code that
// puts err.Error() into a response must not leak it. Log the error with slog,
// or its Unwrap, to see the cause.
func (e *Error) Error() string { return string(e.Code()) + ": " + e.Message() }

// LogValue groups code, message and cause for package log/slog. Logs are the
// one place where the cause appears.
func (e *Error) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.String("code", string(e.Code())),
		slog.String("message", e.Message()),
	}
	if cause := e.Unwrap(); cause != nil {
		attrs = append(attrs, slog.Any("cause", cause))
	}
	return slog.GroupValue(attrs...)
}
