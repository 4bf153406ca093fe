package main

import (
	"context"
	"time"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/paginate"
)

type getIn struct {
	Owner          string `json:"owner" jsonschema:"pattern=^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$" mcp:"fold"`
	Repo           string `json:"repo" jsonschema:"pattern=^[A-Za-z0-9._-]{1,100}$" mcp:"fold"`
	Number         int    `json:"issue_number" jsonschema:"minimum=1" jsonschema_description:"The number in the repo (from a URL or a search), not the global id." mcp:"lookup=github_search_issues"`
	Detail         string `json:"detail,omitempty" jsonschema:"enum=summary,enum=full,default=full" jsonschema_description:"Omitted means \"full\": reading one issue usually wants the body." mcp:"detail"`
	CommentsCursor string `json:"comments_cursor,omitempty" jsonschema_description:"comments_next_cursor of an earlier page. Omitted means the first page." mcp:"cursor"`
}

type getOut struct {
	Issue              issueView     `json:"issue"`
	Version            string        `json:"version" jsonschema_description:"Optimistic-lock token derived from the content; pass it as expected_version to github_update_issue."`
	Comments           []commentView `json:"comments"`
	CommentsHasMore    bool          `json:"comments_has_more"`
	CommentsNextCursor string        `json:"comments_next_cursor,omitempty" jsonschema_description:"Present iff comments_has_more is true."`
}

type commentView struct {
	ID        int       `json:"comment_id"`
	Author    string    `json:"author"`
	CreatedAt time.Time `json:"created_at"`
	Body      string    `json:"body"`
	URL       string    `json:"url,omitempty" jsonschema:"format=uri"`
}

func (s *service) getTool(c config) mcpkit.Tool[getIn, getOut] {
	return mcpkit.Tool[getIn, getOut]{
		Name:  "github_get_issue",
		Title: "Get issue with comments",
		Description: "Read one issue and its comment thread.\n\n" +
			"When to use: owner, repo and issue_number are known (from a search, a URL or the user) and the content is needed. " +
			"Comments come oldest first, 30 a page, and continue with comments_cursor. " +
			"github_update_issue needs the returned version to be safe.",
		Example:   getIn{Owner: "acme", Repo: "api", Number: 512},
		Effect:    mcpkit.Reads,
		OpenWorld: true,
		Errors:    []envelope.Code{codeRepoNotFound, codeIssueNotFound, envelope.CodeRateLimited},
		Describe:  map[string]string{"comments_cursor": cursorText("comments_next_cursor", c.cursorTTL)},
		Cursor:    s.walks,
		Handle:    s.handleGet,
	}
}

func (s *service) handleGet(ctx context.Context, in getIn) (getOut, error) {
	repo := backend.Repo{Owner: in.Owner, Name: in.Repo}
	issue, err := s.backend.Issue(ctx, repo, in.Number)
	if err != nil {
		return getOut{}, s.failure(err, in.Owner, in.Repo, in.Number)
	}
	view, err := viewOf(issue)
	if err != nil {
		return getOut{}, err
	}
	rows, err := paginate.Keyset(ctx, paginate.Walk{Size: pageSize}, s.walks.Position(ctx),
		func(r backend.Row[backend.Comment]) backend.Position { return r.After },
		func(r backend.Row[backend.Comment]) bool { return !r.Skip },
		func(ctx context.Context, after backend.Position, _ bool, n int) ([]backend.Row[backend.Comment], error) {
			page, err := s.backend.Comments(ctx, repo, in.Number, after, n)
			return page.Rows, err
		})
	if err != nil {
		return getOut{}, s.failure(err, in.Owner, in.Repo, in.Number)
	}
	out := getOut{Issue: view, Version: view.Version, Comments: make([]commentView, 0, len(rows.Rows))}
	for _, r := range rows.Rows {
		c := r.Value
		out.Comments = append(out.Comments, commentView{ID: int(c.ID), Author: c.Author, CreatedAt: c.CreatedAt, Body: c.Body, URL: c.URL})
	}
	page, err := rows.Page(s.walks.Sealer(ctx), "")
	if err != nil {
		return getOut{}, err
	}
	out.CommentsHasMore, out.CommentsNextCursor = page.HasMore, page.NextCursor
	return out, nil
}
