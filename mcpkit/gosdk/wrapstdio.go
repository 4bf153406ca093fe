package gosdk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Stdio returns a transport like [mcp.StdioTransport] that mends what never
// reaches the middleware. See [Wrapped.Transport].
func (w *Wrapped) Stdio() mcp.Transport { return w.Transport(os.Stdin, keepOpen{os.Stdout}) }

// keepOpen does not close standard output.
type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }

// Transport returns a transport of newline-delimited JSON-RPC over in and out,
// as on stdio. A line that is no JSON-RPC message, that is a batch, or that has
// more than [mcp.DefaultMaxLineLength] bytes is answered with an error, and the
// session goes on; so are params that do not decode and unknown methods. No
// answer repeats what was received, apart from the id. Batches belonged to one
// revision, 2025-03-26, and are refused for all.
//
// All other messages pass byte for byte. The transport serves one session, and
// closing it closes in and out. Writes to out are whole lines.
func (w *Wrapped) Transport(in io.ReadCloser, out io.WriteCloser) mcp.Transport {
	lines := &lineWriter{w: w, out: out}
	return &mcp.IOTransport{
		MaxLineLength: -1, // bounded by the reader
		Reader:        &lineReader{w: w, source: in, in: bufio.NewReaderSize(in, 64<<10), answers: lines},
		Writer:        lines,
	}
}

// lineReader passes on the lines that the SDK takes and answers the others. It
// is read by one goroutine.
type lineReader struct {
	w       *Wrapped
	source  io.Closer
	in      *bufio.Reader
	answers *lineWriter
	line    []byte // what is left of the current one
}

func (r *lineReader) Close() error { return r.source.Close() }

func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.line) == 0 {
		line, err := r.next()
		if len(line) == 0 && err != nil {
			return 0, err
		}
		if answer := r.check(line); answer != nil {
			if err := r.answers.writeLine(answer); err != nil {
				return 0, err
			}
			continue
		}
		if len(line) > 0 {
			r.line = append(line, '\n')
		}
	}
	n := copy(p, r.line)
	r.line = r.line[n:]
	return n, nil
}

var errLineTooLong = errors.New("line too long")

// next returns the next line without its end. The rest of one that is too long
// is skipped, and nil returned in its place with no error but an answer.
func (r *lineReader) next() ([]byte, error) {
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		if len(line)+len(part) > mcp.DefaultMaxLineLength {
			return nil, r.skip(err)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), err
		}
	}
}

// skip reads to the end of the line, answers, and returns what ended the input,
// if that did.
func (r *lineReader) skip(err error) error {
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = r.in.ReadSlice('\n')
	}
	e := envelope.New(CodeMalformedMessage, "The message is too large.").NothingApplied().Because(errLineTooLong)
	if failed := r.answers.writeLine(r.w.answer(nil, jsonrpc.CodeInvalidRequest, e)); failed != nil {
		return failed
	}
	return err
}

// check returns the answer to a line that must not reach the SDK, which would
// end the session for it.
func (r *lineReader) check(line []byte) []byte {
	switch {
	case len(line) == 0:
		return nil
	case line[0] == '[' && json.Valid(line):
		e := envelope.New(CodeMalformedMessage, "Batches are not supported; send each request as a message of its own.").NothingApplied()
		return r.w.answer(nil, jsonrpc.CodeInvalidRequest, e)
	}
	answer, _ := r.w.malformed(line)
	return answer
}

// lineWriter writes the messages of the SDK and of the reader, one at a time.
type lineWriter struct {
	w   *Wrapped
	mu  sync.Mutex
	out io.WriteCloser
}

func (l *lineWriter) Close() error { return l.out.Close() }

// Write takes one message and its line end, as the SDK writes them.
func (l *lineWriter) Write(p []byte) (int, error) {
	message, whole := bytes.CutSuffix(p, []byte("\n"))
	if !whole {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.out.Write(p)
	}
	if err := l.writeLine(l.w.mend(message)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (l *lineWriter) writeLine(message []byte) error {
	line := make([]byte, 0, len(message)+1)
	line = append(append(line, message...), '\n')
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.out.Write(line)
	return err
}
