package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
)

// The tools of github-issues.
const (
	searchIssues = "github_search_issues"
	getIssue     = "github_get_issue"
	createIssue  = "github_create_issue"
	updateIssue  = "github_update_issue"
	addComment   = "github_add_comment"
	listLabels   = "github_list_labels"
)

type args = map[string]any

type issue struct {
	Number   int    `json:"issue_number"`
	Title    string `json:"title"`
	State    string `json:"state"`
	Comments int    `json:"comment_count"`
	Body     string `json:"body"`
}

type issuePage struct {
	Issues     []issue `json:"issues"`
	HasMore    bool    `json:"has_more"`
	NextCursor string  `json:"next_cursor"`
	Truncated  bool    `json:"truncated"`
	Hint       string  `json:"truncation_hint"`
}

type thread struct {
	Issue    issue  `json:"issue"`
	Version  string `json:"version"`
	Comments []struct {
		ID int64 `json:"comment_id"`
	} `json:"comments"`
	HasMore    bool   `json:"comments_has_more"`
	NextCursor string `json:"comments_next_cursor"`
}

type created struct {
	Number  int    `json:"issue_number"`
	Version string `json:"version"`
}

type updated struct {
	State   string   `json:"state"`
	Version string   `json:"version"`
	Changed []string `json:"changed_fields"`
}

// acme returns arguments for acme/api, and more.
func acme(more args) args {
	all := args{"owner": "acme", "repo": "api"}
	maps.Copy(all, more)
	return all
}

func githubTasks() []task {
	tasks := []task{
		{name: "find_issue", about: "Search with filters, page by page, for the open bug that everybody comments on", run: findIssue},
		{name: "read_thread", about: "Read the thread of issue 512 to its end", run: readThread},
		{name: "create_once", about: "Create an issue with labels, send the call twice, get one issue", run: createOnce},
		{name: "close_safely", about: "Read an issue, then close it if it is still as it was read", run: closeSafely},
		{name: "comment", about: "Comment on an issue", run: comment},
		{name: "walk_to_cap", about: "Browse all issues until the server says that it shows no more", run: walkToCap},
		{name: "hostile_text", about: "Read an issue whose text is written to trick people and agents", run: hostileText},
	}
	for _, m := range githubMistakes() {
		tasks = append(tasks, m.task())
	}
	return tasks
}

func findIssue(ctx context.Context, a *agent) (string, error) {
	const many = 50
	for page, next := 1, ""; ; page++ {
		filters := acme(args{"state": "open", "labels": []string{"bug"}, "sort": "created", "order": "asc"})
		if next != "" {
			filters["cursor"] = next
		}
		var found issuePage
		if err := a.use(ctx, searchIssues, filters, &found); err != nil {
			return "", err
		}
		for _, i := range found.Issues {
			if i.Comments >= many {
				return fmt.Sprintf("found #%d with %d comments on page %d", i.Number, i.Comments, page), nil
			}
		}
		if next = found.NextCursor; !found.HasMore {
			return "", fmt.Errorf("no open bug has %d comments", many)
		}
	}
}

func readThread(ctx context.Context, a *agent) (string, error) {
	seen := map[int64]bool{}
	for page, next := 1, ""; ; page++ {
		arguments := acme(args{"issue_number": 512})
		if next != "" {
			arguments["comments_cursor"] = next
			arguments["detail"] = "summary" // the body was on the first page
		}
		var got thread
		if err := a.use(ctx, getIssue, arguments, &got); err != nil {
			return "", err
		}
		for _, c := range got.Comments {
			if seen[c.ID] {
				return "", fmt.Errorf("page %d repeats comment %d", page, c.ID)
			}
			seen[c.ID] = true
		}
		if got.HasMore {
			next = got.NextCursor
			continue
		}
		if len(seen) != got.Issue.Comments {
			return "", fmt.Errorf("the thread has %d comments, the issue counts %d", len(seen), got.Issue.Comments)
		}
		return fmt.Sprintf("read %d comments on %d pages", len(seen), page), nil
	}
}

func createOnce(ctx context.Context, a *agent) (string, error) {
	arguments := acme(args{
		"title": "Rate limit header missing on 429", "body": "`Retry-After` is absent on the batch endpoint.",
		"labels": []string{"bug"}, "idempotency_key": rand.Text(),
	})
	var first, second created
	if err := a.use(ctx, createIssue, arguments, &first); err != nil {
		return "", err
	}
	if err := a.use(ctx, createIssue, arguments, &second); err != nil {
		return "", err
	}
	if first != second {
		return "", fmt.Errorf("the same key made #%d and #%d", first.Number, second.Number)
	}
	return fmt.Sprintf("both calls answered with #%d", first.Number), nil
}

// newIssue makes an issue to work on, so that tasks do not get in the way of
// each other.
func newIssue(ctx context.Context, a *agent, title string) (created, error) {
	var made created
	err := a.use(ctx, createIssue, acme(args{"title": title, "labels": []string{"bug"}, "idempotency_key": rand.Text()}), &made)
	return made, err
}

func closeSafely(ctx context.Context, a *agent) (string, error) {
	made, err := newIssue(ctx, a, "Flaky login test")
	if err != nil {
		return "", err
	}
	var read thread
	if err := a.use(ctx, getIssue, acme(args{"issue_number": made.Number}), &read); err != nil {
		return "", err
	}
	var closed updated
	err = a.use(ctx, updateIssue, acme(args{
		"issue_number": made.Number, "state": "closed", "state_reason": "completed", "expected_version": read.Version,
	}), &closed)
	if err != nil {
		return "", err
	}
	if closed.State != "closed" || closed.Version == read.Version {
		return "", fmt.Errorf("state %s, version unchanged: %t", closed.State, closed.Version == read.Version)
	}
	return fmt.Sprintf("closed #%d, changed %s", made.Number, strings.Join(closed.Changed, ", ")), nil
}

func comment(ctx context.Context, a *agent) (string, error) {
	made, err := newIssue(ctx, a, "Typo in the error for expired tokens")
	if err != nil {
		return "", err
	}
	var posted struct {
		ID int64 `json:"comment_id"`
	}
	err = a.use(ctx, addComment, acme(args{
		"issue_number": made.Number, "body": "Fixed in 41c9e2f.", "idempotency_key": rand.Text(),
	}), &posted)
	if err != nil {
		return "", err
	}
	var read thread
	if err := a.use(ctx, getIssue, acme(args{"issue_number": made.Number, "detail": "summary"}), &read); err != nil {
		return "", err
	}
	if len(read.Comments) != 1 || read.Comments[0].ID != posted.ID {
		return "", errors.New("the thread does not show the comment")
	}
	return fmt.Sprintf("posted on #%d and read back", made.Number), nil
}

func walkToCap(ctx context.Context, a *agent) (string, error) {
	const limit = 300
	seen := map[int]bool{}
	for page, next := 1, ""; ; page++ {
		arguments := acme(args{"state": "all"})
		if next != "" {
			arguments["cursor"] = next
		}
		var got issuePage
		if err := a.use(ctx, searchIssues, arguments, &got); err != nil {
			return "", err
		}
		for _, i := range got.Issues {
			if seen[i.Number] {
				return "", fmt.Errorf("page %d repeats #%d", page, i.Number)
			}
			seen[i.Number] = true
		}
		if got.HasMore {
			next = got.NextCursor
			continue
		}
		if len(seen) != limit || !got.Truncated || got.Hint == "" {
			return "", fmt.Errorf("the walk ended at %d issues, truncated %t, hint %t; want %d, true, true", len(seen), got.Truncated, got.Hint != "", limit)
		}
		return fmt.Sprintf("%d different issues on %d pages, then truncated with a hint", len(seen), page), nil
	}
}

// hostileText needs no more care than any other task: the agent acts on fields,
// and what it shows is escaped.
func hostileText(ctx context.Context, a *agent) (string, error) {
	var got thread
	if err := a.use(ctx, getIssue, acme(args{"issue_number": 466}), &got); err != nil {
		return "", err
	}
	hidden := 0
	for _, r := range got.Issue.Title + got.Issue.Body {
		if !unicode.IsPrint(r) && r != '\n' {
			hidden++
		}
	}
	if hidden == 0 {
		return "", errors.New("the text has nothing to hide")
	}
	return fmt.Sprintf("%d characters that do not show, none of which reaches the terminal", hidden), nil
}

func githubMistakes() []mistake {
	searched := func(result json.RawMessage) error {
		var page issuePage
		if err := json.Unmarshal(result, &page); err != nil {
			return err
		}
		if len(page.Issues) == 0 {
			return errors.New("the repaired search finds nothing")
		}
		return nil
	}
	is512 := func(result json.RawMessage) error {
		var got thread
		if err := json.Unmarshal(result, &got); err != nil {
			return err
		}
		if got.Issue.Number != 512 {
			return fmt.Errorf("the repaired call reads #%d, not #512", got.Issue.Number)
		}
		return nil
	}
	return []mistake{
		{
			name: "unknown_label", about: "Add two labels, the second of which does not exist",
			prepare: func(ctx context.Context, a *agent) (call, error) {
				made, err := newIssue(ctx, a, "Docs: clarify pagination limits")
				if err != nil {
					return call{}, err
				}
				return with(updateIssue, acme(args{"issue_number": made.Number, "add_labels": []string{"bug", "resolvd"}}))
			},
			code: "label_not_found", fields: []string{"add_labels"}, choose: knownLabels,
			check: func(result json.RawMessage) error { return changed(result, "add_labels") },
		},
		{
			name: "stale_version", about: "Edit an issue that somebody else changed since it was read",
			prepare: staleVersion,
			code:    "conflict", fields: []string{"expected_version"}, choose: freshVersion,
			check: func(result json.RawMessage) error { return changed(result, "title") },
		},
		{
			name: "key_reused", about: "Create another issue with the idempotency key of an earlier one",
			prepare: func(ctx context.Context, a *agent) (call, error) {
				arguments := acme(args{"title": "Export hangs at 99 %", "idempotency_key": rand.Text()})
				var made created
				if err := a.use(ctx, createIssue, arguments, &made); err != nil {
					return call{}, err
				}
				arguments["title"] = "Import hangs at 1 %"
				return with(createIssue, arguments)
			},
			code: "idempotency_key_reused", fields: []string{"idempotency_key"}, none: true,
		},
		{
			name: "cursor_of_other_tool", about: "Continue a search with the cursor of a comment thread",
			prepare: func(ctx context.Context, a *agent) (call, error) {
				var read thread
				if err := a.use(ctx, getIssue, acme(args{"issue_number": 512, "detail": "summary"}), &read); err != nil {
					return call{}, err
				}
				return with(searchIssues, acme(args{"cursor": read.NextCursor}))
			},
			code: "invalid_field", fields: []string{"cursor"}, check: searched,
		},
		{
			name: "cursor_of_other_filters", about: "Continue a search after changing its filters",
			prepare: func(ctx context.Context, a *agent) (call, error) {
				next, err := firstCursor(ctx, a, args{"state": "all"})
				if err != nil {
					return call{}, err
				}
				return with(searchIssues, acme(args{"state": "open", "labels": []string{"bug"}, "cursor": next}))
			},
			code: "invalid_field", fields: []string{"cursor"}, check: searched,
		},
		{
			name: "cursor_forged", about: "Continue a search with one byte of the cursor changed",
			prepare: func(ctx context.Context, a *agent) (call, error) {
				next, err := firstCursor(ctx, a, nil)
				if err != nil {
					return call{}, err
				}
				return with(searchIssues, acme(args{"cursor": flip(next)}))
			},
			code: "invalid_field", fields: []string{"cursor"}, check: searched,
		},
		{
			name: "cursor_expired", about: "Continue a search after its cursor has expired",
			flags: []string{"-cursor-ttl", "1s"},
			prepare: func(ctx context.Context, a *agent) (call, error) {
				next, err := firstCursor(ctx, a, nil)
				if err != nil {
					return call{}, err
				}
				select {
				case <-ctx.Done():
					return call{}, ctx.Err()
				case <-time.After(2200 * time.Millisecond):
				}
				return with(searchIssues, acme(args{"cursor": next}))
			},
			code: "cursor_expired", fields: []string{"cursor"}, check: searched,
		},
		{
			name: "stringified_list", about: "Send a list as a string that holds one",
			prepare: literal(searchIssues, `{"owner":"acme","repo":"api","labels":"[\"bug\"]"}`),
			code:    "invalid_field", fields: []string{"labels"}, check: searched,
		},
		{
			name: "misspelt_parameter", about: "Misspell the name of a required parameter",
			prepare: literal(getIssue, `{"owner":"acme","repo":"api","isue_number":512}`),
			code:    "invalid_field", fields: []string{"isue_number"}, check: is512,
		},
		{
			name: "number_as_string", about: "Send a number as a string",
			prepare: literal(getIssue, `{"owner":"acme","repo":"api","issue_number":"512"}`),
			code:    "invalid_field", fields: []string{"issue_number"}, check: is512,
		},
		{
			name: "unknown_member", about: "Send a state that is not among the published ones, but near one",
			prepare: literal(searchIssues, `{"owner":"acme","repo":"api","state":"opened"}`),
			code:    "invalid_field", fields: []string{"state"}, check: searched,
		},
		{
			name: "query_too_long", about: "Search for 300 characters where 256 are allowed",
			prepare: literal(searchIssues, `{"query":"`+strings.Repeat("timeout ", 37)+`page"}`),
			code:    "invalid_field", fields: []string{"query"}, none: true,
		},
		{
			name: "huge_number", about: "Ask for issue 9007199254740993, which a float64 cannot hold",
			prepare: literal(getIssue, `{"owner":"acme","repo":"api","issue_number":9007199254740993}`),
			code:    "issue_not_found", fields: []string{"issue_number"}, choose: someIssue,
		},
		{
			name: "duplicate_keys", about: "Send a parameter twice, with different values",
			prepare: literal(getIssue, `{"owner":"acme","repo":"api","issue_number":511,"issue_number":512}`),
			code:    "invalid_field", fields: []string{"issue_number"}, choose: someIssue,
		},
		{
			name: "missing_required", about: "Leave out a required parameter",
			prepare: literal(getIssue, `{"owner":"acme","repo":"api"}`),
			code:    "invalid_field", fields: []string{"issue_number"}, choose: someIssue,
		},
		{
			name: "nothing_to_search", about: "Search with neither query nor owner and repo",
			prepare: literal(searchIssues, `{}`),
			code:    "invalid_field", fields: []string{"owner", "query", "repo"}, none: true,
		},
		{
			name: "unknown_tool", about: "Call a tool by a name that is not registered, but near one",
			prepare: literal("github_get_isue", `{"owner":"acme","repo":"api","issue_number":512}`),
			code:    "unknown_tool", fields: []string{"name"}, check: is512,
		},
		{
			name: "locked_issue", about: "Comment on an issue whose conversation is locked",
			prepare: func(ctx context.Context, a *agent) (call, error) {
				made, err := newIssue(ctx, a, "Which editor is best?")
				if err != nil {
					return call{}, err
				}
				var locked updated
				err = a.use(ctx, updateIssue, acme(args{"issue_number": made.Number, "locked": true, "lock_reason": "off-topic"}), &locked)
				if err != nil {
					return call{}, err
				}
				return with(addComment, acme(args{"issue_number": made.Number, "body": "One more thought.", "idempotency_key": rand.Text()}))
			},
			code: "issue_locked", fields: []string{"issue_number"},
		},
	}
}

// knownLabels keeps the labels that exist and puts in place of each other one
// the label of the list that begins most like it.
func knownLabels(failed *failure, found json.RawMessage, original map[string]json.RawMessage) (map[string]any, error) {
	var known struct {
		Labels []struct {
			Name string `json:"name"`
		} `json:"labels"`
	}
	if err := json.Unmarshal(found, &known); err != nil {
		return nil, err
	}
	const field = "add_labels"
	var names []string
	if err := json.Unmarshal(original[field], &names); err != nil {
		return nil, err
	}
	exists := map[string]bool{}
	for _, l := range known.Labels {
		exists[l.Name] = true
	}
	for i, name := range names {
		if exists[name] {
			continue
		}
		best := 0
		for _, l := range known.Labels {
			if n := commonPrefix(l.Name, name); n > best {
				names[i], best = l.Name, n
			}
		}
		if best == 0 {
			return nil, errors.New("no label of the list could be meant")
		}
	}
	return map[string]any{field: names}, nil
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// staleVersion returns an edit that carries the version from before the edit of
// somebody else.
func staleVersion(ctx context.Context, a *agent) (call, error) {
	made, err := newIssue(ctx, a, "Webhook retries are too eager")
	if err != nil {
		return call{}, err
	}
	var theirs updated
	err = a.use(ctx, updateIssue, acme(args{"issue_number": made.Number, "body": "Five retries in one second."}), &theirs)
	if err != nil {
		return call{}, err
	}
	return with(updateIssue, acme(args{
		"issue_number": made.Number, "title": "Webhook retries need a backoff", "expected_version": made.Version,
	}))
}

func freshVersion(_ *failure, found json.RawMessage, _ map[string]json.RawMessage) (map[string]any, error) {
	var read thread
	if err := json.Unmarshal(found, &read); err != nil {
		return nil, err
	}
	if read.Version == "" {
		return nil, errors.New("what was read has no version")
	}
	return map[string]any{"expected_version": read.Version}, nil
}

func someIssue(_ *failure, found json.RawMessage, _ map[string]json.RawMessage) (map[string]any, error) {
	var page issuePage
	if err := json.Unmarshal(found, &page); err != nil {
		return nil, err
	}
	if len(page.Issues) == 0 {
		return nil, errors.New("the search finds no issue")
	}
	return map[string]any{"issue_number": page.Issues[0].Number}, nil
}

// changed checks that an update changed this field and no other.
func changed(result json.RawMessage, field string) error {
	var got updated
	if err := json.Unmarshal(result, &got); err != nil {
		return err
	}
	if !slices.Equal(got.Changed, []string{field}) {
		return fmt.Errorf("the repaired update changed %s, not %s", list(got.Changed), field)
	}
	return nil
}

// firstCursor returns the cursor of the first page of a search in acme/api.
func firstCursor(ctx context.Context, a *agent, filters args) (string, error) {
	var page issuePage
	if err := a.use(ctx, searchIssues, acme(filters), &page); err != nil {
		return "", err
	}
	if page.NextCursor == "" {
		return "", errors.New("the first page has no next_cursor")
	}
	return page.NextCursor, nil
}

// flip changes one character in the middle of a token into another one of the
// same alphabet.
func flip(token string) string {
	b := []byte(token)
	if i := len(b) / 2; b[i] == 'A' {
		b[i] = 'B'
	} else {
		b[i] = 'A'
	}
	return string(b)
}
