package gosdk

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// Handler returns an http.Handler that mends what next, a handler of the SDK,
// answers before the middleware: malformed JSON, params that do not decode,
// unknown methods, and what is wrong with the HTTP request itself get a
// JSON-RPC error with the envelope in place of text, under the same status. No
// answer repeats what was received, apart from the id.
//
// Event streams pass as they are written, event by event; only the data of an
// error without an envelope is replaced. The statuses 401 and 403 belong to
// authentication, and their bodies are left alone.
func (w *Wrapped) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		m := &mender{w: w, out: rw, post: req.Method == http.MethodPost}
		if m.post && req.Body != nil {
			body := &copied{ReadCloser: req.Body}
			m.body = body
			clone := *req
			clone.Body = body
			req = &clone
		}
		next.ServeHTTP(m, req)
		m.finish()
	})
}

// copied keeps the first bytes of a body, for its id and to know what is wrong
// with it.
type copied struct {
	io.ReadCloser
	kept []byte
	size int64
	err  error
}

const maxCopied = 64 << 10

func (c *copied) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.size += int64(n)
	if room := maxCopied - len(c.kept); room > 0 {
		c.kept = append(c.kept, p[:min(n, room)]...)
	}
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

type mode int

const (
	undecided mode = iota
	passing        // as it comes
	streaming      // an event stream: line by line
	message        // one JSON message: as a whole
	replaced       // the body is dropped for a JSON-RPC error
)

// mender is the ResponseWriter of one request.
type mender struct {
	w    *Wrapped
	out  http.ResponseWriter
	post bool
	body *copied

	mode    mode
	status  int
	pending []byte
}

// Unwrap is for [http.ResponseController].
func (m *mender) Unwrap() http.ResponseWriter { return m.out }

func (m *mender) Header() http.Header { return m.out.Header() }

func (m *mender) WriteHeader(status int) {
	if status < 200 { // informational, another one follows
		m.out.WriteHeader(status)
		return
	}
	if m.mode != undecided {
		return
	}
	m.status = status
	kind, _, _ := mime.ParseMediaType(m.out.Header().Get("Content-Type"))
	switch {
	case kind == "text/event-stream":
		m.mode = streaming
	case kind == "application/json":
		m.mode = message
		return // its length may change
	case m.post && status >= 400 && status != http.StatusUnauthorized && status != http.StatusForbidden:
		m.mode = replaced
		return
	default:
		m.mode = passing
	}
	m.out.WriteHeader(status)
}

func (m *mender) Write(p []byte) (int, error) {
	if m.mode == undecided {
		m.WriteHeader(http.StatusOK)
	}
	switch m.mode {
	case passing:
		return m.out.Write(p)
	case replaced:
		if room := 1024 - len(m.pending); room > 0 {
			m.pending = append(m.pending, p[:min(len(p), room)]...)
		}
		return len(p), nil
	case message:
		m.pending = append(m.pending, p...)
		return len(p), nil
	}
	m.pending = append(m.pending, p...)
	end := bytes.LastIndexByte(m.pending, '\n') + 1
	if end == 0 {
		return len(p), nil
	}
	events := m.pending[:end]
	if bytes.Contains(events, []byte(`"error"`)) {
		events = m.events(events)
	}
	_, err := m.out.Write(events)
	m.pending = append(m.pending[:0], m.pending[end:]...)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// events mends the data lines of whole lines.
func (m *mender) events(lines []byte) []byte {
	var out []byte
	for line := range bytes.Lines(lines) {
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			out = append(out, "data: "...)
			out = append(out, m.w.mend(bytes.TrimRight(data, "\r\n"))...)
			out = append(out, '\n')
			continue
		}
		out = append(out, line...)
	}
	return out
}

// Flush implements [http.Flusher]. A message that is not whole stays here.
func (m *mender) Flush() {
	if m.mode == undecided {
		m.WriteHeader(http.StatusOK)
	}
	if m.mode != passing && m.mode != streaming {
		return
	}
	if f, ok := m.out.(http.Flusher); ok {
		f.Flush()
	}
}

// finish writes what was held back.
func (m *mender) finish() {
	switch m.mode {
	case streaming:
		if len(m.pending) > 0 {
			m.out.Write(m.pending)
		}
	case message:
		if len(m.pending) == 0 && m.status >= 400 {
			m.send(m.refusal())
			return
		}
		m.send(m.w.mend(m.pending))
	case replaced:
		m.send(m.refusal())
	}
}

func (m *mender) send(body []byte) {
	h := m.out.Header()
	h.Set("Content-Type", "application/json")
	h.Del("Content-Length")
	m.out.WriteHeader(m.status)
	m.out.Write(body)
}

// refusal is the answer in place of a text. It tells by the request what is
// wrong with it, and by the text only where that is the SDK's own words.
func (m *mender) refusal() []byte {
	text := string(m.pending)
	var read []byte
	whole := false
	if m.body != nil {
		read, whole = m.body.kept, m.body.err == nil && m.body.size == int64(len(m.body.kept))
	}
	var id json.RawMessage
	if whole {
		id = idOf(read)
	}
	refuse := func(code int64, machine envelope.Code, sentence string) []byte {
		return m.w.answer(id, code, envelope.New(machine, sentence).NothingApplied().Because(errors.New(text)))
	}
	switch {
	case m.status >= 500:
		return m.w.answer(id, jsonrpc.CodeInternalError, envelope.Internal(errors.New(text)))
	case m.status == http.StatusRequestEntityTooLarge:
		return refuse(jsonrpc.CodeInvalidRequest, CodeMalformedMessage, "The body of the request is too large.")
	case m.status == http.StatusUnsupportedMediaType:
		return refuse(jsonrpc.CodeInvalidRequest, CodeMalformedMessage, "The header Content-Type must be application/json.")
	case m.status == http.StatusNotFound:
		return refuse(jsonrpc.CodeInvalidRequest, CodeNotInitialized, "There is no such session; start one with initialize.")
	case m.status == http.StatusMethodNotAllowed:
		return refuse(jsonrpc.CodeInvalidRequest, CodeMalformedMessage, "The HTTP method is not served here.")
	case strings.HasPrefix(text, "Accept must"):
		return refuse(jsonrpc.CodeInvalidRequest, CodeMalformedMessage, "The header Accept must list application/json and text/event-stream.")
	case strings.HasPrefix(text, "Bad Request: Unsupported protocol version"):
		return refuse(jsonrpc.CodeInvalidRequest, CodeMalformedMessage, "The revision in the header MCP-Protocol-Version is not supported.")
	case whole && len(read) > 0:
		return m.ofMessage(read, id, text)
	}
	return refuse(jsonrpc.CodeInvalidRequest, CodeMalformedMessage, "The request does not have the form that streamable HTTP asks for.")
}

// ofMessage is the refusal of a body that was read.
func (m *mender) ofMessage(read []byte, id json.RawMessage, text string) []byte {
	if answer, bad := m.w.malformed(read); bad {
		return answer
	}
	code := int64(jsonrpc.CodeInvalidRequest)
	switch {
	case strings.HasSuffix(text, "unsupported\n"):
		code = jsonrpc.CodeMethodNotFound
	case strings.Contains(text, `missing required "params"`):
		code = jsonrpc.CodeInvalidParams
	}
	return m.w.answer(id, code, ofRPC(&jsonrpc.Error{Code: code, Message: text}).NothingApplied())
}
