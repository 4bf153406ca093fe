package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client is one session with a server, and all that this program knows about
// the server beforehand: nothing.
type client struct {
	session *mcp.ClientSession
	wire    *wire

	name, version string            // of the server, as it says
	revision      string            // of the protocol, as negotiated
	tools         map[string]bool   // registered names
	list          []json.RawMessage // the results of tools/list, as sent
}

const connectTimeout = 15 * time.Second

// connect opens a session and reads what the server says about itself.
func connect(ctx context.Context, transport mcp.Transport, revision string) (*client, error) {
	c := &client{wire: &wire{Transport: transport}, tools: map[string]bool{}}
	impl := &mcp.Implementation{Name: "agentwalk", Version: "1.0.0"}
	// Nothing that a server may ask of this client is implemented.
	options := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	session, err := mcp.NewClient(impl, options).Connect(ctx, c.wire, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	c.session = session
	said := session.InitializeResult()
	c.revision = said.ProtocolVersion
	if said.ServerInfo != nil {
		c.name, c.version = said.ServerInfo.Name, said.ServerInfo.Version
	}
	if err := c.listTools(ctx); err != nil {
		session.Close()
		return nil, fmt.Errorf("tools/list: %w", err)
	}
	return c, nil
}

func (c *client) listTools(ctx context.Context) error {
	for cursor := ""; ; {
		page, err := c.session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return err
		}
		c.list = append(c.list, c.wire.result("tools/list"))
		for _, t := range page.Tools {
			c.tools[t.Name] = true
		}
		if page.NextCursor == "" {
			return nil
		}
		if page.NextCursor == cursor {
			return errors.New("the server repeats a page")
		}
		cursor = page.NextCursor
	}
}

// A reply is the outcome of one tools/call: either member is nil.
type reply struct {
	result json.RawMessage // of the JSON-RPC response, as sent
	fault  *jsonrpc.Error
}

// call sends arguments byte for byte. Its error means that there was no answer.
func (c *client) call(ctx context.Context, tool string, arguments json.RawMessage) (reply, error) {
	_, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	var fault *jsonrpc.Error
	switch {
	case errors.As(err, &fault):
		return reply{fault: fault}, nil
	case err != nil:
		return reply{}, err
	}
	return reply{result: c.wire.result("tools/call")}, nil
}

func (c *client) close() error { return c.session.Close() }

// wire keeps the last result of each method as it was sent: the SDK decodes
// results into Go values, which loses their size and rounds large integers.
// It serves one request at a time.
type wire struct {
	mcp.Transport

	mu      sync.Mutex
	methods map[jsonrpc.ID]string
	results map[string]json.RawMessage
}

func (w *wire) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := w.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	w.methods, w.results = map[jsonrpc.ID]string{}, map[string]json.RawMessage{}
	return &wireConn{Connection: conn, wire: w}, nil
}

func (w *wire) result(method string) json.RawMessage {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.results[method]
}

type wireConn struct {
	mcp.Connection
	wire *wire
}

func (c *wireConn) Write(ctx context.Context, m jsonrpc.Message) error {
	if request, ok := m.(*jsonrpc.Request); ok && request.ID.IsValid() {
		c.wire.mu.Lock()
		c.wire.methods[request.ID] = request.Method
		c.wire.mu.Unlock()
	}
	return c.Connection.Write(ctx, m)
}

func (c *wireConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if response, ok := m.(*jsonrpc.Response); ok && err == nil {
		c.wire.mu.Lock()
		c.wire.results[c.wire.methods[response.ID]] = response.Result
		delete(c.wire.methods, response.ID)
		c.wire.mu.Unlock()
	}
	return m, err
}

// overHTTP is the transport to a server at url.
func overHTTP(url, revision string) mcp.Transport {
	return &mcp.StreamableClientTransport{
		Endpoint:             url,
		HTTPClient:           &http.Client{Transport: revisionHeader(revision)},
		DisableStandaloneSSE: true, // this client subscribes to nothing
	}
}

// revisionHeader adds the protocol revision to requests that lack it. The SDK
// leaves the header out on revisions before 2026-07-28 when its connection is
// wrapped, as wire does.
type revisionHeader string

func (r revisionHeader) RoundTrip(req *http.Request) (*http.Response, error) {
	const name = "Mcp-Protocol-Version"
	if req.Header.Get(name) == "" {
		req = req.Clone(req.Context())
		req.Header.Set(name, string(r))
	}
	return http.DefaultTransport.RoundTrip(req)
}

// overStdio is the transport to a server that is started as a subprocess. Its
// standard error goes to stderr.
func overStdio(command []string, stderr *tail) mcp.Transport {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = stderr
	return &mcp.CommandTransport{Command: cmd, TerminateDuration: 2 * time.Second}
}

// tail is the end of what was written to it. It is an io.Writer.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const tailBytes = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if len(t.data) > tailBytes {
		t.data = append([]byte{}, t.data[len(t.data)-tailBytes:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data)
}
