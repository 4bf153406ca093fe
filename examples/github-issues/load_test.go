package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/tracker"
	"github.com/mcpkit-go/agentmcp/mcpkit/gosdk"
)

var loadFor = flag.Duration("load", 2*time.Second, "how long TestLoad keeps the server busy")

// post sends one tools/call and returns the answer; unlike roundTrip it may be
// used by many goroutines and be cancelled.
func post(ctx context.Context, client *http.Client, url, tool string, request []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(request))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", revisions[0])
	r.Header.Set("Mcp-Method", "tools/call")
	r.Header.Set("Mcp-Name", tool)
	response, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}

// outcome reads an answer: the code of its envelope, "" for a success, and an
// error for anything else.
func outcome(answer []byte) (envelope.Code, error) {
	var message struct {
		Result *struct {
			IsError    bool            `json:"isError"`
			Structured json.RawMessage `json:"structuredContent"`
		} `json:"result"`
		Error *struct {
			Data json.RawMessage `json:"data"`
		} `json:"error"`
	}
	if err := json.Unmarshal(answer, &message); err != nil {
		return "", err
	}
	var raw json.RawMessage
	switch {
	case message.Error != nil:
		raw = message.Error.Data
	case message.Result == nil:
		return "", fmt.Errorf("neither result nor error: %.300s", answer)
	case !message.Result.IsError:
		return "", nil
	default:
		raw = message.Result.Structured
	}
	e, _, err := envelope.Parse(raw)
	if err != nil {
		return "", fmt.Errorf("no envelope: %w: %.300s", err, answer)
	}
	return e.Code(), nil
}

// loadCalls are right and wrong calls with the code that each must have.
var loadCalls = []struct {
	tool, args string
	want       envelope.Code
}{
	{"github_search_issues", `{"owner":"acme","repo":"api"}`, ""},
	{"github_search_issues", `{"owner":"acme","repo":"api","detail":"full"}`, ""},
	{"github_get_issue", `{"owner":"acme","repo":"api","issue_number":512}`, ""},
	{"github_list_labels", `{"owner":"acme","repo":"web"}`, ""},
	{"github_create_issue", `{"owner":"acme","repo":"web","title":"One","idempotency_key":"load"}`, ""},
	{"github_get_issue", `{"owner":"acme","repo":"api","issue_number":"512"}`, envelope.CodeInvalidField},
	{"github_get_issue", `{}`, envelope.CodeInvalidField},
	{"github_search_issues", `{"owner":"acme","repo":"api","cursor":"AAAA"}`, envelope.CodeInvalidField},
	{"github_list_labels", `{"owner":"acme","repo":"nothing"}`, codeRepoNotFound},
	{"github_get_isue", `{"owner":"acme"}`, envelope.CodeUnknownTool},
	{"github_create_issue", `{"owner":"acme","repo":"web","title":"One","labels":["no such"]}`, codeLabelNotFound},
}

// hung is a backend whose labels of the repository "hang" come when the caller
// has left.
type hung struct {
	backend.Backend
	entered, left atomic.Int64
	enters        chan struct{} // receives when such a call has arrived
}

func (h *hung) Labels(ctx context.Context, repo backend.Repo, after backend.Position, n int) (backend.Page[backend.Label], error) {
	if repo.Name != "hang" {
		return h.Backend.Labels(ctx, repo, after, n)
	}
	h.entered.Add(1)
	defer h.left.Add(1)
	select {
	case h.enters <- struct{}{}:
	case <-ctx.Done():
	}
	select {
	case <-ctx.Done():
		return backend.Page[backend.Label]{}, ctx.Err()
	case <-time.After(time.Minute):
		return backend.Page[backend.Label]{}, nil
	}
}

// Sixty-four clients call right and wrong for a while: every error is the
// envelope it must be, memory and goroutines go back, clients that leave cancel
// their handlers, and the server shuts down.
func TestLoad(t *testing.T) {
	const clients = 64
	b := &hung{Backend: tracker.New(nil), enters: make(chan struct{})}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: gosdk.Handler(newTestServer(t, b, 15*time.Minute), nil)}
	served := make(chan error, 1)
	goroutines := runtime.NumGoroutine()
	go func() { served <- server.Serve(listener) }()
	url := "http://" + listener.Addr().String()
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	client := &http.Client{Transport: transport, Timeout: 30 * time.Second}

	var calls, wrong, cancelled atomic.Int64
	busy := func(d time.Duration) {
		until := time.Now().Add(d)
		var wg sync.WaitGroup
		for n := range clients {
			wg.Go(func() {
				for i := n; time.Now().Before(until); i++ {
					if n == 0 && i%4 == 0 { // one client leaves again and again
						ctx, cancel := context.WithCancel(context.Background())
						go func() {
							select {
							case <-b.enters:
								cancel()
							case <-ctx.Done():
							}
						}()
						request := requestJSON(i, "tools/call", `{"name":"github_list_labels","arguments":{"owner":"acme","repo":"hang"}}`, revisions[0])
						if _, err := post(ctx, client, url, "github_list_labels", request); err == nil {
							t.Error("the hanging call was answered")
						}
						cancel()
						cancelled.Add(1)
						continue
					}
					c := loadCalls[i%len(loadCalls)]
					request := requestJSON(i, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, c.tool, c.args), revisions[0])
					answer, err := post(context.Background(), client, url, c.tool, request)
					if err != nil {
						t.Error(err)
						return
					}
					got, err := outcome(answer)
					if err != nil || got != c.want {
						t.Errorf("%s %s: code %q, want %q: %v %.300s", c.tool, c.args, got, c.want, err, answer)
						return
					}
					calls.Add(1)
					if c.want != "" {
						wrong.Add(1)
					}
				}
			})
		}
		wg.Wait()
	}
	busy(*loadFor / 4) // pools and caches fill
	start := heap()
	busy(*loadFor)
	end := heap()
	t.Logf("%d calls, %d of them wrong, %d cancelled, in %v; heap %d → %d KiB", calls.Load(), wrong.Load(), cancelled.Load(), *loadFor*5/4, start>>10, end>>10)
	if end > start+8<<20 {
		t.Errorf("the heap grew from %d to %d bytes", start, end)
	}
	if calls.Load() == 0 || wrong.Load() == 0 || b.entered.Load() == 0 {
		t.Errorf("%d calls, %d wrong, %d hanging", calls.Load(), wrong.Load(), b.entered.Load())
	}
	eventually(t, "the handlers of clients that left end", func() bool { return b.left.Load() == b.entered.Load() })

	transport.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		t.Errorf("shutdown: %v", err)
	}
	if err := <-served; err != http.ErrServerClosed {
		t.Errorf("serve: %v", err)
	}
	eventually(t, "the goroutines go back to the start", func() bool { return runtime.NumGoroutine() <= goroutines })
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 500 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 64<<10)
	t.Errorf("after 5s it does not hold that %s:\n%s", what, stacks[:runtime.Stack(stacks, true)])
}

// A thousand concurrent calls with one idempotency key have one effect and one
// answer.
func TestThousandDuplicatesHaveOneEffect(t *testing.T) {
	const duplicates = 1000
	b := &counted{Backend: tracker.New(nil)}
	url := dialHTTP(t, newTestServer(t, b, time.Minute), revisions[0]).(httpWire).url
	transport := &http.Transport{MaxConnsPerHost: 250, MaxIdleConnsPerHost: 250}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	params := `{"name":"github_create_issue","arguments":{"owner":"acme","repo":"web","title":"Only once","idempotency_key":"thousand"}}`
	request := requestJSON(1, "tools/call", params, revisions[0])
	answers := make([]string, duplicates)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			<-start
			answer, err := post(context.Background(), client, url, "github_create_issue", request)
			if err != nil {
				t.Error(err)
				return
			}
			var message struct {
				Result struct {
					StructuredContent json.RawMessage `json:"structuredContent"`
				} `json:"result"`
			}
			if err := json.Unmarshal(answer, &message); err != nil {
				t.Error(err)
			}
			answers[i] = string(message.Result.StructuredContent)
		})
	}
	close(start)
	wg.Wait()
	for _, a := range answers {
		if a != answers[0] || !strings.Contains(a, `"issue_number"`) {
			t.Fatalf("answers differ:\n%s\n%s", a, answers[0])
		}
	}
	if n := b.creations.Load(); n != 1 {
		t.Errorf("%d effects", n)
	}
}

// counted counts creations, each of which takes long enough to be overtaken.
type counted struct {
	backend.Backend
	creations atomic.Int64
}

func (c *counted) Create(ctx context.Context, repo backend.Repo, issue backend.NewIssue) (backend.Issue, error) {
	c.creations.Add(1)
	time.Sleep(200 * time.Millisecond)
	return c.Backend.Create(ctx, repo, issue)
}
