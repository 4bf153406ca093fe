package gosdk_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/tools/txtar"
)

// TestMain serves one of the example servers instead of running tests when a
// test asks for it: what a panic does without Wrap can only be seen in a
// process of its own.
func TestMain(m *testing.M) {
	if name := os.Getenv("GOSDK_EXAMPLE_SERVER"); name != "" {
		if err := serveExample(name, os.Getenv("GOSDK_EXAMPLE_WRAPPED") != "", os.Getenv("GOSDK_EXAMPLE_HTTP") != ""); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func serveExample(name string, wrapped, overHTTP bool) error {
	server, w := exampleServer(name, wrapped)
	if !overHTTP {
		var transport mcp.Transport = &mcp.StdioTransport{}
		if wrapped {
			transport = w.Stdio()
		}
		return server.Run(context.Background(), transport)
	}
	var handler http.Handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true})
	if wrapped {
		handler = w.Handler(handler)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	go func() { // ends with the test
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return http.Serve(listener, handler)
}

// TestWrapWire plays the script of each file in testdata/wrap against the
// example server that the file is named after (up to a hyphen), over stdio and
// over HTTP, of both protocol revisions, before and after Wrap. Where both
// transports show the same messages they stand once. The HTTP status is shown
// for answers that are no JSON.
//
// A script has one line for each step:
//
//	call TOOL ARGUMENTS    a tools/call; ARGUMENTS is JSON, sent as it stands
//	send METHOD PARAMS     any other request
//	raw BYTES              a line, or an HTTP body, as it stands
func TestWrapWire(t *testing.T) {
	files, err := filepath.Glob("testdata/wrap/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		base := strings.TrimSuffix(filepath.Base(file), ".txtar")
		server, _, _ := strings.Cut(base, "-")
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			script := strings.Split(strings.TrimSpace(string(archive.Files[0].Data)), "\n")
			got := &txtar.Archive{Comment: archive.Comment, Files: archive.Files[:1]}
			for _, revision := range []string{"2026-07-28", "2025-11-25"} {
				for _, when := range []string{"before", "after"} {
					stdio := playScript(t, script, server, revision, when == "after", false)
					overHTTP := playScript(t, script, server, revision, when == "after", true)
					name := when + " " + revision
					if stdio == overHTTP {
						got.Files = append(got.Files, txtar.File{Name: name, Data: []byte(stdio)})
						continue
					}
					got.Files = append(got.Files, txtar.File{Name: name + " stdio", Data: []byte(stdio)},
						txtar.File{Name: name + " HTTP", Data: []byte(overHTTP)})
				}
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

// A peer is a client's end of a server process.
type peer interface {
	// roundTrip returns the answer, or ended: what there is instead of one.
	roundTrip(t *testing.T, method, name, message string) (answer, ended string)
}

func playScript(t *testing.T, script []string, server, revision string, wrapped, overHTTP bool) string {
	t.Helper()
	p := start(t, server, revision, wrapped, overHTTP)
	var out strings.Builder
	for i, line := range script {
		verb, rest, _ := strings.Cut(line, " ")
		method, name, message := "", "", rest
		switch verb {
		case "call":
			tool, arguments, _ := strings.Cut(rest, " ")
			method, name = "tools/call", tool
			message = rpcMessage(i+1, method, fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments), revision)
		case "send":
			var params string
			method, params, _ = strings.Cut(rest, " ")
			message = rpcMessage(i+1, method, params, revision)
			name = nameOf(params)
		case "raw":
		default:
			t.Fatalf("unknown step %q", line)
		}
		fmt.Fprintf(&out, "→ %s\n", message)
		answer, ended := p.roundTrip(t, method, name, message)
		if ended != "" {
			fmt.Fprintf(&out, "← (%s)\n", ended)
			p = start(t, server, revision, wrapped, overHTTP)
			continue
		}
		fmt.Fprintf(&out, "← %s\n", normalized(answer))
	}
	return out.String()
}

// nameOf is what the header Mcp-Name repeats of the params.
func nameOf(params string) string {
	var p struct{ Name, URI string }
	if json.Unmarshal([]byte(params), &p) != nil {
		return ""
	}
	return p.Name + p.URI
}

func rpcMessage(id int, method, params, revision string) string {
	if revision >= "2026-07-28" && strings.HasPrefix(params, "{") {
		meta := `{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + revision + `","io.modelcontextprotocol/clientCapabilities":{}}`
		if params != "{}" {
			meta += ","
		}
		params = meta + params[1:]
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

var varying = []struct {
	re   *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`req_[0-9A-HJKMNP-TV-Z]{26}`), "req_ID"},
	{regexp.MustCompile(`(@[0-9.]+)\+[0-9a-f]{7}`), "$1+HASH"},
	{regexp.MustCompile(`map\[[^]]*\]`), "map[…]"}, // printed in random order
	{regexp.MustCompile(`unexpected additional properties \[[^]]*\]`), "unexpected additional properties […]"},
}

func normalized(answer string) string {
	for _, v := range varying {
		answer = v.re.ReplaceAllString(answer, v.with)
	}
	return answer
}

// start runs an example server in a process of its own.
func start(t *testing.T, name, revision string, wrapped, overHTTP bool) peer {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "GOSDK_EXAMPLE_SERVER="+name)
	if wrapped {
		cmd.Env = append(cmd.Env, "GOSDK_EXAMPLE_WRAPPED=1")
	}
	if overHTTP {
		cmd.Env = append(cmd.Env, "GOSDK_EXAMPLE_HTTP=1")
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Process.Kill()
		cmd.Wait()
	})
	stuck := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
	t.Cleanup(func() { stuck.Stop() })
	reader := bufio.NewReaderSize(out, 1<<20)
	if overHTTP {
		address, err := reader.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return &httpPeer{"http://" + strings.TrimSpace(address), revision}
	}
	p := &stdioPeer{in, make(chan string, 16)}
	go func() {
		defer close(p.lines)
		for {
			line, err := reader.ReadString('\n')
			if err != nil {
				return
			}
			p.lines <- strings.TrimSpace(line)
		}
	}()
	if revision < "2026-07-28" {
		p.roundTrip(t, "", "", `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"`+revision+`","capabilities":{},"clientInfo":{"name":"wire-test","version":"0.0.0"}}}`)
		fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}`)
	}
	return p
}

type stdioPeer struct {
	in    io.Writer
	lines chan string
}

func (p *stdioPeer) roundTrip(t *testing.T, _, _, message string) (string, string) {
	t.Helper()
	fmt.Fprintln(p.in, message)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				return "", "the server process has ended"
			}
			if strings.Contains(line, `"method":"notifications/`) {
				continue
			}
			return line, ""
		case <-time.After(10 * time.Second):
			t.Fatalf("no answer to %s", message)
		}
	}
}

type httpPeer struct{ url, revision string }

func (p *httpPeer) roundTrip(t *testing.T, method, name, message string) (string, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("MCP-Protocol-Version", p.revision)
	if p.revision >= "2026-07-28" && method != "" {
		r.Header.Set("Mcp-Method", method)
		if name != "" {
			r.Header.Set("Mcp-Name", name)
		}
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", "the server process has ended"
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return "", "the server process has ended"
	}
	text := string(bytes.TrimSpace(body))
	for line := range strings.Lines(text) {
		if data, ok := strings.CutPrefix(line, "data: "); ok && strings.Contains(data, `"id"`) {
			text = strings.TrimSpace(data)
		}
	}
	if text == "" {
		return "", "the stream has ended without an answer"
	}
	if response.StatusCode >= 400 && !json.Valid([]byte(text)) {
		text = fmt.Sprintf("%d %s", response.StatusCode, text)
	}
	return text, ""
}
