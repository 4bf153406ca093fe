package gosdk

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options configure [NewServer]. The zero value is ready to use.
type Options struct {
	// Anonymous is the principal of HTTP requests without a verified token.
	// All of them then share cursors and idempotency keys: set it only where
	// whoever can reach the server is one party, as on a loopback address.
	// Default: "", such requests have no principal.
	Anonymous string

	// CatalogTTL is how long a client may keep tools/list and
	// server/discover, in whole milliseconds. Default: 0.
	CatalogTTL time.Duration

	// Logger gets the SDK's own records, which include one at level info for
	// each connection and thus for each HTTP request. Default: the kit's
	// logger, from level warn.
	Logger *slog.Logger
}

// warnings passes on records from level warn.
type warnings struct{ slog.Handler }

func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

func (w warnings) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attrs)}
}

func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }

// stdioPrincipal is the one caller of a server on stdio.
const stdioPrincipal = "stdio"

// NewServer returns a server of the SDK that serves kit. opts may be nil. Use
// it with any transport; for HTTP see [Handler].
//
// The server may be given more tools, which are listed and called as the SDK
// does it, and more middleware, which then wraps outside of what NewServer adds.
// Such middleware sees the result of tools/list as a type that embeds
// *[mcp.ListToolsResult].
func NewServer(kit *mcpkit.Kit, opts *Options) *mcp.Server {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Logger == nil {
		o.Logger = slog.New(warnings{kit.Logger().Handler()})
	}
	a := &adapter{kit: kit, options: o, records: map[string]json.RawMessage{}}
	server := mcp.NewServer(&mcp.Implementation{
		Name: kit.Name(), Title: kit.Title(), Version: kit.Version(),
	}, &mcp.ServerOptions{
		Instructions: kit.Instructions(),
		Logger:       o.Logger,
		// Not nil, so that the SDK does not advertise logging by default.
		Capabilities: &mcp.ServerCapabilities{},
		SetCacheable: a.setCacheable,
	})
	for _, r := range kit.Tools() {
		server.AddTool(newTool(r), a.callTool)
		if raw, err := json.Marshal(r); err == nil {
			a.records[r.Name] = raw
		}
	}
	server.AddReceivingMiddleware(a.receive)
	return server
}

func newTool(r mcpkit.ToolRecord) *mcp.Tool {
	t := &mcp.Tool{
		Name: r.Name, Title: r.Title, Description: r.Description,
		InputSchema: r.InputSchema, OutputSchema: r.OutputSchema,
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint:    r.Annotations.ReadOnly,
			DestructiveHint: r.Annotations.Destructive,
			OpenWorldHint:   &r.Annotations.OpenWorld,
		},
	}
	if r.Annotations.Idempotent != nil {
		t.Annotations.IdempotentHint = *r.Annotations.Idempotent
	}
	if len(r.Meta) > 0 {
		t.Meta = metaOf(r.Meta)
	}
	return t
}

func metaOf(entries map[string]json.RawMessage) mcp.Meta {
	meta := make(mcp.Meta, len(entries))
	for key, v := range entries {
		meta[key] = v
	}
	return meta
}

type adapter struct {
	kit     *mcpkit.Kit
	options Options
	records map[string]json.RawMessage // tool name → its record as the kit writes it
}

// callTool is the handler of every tool. Each result is new, because the SDK
// writes to it afterwards.
func (a *adapter) callTool(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	r := a.kit.Call(ctx, a.call(req))
	result := &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: r.Text}},
		IsError: r.IsError,
	}
	if r.Structured != nil {
		result.StructuredContent = r.Structured
	}
	if len(r.Meta) > 0 {
		result.Meta = metaOf(r.Meta)
	}
	return result, nil
}

func (a *adapter) call(req *mcp.CallToolRequest) mcpkit.Call {
	return mcpkit.Call{
		Tool: req.Params.Name, Arguments: req.Params.Arguments,
		Principal: a.principal(req.Extra), Revision: req.ProtocolVersion(),
	}
}

// principal tells the transports apart by the request's extra, which the SDK
// fills for HTTP only.
func (a *adapter) principal(extra *mcp.RequestExtra) string {
	return principalOf(extra, a.options.Anonymous)
}

func principalOf(extra *mcp.RequestExtra, anonymous string) string {
	switch {
	case extra == nil || extra.Header == nil && extra.TokenInfo == nil:
		return stdioPrincipal
	case extra.TokenInfo != nil && extra.TokenInfo.UserID == "":
		return "" // verified, and yet nobody: not one of the anonymous
	case extra.TokenInfo != nil:
		return "user:" + extra.TokenInfo.UserID
	case anonymous != "":
		return "anonymous:" + anonymous
	}
	return ""
}

// receive is the outermost receiving middleware.
func (a *adapter) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if r := recover(); r != nil {
				result, err = nil, wireError(a.kit.Recovered(ctx, r))
			}
		}()
		result, err = next(ctx, method, req)
		if err != nil {
			// Only the SDK knows of tools that the author added beside the kit's.
			if call, ok := req.(*mcp.CallToolRequest); ok && call.Params != nil && isUnknownTool(err) {
				if e, unknown := a.kit.UnknownTool(ctx, a.call(call)); unknown {
					return nil, wireError(e)
				}
			}
			return result, err
		}
		switch r := result.(type) {
		case *mcp.DiscoverResult:
			r.Meta = withEntry(r.Meta, a.kit.Namespace()+"/fingerprint", a.kit.Fingerprint())
		case *mcp.ListToolsResult:
			return a.listTools(r)
		}
		return result, nil
	}
}

// isUnknownTool recognizes the SDK's own answer to a call of a tool that is not
// registered. A handler of an author can return the same code, so the words
// count too; were they to change, the SDK's answer would go out as it is.
func isUnknownTool(err error) bool {
	var e *jsonrpc.Error
	return errors.As(err, &e) && e.Code == jsonrpc.CodeInvalidParams && e.Data == nil && strings.HasPrefix(e.Message, "unknown tool ")
}

func withEntry(meta mcp.Meta, key string, value any) mcp.Meta {
	out := maps.Clone(meta)
	if out == nil {
		out = mcp.Meta{}
	}
	out[key] = value
	return out
}

// toolList writes the kit's own records in place of the SDK's, whose
// annotations show idempotentHint on read-only tools too.
type toolList struct {
	*mcp.ListToolsResult
	Tools []json.RawMessage `json:"tools"` // shadows the embedded field
}

func (a *adapter) listTools(r *mcp.ListToolsResult) (mcp.Result, error) {
	list := toolList{ListToolsResult: r, Tools: make([]json.RawMessage, len(r.Tools))}
	for i, t := range r.Tools {
		raw, ok := a.records[t.Name]
		if !ok { // a tool that the author added beside the kit's
			var err error
			if raw, err = json.Marshal(t); err != nil {
				return nil, err
			}
		}
		list.Tools[i] = raw
	}
	return list, nil
}

func wireError(e *mcpkit.RPCError) error {
	return &jsonrpc.Error{Code: int64(e.Code), Message: e.Message, Data: e.Data}
}

// setCacheable replaces the SDK's default, which is public. It is called with
// the server's lock held and must not call the server.
func (a *adapter) setCacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.CacheScope = "private"
	c.TTLMs = 0
	switch req.GetParams().(type) {
	case *mcp.ListToolsParams, *mcp.DiscoverParams:
		c.TTLMs = int(a.options.CatalogTTL / time.Millisecond)
	}
}

// HandlerOptions configure [Handler]. The zero value is ready to use.
type HandlerOptions struct {
	// MaxBodyBytes bounds the body of a request, in bytes. Larger ones are
	// answered with status 413. Default: the SDK's, see
	// [mcp.DefaultMaxRequestBodyBytes].
	MaxBodyBytes int64

	// TrustedOrigins are the origins, as "https://host" or "https://host:port",
	// whose pages may call the server from a browser although they are served
	// from elsewhere. Default: none; cross-origin requests of browsers are
	// answered with status 403 (MCP specification, "Transports", security).
	// One that cannot be parsed is logged and stays untrusted.
	TrustedOrigins []string

	// Logger gets the SDK's records on requests. Default: none.
	Logger *slog.Logger
}

// Handler returns an http.Handler that serves server as stateless streamable
// HTTP, the only mode in which the SDK serves revision 2026-07-28. A client that
// disconnects cancels the call. opts may be nil.
//
// It refuses cross-origin requests of browsers, and the SDK refuses foreign Host
// headers on loopback addresses. It does not authenticate: put the SDK's auth
// middleware in front.
func Handler(server *mcp.Server, opts *HandlerOptions) http.Handler {
	var o HandlerOptions
	if opts != nil {
		o = *opts
	}
	protection := http.NewCrossOriginProtection()
	for _, origin := range o.TrustedOrigins {
		if err := protection.AddTrustedOrigin(origin); err != nil && o.Logger != nil {
			o.Logger.Error("gosdk: trusted origin is not one and stays untrusted", slog.String("cause", err.Error()))
		}
	}
	return protection.Handler(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		JSONResponse:                 true,
		Logger:                       o.Logger,
		MaxRequestBodyBytes:          o.MaxBodyBytes,
		PropagateRequestCancellation: true,
	}))
}
