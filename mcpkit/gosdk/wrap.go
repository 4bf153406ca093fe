package gosdk

import (
	"context"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/failure"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/requestid"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// WrapOptions configure [Wrap]. The zero value is ready to use.
type WrapOptions struct {
	// Name and Version stand in the fingerprint. Default: those of the
	// server's [mcp.Implementation].
	Name, Version string

	// Errors is the author's table: the first entry whose Err is in the chain
	// of a handler's error, as [errors.Is] has it, decides. Default: none.
	Errors []ErrorCode

	// Classify is asked for errors that no entry of Errors matches; it returns
	// nil for those that it does not know. It may be called concurrently.
	// Default: none.
	Classify func(error) *envelope.Error

	// Tools are the options of single tools, by name. A name that is not
	// registered is logged at start-up. Default: none.
	Tools map[string]ToolOptions

	// Keeper keeps the results of calls with an idempotency key. Default: an
	// [idempotency.Memory] with the defaults of its package, for which a
	// restart forgets the keys.
	Keeper *idempotency.Keeper

	// Anonymous is the principal of HTTP requests without a verified token,
	// as in [Options]. Default: "", such requests cannot use idempotency keys.
	Anonymous string

	// Logger gets one record for each failed request, with its cause, and what
	// the author should change. Default: [slog.Default], looked up by Wrap.
	Logger *slog.Logger
}

// An ErrorCode is a row of [WrapOptions.Errors].
type ErrorCode struct {
	Err  error         // target of [errors.Is]
	Code envelope.Code // what the client branches on

	// Message is the sentence for the client. Default: the meaning of Code in
	// [envelope.Standard], or "Failed." for a code that is not in it.
	Message string

	// Temporary says that the same call may succeed later. A delay is taken
	// from the error, if it has a method RetryAfter() time.Duration.
	Temporary bool
}

// ToolOptions are what one tool opts into. Arguments are named as in the
// tool's input schema.
type ToolOptions struct {
	// IdempotencyKey is the argument that holds an idempotency key: a call
	// that repeats a key gets the recorded result. Default: "", none.
	IdempotencyKey string

	// Scope are arguments that the key belongs to, beside the tool and the
	// caller. Default: none.
	Scope []string

	// MaxResultBytes bounds a result, in bytes of JSON of its structured
	// content or of its text. A larger one loses whole records from the end of
	// its longest list, and its text then begins with a sentence that says how
	// many and how to narrow the call; a result without a list that can be cut
	// is the error result_too_large. Default: 0, no bound.
	MaxResultBytes int

	// Narrow are the arguments that make a result smaller, for that sentence.
	// Default: none; the sentence then names no argument.
	Narrow []string

	// Stringified are arguments whose list or object is also accepted as a
	// text that holds its JSON. The published schema stays as it is, and each
	// use is logged. Default: none.
	Stringified []string

	// Sensitive are arguments that are never repeated in a repair. Default:
	// none.
	Sensitive []string
}

// A Wrapped is a server that [Wrap] has changed. It is safe for concurrent use.
// There is no need to keep it, except for [Wrapped.Stdio], [Wrapped.Transport]
// and [Wrapped.Handler].
type Wrapped struct {
	options WrapOptions
	logger  *slog.Logger
	keeper  *idempotency.Keeper
	surface atomic.Pointer[surface] // the last one that was listed; nil before the first request

	mu     sync.Mutex
	name   string
	semver string
	warned map[string]bool // what was logged once
}

// Wrap makes an existing server answer failures with the envelope, without a
// change to its handlers. Call it once, after the server's own middleware was
// added and before it serves; tools may be added later. opts may be nil.
//
// It adds a receiving middleware, and sends the server one tools/list over an
// in-memory connection to learn its name and to check what cannot be mended
// from outside; that is logged. Wrap has no error: what is wrong with opts is
// logged too, at level error, and has no effect on what is right.
func Wrap(server *mcp.Server, opts *WrapOptions) *Wrapped {
	w := &Wrapped{warned: map[string]bool{}}
	if opts != nil {
		w.options = *opts
	}
	w.logger = w.options.Logger
	if w.logger == nil {
		w.logger = slog.Default()
	}
	w.keeper = w.options.Keeper
	if w.keeper == nil {
		keeper, err := idempotency.New(idempotency.NewMemory(nil), nil)
		if err != nil {
			w.logger.Error("gosdk: no idempotency keys", slog.String("cause", err.Error()))
		}
		w.keeper = keeper
	}
	w.name, w.semver = w.options.Name, w.options.Version
	server.AddReceivingMiddleware(w.receive)
	// The server's own middleware may not come back, so the wait has an end.
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.probe(server)
	}()
	select {
	case <-done:
	case <-time.After(probeTimeout + time.Second):
		w.logger.Warn("gosdk: the server does not answer tools/list, so it is asked again by its first client")
	}
	return w
}

// receive is the middleware. It is outermost unless more is added after Wrap.
func (w *Wrapped) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		r := &request{w: w, next: next, method: method, req: req, id: requestid.New()}
		defer func() {
			if v := recover(); v != nil {
				result, err = r.fail(ctx, failure.Panic(v))
			}
		}()
		if w.surface.Load() == nil && !strings.HasPrefix(method, "notifications/") {
			r.list(ctx)
		}
		if call, ok := req.(*mcp.CallToolRequest); ok && call.Params != nil {
			return r.callTool(ctx, call)
		}
		result, err = next(ctx, method, req)
		switch {
		case err != nil:
			return r.fail(ctx, err)
		case isNil(result) && !strings.HasPrefix(method, "notifications/"):
			return r.fail(ctx, errNilResult)
		}
		w.sign(result)
		return result, nil
	}
}

// sign puts the fingerprint into the results by which clients get to know a
// server.
func (w *Wrapped) sign(result mcp.Result) {
	switch r := result.(type) {
	case *mcp.InitializeResult:
		if r.ServerInfo != nil {
			w.named(r.ServerInfo.Name, r.ServerInfo.Version)
		}
		r.Meta = withEntry(r.Meta, metaFingerprint, w.fingerprint())
	case *mcp.DiscoverResult:
		r.Meta = withEntry(r.Meta, metaFingerprint, w.fingerprint())
	}
}

// metaFingerprint is the key of the fingerprint in _meta. A wrapped server has
// no namespace of its own.
const metaFingerprint = "com.github.mcpkit-go/fingerprint"

// A request is one request on its way through the middleware.
type request struct {
	w      *Wrapped
	next   mcp.MethodHandler
	method string
	req    mcp.Request
	id     string

	tool *knownTool     // of a tools/call
	args map[string]any // of a tools/call, as sent
}

func (r *request) stamp() envelope.Stamp {
	return envelope.Stamp{RequestID: r.id, Fingerprint: r.w.fingerprint()}
}

func (r *request) log(ctx context.Context, e *envelope.Error) {
	about := []slog.Attr{slog.String("method", r.method)}
	if r.tool != nil {
		about = append(about, slog.String("tool", r.tool.tool.Name))
	}
	failure.Log(ctx, r.w.logger, "request failed", r.id, e, about...)
}

// once logs what concerns the author and does not change, one time.
func (w *Wrapped) once(ctx context.Context, level slog.Level, message, subject string, attrs ...slog.Attr) {
	w.mu.Lock()
	key := message + "\x00" + subject
	seen := w.warned[key]
	w.warned[key] = true
	w.mu.Unlock()
	if !seen {
		w.logger.LogAttrs(ctx, level, message, attrs...)
	}
}

// isNil also finds the nil pointer inside a result, which the SDK would follow.
func isNil(result mcp.Result) bool {
	if result == nil {
		return true
	}
	v := reflect.ValueOf(result)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

func rpcError(code int64, e *envelope.Error, s envelope.Stamp) error {
	return &jsonrpc.Error{Code: code, Message: e.Sentence(), Data: e.RPCJSON(s)}
}
