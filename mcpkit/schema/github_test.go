package schema_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

// The tools of the GitHub issues server, whose published schemas are in
// testdata/github.
type (
	searchIn struct {
		Query    string    `json:"query,omitempty" jsonschema:"minLength=1,maxLength=256" jsonschema_description:"GitHub issue-search syntax, e.g. \"memory leak label:bug\". Omitted means filter-only browsing, which then requires owner and repo."`
		Owner    string    `json:"owner,omitempty" jsonschema:"pattern=^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$" jsonschema_description:"Repository owner login, e.g. \"acme\". Omitted means search across all accessible repos (requires query)."`
		Repo     string    `json:"repo,omitempty" jsonschema:"pattern=^[A-Za-z0-9._-]{1,100}$" jsonschema_description:"Repository name without owner, e.g. \"api\". Omitted means search across all accessible repos (requires query)."`
		State    string    `json:"state,omitempty" jsonschema:"enum=open,enum=closed,enum=all,default=open" jsonschema_description:"Omitted means \"open\" (the server applies this default)."`
		Labels   []string  `json:"labels,omitempty" jsonschema:"maxItems=10,items.minLength=1,items.maxLength=100" jsonschema_description:"Issue must carry ALL listed labels. Omitted means no label filter. Valid names: github_list_labels." mcp:"set,lookup=github_list_labels"`
		Assignee string    `json:"assignee_login,omitempty" jsonschema_description:"GitHub login of an assignee. Omitted means no assignee filter."`
		Creator  string    `json:"creator_login,omitempty" jsonschema_description:"GitHub login of the issue author. Omitted means no author filter."`
		Updated  time.Time `json:"updated_after,omitzero" jsonschema_description:"Only issues updated at or after this instant (RFC3339 UTC). Omitted means no lower bound."`
		Sort     sortKey   `json:"sort,omitempty" jsonschema:"enum=created,enum=updated,enum=comments,default=updated" jsonschema_description:"Omitted means \"updated\" (server-applied)."`
		Order    string    `json:"order,omitempty" jsonschema:"enum=asc,enum=desc,default=desc" jsonschema_description:"Omitted means \"desc\" (server-applied)."`
		Detail   string    `json:"detail,omitempty" jsonschema:"enum=summary,enum=full,default=summary" jsonschema_description:"Field density only; never changes row count. Omitted means \"summary\" (server-applied)." mcp:"detail"`
		Cursor   string    `json:"cursor,omitempty" jsonschema_description:"Opaque continuation token from a prior next_cursor. Valid 15 minutes; expiry returns cursor_expired. Omitted means first page." mcp:"cursor"`
	}
	sortKey string

	repoIn struct {
		Owner string `json:"owner" jsonschema:"pattern=^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$"`
		Repo  string `json:"repo" jsonschema:"pattern=^[A-Za-z0-9._-]{1,100}$"`
	}

	getIn struct {
		repoIn
		Number int    `json:"issue_number" jsonschema:"minimum=1" jsonschema_description:"The issue's number in the repo (from URL or search), not its global id."`
		Detail string `json:"detail,omitempty" jsonschema:"enum=summary,enum=full,default=full" jsonschema_description:"Omitted means \"full\" (server-applied): a targeted single-issue read usually wants the body." mcp:"detail"`
		Cursor string `json:"comments_cursor,omitempty" jsonschema_description:"Opaque token from a prior comments_next_cursor. Omitted means the first comment page." mcp:"cursor"`
	}

	createIn struct {
		repoIn
		Title     string   `json:"title" jsonschema:"minLength=1,maxLength=256"`
		Body      string   `json:"body,omitempty" jsonschema:"maxLength=65536" jsonschema_description:"GitHub-flavored Markdown. Omitted means an issue with no body."`
		Labels    []string `json:"labels,omitempty" jsonschema:"maxItems=20,items.minLength=1,items.maxLength=100" jsonschema_description:"Omitted means no labels applied."`
		Assignees []string `json:"assignee_logins,omitempty" jsonschema:"maxItems=10" jsonschema_description:"GitHub logins. Omitted means unassigned."`
		Milestone int      `json:"milestone_number,omitempty" jsonschema:"minimum=1" jsonschema_description:"Existing milestone number. Omitted means no milestone."`
		Key       string   `json:"idempotency_key,omitempty" jsonschema:"minLength=1,maxLength=128" jsonschema_description:"Re-sends with the same key within 10 minutes (scoped per owner/repo) deduplicate to one issue. Omitted means no deduplication — each call creates." mcp:"idempotency_key"`
	}
	createOut struct {
		Number  int       `json:"issue_number"`
		URL     string    `json:"url" jsonschema:"format=uri"`
		State   string    `json:"state" jsonschema:"enum=open"`
		Version string    `json:"version"`
		Created time.Time `json:"created_at"`
	}

	updateIn struct {
		repoIn
		Number      int               `json:"issue_number" jsonschema:"minimum=1"`
		Title       *string           `json:"title,omitempty" jsonschema:"minLength=1,maxLength=256" jsonschema_description:"Omitted means unchanged."`
		Body        *string           `json:"body,omitempty" jsonschema:"maxLength=65536" jsonschema_description:"Full replacement text. Omitted means unchanged; \"\" clears the body."`
		State       string            `json:"state,omitempty" jsonschema:"enum=open,enum=closed" jsonschema_description:"Omitted means unchanged."`
		StateReason string            `json:"state_reason,omitempty" jsonschema:"enum=completed,enum=not_planned,enum=reopened" jsonschema_description:"Only meaningful alongside state. Omitted with state \"closed\" means \"completed\" (server-applied)."`
		Add         []string          `json:"add_labels,omitempty" jsonschema:"maxItems=20,items.minLength=1,items.maxLength=100" jsonschema_description:"Labels to add; existing labels are kept. Omitted means none added."`
		Remove      []string          `json:"remove_labels,omitempty" jsonschema:"maxItems=20,items.minLength=1,items.maxLength=100" jsonschema_description:"Labels to remove; absent names in this list are ignored. Omitted means none removed."`
		Assignees   []string          `json:"assignee_logins,omitzero" jsonschema:"maxItems=10" jsonschema_description:"FULL replacement of the assignee set. Omitted means unchanged; [] removes all assignees."`
		Milestone   schema.Patch[int] `json:"milestone_number,omitzero" jsonschema:"minimum=1" jsonschema_description:"Omitted means unchanged; null removes the milestone."`
		Locked      *bool             `json:"locked,omitempty" jsonschema_description:"true locks the conversation, false unlocks it. Omitted means unchanged."`
		LockReason  string            `json:"lock_reason,omitempty" jsonschema:"enum=off-topic,enum=too heated,enum=resolved,enum=spam" jsonschema_description:"Only honored when locked is true. Omitted means a lock with no recorded reason."`
		Version     string            `json:"expected_version,omitempty" jsonschema_description:"Optimistic-lock token from the last read or mutation. Omitted means no precondition check. Mismatch fails with conflict." mcp:"expected_version"`
	}
	updateOut struct {
		Number  int      `json:"issue_number"`
		State   string   `json:"state" jsonschema:"enum=open,enum=closed"`
		Version string   `json:"version" jsonschema_description:"The NEW version token after this update."`
		Changed []string `json:"changed_fields" jsonschema_description:"Which published parameters actually changed stored state (a no-op relabel yields an empty array)."`
		URL     string   `json:"url" jsonschema:"format=uri"`
	}

	commentIn struct {
		repoIn
		Number int    `json:"issue_number" jsonschema:"minimum=1"`
		Body   string `json:"body" jsonschema:"minLength=1,maxLength=65536" jsonschema_description:"GitHub-flavored Markdown."`
		Key    string `json:"idempotency_key,omitempty" jsonschema:"minLength=1,maxLength=128" jsonschema_description:"Re-sends with the same key within 10 minutes (scoped per owner/repo/issue_number) deduplicate to one comment. Omitted means no deduplication." mcp:"idempotency_key"`
	}
	commentOut struct {
		ID      int64     `json:"comment_id"`
		URL     string    `json:"url" jsonschema:"format=uri"`
		Created time.Time `json:"created_at"`
	}

	labelsIn struct {
		repoIn
		Cursor string `json:"cursor,omitempty" jsonschema_description:"Opaque continuation token. Omitted means first page." mcp:"cursor"`
	}
	labelsOut struct {
		Labels  []label `json:"labels"`
		HasMore bool    `json:"has_more"`
		Next    string  `json:"next_cursor,omitempty" jsonschema_description:"Present iff has_more is true."`
		Derived bool    `json:"derived_from_issues" jsonschema_description:"Always true on this server; flags the in-use-only derivation."`
	}
	label struct {
		Name        string `json:"name"`
		Color       string `json:"color,omitempty"`
		Description string `json:"description,omitempty"`
	}
)

// The schemas come out byte for byte as published, which fixes the order of
// keys as well as their content.
func TestGitHubSchemas(t *testing.T) {
	// A backquote cannot stand in a struct tag of a raw string.
	quote := &schema.Options{Describe: map[string]string{
		"expected_version": "Optimistic-lock token from the last read or mutation. Omitted means no precondition check. Mismatch fails with `conflict`.",
	}}
	tests := []struct {
		file string
		typ  reflect.Type
		dir  schema.Direction
		opts *schema.Options
	}{
		{"github_search_issues.input", reflect.TypeFor[searchIn](), schema.Input, nil},
		{"github_get_issue.input", reflect.TypeFor[getIn](), schema.Input, nil},
		{"github_create_issue.input", reflect.TypeFor[createIn](), schema.Input, nil},
		{"github_create_issue.output", reflect.TypeFor[createOut](), schema.Output, nil},
		{"github_update_issue.input", reflect.TypeFor[updateIn](), schema.Input, quote},
		{"github_update_issue.output", reflect.TypeFor[updateOut](), schema.Output, nil},
		{"github_add_comment.input", reflect.TypeFor[commentIn](), schema.Input, nil},
		{"github_add_comment.output", reflect.TypeFor[commentOut](), schema.Output, nil},
		{"github_list_labels.input", reflect.TypeFor[labelsIn](), schema.Input, nil},
		{"github_list_labels.output", reflect.TypeFor[labelsOut](), schema.Output, nil},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join("testdata", "github", test.file+".json"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := schema.For(test.typ, test.dir, test.opts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(bytes.TrimSpace(want)), string(got.JSON())); diff != "" {
				t.Errorf("schema (-want +got):\n%s", diff)
			}
		})
	}
}
