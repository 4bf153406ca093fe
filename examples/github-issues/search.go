package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/paginate"
)

const (
	pageSize   = 30
	walkBudget = 300 // issues in one walk of github_search_issues
)

// walk is what a cursor of this server holds.
type walk = paginate.Position[backend.Position]

type searchIn struct {
	Query        string    `json:"query,omitempty" jsonschema:"minLength=1,maxLength=256" jsonschema_description:"GitHub issue-search syntax, e.g. \"memory leak label:bug\". Omitted means browsing by filters alone, which then needs owner and repo."`
	Owner        string    `json:"owner,omitempty" jsonschema:"pattern=^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$" jsonschema_description:"Owner login, e.g. \"acme\". Omitted means all accessible repos (needs query)." mcp:"fold"`
	Repo         string    `json:"repo,omitempty" jsonschema:"pattern=^[A-Za-z0-9._-]{1,100}$" jsonschema_description:"Repository name without owner, e.g. \"api\". Omitted means all accessible repos (needs query)." mcp:"fold"`
	State        string    `json:"state,omitempty" jsonschema:"enum=open,enum=closed,enum=all,default=open" jsonschema_description:"Omitted means \"open\"."`
	Labels       []string  `json:"labels,omitempty" jsonschema:"items.minLength=1,items.maxLength=100,maxItems=10" jsonschema_description:"The issue must carry ALL of them. Omitted means no label filter. Valid names: github_list_labels." mcp:"set,fold,lookup=github_list_labels"`
	Assignee     string    `json:"assignee_login,omitempty" jsonschema_description:"Login of an assignee. Omitted means no assignee filter." mcp:"fold"`
	Creator      string    `json:"creator_login,omitempty" jsonschema_description:"Login of the author. Omitted means no author filter." mcp:"fold"`
	UpdatedAfter time.Time `json:"updated_after,omitzero" jsonschema_description:"Only issues updated at or after this instant (RFC3339 UTC). Omitted means no lower bound."`
	Sort         string    `json:"sort,omitempty" jsonschema:"enum=created,enum=updated,enum=comments,default=updated" jsonschema_description:"Omitted means \"updated\"."`
	Order        string    `json:"order,omitempty" jsonschema:"enum=asc,enum=desc,default=desc" jsonschema_description:"Omitted means \"desc\"."`
	Detail       string    `json:"detail,omitempty" jsonschema:"enum=summary,enum=full,default=summary" jsonschema_description:"Field density only; never changes the row count. Omitted means \"summary\"." mcp:"detail"`
	Cursor       string    `json:"cursor,omitempty" jsonschema_description:"next_cursor of an earlier page. Omitted means the first page." mcp:"cursor"`
}

type searchOut struct {
	Issues []issueView `json:"issues"`
	paginate.Page
	RateLimitRemaining *int `json:"rate_limit_remaining,omitempty" jsonschema:"minimum=0" jsonschema_description:"Present only below 10% of the upstream budget."`
}

func (s *service) searchTool(c config) mcpkit.Tool[searchIn, searchOut] {
	return mcpkit.Tool[searchIn, searchOut]{
		Name:  "github_search_issues",
		Title: "Search issues",
		Description: "Find issues in one repository or across every repository the token can read.\n\n" +
			"When to use: any task of finding, listing or browsing issues by repo, label, state, assignee, date or free text. " +
			"Give owner and repo, or query, or both; a call with neither fails with invalid_field (query, owner, repo). Pull requests are never returned.\n\n" +
			"Defaults: open issues, latest update first, summaries, 30 a page. A walk ends after 300 issues with truncated true and a hint how to narrow it; an issue updated during a walk may move past it.",
		Example:   searchIn{Owner: "acme", Repo: "api", Labels: []string{"bug"}, State: "open"},
		Effect:    mcpkit.Reads,
		OpenWorld: true,
		Errors:    []envelope.Code{envelope.CodeInvalidField, codeRepoNotFound, envelope.CodeRateLimited},
		Describe:  map[string]string{"cursor": cursorText("next_cursor", c.cursorTTL)},
		Cursor:    s.walks,
		Check:     s.checkSearch,
		Handle:    s.handleSearch,
	}
}

func cursorText(source string, ttl time.Duration) string {
	return fmt.Sprintf("Opaque %s of an earlier page, valid %s; then cursor_expired. Omitted means the first page.", source, words(ttl))
}

func (s *service) checkSearch(in searchIn) error {
	switch {
	case in.Query == "" && in.Owner == "" && in.Repo == "":
		return envelope.InvalidFields("None of query, owner and repo is present; a search needs owner and repo, or query.", "query", "owner", "repo")
	case in.Owner != "" && in.Repo == "":
		return envelope.InvalidField("repo", "owner is given without repo; they go together.")
	case in.Repo != "" && in.Owner == "":
		return envelope.InvalidField("owner", "repo is given without owner; they go together.")
	}
	for _, term := range backend.ParseText(in.Query) {
		if term.Not || term.Qualifier != "is" && term.Qualifier != "state" || in.State == "all" {
			continue
		}
		if len(term.Values) == 1 && isState(term.Values[0]) && !strings.EqualFold(term.Values[0], in.State) {
			fits := in
			fits.State, fits.Cursor = "all", ""
			return envelope.InvalidFields("query and state ask for opposite states, so nothing can match; omitted state means \"open\".", "query", "state").
				Repair(s.search.Call("retry_with_any_state", fits))
		}
	}
	return nil
}

func isState(word string) bool {
	return strings.EqualFold(word, "open") || strings.EqualFold(word, "closed")
}

func (s *service) handleSearch(ctx context.Context, in searchIn) (searchOut, error) {
	q := backend.Query{
		Text: in.Query, Labels: in.Labels, Assignee: in.Assignee, Creator: in.Creator,
		UpdatedAfter: in.UpdatedAfter, Sort: backend.Sort(in.Sort), Order: backend.Order(in.Order),
	}
	if in.State != "all" {
		q.State = backend.State(in.State)
	}
	if in.Repo != "" {
		q.Repo = &backend.Repo{Owner: in.Owner, Name: in.Repo}
	}
	var last backend.Page[backend.Issue]
	rows, err := paginate.Keyset(ctx, paginate.Walk{Size: pageSize, Budget: walkBudget}, s.walks.Position(ctx),
		func(r backend.Row[backend.Issue]) backend.Position { return r.After },
		func(r backend.Row[backend.Issue]) bool { return !r.Skip },
		func(ctx context.Context, after backend.Position, _ bool, n int) ([]backend.Row[backend.Issue], error) {
			var err error
			last, err = s.backend.Search(ctx, q, after, n)
			return last.Rows, err
		})
	if err != nil {
		return searchOut{}, s.failure(err, in.Owner, in.Repo, 0)
	}
	out := searchOut{Issues: make([]issueView, 0, len(rows.Rows))}
	for _, r := range rows.Rows {
		view, err := viewOf(r.Value)
		if err != nil {
			return searchOut{}, err
		}
		out.Issues = append(out.Issues, view)
	}
	rows.Truncated = rows.Truncated || last.Capped && rows.Next == nil
	out.Page, err = rows.Page(s.walks.Sealer(ctx),
		"This walk shows no more. Narrow it with labels, assignee_login, creator_login, updated_after or query to see the rest.")
	if err != nil {
		return searchOut{}, err
	}
	out.EstimatedTotal = last.EstimatedTotal
	if last.Rate.Low() {
		out.RateLimitRemaining = &last.Rate.Remaining
	}
	return out, nil
}

func formatFloat(n float64) string { return strconv.FormatFloat(n, 'f', 3, 64) }
