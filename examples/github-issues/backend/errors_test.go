package backend_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
)

func ExampleNothingApplied() {
	arrived := &backend.UnavailableError{Sent: true, Err: io.ErrUnexpectedEOF}
	fmt.Println(backend.NothingApplied(backend.ErrIssueLocked), backend.NothingApplied(arrived))
	// Output: true false
}

func TestErrorTexts(t *testing.T) {
	for _, err := range []error{
		backend.ErrRepoNotFound, backend.ErrIssuesDisabled, backend.ErrIssueNotFound, backend.ErrPullRequest,
		backend.ErrMilestoneNotFound, backend.ErrIssueLocked, backend.ErrMissingCredential, backend.ErrInvalidCredential, backend.ErrPosition,
		&backend.GoneError{}, &backend.GoneError{DeletedAt: time.Unix(0, 0)}, &backend.TransferredError{},
		&backend.LabelNotFoundError{Field: backend.FieldLabels}, &backend.AssigneeNotFoundError{},
		&backend.InvalidFieldError{Field: backend.FieldTitle, Reason: "must not be blank"}, &backend.InvalidQueryError{Reason: "is empty"},
		&backend.InsufficientScopeError{Scopes: []string{"repo"}}, &backend.RateLimitError{Delay: -1}, &backend.RateLimitError{Delay: time.Second},
		&backend.UnavailableError{}, &backend.UnavailableError{Err: io.EOF}, &backend.PartialError{Err: io.EOF},
	} {
		if !strings.HasPrefix(err.Error(), "backend: ") || strings.ContainsAny(err.Error(), "\n") {
			t.Errorf("%T: %q should be one line that names the package", err, err)
		}
	}
}
