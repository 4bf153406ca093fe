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

	"github.com/mcpkit-go/agentmcp/mcpkit/gosdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// session serves a wrapped server over pipes and returns what sends a line and
// reads the next one.
func session(t *testing.T, server *mcp.Server, w *gosdk.Wrapped) (send func(string), receive func() string) {
	t.Helper()
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- server.Run(context.Background(), w.Transport(serverIn, serverOut)) }()
	t.Cleanup(func() {
		in.Close()
		out.Close()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Error("the session does not end with its input")
		}
	})
	lines := bufio.NewReaderSize(out, 1<<20)
	return func(line string) { go io.WriteString(in, line) }, func() string {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
}

func TestWrapSessionOutlivesBadLines(t *testing.T) {
	server := exampleServers["everything"]()
	w := gosdk.Wrap(server, &gosdk.WrapOptions{Logger: slog.New(slog.DiscardHandler)})
	send, receive := session(t, server, w)
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":`,
		strings.Repeat("[", 20000),
		"\x00\xff",
		`"` + strings.Repeat("a", 17<<20) + `"`,
	} {
		send(line + "\n")
		answer := receive()
		if !strings.Contains(answer, `"id":null`) || !strings.Contains(answer, `"machine_code":"malformed_message"`) {
			t.Errorf("%.40q: %s", line, answer)
		}
	}
	send("\n\r\n" + rpcMessage(7, "tools/call", `{"name":"greet","arguments":{"name":"Ada"}}`, "2026-07-28") + "\r\n")
	if answer := receive(); !strings.Contains(answer, "Hi Ada") {
		t.Error(answer)
	}
}

func TestWrapSeesToolsThatComeAndGo(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1.0.0"}, nil)
	w := gosdk.Wrap(server, &gosdk.WrapOptions{Logger: slog.New(slog.DiscardHandler)})
	send, receive := session(t, server, w)
	echo := func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ran " + string(req.Params.Arguments)}}}, nil
	}
	call := func(arguments string) string {
		send(rpcMessage(1, "tools/call", `{"name":"echo","arguments":`+arguments+`}`, "2026-07-28") + "\n")
		for {
			if line := receive(); !strings.Contains(line, "notifications/") {
				return line
			}
		}
	}
	if got := call(`{"a":1}`); !strings.Contains(got, "unknown_tool") {
		t.Error(got)
	}
	server.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)}, echo)
	if got := call(`{"a":1}`); !strings.Contains(got, "Must be a string") {
		t.Error(got)
	}
	server.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer"}}}`)}, echo)
	if got := call(`{"a":9007199254740993}`); !strings.Contains(got, `ran {\"a\":9007199254740993}`) {
		t.Error(got)
	}
	server.RemoveTools("echo")
	if got := call(`{"a":1}`); !strings.Contains(got, "unknown_tool") {
		t.Error(got)
	}
}

// The server's own middleware may count requests, so a call that succeeds is
// one.
func TestWrapListsOnlyWhenACallFails(t *testing.T) {
	server := exampleServers["everything"]()
	lists := 0
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/list" {
				lists++
			}
			return next(ctx, method, req)
		}
	})
	w := gosdk.Wrap(server, &gosdk.WrapOptions{Logger: slog.New(slog.DiscardHandler)})
	send, receive := session(t, server, w)
	after := lists
	for range 3 {
		send(rpcMessage(1, "tools/call", `{"name":"greet","arguments":{"name":"Ada"}}`, "2026-07-28") + "\n")
		receive()
	}
	if lists != after {
		t.Errorf("%d lists for calls that succeed", lists-after)
	}
	send(rpcMessage(2, "tools/call", `{"name":"greet","arguments":{}}`, "2026-07-28") + "\n")
	receive()
	if lists != after+1 {
		t.Errorf("%d lists for a call that fails", lists-after)
	}
}

func TestWrapTellsTheAuthor(t *testing.T) {
	var log bytes.Buffer
	server := exampleServers["faulty"]()
	w := gosdk.Wrap(server, &gosdk.WrapOptions{
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Tools:  map[string]gosdk.ToolOptions{"cuont": {}, "count": {IdempotencyKey: "kee"}},
	})
	for _, want := range []string{
		"return nil, zero, err", // the change for tools with a typed Out
		"names a tool that is not registered", "tool=cuont",
		"names an argument that the tool's schema does not have", "argument=kee",
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is not in the log at start-up:\n%s", want, log.String())
		}
	}
	log.Reset()
	send, receive := session(t, server, w)
	for range 2 {
		send(rpcMessage(1, "tools/call", `{"name":"fail","arguments":{"how":"built"}}`, "2026-07-28") + "\n")
		receive()
	}
	send(rpcMessage(2, "tools/call", `{"name":"fail","arguments":{"how":"panic"}}`, "2026-07-28") + "\n")
	receive()
	if n := strings.Count(log.String(), "typed Out in its place"); n != 1 {
		t.Errorf("an overwritten payload was logged %d times", n)
	}
	if !strings.Contains(log.String(), "secret-7f3a") || !strings.Contains(log.String(), "stack=") {
		t.Errorf("the panic is not in the log:\n%s", log.String())
	}
}

// Events pass as they are written; only an error without an envelope changes.
func TestWrapHandlerLeavesStreamsAlone(t *testing.T) {
	w := gosdk.Wrap(exampleServers["everything"](), &gosdk.WrapOptions{Logger: slog.New(slog.DiscardHandler)})
	next := make(chan string)
	server := httptest.NewServer(w.Handler(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/event-stream")
		rw.(http.Flusher).Flush()
		for event := range next {
			io.WriteString(rw, event)
			rw.(http.Flusher).Flush()
		}
	})))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(next) })
	response, err := http.Post(server.URL, "application/json", strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewReader(response.Body)
	for i, event := range []string{
		"id: 1\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"error\"}}\n\n",
		": comment\r\n\r\n",
		"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"error\":\"not one\"}}\n\n",
	} {
		next <- event
		got := make([]byte, len(event))
		if _, err := io.ReadFull(lines, got); err != nil || string(got) != event {
			t.Fatalf("event %d: %q, %v; want %q", i, got, err, event)
		}
	}
	next <- "data: {\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32602,\"message\":\"echo secret-7f3a\"}}\n\n"
	line, err := lines.ReadString('\n')
	if err != nil || strings.Contains(line, "secret-7f3a") || !strings.Contains(line, `"machine_code":"invalid_params"`) {
		t.Errorf("%q, %v", line, err)
	}
}

// The status stays; the text does not.
func TestWrapHandlerKeepsStatuses(t *testing.T) {
	server := exampleServers["everything"]()
	w := gosdk.Wrap(server, &gosdk.WrapOptions{Logger: slog.New(slog.DiscardHandler)})
	sdk := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true, MaxRequestBodyBytes: 4096})
	web := httptest.NewServer(w.Handler(sdk))
	t.Cleanup(web.Close)
	for _, tt := range []struct {
		name, contentType, accept, body, code string
		status                                int
	}{
		{"malformed", "application/json", "application/json, text/event-stream", `{"secret-7f3a`, "malformed_message", 400},
		{"empty", "application/json", "application/json, text/event-stream", ``, "malformed_message", 400},
		{"content type", "text/secret-7f3a", "application/json, text/event-stream", `{}`, "malformed_message", 415},
		{"accept", "application/json", "text/secret-7f3a", `{}`, "malformed_message", 400},
		{"too large", "application/json", "application/json, text/event-stream", `"` + strings.Repeat("secret-7f3a", 1000) + `"`, "malformed_message", 413},
		{"unknown method", "application/json", "application/json, text/event-stream", `{"jsonrpc":"2.0","id":"a","method":"secret-7f3a"}`, "unknown_method", 400},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, web.URL, strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", tt.contentType)
		r.Header.Set("Accept", tt.accept)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != tt.status || response.Header.Get("Content-Type") != "application/json" ||
			!bytes.Contains(body, []byte(fmt.Sprintf(`"machine_code":%q`, tt.code))) || bytes.Contains(body, []byte("secret-7f3a")) {
			t.Errorf("%s: %s %s", tt.name, response.Status, body)
		}
	}
}
