package main

import (
	"context"
	"time"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/mcpkit"
)

type commentIn struct {
	Owner  string `json:"owner" jsonschema:"pattern=^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$" mcp:"fold,scope"`
	Repo   string `json:"repo" jsonschema:"pattern=^[A-Za-z0-9._-]{1,100}$" mcp:"fold,scope"`
	Number int    `json:"issue_number" jsonschema:"minimum=1" mcp:"scope,lookup=github_search_issues"`
	Body   string `json:"body" jsonschema:"minLength=1,maxLength=65536" jsonschema_description:"GitHub-flavored Markdown."`
	Key    string `json:"idempotency_key,omitempty" jsonschema:"minLength=1,maxLength=128" jsonschema_description:"Omitted means no deduplication." mcp:"idempotency_key"`
}

type commentOut struct {
	ID        int       `json:"comment_id"`
	URL       string    `json:"url" jsonschema:"format=uri"`
	CreatedAt time.Time `json:"created_at"`
}

func (s *service) commentTool(c config) mcpkit.Tool[commentIn, commentOut] {
	return mcpkit.Tool[commentIn, commentOut]{
		Name:  "github_add_comment",
		Title: "Add comment",
		Description: "Post a comment on an existing issue.\n\n" +
			"Fails with issue_locked when the conversation is locked and the token lacks maintainer rights; the repair names the unlocking call. " +
			"After a timeout do not just send again: repeat with the same idempotency_key, or read the end of the thread with github_get_issue before a retry without one.",
		Example:   commentIn{Owner: "acme", Repo: "api", Number: 512, Body: "Fixed in 41c9e2f; closing."},
		Effect:    mcpkit.Adds,
		OpenWorld: true,
		Errors:    []envelope.Code{codeIssueLocked, codeIssueNotFound, codeRepoNotFound},
		Describe:  map[string]string{"idempotency_key": keyText(c.window, "owner/repo/issue_number", "comment", "each call posts")},
		Reconcile: func(in commentIn) envelope.Repair {
			return s.reread("read_thread_then_decide", in.Owner, in.Repo, in.Number).
				Or("Follow comments_next_cursor to the last page; if the comment is not at its end, send the call again with a new idempotency_key.")
		},
		Handle: s.handleComment,
	}
}

func (s *service) handleComment(ctx context.Context, in commentIn) (commentOut, error) {
	c, err := s.backend.AddComment(ctx, backend.Repo{Owner: in.Owner, Name: in.Repo}, in.Number, in.Body)
	if err != nil {
		return commentOut{}, s.failure(err, in.Owner, in.Repo, in.Number)
	}
	return commentOut{ID: int(c.ID), URL: c.URL, CreatedAt: c.CreatedAt}, nil
}
