package envelope

import "time"

// InvalidField reports one parameter that the caller must change: code
// invalid_field, details.field, [Error.NothingApplied]. The reason says what is
// wrong and what would be right; it does not contain the received value.
func InvalidField(field, reason string) *Error {
	return Invalid(Violation{Field: field, Reason: reason})
}

// InvalidFields reports parameters that are at fault together, such as three
// of which at least one is needed: code invalid_field, details.fields,
// [Error.NothingApplied].
func InvalidFields(reason, first, second string, more ...string) *Error {
	d := Fields(reason, first, second, more...)
	var places []string
	for _, field := range d.fields {
		places = append(places, violation{field: field}.place())
	}
	list := enumerate(places, 8)
	return New(CodeInvalidField, "Invalid arguments "+list[:len(list)-1]+reasonAfterColon(d.reason)).With(d).NothingApplied()
}

// NotFound reports that the thing named by the call does not exist or is not
// visible: code kind+"_not_found", so NotFound("issue", …) is issue_not_found,
// or not_found for an empty kind (or one that is not snake_case). It implies
// [Error.NothingApplied].
func NotFound(kind, message string) *Error {
	code := Code(kind + "_not_found")
	if !code.Valid() {
		code = CodeNotFound
	}
	return New(code, message).NothingApplied()
}

// Conflict reports that a precondition failed: field is the parameter that
// carried it, minted the token that the caller sent. It implies
// [Error.NothingApplied].
//
// The token becomes details.value under the policy of [Details.Minted]: pass ""
// unless it is known to have the form that this server mints.
func Conflict(field, minted, message string) *Error {
	d := Field(field, "The resource was modified after this token was minted.")
	return New(CodeConflict, message).With(d.Minted(minted)).NothingApplied()
}

// RateLimited reports that a limit refused the call: temporary, with the delay
// after which it may succeed; a negative delay means that it is not known. It
// implies [Error.NothingApplied]. Add [Error.RateLimitRemaining] where the
// budget is known.
func RateLimited(delay time.Duration) *Error {
	e := New(CodeRateLimited, "").NothingApplied()
	if delay < 0 {
		return e.Retryable()
	}
	return e.RetryAfter(delay)
}

// MissingCredential reports that the call came without a credential, or that
// the server is configured without one. It implies [Error.NothingApplied].
func MissingCredential(message string) *Error {
	return New(CodeMissingCredential, message).NothingApplied()
}

// InvalidCredential reports that the credential was rejected: expired, revoked
// or never valid. It implies [Error.NothingApplied].
func InvalidCredential(message string) *Error {
	return New(CodeInvalidCredential, message).NothingApplied()
}

// InsufficientScope reports that the credential is valid but does not permit
// the call: details.field is "authorization", details.required_scopes lists
// what the call needs. It is never temporary and implies
// [Error.NothingApplied].
func InsufficientScope(message string, scopes ...string) *Error {
	d := Field("authorization", "The credential lacks a scope that this call requires.")
	return New(CodeInsufficientScope, message).With(d.RequiredScopes(scopes...)).NothingApplied()
}

// UpstreamUnavailable reports that a service behind this server does not
// answer: temporary, delay unknown. It does not imply [Error.NothingApplied]:
// the request may have arrived. Where an effect may have started and a repeat
// could double it, return [OutcomeUnknown] instead.
func UpstreamUnavailable(cause error) *Error {
	return New(CodeUpstreamUnavailable, "").Retryable().Because(cause)
}

// Internal reports a failure that the caller can do nothing about, with a
// fixed sentence: nothing of the cause reaches the wire. It does not imply
// [Error.NothingApplied].
func Internal(cause error) *Error {
	return New(CodeInternal, "").Because(cause)
}

// OutcomeUnknown reports that the call may or may not have taken effect, for
// example after a timeout of a write. It is not temporary: the unchanged call
// could do it twice. Add the [Repair] that shows what happened.
func OutcomeUnknown(cause error) *Error {
	return New(CodeOutcomeUnknown, "").Because(cause)
}
