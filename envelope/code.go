package envelope

// A Code is the branch key of an error: a stable snake_case word that agents
// and programs compare, never a number and never prose. Adding a code to a
// server is compatible; renaming one or changing its meaning breaks callers.
//
// A Code is itself an error, so that it can be the target of [errors.Is]:
//
//	if errors.Is(err, envelope.CodeConflict) { … }
//
// As everywhere in Go, errors.Is also looks at causes; to branch on the code
// that the caller was shown, compare From(err).Code().
type Code string

// The codes that servers share. [Standard] gives their meanings. A server adds
// its own, such as "label_not_found", as constants of type Code.
const (
	CodeInvalidField          Code = "invalid_field"
	CodeNotFound              Code = "not_found"
	CodeConflict              Code = "conflict"
	CodeCursorExpired         Code = "cursor_expired"
	CodeRateLimited           Code = "rate_limited"
	CodeMissingCredential     Code = "missing_credential"
	CodeInvalidCredential     Code = "invalid_credential"
	CodeInsufficientScope     Code = "insufficient_scope"
	CodeUpstreamUnavailable   Code = "upstream_unavailable"
	CodeInternal              Code = "internal"
	CodeOutcomeUnknown        Code = "outcome_unknown"
	CodeIdempotencyKeyReused  Code = "idempotency_key_reused"
	CodeIdempotencyInProgress Code = "idempotency_in_progress"
	CodeIdempotencyKeyExpired Code = "idempotency_key_expired"
	CodeUnknownTool           Code = "unknown_tool"
	CodeDeadlineExceeded      Code = "deadline_exceeded"
	CodeCanceled              Code = "canceled"
)

// Error returns the code itself, without a package prefix, so that a printed
// Code reads as it does on the wire.
func (c Code) Error() string { return string(c) }

// Valid reports whether c matches ^[a-z][a-z0-9]*(_[a-z0-9]+)*$.
func (c Code) Valid() bool { return isSymbol(string(c)) }

// isSymbol reports whether s is a snake_case word.
func isSymbol(s string) bool {
	if s == "" || s[0] < 'a' || s[0] > 'z' || s[len(s)-1] == '_' {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		case c == '_' && s[i-1] != '_':
		default:
			return false
		}
	}
	return true
}
