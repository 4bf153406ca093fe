package tracker

import (
	"slices"
	"strings"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
)

// foreign are qualifiers of GitHub's issue search that do not exist here. To
// look for them as text would find nothing and say nothing.
var foreign = []string{
	"base", "closes", "draft", "head", "interactions", "language", "linked", "merged", "parent-issue",
	"project", "reactions", "review", "review-requested", "reviewed-by", "sha", "sort", "status",
	"sub-issue", "team", "team-review-requested", "user-review-requested",
}

// qualifiers compile one value each.
var qualifiers = map[string]func(c *compiler, value string) (predicate, error){
	"archived":  archived,
	"assignee":  login(func(r *record, who string) bool { return containsFold(r.issue.Assignees, who) }),
	"author":    login(func(r *record, who string) bool { return strings.EqualFold(r.issue.Author, who) }),
	"closed":    span("closed", when, closedAt),
	"commenter": login(commented),
	"comments":  span("comments", count, func(r *record) (int64, bool) { return int64(r.issue.Comments), true }),
	"created":   span("created", when, func(r *record) (int64, bool) { return r.issue.CreatedAt.Unix(), true }),
	"involves":  login(involved),
	"is":        is,
	"label":     func(_ *compiler, value string) (predicate, error) { return hasLabel(value), nil },
	"mentions":  login(mentioned),
	"milestone": milestone,
	"no":        lacks,
	"org":       owner("org"),
	"reason":    reason,
	"repo":      inRepo,
	"state":     state,
	"type":      issueType,
	"updated":   span("updated", when, func(r *record) (int64, bool) { return r.issue.UpdatedAt.Unix(), true }),
	"user":      owner("user"),
}

func hasLabel(name string) predicate {
	return func(r *record) bool { return containsFold(r.issue.Labels, name) }
}

func login(match func(r *record, who string) bool) func(*compiler, string) (predicate, error) {
	return func(c *compiler, value string) (predicate, error) {
		who := strings.TrimPrefix(value, "@")
		if strings.EqualFold(value, "@me") {
			who = c.login
		}
		return func(r *record) bool { return match(r, who) }, nil
	}
}

func commented(r *record, who string) bool {
	return slices.ContainsFunc(r.comments, func(c comment) bool { return strings.EqualFold(c.Author, who) })
}

func mentioned(r *record, who string) bool {
	mentions := func(text string) bool {
		text, who := strings.ToLower(text), strings.ToLower("@"+who)
		for {
			_, rest, found := strings.Cut(text, who)
			if !found {
				return false
			}
			if next := strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz0123456789-"); len(next) == len(rest) {
				return true
			}
			text = rest
		}
	}
	return mentions(r.issue.Body) || slices.ContainsFunc(r.comments, func(c comment) bool { return mentions(c.Body) })
}

func involved(r *record, who string) bool {
	return strings.EqualFold(r.issue.Author, who) || containsFold(r.issue.Assignees, who) ||
		commented(r, who) || mentioned(r, who)
}

func state(_ *compiler, value string) (predicate, error) {
	want := backend.State(strings.ToLower(value))
	if want != backend.Open && want != backend.Closed {
		return nil, refuse("state", "takes a state", "open", "closed")
	}
	return func(r *record) bool { return r.issue.State == want }, nil
}

func is(c *compiler, value string) (predicate, error) {
	switch strings.ToLower(value) {
	case "open", "closed":
		return state(c, value)
	case "issue", "public":
		return func(*record) bool { return true }, nil
	case "locked":
		return func(r *record) bool { return r.issue.Locked }, nil
	case "unlocked":
		return func(r *record) bool { return !r.issue.Locked }, nil
	case "pr", "pull-request":
		return nil, refuse("is", "asks for pull requests although only issues are searched", "open", "closed", "issue", "locked", "unlocked")
	}
	return nil, refuse("is", "takes a property of issues", "open", "closed", "issue", "locked", "unlocked", "public")
}

func issueType(_ *compiler, value string) (predicate, error) {
	if !strings.EqualFold(value, "issue") {
		return nil, refuse("type", "takes only issue, since only issues are searched", "issue")
	}
	return func(*record) bool { return true }, nil
}

func archived(_ *compiler, value string) (predicate, error) {
	switch strings.ToLower(value) {
	case "true":
		return func(*record) bool { return false }, nil
	case "false":
		return func(*record) bool { return true }, nil
	}
	return nil, refuse("archived", "takes a truth value", "true", "false")
}

func reason(_ *compiler, value string) (predicate, error) {
	want := backend.StateReason(strings.ReplaceAll(strings.ToLower(value), " ", "_"))
	switch want {
	case backend.Completed, backend.NotPlanned, backend.Duplicate, backend.Reopened:
		return func(r *record) bool { return r.issue.StateReason == want }, nil
	}
	return nil, refuse("reason", "takes a reason for a state", "completed", "not_planned", "duplicate", "reopened")
}

func milestone(_ *compiler, value string) (predicate, error) {
	return func(r *record) bool {
		return r.issue.Milestone != nil && strings.EqualFold(r.issue.Milestone.Title, value)
	}, nil
}

func lacks(_ *compiler, value string) (predicate, error) {
	switch strings.ToLower(value) {
	case "label":
		return func(r *record) bool { return len(r.issue.Labels) == 0 }, nil
	case "assignee":
		return func(r *record) bool { return len(r.issue.Assignees) == 0 }, nil
	case "milestone":
		return func(r *record) bool { return r.issue.Milestone == nil }, nil
	}
	return nil, refuse("no", "takes what is missing", "label", "assignee", "milestone")
}

func inRepo(c *compiler, value string) (predicate, error) {
	owner, name, _ := strings.Cut(value, "/")
	want := backend.Repo{Owner: owner, Name: name}
	if !slices.ContainsFunc(c.visible, want.Equal) {
		return nil, refuse("repo", "names no repository that can be seen; write it as owner/name")
	}
	return func(r *record) bool { return r.issue.Repo.Equal(want) }, nil
}

func owner(qualifier string) func(*compiler, string) (predicate, error) {
	return func(c *compiler, value string) (predicate, error) {
		if !slices.ContainsFunc(c.visible, func(r backend.Repo) bool { return strings.EqualFold(r.Owner, value) }) {
			return nil, refuse(qualifier, "names no owner of a repository that can be seen")
		}
		return func(r *record) bool { return strings.EqualFold(r.issue.Repo.Owner, value) }, nil
	}
}
