package main

import (
	"context"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/paginate"
)

const labelsPage = 100

type labelsIn struct {
	Owner  string `json:"owner" jsonschema:"pattern=^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$" mcp:"fold"`
	Repo   string `json:"repo" jsonschema:"pattern=^[A-Za-z0-9._-]{1,100}$" mcp:"fold"`
	Cursor string `json:"cursor,omitempty" jsonschema_description:"next_cursor of an earlier page. Omitted means the first page." mcp:"cursor"`
}

type labelsOut struct {
	Labels []labelView `json:"labels"`
	paginate.Continuation
	Derived bool `json:"derived_from_issues" jsonschema_description:"Always true here: only labels in use are listed."`
}

type labelView struct {
	Name        string `json:"name"`
	Color       string `json:"color,omitempty"`
	Description string `json:"description,omitempty"`
}

func (s *service) labelsTool(c config) mcpkit.Tool[labelsIn, labelsOut] {
	return mcpkit.Tool[labelsIn, labelsOut]{
		Name:  "github_list_labels",
		Title: "List labels in use",
		Description: "List the label names observed on issues of one repository: the valid values of labels, add_labels and remove_labels.\n\n" +
			"The list is derived from labels that at least one issue carries. A label that is defined but unused does not appear, and applying it still succeeds. " +
			"Treat the list as known-good values, not as all values.",
		Example:   labelsIn{Owner: "acme", Repo: "api"},
		Effect:    mcpkit.Reads,
		OpenWorld: true,
		Errors:    []envelope.Code{codeRepoNotFound, envelope.CodeRateLimited},
		Describe:  map[string]string{"cursor": cursorText("next_cursor", c.cursorTTL)},
		Cursor:    s.walks,
		Handle:    s.handleLabels,
	}
}

func (s *service) handleLabels(ctx context.Context, in labelsIn) (labelsOut, error) {
	rows, err := paginate.Keyset(ctx, paginate.Walk{Size: labelsPage}, s.walks.Position(ctx),
		func(r backend.Row[backend.Label]) backend.Position { return r.After },
		func(r backend.Row[backend.Label]) bool { return !r.Skip },
		func(ctx context.Context, after backend.Position, _ bool, n int) ([]backend.Row[backend.Label], error) {
			page, err := s.backend.Labels(ctx, backend.Repo{Owner: in.Owner, Name: in.Repo}, after, n)
			return page.Rows, err
		})
	if err != nil {
		return labelsOut{}, s.failure(err, in.Owner, in.Repo, 0)
	}
	out := labelsOut{Labels: make([]labelView, 0, len(rows.Rows)), Derived: true}
	for _, r := range rows.Rows {
		out.Labels = append(out.Labels, labelView(r.Value))
	}
	page, err := rows.Page(s.walks.Sealer(ctx), "")
	if err != nil {
		return labelsOut{}, err
	}
	out.Continuation = paginate.Continuation{HasMore: page.HasMore, NextCursor: page.NextCursor}
	return out, nil
}
