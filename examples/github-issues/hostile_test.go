package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/tracker"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Who answers a hostile message.
type answered int

const (
	byKit  answered = iota // an envelope, with the code of the row
	bySDK                  // a JSON-RPC error or an HTTP status of the SDK's; no envelope
	byHead                 // the SDK over HTTP, where it reads the name for its header first; the kit over stdio
	ends                   // the SDK ends a stdio session; over HTTP as bySDK
)

func nested(open, closing string, depth int) string {
	return strings.Repeat(open, depth) + strings.Repeat(closing, depth)
}

// hostile are the params of a tools/call. What the SDK refuses before the
// middleware is pinned down as it is today for a server without gosdk.Wrap's
// transports.
func hostile() []struct {
	name, tool, params string
	by                 answered
	code               envelope.Code
} {
	const get = "github_get_issue"
	call := func(arguments string) string { return `{"name":"` + get + `","arguments":` + arguments + `}` }
	with := func(value string) string { return call(`{"owner":"acme","repo":"api","issue_number":` + value + `}`) }
	text := func(value string) string { return call(`{"owner":` + value + `,"repo":"api","issue_number":1}`) }
	long := strings.Repeat("t", 100_000)
	return []struct {
		name, tool, params string
		by                 answered
		code               envelope.Code
	}{
		{"3 MB string", get, text(`"` + strings.Repeat("a", 3<<20) + `"`), byKit, envelope.CodeInvalidField},
		{"3 MB unknown name", get, call(`{"` + strings.Repeat("a", 3<<20) + `":1}`), byKit, envelope.CodeInvalidField},
		{"array nested 990 deep", get, with(nested("[", "]", 990)), byKit, envelope.CodeInvalidField},
		{"object nested 990 deep", get, with(strings.Repeat(`{"a":`, 990) + "1" + strings.Repeat("}", 990)), byKit, envelope.CodeInvalidField},
		{"array of 1e6 elements", get, with("[" + strings.Repeat("1,", 999_999) + "1]"), byKit, envelope.CodeInvalidField},
		{"1e6 labels", "github_create_issue", `{"name":"github_create_issue","arguments":{"owner":"acme","repo":"api","title":"t","labels":[` + strings.Repeat("1,", 999_999) + `1]}}`, byKit, envelope.CodeInvalidField},
		{"100,000 duplicate keys", get, call(`{` + strings.Repeat(`"":1,`, 99_999) + `"":1}`), byKit, envelope.CodeInvalidField},
		{"NUL in a string", get, text(`"ac\u0000me"`), byKit, envelope.CodeInvalidField},
		{"lone high surrogate", get, text(`"\ud800"`), byKit, envelope.CodeInvalidField},
		{"lone low surrogate in a name", get, call(`{"\udc00":1}`), byKit, envelope.CodeInvalidField},
		{"invalid UTF-8", get, text("\"\xff\xfe\""), byKit, envelope.CodeInvalidField},
		{"1e999", get, with("1e999"), byHead, envelope.CodeInvalidField},
		{"1e999999999", get, with("1e999999999"), byHead, envelope.CodeInvalidField},
		{"-1e-999999999", get, with("-1e-999999999"), byKit, envelope.CodeInvalidField},
		{"a million digits", get, with(strings.Repeat("9", 1_000_000)), byHead, envelope.CodeInvalidField},
		{"a million digits behind the point", get, with("1." + strings.Repeat("9", 1_000_000)), byKit, envelope.CodeInvalidField},
		{"arguments a number", get, call("5"), byKit, envelope.CodeInvalidField},
		{"arguments a string", get, call(`"{}"`), byKit, envelope.CodeInvalidField},
		{"arguments a list", get, call("[]"), byKit, envelope.CodeInvalidField},
		{"arguments null", get, call("null"), byKit, envelope.CodeInvalidField},
		{"arguments absent", get, `{"name":"` + get + `"}`, byKit, envelope.CodeInvalidField},
		{"name of 100 KB", long, `{"name":"` + long + `","arguments":{}}`, byKit, envelope.CodeUnknownTool},
		{"name empty", "", `{"name":"","arguments":{}}`, byHead, envelope.CodeUnknownTool},
		{"name a number", "5", `{"name":5,"arguments":{}}`, bySDK, ""},
		{"name null", "", `{"name":null,"arguments":{}}`, byHead, envelope.CodeUnknownTool},
		{"raw NUL in a string", get, text("\"a\x00b\""), ends, ""},
		// The SDK's decoder takes 1,000 levels of the whole message.
		{"array nested 10,000 deep", get, with(nested("[", "]", 10_000)), ends, ""},
		{"object nested 10,000 deep", get, with(strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)), ends, ""},
	}
}

// Each hostile call gets a short, clear error in bounded time and memory, and
// the next call works.
func TestHostileCalls(t *testing.T) {
	rows := hostile()
	for _, transport := range []struct {
		name string
		dial func(*testing.T, *mcp.Server, string) wire
	}{{"stdio", dialStdio}, {"http", dialHTTP}} {
		t.Run(transport.name, func(t *testing.T) {
			server := newTestServer(t, tracker.New(nil), time.Minute)
			for _, tt := range rows {
				t.Run(tt.name, func(t *testing.T) {
					w := transport.dial(t, server, revisions[0])
					request := requestJSON(1, "tools/call", tt.params, revisions[0])
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					start := time.Now()
					answer, alive := exchange(t, w, tt.tool, request)
					took := time.Since(start)
					runtime.ReadMemStats(&after)
					if took > 10*time.Second {
						t.Errorf("took %v", took)
					}
					if used := after.TotalAlloc - before.TotalAlloc; used > 200*uint64(len(request))+64<<20 {
						t.Errorf("allocated %d bytes for %d", used, len(request))
					}
					if len(answer) > 64<<10 {
						t.Errorf("the answer has %d bytes", len(answer))
					}
					code, err := outcome(answer)
					kits := tt.by == byKit || tt.by == byHead && transport.name == "stdio"
					switch {
					case kits && (err != nil || code != tt.code):
						t.Errorf("code %q, want %q: %v: %.300s", code, tt.code, err, answer)
					case !kits && err == nil:
						t.Errorf("now answered with an envelope; adapt the row: %.300s", answer)
					}
					if tt.by == ends && transport.name == "stdio" {
						if alive {
							t.Error("the session lives on; adapt the row")
						}
						return
					}
					next := w.roundTrip(t, "tools/call", "github_list_labels", requestJSON(2, "tools/call", `{"name":"github_list_labels","arguments":{"owner":"acme","repo":"web"}}`, revisions[0]))
					if code, err := outcome(next); err != nil || code != "" {
						t.Errorf("the next call: %q %v %.300s", code, err, next)
					}
				})
			}
		})
	}
}

// exchange is roundTrip for messages that may end the session or be answered
// with text.
func exchange(t *testing.T, w wire, tool string, request []byte) (answer []byte, alive bool) {
	t.Helper()
	switch w := w.(type) {
	case *stdioWire:
		if _, err := w.in.Write(append(bytes.Clone(request), '\n')); err != nil {
			return nil, false
		}
		line, err := w.out.ReadBytes('\n')
		return bytes.TrimSpace(line), err == nil
	case httpWire:
		response := raw(t, w, tool, bytes.NewReader(request))
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.TrimSpace(body), true
	}
	return nil, false
}

// raw posts a body. Names that no header can hold are left out; the SDK wants
// the header to agree with the body.
func raw(t *testing.T, w httpWire, tool string, body io.Reader) *http.Response {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, w.url, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", w.revision)
	r.Header.Set("Mcp-Method", "tools/call")
	if tool != "" {
		r.Header.Set("Mcp-Name", tool)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return response
}

// A message over the transport's bound is refused, and over HTTP the next call
// works. Over stdio 10 MB are within it, and 17 MB end the session today.
func TestHostileSize(t *testing.T) {
	request := func(size int) []byte {
		return requestJSON(1, "tools/call", fmt.Sprintf(`{"name":"github_get_issue","arguments":{"owner":%q,"repo":"api","issue_number":1}}`, strings.Repeat("a", size)), revisions[0])
	}
	over := dialHTTP(t, newTestServer(t, tracker.New(nil), time.Minute), revisions[0])
	response := raw(t, over.(httpWire), "github_get_issue", bytes.NewReader(request(10<<20)))
	response.Body.Close()
	if response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("10 MB over HTTP: %s", response.Status)
	}
	next(t, over)
	lines := dialStdio(t, newTestServer(t, tracker.New(nil), time.Minute), revisions[0])
	answer, _ := exchange(t, lines, "", request(10<<20))
	if code, err := outcome(answer); err != nil || code != envelope.CodeInvalidField || len(answer) > 64<<10 {
		t.Errorf("10 MB over stdio: %q %v, %d bytes", code, err, len(answer))
	}
	next(t, lines)
	duplicates := requestJSON(1, "tools/call", `{"name":"github_get_issue","arguments":{`+strings.Repeat(`"owner":1,`, 999_999)+`"owner":1}}`, revisions[0])
	answer, _ = exchange(t, lines, "", duplicates)
	if code, err := outcome(answer); err != nil || code != envelope.CodeInvalidField || len(answer) > 64<<10 {
		t.Errorf("a million duplicate keys over stdio: %q %v, %d bytes", code, err, len(answer))
	}
	next(t, lines)
	if answer, alive := exchange(t, lines, "", request(17<<20)); alive {
		t.Errorf("17 MB over stdio: the session lives on: %.300s", answer)
	}
}

// A body cut in the middle is refused, and the next call works: whether it is
// whole for HTTP, or the connection breaks. Over stdio it ends the session.
func TestHostileCutBodies(t *testing.T) {
	whole := requestJSON(1, "tools/call", `{"name":"github_get_issue","arguments":{"owner":"acme","repo":"api","issue_number":1}}`, revisions[0])
	w := dialHTTP(t, newTestServer(t, tracker.New(nil), time.Minute), revisions[0])
	for n := 0; n < len(whole); n += 7 {
		response := raw(t, w.(httpWire), "github_get_issue", bytes.NewReader(whole[:n]))
		response.Body.Close()
		if response.StatusCode != http.StatusBadRequest {
			t.Errorf("cut at %d: %s", n, response.Status)
		}
	}
	for range 20 {
		r, err := http.NewRequest(http.MethodPost, w.(httpWire).url, io.MultiReader(bytes.NewReader(whole[:len(whole)/2]), broken{}))
		if err != nil {
			t.Fatal(err)
		}
		if response, err := http.DefaultClient.Do(r); err == nil {
			response.Body.Close()
			if response.StatusCode < 400 {
				t.Errorf("a broken body: %s", response.Status)
			}
		}
	}
	next(t, w)
	lines := dialStdio(t, newTestServer(t, tracker.New(nil), time.Minute), revisions[0])
	if answer, alive := exchange(t, lines, "", whole[:len(whole)/2]); alive {
		t.Errorf("a cut line: the session lives on: %.300s", answer)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func next(t *testing.T, w wire) {
	t.Helper()
	answer := w.roundTrip(t, "tools/call", "github_list_labels", requestJSON(2, "tools/call", `{"name":"github_list_labels","arguments":{"owner":"acme","repo":"web"}}`, revisions[0]))
	if code, err := outcome(answer); err != nil || code != "" || !json.Valid(answer) {
		t.Errorf("the next call: %q %v %.300s", code, err, answer)
	}
}
