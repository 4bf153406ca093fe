package backend

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// refusal is an error that proves that nothing was applied. It may be a kind
// of another one.
type refusal struct {
	text string
	kind error
}

func (r *refusal) Error() string     { return "backend: " + r.text }
func (r *refusal) Unwrap() error     { return r.kind }
func (r *refusal) SafeToRetry() bool { return true }

// Errors without further data. All of them mean that nothing was applied.
var (
	// ErrRepoNotFound means that the repository does not exist or that the user
	// may not see it.
	ErrRepoNotFound error = &refusal{text: "repository not found"}

	// ErrIssuesDisabled means that the repository keeps no issues.
	ErrIssuesDisabled error = &refusal{text: "issues are disabled in this repository"}

	// ErrIssueNotFound means that there is no such issue. ErrPullRequest,
	// *GoneError and *TransferredError are kinds of it for errors.Is.
	ErrIssueNotFound error = &refusal{text: "issue not found"}

	// ErrPullRequest means that the number belongs to a pull request.
	ErrPullRequest error = &refusal{text: "the number belongs to a pull request", kind: ErrIssueNotFound}

	// ErrMilestoneNotFound means that the repository has no milestone of that
	// number.
	ErrMilestoneNotFound error = &refusal{text: "milestone not found"}

	// ErrIssueLocked means that the conversation is locked and that the user
	// may not write in locked ones.
	ErrIssueLocked error = &refusal{text: "issue is locked"}

	// ErrMissingCredential means that the backend has no credential to use.
	ErrMissingCredential error = &refusal{text: "no credential"}

	// ErrInvalidCredential means that the source rejected the credential.
	ErrInvalidCredential error = &refusal{text: "credential rejected"}

	// ErrPosition means that a Position does not belong to this walk.
	ErrPosition error = &refusal{text: "unknown position"}
)

// GoneError means that an issue was deleted.
type GoneError struct {
	DeletedAt time.Time // zero if the source does not say
}

func (e *GoneError) Error() string {
	if e.DeletedAt.IsZero() {
		return "backend: issue was deleted"
	}
	return "backend: issue was deleted at " + e.DeletedAt.UTC().Format(time.RFC3339)
}

// Is makes a deleted issue a kind of ErrIssueNotFound.
func (e *GoneError) Is(target error) bool { return target == ErrIssueNotFound }

// SafeToRetry reports true: nothing was applied.
func (e *GoneError) SafeToRetry() bool { return true }

// TransferredError means that an issue lives on in another repository.
type TransferredError struct {
	Repo   Repo
	Number int
}

func (e *TransferredError) Error() string {
	return fmt.Sprintf("backend: issue was transferred to %s#%d", e.Repo, e.Number)
}

// Is makes a transferred issue a kind of ErrIssueNotFound.
func (e *TransferredError) Is(target error) bool { return target == ErrIssueNotFound }

// SafeToRetry reports true: nothing was applied.
func (e *TransferredError) SafeToRetry() bool { return true }

// LabelNotFoundError means that Field[Index] names no label of the repository.
type LabelNotFoundError struct {
	Field Field // FieldLabels, FieldAddLabels or FieldRemoveLabels
	Index int   // from 0
}

func (e *LabelNotFoundError) Error() string {
	return fmt.Sprintf("backend: %s[%d] names no label of the repository", e.Field, e.Index)
}

// SafeToRetry reports true: nothing was applied.
func (e *LabelNotFoundError) SafeToRetry() bool { return true }

// AssigneeNotFoundError means that the login at Index cannot be assigned in the
// repository.
type AssigneeNotFoundError struct {
	Index int // from 0
}

func (e *AssigneeNotFoundError) Error() string {
	return fmt.Sprintf("backend: %s[%d] cannot be assigned in the repository", FieldAssignees, e.Index)
}

// SafeToRetry reports true: nothing was applied.
func (e *AssigneeNotFoundError) SafeToRetry() bool { return true }

// InvalidFieldError means that a value is out of bounds or does not fit
// another. Reason is a phrase to be read after the field's name and never holds
// the value.
type InvalidFieldError struct {
	Field   Field
	Reason  string
	Allowed []string // the values that would do, if few
}

func (e *InvalidFieldError) Error() string { return fmt.Sprintf("backend: %s %s", e.Field, e.Reason) }

// SafeToRetry reports true: nothing was applied.
func (e *InvalidFieldError) SafeToRetry() bool { return true }

// InvalidQueryError means that Query.Text cannot be understood. Reason is a
// phrase to be read after "query" and never holds words of the text, save a
// qualifier that is known.
type InvalidQueryError struct {
	Qualifier string // such as "state", empty if none is at fault
	Reason    string
	Allowed   []string // the values that the qualifier takes, if few
}

func (e *InvalidQueryError) Error() string { return "backend: query " + e.Reason }

// InsufficientScopeError means that the credential lacks rights.
type InsufficientScopeError struct {
	Scopes []string // any one of them would do
}

func (e *InsufficientScopeError) Error() string {
	return "backend: credential needs scope " + strings.Join(e.Scopes, " or ")
}

// SafeToRetry reports true: nothing was applied.
func (e *InsufficientScopeError) SafeToRetry() bool { return true }

// RateLimitError means that the source wants fewer requests.
type RateLimitError struct {
	Delay     time.Duration // until the next request; negative if unknown
	Remaining int           // requests left; negative if unknown
}

func (e *RateLimitError) Error() string {
	if e.Delay < 0 {
		return "backend: rate limited"
	}
	return fmt.Sprintf("backend: rate limited for %s", e.Delay)
}

// SafeToRetry reports true: nothing was applied.
func (e *RateLimitError) SafeToRetry() bool { return true }

// UnavailableError means that the source did not answer, or answered with a
// failure of its own. Later the same call may work.
type UnavailableError struct {
	Delay time.Duration // until the next try; negative if unknown
	Sent  bool          // the request may have arrived, so that a write may have happened
	Err   error         // the cause, may be nil
}

func (e *UnavailableError) Error() string {
	if e.Err == nil {
		return "backend: unavailable"
	}
	return "backend: unavailable: " + e.Err.Error()
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// SafeToRetry reports whether the request certainly never arrived.
func (e *UnavailableError) SafeToRetry() bool { return !e.Sent }

// PartialError means that a source without transactions failed in the middle
// of an Update.
type PartialError struct {
	Applied []Field // what is changed by now
	Err     error   // why the rest is not; never nil
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("backend: update applied in part (%d fields): %v", len(e.Applied), e.Err)
}

func (e *PartialError) Unwrap() error { return e.Err }

// SafeToRetry reports false, whatever the cause says.
func (e *PartialError) SafeToRetry() bool { return false }

// NotStarted returns err with the proof that nothing was applied. A nil err
// stays nil.
func NotStarted(err error) error {
	if err == nil {
		return nil
	}
	return &notStarted{err}
}

type notStarted struct{ err error }

func (n *notStarted) Error() string     { return n.err.Error() }
func (n *notStarted) Unwrap() error     { return n.err }
func (n *notStarted) SafeToRetry() bool { return true }

// NothingApplied reports whether err proves that a write had no effect at all.
// It asks the outermost error that has a method SafeToRetry() bool, and is
// false if there is none: an unknown failure may have had effects.
func NothingApplied(err error) bool {
	var known interface{ SafeToRetry() bool }
	return errors.As(err, &known) && known.SafeToRetry()
}
