package main

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/mcpkit"
)

type createIn struct {
	Owner     string   `json:"owner" jsonschema:"pattern=^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$" mcp:"fold,scope"`
	Repo      string   `json:"repo" jsonschema:"pattern=^[A-Za-z0-9._-]{1,100}$" mcp:"fold,scope"`
	Title     string   `json:"title" jsonschema:"minLength=1,maxLength=256"`
	Body      string   `json:"body,omitempty" jsonschema:"maxLength=65536" jsonschema_description:"GitHub-flavored Markdown. Omitted means no body."`
	Labels    []string `json:"labels,omitempty" jsonschema:"items.minLength=1,items.maxLength=100,maxItems=20" jsonschema_description:"Omitted means no labels." mcp:"set,fold,lookup=github_list_labels"`
	Assignees []string `json:"assignee_logins,omitempty" jsonschema:"maxItems=10" jsonschema_description:"GitHub logins. Omitted means unassigned." mcp:"set,fold"`
	Milestone int      `json:"milestone_number,omitempty" jsonschema:"minimum=1" jsonschema_description:"Number of an existing milestone. Omitted means none."`
	Key       string   `json:"idempotency_key,omitempty" jsonschema:"minLength=1,maxLength=128" jsonschema_description:"Omitted means no deduplication." mcp:"idempotency_key"`
}

type createOut struct {
	Number    int       `json:"issue_number"`
	URL       string    `json:"url" jsonschema:"format=uri"`
	State     string    `json:"state" jsonschema:"enum=open"`
	Version   string    `json:"version"`
	CreatedAt time.Time `json:"created_at"`
}

func (s *service) createTool(c config) mcpkit.Tool[createIn, createOut] {
	return mcpkit.Tool[createIn, createOut]{
		Name:  "github_create_issue",
		Title: "Create issue",
		Description: "Open an issue, with its labels, assignees and milestone in the same call; never create first and update then.\n\n" +
			"Labels must exist (github_list_labels); an unknown one fails the whole call with label_not_found and leaves no issue behind.\n\n" +
			"After a timeout do not just send again: repeat with the same idempotency_key, or look for the exact title with github_search_issues before a retry without one.",
		Example: createIn{
			Owner: "acme", Repo: "api", Title: "500 on /v2/users when page > 100",
			Body: "Steps to reproduce: …", Labels: []string{"bug"},
		},
		Effect:    mcpkit.Adds,
		OpenWorld: true,
		Errors:    []envelope.Code{codeLabelNotFound, codeRepoNotFound},
		Describe:  map[string]string{"idempotency_key": keyText(c.window, "owner/repo", "issue", "each call creates")},
		Reconcile: s.findByTitle,
		Handle:    s.handleCreate,
	}
}

func keyText(window time.Duration, scope, thing, without string) string {
	return fmt.Sprintf("Repeats of a key within %s (per %s) give one %s. Omitted means no deduplication: %s.", words(window), scope, thing, without)
}

// findByTitle is the call that shows whether a creation took effect.
func (s *service) findByTitle(in createIn) envelope.Repair {
	const maxQuery = 256
	title := strings.Join(strings.Fields(strings.ReplaceAll(in.Title, `"`, " ")), " ")
	query := `in:title "` + title + `"`
	for utf8.RuneCountInString(query) > maxQuery {
		_, size := utf8.DecodeLastRuneInString(title)
		title = title[:len(title)-size]
		query = `in:title "` + title + `"`
	}
	call := searchIn{Owner: in.Owner, Repo: in.Repo, Query: query, State: "all", Sort: "created"}
	if title == "" {
		call.Query = ""
	}
	return s.search.Call("find_by_title_then_decide", call).
		Or("If no issue of that title was created just now, send the call again with a new idempotency_key.")
}

func (s *service) handleCreate(ctx context.Context, in createIn) (createOut, error) {
	issue, err := s.backend.Create(ctx, backend.Repo{Owner: in.Owner, Name: in.Repo}, backend.NewIssue{
		Title: in.Title, Body: in.Body, Labels: in.Labels, Assignees: in.Assignees, Milestone: in.Milestone,
	})
	if err != nil {
		return createOut{}, s.failure(err, in.Owner, in.Repo, 0)
	}
	version, err := versionOf(issue)
	if err != nil {
		return createOut{}, err
	}
	return createOut{Number: issue.Number, URL: issue.URL, State: string(issue.State), Version: version, CreatedAt: issue.CreatedAt}, nil
}
