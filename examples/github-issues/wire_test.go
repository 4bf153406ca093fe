package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpkit-go/agentmcp/cursor"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/tracker"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/mcpkit/gosdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata/wire")

var revisions = []string{"2026-07-28", "2025-11-25"}

// TestWire plays the script of each file in testdata/wire against the server
// over stdio and over HTTP, for both protocol revisions, and compares what was
// sent and received with the transcript in the file. Both transports must show
// the same messages.
//
// A script has one line for each step; # starts a comment line:
//
//	call TOOL ARGUMENTS    a tools/call; ARGUMENTS is JSON, sent as it stands
//	repair                 calls repair.tool with repair.arguments of the last error, as they are
//	send METHOD PARAMS     any other request
//	fault NAME             the backend fails in this way from now on; none ends it
//	wait DURATION          lets time pass
//	ttl DURATION           lifetime of cursors; first line only
//	window DURATION        deduplication window; first line only
//
// ${2.version} in ARGUMENTS stands for that field of the structuredContent of
// message 2, ${2.next_cursor~} for the same with its last character changed.
func TestWire(t *testing.T) {
	files, err := filepath.Glob("testdata/wire/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Files) == 0 || archive.Files[0].Name != "script" {
				t.Fatalf("%s does not start with -- script --", file)
			}
			script := string(archive.Files[0].Data)
			got := &txtar.Archive{Comment: archive.Comment, Files: archive.Files[:1]}
			for _, revision := range revisions {
				stdio := play(t, script, revision, dialStdio)
				overHTTP := play(t, script, revision, dialHTTP)
				if diff := cmp.Diff(stdio, overHTTP); diff != "" {
					t.Errorf("%s: stdio (-) and HTTP (+) differ:\n%s", revision, diff)
				}
				got.Files = append(got.Files, txtar.File{Name: revision, Data: []byte(stdio)})
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(got))); diff != "" {
				t.Errorf("transcript differs (-want +got); run with -update and read the change:\n%s", diff)
			}
		})
	}
}

// play runs a script and returns its transcript.
func play(t *testing.T, script, revision string, dial func(*testing.T, *mcp.Server, string) wire) string {
	t.Helper()
	ttl, window := 15*time.Minute, 10*time.Minute
	lines := strings.Split(strings.TrimSpace(script), "\n")
	if text, ok := strings.CutPrefix(lines[0], "ttl "); ok {
		ttl, lines = must(time.ParseDuration(text)), lines[1:]
	} else if text, ok := strings.CutPrefix(lines[0], "window "); ok {
		window, lines = must(time.ParseDuration(text)), lines[1:]
	}
	faults := &faulty{Backend: tracker.New(nil)}
	w := dial(t, gosdk.NewServer(newTestKitFor(t, config{backend: faults, cursorTTL: ttl, window: window}), &gosdk.Options{Anonymous: "loopback"}), revision)
	var out strings.Builder
	var answers []json.RawMessage
	for _, line := range lines {
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		var method, name, params string
		switch verb {
		case "", "#":
			continue
		case "fault":
			faults.set(t, rest)
			continue
		case "wait":
			time.Sleep(must(time.ParseDuration(rest)))
			continue
		case "call":
			tool, arguments, _ := strings.Cut(rest, " ")
			method, name = "tools/call", tool
			params = fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, substitute(t, arguments, answers))
		case "repair":
			repair := envelopeOf(t, answers[len(answers)-1]).Repair
			if repair == nil {
				t.Fatalf("the last answer has no repair:\n%s", answers[len(answers)-1])
			}
			method, name = "tools/call", repair.Tool
			params = fmt.Sprintf(`{"name":%q,"arguments":%s}`, repair.Tool, repair.Arguments)
		case "send":
			method, params, _ = strings.Cut(rest, " ")
		default:
			t.Fatalf("unknown step %q", line)
		}
		id := len(answers) + 1
		request := requestJSON(id, method, params, revision)
		answer := w.roundTrip(t, method, name, request)
		answers = append(answers, answer)
		fmt.Fprintf(&out, "→ %s\n← %s\n", normalize(request), normalize(answer))
	}
	return out.String()
}

func requestJSON(id int, method, params, revision string) []byte {
	if revision >= "2026-07-28" {
		meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + revision + `","io.modelcontextprotocol/clientCapabilities":{}}`
		separator := ","
		if strings.TrimSpace(params) == "{}" {
			separator = ""
		}
		params = "{" + meta + separator + strings.TrimPrefix(strings.TrimSpace(params), "{")
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

// wire is one connection to a server.
type wire interface {
	roundTrip(t *testing.T, method, name string, request []byte) json.RawMessage
}

// newTestKit is the contract of the command, strict, with a fixed cursor key.
func newTestKit(t *testing.T, b backend.Backend, ttl time.Duration) *mcpkit.Kit {
	t.Helper()
	return newTestKitFor(t, config{backend: b, cursorTTL: ttl, window: 10 * time.Minute})
}

// newTestKitFor fills in what a test has no reason to choose.
func newTestKitFor(t *testing.T, c config) *mcpkit.Kit {
	t.Helper()
	c.keys = must(cursor.NewKeyring([]byte("a key of thirty-two bytes, fixed")))
	c.logger, c.strict = slog.New(slog.DiscardHandler), true
	kit, err := newKit(c)
	if err != nil {
		t.Fatal(err)
	}
	return kit
}

func newTestServer(t *testing.T, b backend.Backend, ttl time.Duration) *mcp.Server {
	t.Helper()
	return gosdk.NewServer(newTestKit(t, b, ttl), &gosdk.Options{Anonymous: "loopback"})
}

type stdioWire struct {
	in  io.Writer
	out *bufio.Reader
}

// dialStdio connects over a pair of pipes with the framing of stdio.
func dialStdio(t *testing.T, server *mcp.Server, revision string) wire {
	t.Helper()
	serverIn, in := io.Pipe()
	out, serverOut := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Run(ctx, &mcp.IOTransport{Reader: serverIn, Writer: serverOut}) }()
	t.Cleanup(func() {
		in.Close()
		cancel()
		out.Close()
		<-done
	})
	w := &stdioWire{in: in, out: bufio.NewReaderSize(out, 1<<20)}
	if revision < "2026-07-28" {
		w.roundTrip(t, "initialize", "", initialize(revision))
		if _, err := in.Write([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}` + "\n")); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func initialize(revision string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"wire-test","version":"0.0.0"}}}`, revision)
}

func (w *stdioWire) roundTrip(t *testing.T, _, _ string, request []byte) json.RawMessage {
	t.Helper()
	if _, err := w.in.Write(append(bytes.Clone(request), '\n')); err != nil {
		t.Fatal(err)
	}
	line, err := w.out.ReadBytes('\n')
	if err != nil {
		t.Fatalf("no answer to %s: %v", request, err)
	}
	return bytes.TrimSpace(line)
}

type httpWire struct{ url, revision string }

func dialHTTP(t *testing.T, server *mcp.Server, revision string) wire {
	t.Helper()
	s := httptest.NewServer(gosdk.Handler(server, nil))
	t.Cleanup(s.Close)
	return httpWire{s.URL, revision}
}

func (w httpWire) roundTrip(t *testing.T, method, name string, request []byte) json.RawMessage {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, w.url, bytes.NewReader(request))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", w.revision)
	if w.revision >= "2026-07-28" {
		r.Header.Set("Mcp-Method", method)
		if name != "" {
			r.Header.Set("Mcp-Name", name)
		}
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(body) {
		t.Fatalf("answer to %s is not JSON (%s): %s", request, response.Status, body)
	}
	return bytes.TrimSpace(body)
}

var (
	requestIDs   = regexp.MustCompile(`req_[0-9A-HJKMNP-TV-Z]{26}`)
	fingerprints = regexp.MustCompile(`(github-issues-mcp@1\.0\.0)\+[0-9a-f]{7}`)
	cursors      = regexp.MustCompile(`(cursor\\*":\s*\\*")[A-Za-z0-9_-]{30,}`)
	minted       = regexp.MustCompile(`(value\\*":\s*\\*")[A-Za-z0-9_-]{30,}`)
	instants     = regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
)

// normalize replaces what differs from run to run.
func normalize(message []byte) string {
	s := requestIDs.ReplaceAllString(string(message), "req_ID")
	s = fingerprints.ReplaceAllString(s, "$1+HASH")
	s = cursors.ReplaceAllString(s, "${1}CURSOR")
	s = minted.ReplaceAllString(s, "${1}CURSOR")
	return instants.ReplaceAllStringFunc(s, func(text string) string {
		if at, err := time.Parse(time.RFC3339, text); err == nil && time.Since(at).Abs() < 24*time.Hour {
			return "NOW"
		}
		return text
	})
}

var reference = regexp.MustCompile(`\$\{(\d+)\.([a-z_.]+)(~?)\}`)

// substitute puts values of earlier answers into arguments.
func substitute(t *testing.T, arguments string, answers []json.RawMessage) string {
	t.Helper()
	return reference.ReplaceAllStringFunc(arguments, func(text string) string {
		m := reference.FindStringSubmatch(text)
		n, _ := strconv.Atoi(m[1])
		if n < 1 || n > len(answers) {
			t.Fatalf("%s: there is no such answer yet", text)
		}
		var message struct {
			Result struct {
				StructuredContent map[string]any `json:"structuredContent"`
			} `json:"result"`
		}
		if err := json.Unmarshal(answers[n-1], &message); err != nil {
			t.Fatal(err)
		}
		var value any = message.Result.StructuredContent
		for key := range strings.SplitSeq(m[2], ".") {
			object, _ := value.(map[string]any)
			value = object[key]
		}
		s, ok := value.(string)
		if !ok {
			t.Fatalf("%s is no string in answer %d: %s", text, n, answers[n-1])
		}
		if m[3] == "~" {
			last := byte('A')
			if s[len(s)-1] == last {
				last = 'E'
			}
			s = s[:len(s)-1] + string(last)
		}
		return s
	})
}

// wireEnvelope is the part of an envelope that a client acts on.
type wireEnvelope struct {
	Code    string `json:"code"`
	Machine string `json:"machine_code"`
	Details struct {
		Field  string   `json:"field"`
		Fields []string `json:"fields"`
		Reason string   `json:"reason"`
		Value  string   `json:"value"`
	} `json:"details"`
	Temporary    bool   `json:"temporary"`
	RetryAfterMS *int64 `json:"retry_after_ms"`
	Repair       *struct {
		NextStep    string          `json:"next_step"`
		Tool        string          `json:"tool"`
		Arguments   json.RawMessage `json:"arguments"`
		Alternative string          `json:"alternative"`
	} `json:"repair"`
	RequestID   string `json:"request_id"`
	Fingerprint string `json:"fingerprint"`
}

// envelopeOf reads the envelope from wherever this answer carries it.
func envelopeOf(t *testing.T, answer json.RawMessage) wireEnvelope {
	t.Helper()
	var message struct {
		Result struct {
			IsError           bool            `json:"isError"`
			StructuredContent json.RawMessage `json:"structuredContent"`
			Content           []struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"result"`
		Error *struct {
			Data json.RawMessage `json:"data"`
		} `json:"error"`
	}
	if err := json.Unmarshal(answer, &message); err != nil {
		t.Fatal(err)
	}
	var raw json.RawMessage
	switch {
	case message.Error != nil:
		raw = message.Error.Data
	case !message.Result.IsError:
		t.Fatalf("not an error: %s", answer)
	default:
		if len(message.Result.Content) != 1 {
			t.Fatalf("an error has one text block (D1): %s", answer)
		}
		_, text, ok := strings.Cut(message.Result.Content[0].Text, "\n")
		if !ok {
			t.Fatalf("no envelope behind the sentence: %s", answer)
		}
		raw = json.RawMessage(text)
	}
	var e wireEnvelope
	if err := json.Unmarshal(raw, &e); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	return e
}

// faulty is a backend that can be told to fail.
type faulty struct {
	backend.Backend
	fault atomic.Pointer[func() error]
}

var faults = map[string]func() error{
	"missing_credential": func() error { return backend.ErrMissingCredential },
	"invalid_credential": func() error { return backend.ErrInvalidCredential },
	"insufficient_scope": func() error { return &backend.InsufficientScopeError{Scopes: []string{"repo"}} },
	"rate_limited":       func() error { return &backend.RateLimitError{Delay: 42 * time.Second, Remaining: 0} },
	"upstream_unavailable": func() error {
		return &backend.UnavailableError{Delay: -1, Err: errors.New("dial tcp 10.0.0.1: refused")}
	},
	"timeout":  func() error { return &backend.UnavailableError{Delay: -1, Sent: true, Err: errors.New("timeout")} },
	"unknown":  func() error { return errors.New("secret-detail-7f3a") },
	"panic":    func() error { var none *backend.Repo; return errors.New(none.Name) },
	"deadline": func() error { return context.DeadlineExceeded },
}

func (f *faulty) set(t *testing.T, name string) {
	t.Helper()
	if name == "none" {
		f.fault.Store(nil)
		return
	}
	make, ok := faults[name]
	if !ok {
		t.Fatalf("unknown fault %q", name)
	}
	f.fault.Store(&make)
}

func (f *faulty) err() error {
	if make := f.fault.Load(); make != nil {
		return (*make)()
	}
	return nil
}

func (f *faulty) Search(ctx context.Context, q backend.Query, after backend.Position, n int) (backend.Page[backend.Issue], error) {
	if err := f.err(); err != nil {
		return backend.Page[backend.Issue]{}, err
	}
	return f.Backend.Search(ctx, q, after, n)
}

func (f *faulty) Issue(ctx context.Context, repo backend.Repo, number int) (backend.Issue, error) {
	if err := f.err(); err != nil {
		return backend.Issue{}, err
	}
	return f.Backend.Issue(ctx, repo, number)
}

func (f *faulty) Comments(ctx context.Context, repo backend.Repo, number int, after backend.Position, n int) (backend.Page[backend.Comment], error) {
	if err := f.err(); err != nil {
		return backend.Page[backend.Comment]{}, err
	}
	return f.Backend.Comments(ctx, repo, number, after, n)
}

func (f *faulty) Create(ctx context.Context, repo backend.Repo, issue backend.NewIssue) (backend.Issue, error) {
	if err := f.err(); err != nil {
		return backend.Issue{}, err
	}
	return f.Backend.Create(ctx, repo, issue)
}

func (f *faulty) Update(ctx context.Context, repo backend.Repo, number int, change backend.Change, precondition func(backend.Issue) error) (before, after backend.Issue, err error) {
	if err := f.err(); err != nil {
		return before, after, err
	}
	return f.Backend.Update(ctx, repo, number, change, precondition)
}

func (f *faulty) AddComment(ctx context.Context, repo backend.Repo, number int, body string) (backend.Comment, error) {
	if err := f.err(); err != nil {
		return backend.Comment{}, err
	}
	return f.Backend.AddComment(ctx, repo, number, body)
}

func (f *faulty) Labels(ctx context.Context, repo backend.Repo, after backend.Position, n int) (backend.Page[backend.Label], error) {
	if err := f.err(); err != nil {
		return backend.Page[backend.Label]{}, err
	}
	return f.Backend.Labels(ctx, repo, after, n)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
