package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/tracker"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/mcpkit/gosdk"
)

// caller is a connection and the numbers of its requests.
type caller struct {
	t        *testing.T
	wire     wire
	revision string
	last     int
}

// newCaller serves a fresh tracker over HTTP.
func newCaller(t *testing.T, b backend.Backend) *caller {
	return &caller{t: t, wire: dialHTTP(t, newTestServer(t, b, 15*time.Minute), revisions[0]), revision: revisions[0]}
}

func (c *caller) raw(tool, args string) json.RawMessage {
	c.last++
	request := requestJSON(c.last, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args), c.revision)
	return c.wire.roundTrip(c.t, "tools/call", tool, request)
}

// ok calls a tool, decodes its result, and checks that the text is the same
// JSON as structuredContent.
func (c *caller) ok(tool, args string, out any) {
	c.t.Helper()
	answer := c.raw(tool, args)
	var message struct {
		Result struct {
			IsError           bool            `json:"isError"`
			StructuredContent json.RawMessage `json:"structuredContent"`
			Content           []struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"result"`
	}
	if err := json.Unmarshal(answer, &message); err != nil || message.Result.IsError || len(message.Result.Content) != 1 {
		c.t.Fatalf("%s %s: %v %s", tool, args, err, answer)
	}
	var text, structured any
	if err := json.Unmarshal([]byte(message.Result.Content[0].Text), &text); err != nil {
		c.t.Fatal(err)
	}
	if err := json.Unmarshal(message.Result.StructuredContent, &structured); err != nil {
		c.t.Fatal(err)
	}
	if diff := cmp.Diff(text, structured); diff != "" {
		c.t.Errorf("%s: text and structuredContent differ: %s", tool, diff)
	}
	if err := json.Unmarshal(message.Result.StructuredContent, out); err != nil {
		c.t.Fatal(err)
	}
}

type page struct {
	Issues []struct {
		Number int    `json:"issue_number"`
		URL    string `json:"url"`
		Body   string `json:"body"`
	} `json:"issues"`
	HasMore    bool   `json:"has_more"`
	NextCursor string `json:"next_cursor"`
	Truncated  bool   `json:"truncated"`
	Hint       string `json:"truncation_hint"`
	Total      int    `json:"estimated_total"`
}

func (c *caller) walk(detail string) (numbers []int, pages int, last page) {
	c.t.Helper()
	cursor := ""
	for {
		args := fmt.Sprintf(`{"owner":"acme","repo":"api","detail":%q}`, detail)
		if cursor != "" {
			args = fmt.Sprintf(`{"owner":"acme","repo":"api","detail":%q,"cursor":%q}`, detail, cursor)
		}
		last = page{}
		c.ok("github_search_issues", args, &last)
		pages++
		for _, i := range last.Issues {
			if (i.Body != "") != (detail == "full") {
				c.t.Fatalf("issue %d has body %q at %s", i.Number, i.Body, detail)
			}
			numbers = append(numbers, i.Number)
		}
		if !last.HasMore {
			return numbers, pages, last
		}
		cursor = last.NextCursor
	}
}

func TestWalkEndsAtTheBudget(t *testing.T) {
	c := newCaller(t, tracker.New(nil))
	summary, pages, last := c.walk("summary")
	if len(summary) != 300 || pages != 10 || !last.Truncated || last.NextCursor != "" {
		t.Errorf("%d issues in %d pages, last page %+v", len(summary), pages, last)
	}
	if !strings.Contains(last.Hint, "updated_after") || last.Total <= 300 {
		t.Errorf("hint %q, total %d", last.Hint, last.Total)
	}
	sorted := slices.Clone(summary)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != 300 {
		t.Error("an issue came twice")
	}
	full, _, _ := c.walk("full")
	if diff := cmp.Diff(summary, full); diff != "" {
		t.Errorf("summary and full differ in rows: %s", diff)
	}
}

func TestCommentsAreReadToTheEnd(t *testing.T) {
	c := newCaller(t, tracker.New(nil))
	var ids []int
	cursor, sizes := "", []int{}
	for {
		args := `{"owner":"acme","repo":"api","issue_number":512}`
		if cursor != "" {
			args = fmt.Sprintf(`{"owner":"acme","repo":"api","issue_number":512,"comments_cursor":%q}`, cursor)
		}
		var out struct {
			Comments []struct {
				ID int `json:"comment_id"`
			} `json:"comments"`
			HasMore bool   `json:"comments_has_more"`
			Next    string `json:"comments_next_cursor"`
		}
		c.ok("github_get_issue", args, &out)
		sizes = append(sizes, len(out.Comments))
		for _, comment := range out.Comments {
			ids = append(ids, comment.ID)
		}
		if !out.HasMore {
			if out.Next != "" {
				t.Error("the last page has a cursor")
			}
			break
		}
		cursor = out.Next
	}
	if diff := cmp.Diff([]int{30, 30, 15}, sizes); diff != "" {
		t.Error(diff)
	}
	if !slices.IsSorted(ids) || len(slices.Compact(ids)) != 75 {
		t.Errorf("ids %v", ids)
	}
}

func TestFiftyEqualCreationsMakeOneIssue(t *testing.T) {
	b := tracker.New(nil)
	server := newTestServer(t, b, time.Minute)
	w := dialHTTP(t, server, revisions[0])
	repo := backend.Repo{Owner: "acme", Name: "web"}
	count := func() int64 {
		p, err := b.Search(context.Background(), backend.Query{Repo: &repo}, "", 1)
		if err != nil {
			t.Fatal(err)
		}
		return *p.EstimatedTotal
	}
	before := count()
	answers := make([]string, 50)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			params := `{"name":"github_create_issue","arguments":{"owner":"acme","repo":"web","title":"Only once","idempotency_key":"one"}}`
			var message struct {
				Result struct {
					StructuredContent json.RawMessage `json:"structuredContent"`
				} `json:"result"`
			}
			answer := w.roundTrip(t, "tools/call", "github_create_issue", requestJSON(1, "tools/call", params, revisions[0]))
			if err := json.Unmarshal(answer, &message); err != nil {
				t.Error(err)
			}
			answers[i] = string(message.Result.StructuredContent)
		})
	}
	wg.Wait()
	for _, a := range answers {
		if a != answers[0] || !strings.Contains(a, `"issue_number"`) {
			t.Errorf("answers differ:\n%s\n%s", a, answers[0])
		}
	}
	if after := count(); after != before+1 {
		t.Errorf("%d issues were created", after-before)
	}
}

// blocking is a backend whose creations wait.
type blocking struct {
	backend.Backend
	started, release chan struct{}
}

func (b blocking) Create(ctx context.Context, repo backend.Repo, issue backend.NewIssue) (backend.Issue, error) {
	close(b.started)
	<-b.release
	return b.Backend.Create(ctx, repo, issue)
}

// A repeat while the first call still runs is told to come back, and then gets
// the first one's answer.
func TestKeyInProgress(t *testing.T) {
	b := blocking{tracker.New(nil), make(chan struct{}), make(chan struct{})}
	kit := newTestKitFor(t, config{backend: b, cursorTTL: time.Minute, window: time.Minute, wait: 50 * time.Millisecond})
	c := &caller{t: t, wire: dialHTTP(t, gosdk.NewServer(kit, &gosdk.Options{Anonymous: "loopback"}), revisions[0]), revision: revisions[0]}
	const args = `{"owner":"acme","repo":"web","title":"Slow","idempotency_key":"slow"}`
	first := make(chan json.RawMessage)
	go func() {
		other := &caller{t: t, wire: c.wire, revision: c.revision, last: 100}
		first <- other.raw("github_create_issue", args)
	}()
	<-b.started
	e := envelopeOf(t, c.raw("github_create_issue", args))
	if e.Code != "idempotency_in_progress" || !e.Temporary || e.RetryAfterMS == nil || e.Repair == nil || e.Repair.Tool != "github_create_issue" {
		t.Errorf("envelope %+v", e)
	}
	close(b.release)
	var want, got map[string]any
	if err := json.Unmarshal(<-first, &want); err != nil {
		t.Fatal(err)
	}
	c.ok(e.Repair.Tool, string(e.Repair.Arguments), &got)
	if diff := cmp.Diff(want["result"].(map[string]any)["structuredContent"], any(got)); diff != "" {
		t.Errorf("the answers differ: %s", diff)
	}
}

// Text from outside stays in data fields: on the wire it is escaped, and no
// message, reason or repair holds it.
func TestHostileTextIsData(t *testing.T) {
	c := newCaller(t, tracker.New(nil))
	b := tracker.New(nil)
	repo := backend.Repo{Owner: "acme", Name: "api"}
	hostile := 0
	for number := 1; number < 600; number++ {
		issue, err := b.Issue(context.Background(), repo, number)
		if err != nil || !strings.ContainsAny(issue.Title+issue.Body, "\x1b\u202e\u2028\u200b") {
			continue
		}
		hostile++
		answer := string(c.raw("github_get_issue", fmt.Sprintf(`{"owner":"acme","repo":"api","issue_number":%d}`, number)))
		if i := strings.IndexFunc(answer, func(r rune) bool {
			return r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
		}); i >= 0 {
			t.Errorf("issue %d: control or bidi character on the wire at %d: %q", number, i, answer[max(0, i-40):i+10])
		}
		var out struct {
			Issue struct {
				Title   string `json:"title"`
				Body    string `json:"body"`
				Preview string `json:"preview"`
			} `json:"issue"`
		}
		c.ok("github_get_issue", fmt.Sprintf(`{"owner":"acme","repo":"api","issue_number":%d}`, number), &out)
		if out.Issue.Title != issue.Title || out.Issue.Body != issue.Body {
			t.Errorf("issue %d: the text arrives changed", number)
		}
		if strings.ContainsAny(out.Issue.Preview, "\n\x1b\u202e\u2028\u200b") {
			t.Errorf("issue %d: preview %q", number, out.Issue.Preview)
		}
	}
	if hostile == 0 {
		t.Fatal("the seed has no hostile issue")
	}
}

// The surface's budget: tools/list as it is sent.
func TestToolsListBudget(t *testing.T) {
	const budget = 18_000
	for _, revision := range revisions {
		for name, dial := range map[string]func(*testing.T) wire{
			"stdio": func(t *testing.T) wire {
				return dialStdio(t, newTestServer(t, tracker.New(nil), time.Minute), revision)
			},
			"http": func(t *testing.T) wire { return dialHTTP(t, newTestServer(t, tracker.New(nil), time.Minute), revision) },
		} {
			answer := dial(t).roundTrip(t, "tools/list", "", requestJSON(1, "tools/list", "{}", revision))
			if len(answer) > budget || len(answer) < budget/2 {
				t.Errorf("%s %s: %d bytes, budget %d", revision, name, len(answer), budget)
			}
		}
	}
}

// The seed's names, in its order, with its annotations.
func TestSurface(t *testing.T) {
	kit := newTestKit(t, tracker.New(nil), time.Minute)
	yes, no := true, false
	reads := mcpkit.Annotations{ReadOnly: true, OpenWorld: true}
	adds := mcpkit.Annotations{Destructive: &no, Idempotent: &no, OpenWorld: true}
	want := map[string]mcpkit.Annotations{
		"github_add_comment": adds, "github_create_issue": adds, "github_get_issue": reads, "github_list_labels": reads,
		"github_search_issues": reads, "github_update_issue": {Destructive: &yes, Idempotent: &yes, OpenWorld: true},
	}
	got := map[string]mcpkit.Annotations{}
	var names []string
	for _, r := range kit.Tools() {
		got[r.Name] = r.Annotations
		names = append(names, r.Name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !slices.IsSorted(names) {
		t.Errorf("order %v", names)
	}
}
