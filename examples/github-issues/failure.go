package main

import (
	"errors"
	"fmt"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
)

// failure puts an error of the backend into words that an agent can act on.
// Where it can, the repair is a call that exists; number is 0 if the call is
// not about one issue.
func (s *service) failure(err error, owner, repo string, number int) error {
	e := s.describe(err, owner, repo, number)
	if e == nil {
		return err
	}
	e = e.Because(err)
	if backend.NothingApplied(err) {
		e = e.NothingApplied()
	}
	return e
}

// describe returns nil for errors that have no better words than internal.
func (s *service) describe(err error, owner, repo string, number int) *envelope.Error {
	where := owner + "/" + repo // both match their patterns, so they are safe to show
	var (
		partial     *backend.PartialError
		gone        *backend.GoneError
		moved       *backend.TransferredError
		label       *backend.LabelNotFoundError
		assignee    *backend.AssigneeNotFoundError
		field       *backend.InvalidFieldError
		query       *backend.InvalidQueryError
		scope       *backend.InsufficientScopeError
		rate        *backend.RateLimitError
		unavailable *backend.UnavailableError
	)
	switch {
	case errors.As(err, &partial):
		return nil // it wraps why it stopped, whose words would claim that nothing was applied
	case errors.Is(err, backend.ErrRepoNotFound):
		return envelope.NotFound("repo", "No repository "+where+" is visible to this token.").
			At("repo", "It does not exist under this owner, or it is private to others.").
			Repair(s.search.Call("find_repository_then_retry", searchIn{Query: "is:issue", State: "all"}).
				Or("Read owner and repo from the url of an issue in the result."))
	case errors.Is(err, backend.ErrIssuesDisabled):
		return envelope.NotFound("repo", "The repository "+where+" keeps no issues.").
			At("repo", "Issues are disabled in this repository.")
	case errors.As(err, &moved):
		return envelope.NotFound("issue", fmt.Sprintf("Issue #%d moved from %s to %s#%d.", number, where, moved.Repo, moved.Number)).
			At("issue_number", "The issue was transferred to another repository.").
			Repair(s.reread("read_at_new_place", moved.Repo.Owner, moved.Repo.Name, moved.Number))
	case errors.As(err, &gone):
		reason := "The issue was deleted."
		if !gone.DeletedAt.IsZero() {
			reason = "The issue was deleted on " + gone.DeletedAt.UTC().Format("2006-01-02T15:04:05Z") + "."
		}
		return envelope.NotFound("issue", fmt.Sprintf("Issue #%d of %s is gone.", number, where)).
			At("issue_number", reason).Repair(s.browse(owner, repo))
	case errors.Is(err, backend.ErrPullRequest):
		return envelope.NotFound("issue", fmt.Sprintf("#%d of %s is a pull request, not an issue.", number, where)).
			At("issue_number", "Pull requests share the numbers of issues and are out of scope here.").Repair(s.browse(owner, repo))
	case errors.Is(err, backend.ErrIssueNotFound):
		return envelope.NotFound("issue", fmt.Sprintf("No issue #%d is visible in %s.", number, where)).
			At("issue_number", "It may be deleted, transferred, or private to others.").Repair(s.browse(owner, repo))
	case errors.As(err, &label):
		return envelope.New(codeLabelNotFound, fmt.Sprintf("A label in %s does not exist in this repository; nothing was applied.", label.Field)).
			At(string(label.Field), fmt.Sprintf("Element at index %d matches no label of %s.", label.Index, where)).
			Repair(s.listLabels.Call("lookup_labels_then_retry", labelsIn{Owner: owner, Repo: repo}).
				Or("A label that is defined but unused is not in that list; if the name was confirmed elsewhere, check its spelling."))
	case errors.As(err, &assignee):
		return envelope.InvalidField("assignee_logins", fmt.Sprintf("Element at index %d cannot be assigned in %s.", assignee.Index, where))
	case errors.Is(err, backend.ErrMilestoneNotFound):
		return envelope.InvalidField("milestone_number", "No milestone of "+where+" has this number.")
	case errors.Is(err, backend.ErrPosition):
		return envelope.InvalidField("cursor", "The list no longer has this position; start it again without the cursor.")
	case errors.As(err, &field):
		d := envelope.Field(string(field.Field), sentence(string(field.Field), field.Reason))
		if len(field.Allowed) > 0 {
			d = d.Allowed(field.Allowed)
		}
		return envelope.New(envelope.CodeInvalidField, sentence(string(field.Field), field.Reason)).With(d)
	case errors.As(err, &query):
		d := envelope.Field("query", sentence("query", query.Reason))
		if len(query.Allowed) > 0 {
			d = d.Allowed(query.Allowed)
		}
		return envelope.New(envelope.CodeInvalidField, sentence("query", query.Reason)).With(d)
	case errors.Is(err, backend.ErrIssueLocked):
		unlock := false
		return envelope.New(codeIssueLocked, fmt.Sprintf("The conversation of issue #%d is locked; nothing was posted.", number)).
			At("issue_number", "The conversation is locked and this token lacks maintainer rights.").
			Repair(s.update.Call("unlock_then_retry", updateIn{Owner: owner, Repo: repo, Number: number, Locked: &unlock}))
	case errors.Is(err, backend.ErrMissingCredential):
		return envelope.MissingCredential("No GitHub token is configured: GITHUB_TOKEN is not set.")
	case errors.Is(err, backend.ErrInvalidCredential):
		return envelope.InvalidCredential("GitHub rejected the configured token.")
	case errors.As(err, &scope):
		return envelope.InsufficientScope("The configured token lacks the rights for this call.", scope.Scopes...)
	case errors.As(err, &rate):
		e := envelope.RateLimited(rate.Delay)
		if rate.Remaining >= 0 {
			e = e.RateLimitRemaining(rate.Remaining)
		}
		return e
	case errors.As(err, &unavailable):
		e := envelope.UpstreamUnavailable(err)
		if unavailable.Delay >= 0 {
			e = e.RetryAfter(unavailable.Delay)
		}
		return e
	}
	return nil
}

func sentence(field, reason string) string { return field + " " + reason + "." }

// browse lists what there is instead of what was not found.
func (s *service) browse(owner, repo string) envelope.Repair {
	return s.search.Call("search_then_read", searchIn{Owner: owner, Repo: repo, State: "all"}).
		Or("If the repository was renamed or the issue transferred, search under the new owner.")
}
