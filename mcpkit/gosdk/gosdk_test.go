package gosdk_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/cursor"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/mcpkit/gosdk"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type countIn struct {
	From   int64  `json:"from" jsonschema_description:"Where to begin."`
	Cursor string `json:"cursor,omitempty" jsonschema_description:"Omitted means the first page." mcp:"cursor"`
}

type countOut struct {
	From       string `json:"from"`
	Caller     string `json:"caller"`
	NextCursor string `json:"next_cursor,omitempty"`
}

type dropIn struct{}

type dropOut struct {
	Dropped bool `json:"dropped"`
}

// newKit declares a reading and a mutating tool.
func newKit(t testing.TB) *mcpkit.Kit {
	t.Helper()
	keys, err := cursor.NewKeyring([]byte("a key of thirty-two bytes, fixed"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := mcpkit.NewCursor[int](keys, time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	kit, err := mcpkit.New(mcpkit.Server{
		Name: "counting-house", Version: "1.2.3", Title: "Counting house", Summary: "Counts.",
		Does: []string{"Count."}, DoesNot: []string{"Round."}, Strict: true, Logger: slog.New(slog.DiscardHandler),
	}, mcpkit.Tool[countIn, countOut]{
		Name: "house_list_counts", Title: "Counts", Description: "Lists counts.", Example: countIn{From: 1}, Effect: mcpkit.Reads, Cursor: pages,
		Handle: func(ctx context.Context, in countIn) (countOut, error) {
			if in.From < 0 {
				panic("negative-7f3a")
			}
			out := countOut{From: fmt.Sprint(in.From), Caller: mcpkit.Principal(ctx)}
			if in.From == 2 {
				return out, nil
			}
			var err error
			out.NextCursor, err = pages.Seal(ctx, 1)
			return out, err
		},
	}, mcpkit.Tool[dropIn, dropOut]{
		Name: "house_drop_counts", Title: "Drop", Description: "Drops all counts.", Effect: mcpkit.Replaces,
		Handle: func(context.Context, dropIn) (dropOut, error) { return dropOut{true}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return kit
}

// post sends one request over HTTP and returns status and body.
func post(t *testing.T, url, revision, method, name, params string, header http.Header) (int, map[string]json.RawMessage) {
	t.Helper()
	if revision >= "2026-07-28" {
		meta := `{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + revision + `","io.modelcontextprotocol/clientCapabilities":{}}`
		if params != "{}" {
			meta += ","
		}
		params = meta + params[1:]
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for key, v := range header {
		r.Header[key] = v
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", revision)
	if revision >= "2026-07-28" {
		r.Header.Set("Mcp-Method", method)
		if name != "" {
			r.Header.Set("Mcp-Name", name)
		}
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var message map[string]json.RawMessage
	if err := json.Unmarshal(raw, &message); err != nil {
		t.Fatalf("%s: %s", res.Status, raw)
	}
	return res.StatusCode, message
}

func serve(t *testing.T, opts *gosdk.Options) string {
	t.Helper()
	s := httptest.NewServer(gosdk.Handler(gosdk.NewServer(newKit(t), opts), nil))
	t.Cleanup(s.Close)
	return s.URL
}

func call(t *testing.T, url, revision, tool, args string, header http.Header) map[string]json.RawMessage {
	t.Helper()
	_, message := post(t, url, revision, "tools/call", tool, fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args), header)
	var result map[string]json.RawMessage
	if err := json.Unmarshal(message["result"], &result); err != nil {
		t.Fatalf("no result: %s", message["error"])
	}
	return result
}

func TestToolsListGoesOutAsTheKitMadeIt(t *testing.T) {
	url := serve(t, nil)
	_, message := post(t, url, "2026-07-28", "tools/list", "", "{}", nil)
	var result struct {
		ResultType string
		TTLMs      *int            `json:"ttlMs"`
		CacheScope string          `json:"cacheScope"`
		Tools      json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(message["result"], &result); err != nil {
		t.Fatal(err)
	}
	records, err := json.Marshal(newKit(t).Tools())
	if err != nil {
		t.Fatal(err)
	}
	if string(result.Tools) != string(records) {
		t.Errorf("tools/list:\n got  %s\n want %s", result.Tools, records)
	}
	if strings.Count(string(result.Tools), "idempotentHint") != 1 || strings.Count(string(result.Tools), "destructiveHint") != 1 {
		t.Errorf("read-only tools show hints that do not apply: %s", result.Tools)
	}
	if result.ResultType != "complete" || result.TTLMs == nil || *result.TTLMs != 0 || result.CacheScope != "private" {
		t.Errorf("result type %q, ttl %v, scope %q", result.ResultType, result.TTLMs, result.CacheScope)
	}
}

func TestDiscover(t *testing.T) {
	url := serve(t, &gosdk.Options{CatalogTTL: 5 * time.Minute})
	_, message := post(t, url, "2026-07-28", "server/discover", "", "{}", nil)
	var result struct {
		Meta         map[string]json.RawMessage `json:"_meta"`
		TTLMs        int                        `json:"ttlMs"`
		CacheScope   string                     `json:"cacheScope"`
		Versions     []string                   `json:"supportedVersions"`
		Instructions string                     `json:"instructions"`
		Capabilities map[string]json.RawMessage `json:"capabilities"`
	}
	if err := json.Unmarshal(message["result"], &result); err != nil {
		t.Fatal(err)
	}
	if got, want := string(result.Meta["com.counting-house/fingerprint"]), fmt.Sprintf("%q", newKit(t).Fingerprint()); got != want {
		t.Errorf("fingerprint %s, want %s", got, want)
	}
	if result.TTLMs != 300_000 || result.CacheScope != "private" {
		t.Errorf("ttl %d, scope %q", result.TTLMs, result.CacheScope)
	}
	if len(result.Capabilities) != 1 || result.Capabilities["tools"] == nil {
		t.Errorf("capabilities %v; only tools are served", result.Capabilities)
	}
	if !strings.HasPrefix(result.Instructions, "Counts.") {
		t.Errorf("instructions %q", result.Instructions)
	}
}

// Lists are kept as long as the author says; what is not a catalog is not.
func TestCatalogTTLOfLists(t *testing.T) {
	url := serve(t, &gosdk.Options{CatalogTTL: 90 * time.Second})
	_, message := post(t, url, "2026-07-28", "tools/list", "", "{}", nil)
	var result struct {
		TTLMs      int    `json:"ttlMs"`
		CacheScope string `json:"cacheScope"`
	}
	if err := json.Unmarshal(message["result"], &result); err != nil || result.TTLMs != 90_000 || result.CacheScope != "private" {
		t.Errorf("%v %s", err, message["result"])
	}
}

// The SDK tells of every connection; by default only its warnings are kept.
func TestDefaultLoggerKeepsWarnings(t *testing.T) {
	var logs bytes.Buffer
	kit, err := mcpkit.New(mcpkit.Server{
		Name: "quiet-house", Version: "1.0.0", Summary: "Is quiet.", Does: []string{"Rest."}, DoesNot: []string{"Talk."},
		Logger: slog.New(slog.NewTextHandler(&logs, nil)),
	}, mcpkit.Tool[dropIn, dropOut]{
		Name: "house_drop_counts", Title: "Drop", Description: "Drops all counts.", Effect: mcpkit.Replaces,
		Handle: func(context.Context, dropIn) (dropOut, error) { return dropOut{true}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(gosdk.Handler(gosdk.NewServer(kit, nil), nil))
	call(t, s.URL, "2026-07-28", "house_drop_counts", `{}`, nil)
	s.Close()
	if logs.Len() > 0 {
		t.Errorf("log of a call that succeeds: %s", logs.String())
	}
}

func TestMaxBodyBytes(t *testing.T) {
	s := httptest.NewServer(gosdk.Handler(gosdk.NewServer(newKit(t), nil), &gosdk.HandlerOptions{MaxBodyBytes: 1000}))
	defer s.Close()
	for size, want := range map[int]int{500: 200, 1500: 413} {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"pad":"` + strings.Repeat("x", size-100) + `"}}}`
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("MCP-Protocol-Version", "2025-11-25")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%d bytes: %s", size, res.Status)
		}
	}
}

// Public fault 30: the SDK's typed path would round this number.
func TestIntegersAreExact(t *testing.T) {
	url := serve(t, &gosdk.Options{Anonymous: "test"})
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		result := call(t, url, revision, "house_list_counts", `{"from":9007199254740993}`, nil)
		if !bytes.Contains(result["structuredContent"], []byte(`"9007199254740993"`)) {
			t.Errorf("%s: %s", revision, result["structuredContent"])
		}
	}
}

func TestUnknownTool(t *testing.T) {
	url := serve(t, nil)
	for revision, status := range map[string]int{"2026-07-28": 400, "2025-11-25": 200} {
		got, message := post(t, url, revision, "tools/call", "house_list_count", `{"name":"house_list_count","arguments":{"from":2}}`, nil)
		var e struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
			Data    struct {
				Machine string `json:"machine_code"`
				Repair  struct {
					Tool string `json:"tool"`
				} `json:"repair"`
			} `json:"data"`
		}
		if err := json.Unmarshal(message["error"], &e); err != nil {
			t.Fatal(err)
		}
		if got != status || e.Code != -32602 || e.Data.Machine != "unknown_tool" || e.Data.Repair.Tool != "house_list_counts" {
			t.Errorf("%s: status %d, %s", revision, got, message["error"])
		}
		if !strings.Contains(e.Message, "house_list_counts") { // D2
			t.Errorf("message lacks the repair in words: %q", e.Message)
		}
	}
}

// A tool that the author adds beside the kit's is listed and called as usual.
func TestToolBesideTheKit(t *testing.T) {
	server := gosdk.NewServer(newKit(t), nil)
	server.AddTool(&mcp.Tool{Name: "other_get_thing", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "other " + string(req.Params.Arguments)}}}, nil
		})
	server.AddTool(&mcp.Tool{Name: "other_get_panic", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("other-7f3a") })
	s := httptest.NewServer(gosdk.Handler(server, nil))
	defer s.Close()
	_, message := post(t, s.URL, "2026-07-28", "tools/call", "other_get_panic", `{"name":"other_get_panic","arguments":{}}`, nil)
	if e := message["error"]; !bytes.Contains(e, []byte(`"machine_code":"internal"`)) || bytes.Contains(e, []byte("7f3a")) {
		t.Errorf("panic: %s", e)
	}
	_, message = post(t, s.URL, "2026-07-28", "tools/list", "", "{}", nil)
	if !bytes.Contains(message["result"], []byte(`"other_get_thing"`)) || !bytes.Contains(message["result"], []byte(`"house_list_counts"`)) {
		t.Errorf("tools/list: %s", message["result"])
	}
	if r := call(t, s.URL, "2026-07-28", "other_get_thing", `{"a":1}`, nil); !bytes.Contains(r["content"], []byte(`other {\"a\":1}`)) {
		t.Errorf("result %s", r["content"])
	}
}

// Browsers of other origins are refused, unless they are trusted.
func TestCrossOrigin(t *testing.T) {
	server := gosdk.NewServer(newKit(t), nil)
	s := httptest.NewServer(gosdk.Handler(server, &gosdk.HandlerOptions{TrustedOrigins: []string{"https://trusted.example", "no origin"}}))
	defer s.Close()
	for origin, want := range map[string]int{"": 200, s.URL: 200, "https://trusted.example": 200, "https://evil.example": 403, "null": 403} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("MCP-Protocol-Version", "2025-11-25")
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("Origin %q: %s", origin, res.Status)
		}
	}
}

func TestPanicDoesNotEndTheServer(t *testing.T) {
	url := serve(t, &gosdk.Options{Anonymous: "test"})
	result := call(t, url, "2026-07-28", "house_list_counts", `{"from":-1}`, nil)
	if string(result["isError"]) != "true" || bytes.Contains(result["content"], []byte("7f3a")) {
		t.Errorf("result %s", result["content"])
	}
	if result := call(t, url, "2026-07-28", "house_list_counts", `{"from":2}`, nil); result["isError"] != nil {
		t.Errorf("the next call fails: %s", result["content"])
	}
}

// D12: over HTTP a cursor needs a verified caller, or the author's word that
// all callers are one.
func TestPrincipal(t *testing.T) {
	verify := auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)
	kit := newKit(t)
	strict := httptest.NewServer(gosdk.Handler(gosdk.NewServer(kit, nil), nil))
	defer strict.Close()
	open := httptest.NewServer(gosdk.Handler(gosdk.NewServer(kit, &gosdk.Options{Anonymous: "all"}), nil))
	defer open.Close()
	verified := httptest.NewServer(verify(gosdk.Handler(gosdk.NewServer(kit, nil), nil)))
	defer verified.Close()
	bearer := func(user string) http.Header { return http.Header{"Authorization": {"Bearer " + user}} }

	if r := call(t, strict.URL, "2026-07-28", "house_list_counts", `{"from":1}`, nil); !bytes.Contains(r["structuredContent"], []byte("missing_credential")) {
		t.Errorf("a cursor was issued to nobody: %s", r["structuredContent"])
	}
	if r := call(t, strict.URL, "2026-07-28", "house_list_counts", `{"from":2}`, nil); r["isError"] != nil {
		t.Errorf("a call without cursor is refused: %s", r["structuredContent"])
	}
	if r := call(t, open.URL, "2026-07-28", "house_list_counts", `{"from":1}`, nil); !bytes.Contains(r["structuredContent"], []byte(`"caller":"anonymous:all"`)) {
		t.Errorf("opted in: %s", r["structuredContent"])
	}
	var page struct {
		Caller string `json:"caller"`
		Next   string `json:"next_cursor"`
	}
	r := call(t, verified.URL, "2026-07-28", "house_list_counts", `{"from":1}`, bearer("alice"))
	if err := json.Unmarshal(r["structuredContent"], &page); err != nil || page.Caller != "user:alice" {
		t.Fatalf("verified: %s", r["structuredContent"])
	}
	// A token of nobody is verified and yet names no caller, also where
	// anonymous requests are one party.
	nobody := httptest.NewServer(auth.RequireBearerToken(func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)(gosdk.Handler(gosdk.NewServer(kit, &gosdk.Options{Anonymous: "all"}), nil)))
	defer nobody.Close()
	if r := call(t, nobody.URL, "2026-07-28", "house_list_counts", `{"from":1}`, bearer("x")); !bytes.Contains(r["structuredContent"], []byte("missing_credential")) {
		t.Errorf("a token without user: %s", r["structuredContent"])
	}
	args := fmt.Sprintf(`{"from":1,"cursor":%q}`, page.Next)
	if r := call(t, verified.URL, "2026-07-28", "house_list_counts", args, bearer("alice")); r["isError"] != nil {
		t.Errorf("alice cannot use her cursor: %s", r["structuredContent"])
	}
	if r := call(t, verified.URL, "2026-07-28", "house_list_counts", args, bearer("bob")); !bytes.Contains(r["structuredContent"], []byte("invalid_field")) {
		t.Errorf("bob uses the cursor of alice: %s", r["structuredContent"])
	}
}

// Over stdio the SDK's own client sees the same, and the caller is known.
func TestStdio(t *testing.T) {
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- gosdk.NewServer(newKit(t), nil).Run(context.Background(), &mcp.IOTransport{Reader: serverIn, Writer: serverOut})
	}()
	lines := bufio.NewReader(clientIn)
	ask := func(request string) string {
		t.Helper()
		if _, err := io.WriteString(clientOut, request+"\n"); err != nil {
			t.Fatal(err)
		}
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
	answer := ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name":"house_list_counts","arguments":{"from":1}}}`)
	if !strings.Contains(answer, `"caller":"stdio"`) || !strings.Contains(answer, `"next_cursor"`) {
		t.Errorf("answer %s", answer)
	}
	clientOut.Close()
	<-done
}

// A client that goes away cancels its call.
func TestDisconnectCancels(t *testing.T) {
	type in struct{}
	type out struct{}
	started, cancelled := make(chan struct{}), make(chan struct{})
	kit, err := mcpkit.New(mcpkit.Server{
		Name: "slow-house", Version: "1.0.0", Summary: "Waits.", Does: []string{"Wait."}, DoesNot: []string{"Hurry."}, Logger: slog.New(slog.DiscardHandler),
	}, mcpkit.Tool[in, out]{
		Name: "house_get_end", Title: "Wait", Description: "Waits.", Effect: mcpkit.Reads,
		Handle: func(ctx context.Context, _ in) (out, error) {
			close(started)
			<-ctx.Done()
			close(cancelled)
			return out{}, ctx.Err()
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(gosdk.Handler(gosdk.NewServer(kit, nil), nil))
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name":"house_get_end","arguments":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for key, v := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "house_get_end"} {
		r.Header.Set(key, v)
	}
	go func() {
		if res, err := http.DefaultClient.Do(r); err == nil {
			res.Body.Close()
		}
	}()
	<-started
	cancel()
	select {
	case <-cancelled:
	case <-time.After(10 * time.Second):
		t.Fatal("the handler still runs")
	}
}
