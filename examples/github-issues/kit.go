package main

import (
	"log/slog"
	"strings"
	"time"

	"github.com/mcpkit-go/agentmcp/cursor"
	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
)

// config is what the server is made from.
type config struct {
	backend   backend.Backend
	keys      *cursor.Keyring
	cursorTTL time.Duration
	window    time.Duration
	wait      time.Duration // how long a repeat of a key waits for the first call; 0 is the keeper's default
	logger    *slog.Logger
	strict    bool // in tests: author's mistakes become errors
}

// service holds the tools, so that the errors of one can name the calls of
// another.
type service struct {
	backend backend.Backend
	walks   *mcpkit.Cursor[walk]

	search     mcpkit.Tool[searchIn, searchOut]
	get        mcpkit.Tool[getIn, getOut]
	create     mcpkit.Tool[createIn, createOut]
	update     mcpkit.Tool[updateIn, updateOut]
	addComment mcpkit.Tool[commentIn, commentOut]
	listLabels mcpkit.Tool[labelsIn, labelsOut]
}

// The codes of this server that are not among the standard ones.
const (
	codeRepoNotFound    envelope.Code = "repo_not_found"
	codeIssueNotFound   envelope.Code = "issue_not_found"
	codeCommentNotFound envelope.Code = "comment_not_found"
	codeLabelNotFound   envelope.Code = "label_not_found"
	codeIssueLocked     envelope.Code = "issue_locked"
)

func newKit(c config) (*mcpkit.Kit, error) {
	codes, err := envelope.NewCatalog(
		envelope.Entry{Code: codeRepoNotFound, Meaning: "The repository does not exist or is not visible to this token."},
		envelope.Entry{Code: codeIssueNotFound, Meaning: "The issue does not exist, was deleted or transferred, is a pull request, or is not visible to this token."},
		envelope.Entry{Code: codeCommentNotFound, Meaning: "The comment does not exist or was deleted."},
		envelope.Entry{Code: codeLabelNotFound, Meaning: "A label does not exist in the repository; nothing was applied."},
		envelope.Entry{Code: codeIssueLocked, Meaning: "The conversation is locked and the token lacks maintainer rights."},
	)
	if err != nil {
		return nil, err
	}
	keeper, err := idempotency.New(idempotency.NewMemory(nil), &idempotency.Options{Window: c.window, Wait: c.wait})
	if err != nil {
		return nil, err
	}
	walks, err := mcpkit.NewCursor[walk](c.keys, c.cursorTTL, nil)
	if err != nil {
		return nil, err
	}
	s := &service{backend: c.backend, walks: walks}
	s.search = s.searchTool(c)
	s.get = s.getTool(c)
	s.create = s.createTool(c)
	s.update = s.updateTool()
	s.addComment = s.commentTool(c)
	s.listLabels = s.labelsTool(c)
	return mcpkit.New(mcpkit.Server{
		Name: "github-issues-mcp", Version: "1.0.0", Title: "GitHub issues",
		Summary: "Search, read, create, update, comment on, label, and lock or unlock GitHub issues with the configured token.",
		Does: []string{
			"Search and browse issues in one repository or across all that the token can read.",
			"Read an issue with its whole comment thread.",
			"Create issues with labels, assignees and milestone in one call.",
			"Edit, relabel, assign, close or reopen, and lock or unlock issues, with optimistic locking.",
			"Post comments that a retry does not double.",
		},
		DoesNot: []string{
			"Pull requests, reviews or comments on them; searches leave pull requests out.",
			"Create, rename or delete labels or milestones; labels are applied, never defined.",
			"Delete or transfer issues; manage reactions, projects or webhooks.",
			"Push updates: there are no subscriptions, so read again to see changes.",
		},
		Codes: codes,
		CommonErrors: []envelope.Code{
			envelope.CodeMissingCredential, envelope.CodeInvalidCredential, envelope.CodeInsufficientScope,
			envelope.CodeRateLimited, envelope.CodeUpstreamUnavailable,
		},
		Idempotency: keeper, Logger: c.logger, Strict: c.strict,
	}, s.search, s.get, s.create, s.update, s.addComment, s.listLabels)
}

// words writes a duration for descriptions: "15 minutes", "90 seconds".
func words(d time.Duration) string {
	n, unit := d.Seconds(), "second"
	switch {
	case d%time.Hour == 0:
		n, unit = d.Hours(), "hour"
	case d%time.Minute == 0:
		n, unit = d.Minutes(), "minute"
	}
	text := strings.TrimSuffix(strings.TrimRight(formatFloat(n), "0"), ".") + " " + unit
	if n != 1 {
		text += "s"
	}
	return text
}
