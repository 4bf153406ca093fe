package gosdk

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/failure"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
	"github.com/mcpkit-go/agentmcp/versioning"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A surface is what a server lists. It is not changed after it was made.
type surface struct {
	tools       map[string]*knownTool
	names       []string // of the tools, sorted
	parts       []versioning.Part
	fingerprint string
}

// A knownTool is a listed tool with its schemas compiled.
type knownTool struct {
	tool     *mcp.Tool
	options  ToolOptions
	input    json.RawMessage
	document *schema.Document // of the input; nil if the schema does not compile
}

func (t *knownTool) provable() (failure.Tool, bool) {
	if t == nil || t.document == nil {
		return failure.Tool{}, false
	}
	return failure.Tool{Name: t.tool.Name, Document: t.document, Sensitive: t.options.Sensitive, Writes: t.writes()}, true
}

// writes reports whether the tool may change something, which the specification
// assumes of a tool that does not say otherwise.
func (t *knownTool) writes() bool {
	return t.tool.Annotations == nil || !t.tool.Annotations.ReadOnlyHint
}

// repeatable reports whether the tool says that the same call again is
// harmless.
func (t *knownTool) repeatable() bool {
	a := t.tool.Annotations
	return a != nil && (a.ReadOnlyHint || a.IdempotentHint)
}

// maxPages bounds how many pages of a list are read.
const maxPages = 1000

// list asks the server for its tools as the caller of this request sees them,
// and returns what is known of them. A list that fails leaves what was known
// before, or nil.
//
// It is called for the first request and for each one that fails, not for those
// that succeed: the server's own middleware sees these lists and may count
// them. So a call is refused by what is registered now, never by what was.
func (r *request) list(ctx context.Context) *surface {
	w := r.w
	last := w.surface.Load()
	tools, err := r.listTools(ctx)
	if err != nil {
		w.once(ctx, slog.LevelWarn, "gosdk: the tools cannot be listed, so arguments are not validated", "",
			slog.String("cause", envelope.Redact(err.Error())))
		return last
	}
	if last != nil && len(tools) == len(last.tools) && !slices.ContainsFunc(tools, func(t *mcp.Tool) bool {
		known := last.tools[t.Name]
		return known == nil || known.tool != t
	}) {
		return last
	}
	s := &surface{tools: make(map[string]*knownTool, len(tools))}
	for _, t := range tools {
		s.tools[t.Name] = w.know(ctx, t, last)
		s.names = append(s.names, t.Name)
	}
	slices.Sort(s.names)
	s.parts = r.parts(ctx, tools)
	w.check(ctx, s)
	w.sealed(s)
	w.surface.Store(s)
	return s
}

func (w *Wrapped) know(ctx context.Context, t *mcp.Tool, last *surface) *knownTool {
	k := &knownTool{tool: t, options: w.options.Tools[t.Name]}
	input, err := json.Marshal(t.InputSchema)
	if err == nil {
		k.input = input
		if last != nil && last.tools[t.Name] != nil && bytes.Equal(last.tools[t.Name].input, input) {
			k.document = last.tools[t.Name].document
			return k
		}
		k.document, err = schema.Compile(input)
	}
	if err != nil {
		w.once(ctx, slog.LevelError, "gosdk: the input schema of a tool cannot be read, so its arguments are not validated", t.Name,
			slog.String("tool", t.Name), slog.String("cause", err.Error()))
	}
	return k
}

// listTools reads all pages.
func (r *request) listTools(ctx context.Context) ([]*mcp.Tool, error) {
	var tools []*mcp.Tool
	var err error
	r.pages(func(cursor string) string {
		var page *mcp.ListToolsResult
		page, err = ask[*mcp.ListToolsResult](ctx, r, "tools/list", listRequest(r, &mcp.ListToolsParams{Cursor: cursor}))
		if page == nil || err != nil {
			return ""
		}
		tools = append(tools, page.Tools...)
		return page.NextCursor
	})
	return tools, err
}

// pages calls read with each cursor until there is no next one.
func (r *request) pages(read func(cursor string) (next string)) {
	cursor := ""
	for range maxPages {
		if cursor = read(cursor); cursor == "" {
			return
		}
	}
}

// ask sends a request down the middleware. A panic there is an error.
func ask[R mcp.Result](ctx context.Context, r *request, method string, req mcp.Request) (result R, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = failure.Panic(v)
		}
	}()
	got, err := r.next(ctx, method, req)
	if err != nil {
		return result, err
	}
	result, _ = got.(R)
	return result, nil
}

// listRequest is a request of the same session and caller as r.
func listRequest[P mcp.Params](r *request, params P) *mcp.ServerRequest[P] {
	session, _ := r.req.GetSession().(*mcp.ServerSession)
	// The revision of the request is in its _meta.
	if p := r.req.GetParams(); p != nil && !reflectNil(p) {
		if meta := maps.Clone(p.GetMeta()); meta != nil {
			delete(meta, "progressToken")
			params.SetMeta(meta)
		}
	}
	return &mcp.ServerRequest[P]{Session: session, Params: params, Extra: r.req.GetExtra()}
}

// parts are what the fingerprint covers. Lists that fail, for instance because
// the server has nothing of the kind, are left out.
func (r *request) parts(ctx context.Context, tools []*mcp.Tool) []versioning.Part {
	var prompts []*mcp.Prompt
	var resources []*mcp.Resource
	var templates []*mcp.ResourceTemplate
	r.pages(func(cursor string) string {
		page, err := ask[*mcp.ListPromptsResult](ctx, r, "prompts/list", listRequest(r, &mcp.ListPromptsParams{Cursor: cursor}))
		if page == nil || err != nil {
			return ""
		}
		prompts = append(prompts, page.Prompts...)
		return page.NextCursor
	})
	r.pages(func(cursor string) string {
		page, err := ask[*mcp.ListResourcesResult](ctx, r, "resources/list", listRequest(r, &mcp.ListResourcesParams{Cursor: cursor}))
		if page == nil || err != nil {
			return ""
		}
		resources = append(resources, page.Resources...)
		return page.NextCursor
	})
	r.pages(func(cursor string) string {
		page, err := ask[*mcp.ListResourceTemplatesResult](ctx, r, "resources/templates/list", listRequest(r, &mcp.ListResourceTemplatesParams{Cursor: cursor}))
		if page == nil || err != nil {
			return ""
		}
		templates = append(templates, page.ResourceTemplates...)
		return page.NextCursor
	})
	var parts []versioning.Part
	for _, p := range []struct {
		covers string
		list   any
	}{{"prompts", prompts}, {"resource_templates", templates}, {"resources", resources}, {"tools", tools}} {
		if raw, err := json.Marshal(p.list); err == nil {
			parts = append(parts, versioning.Part{Covers: p.covers, JSON: raw})
		}
	}
	return parts
}

// check logs what the author should change.
func (w *Wrapped) check(ctx context.Context, s *surface) {
	for _, name := range slices.Sorted(maps.Keys(w.options.Tools)) {
		t, o := s.tools[name], w.options.Tools[name]
		if t == nil {
			w.once(ctx, slog.LevelError, "gosdk: WrapOptions.Tools names a tool that is not registered", name, slog.String("tool", name))
			continue
		}
		var published struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if json.Unmarshal(t.input, &published) != nil {
			continue
		}
		for _, argument := range slices.Concat([]string{o.IdempotencyKey}, o.Scope, o.Narrow, o.Stringified, o.Sensitive) {
			if _, ok := published.Properties[argument]; argument != "" && !ok {
				w.once(ctx, slog.LevelError, "gosdk: WrapOptions.Tools names an argument that the tool's schema does not have", name+" "+argument,
					slog.String("tool", name), slog.String("argument", argument))
			}
		}
	}
	for _, row := range w.options.Errors {
		if row.Err == nil || !row.Code.Valid() {
			w.once(ctx, slog.LevelError, "gosdk: a row of WrapOptions.Errors needs an error and a snake_case code", string(row.Code), slog.String("code", string(row.Code)))
		}
	}
	var typed []string
	for _, name := range s.names {
		// The SDK derives a *jsonschema.Schema for typed tools only.
		if t := s.tools[name].tool; t.OutputSchema != nil && !isRaw(t.OutputSchema) {
			typed = append(typed, name)
		}
	}
	if len(typed) > 0 {
		w.once(ctx, slog.LevelInfo, "gosdk: the SDK overwrites the structured content of an error that a handler with a typed Out builds as a result; "+fixTypedOut, "",
			slog.Any("tools", typed))
	}
}

// fixTypedOut is the one line that an author has to change.
const fixTypedOut = "to keep it, return the failure as the error: return nil, zero, err"

func isRaw(v any) bool {
	_, ok := v.(json.RawMessage)
	return ok
}

// sealed sets the fingerprint of s.
func (w *Wrapped) sealed(s *surface) {
	w.mu.Lock()
	name, semver := w.name, w.semver
	w.mu.Unlock()
	if name == "" {
		name = "server"
	}
	fingerprint, err := versioning.NewFingerprint(name, semver, s.parts...)
	if err != nil {
		// A name or version of another form; the hash is what matters.
		fingerprint, err = versioning.NewFingerprint("server", "0.0.0", s.parts...)
	}
	if err == nil {
		s.fingerprint = fingerprint
	}
}

func (w *Wrapped) fingerprint() string {
	if s := w.surface.Load(); s != nil {
		return s.fingerprint
	}
	return ""
}

// named sets the server's name and version where the author did not.
func (w *Wrapped) named(name, version string) {
	w.mu.Lock()
	changed := false
	if w.name == "" && name != "" {
		w.name, changed = name, true
	}
	if w.semver == "" {
		if len(version) > 1 && version[0] == 'v' {
			version = version[1:]
		}
		if version == "" {
			version = "0.0.0"
		}
		w.semver, changed = version, true
	}
	w.mu.Unlock()
	if last := w.surface.Load(); changed && last != nil {
		s := *last
		w.sealed(&s)
		w.surface.CompareAndSwap(last, &s)
	}
}

// probeTimeout bounds what Wrap waits for the server's own middleware.
const probeTimeout = 5 * time.Second

// probe sends the server one tools/list of the newest revision, which needs no
// session. The answer's _meta has the server's name; the middleware does the
// rest. A server that does not answer is asked again by its first client.
func (w *Wrapped) probe(server *mcp.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	near, far := mcp.NewInMemoryTransports()
	session, err := server.Connect(ctx, far, nil)
	if err != nil {
		return
	}
	defer session.Close()
	conn, err := near.Connect(ctx)
	if err != nil {
		return
	}
	defer conn.Close()
	id, err := jsonrpc.MakeID("probe")
	if err != nil {
		return
	}
	const params = `{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + revisionProbe + `","io.modelcontextprotocol/clientCapabilities":{}}}`
	if err := conn.Write(ctx, &jsonrpc.Request{ID: id, Method: "tools/list", Params: json.RawMessage(params)}); err != nil {
		return
	}
	for {
		message, err := conn.Read(ctx)
		if err != nil {
			return
		}
		answer, ok := message.(*jsonrpc.Response)
		if !ok || answer.ID != id {
			continue
		}
		var result struct {
			Meta map[string]json.RawMessage `json:"_meta"`
		}
		var info mcp.Implementation
		if json.Unmarshal(answer.Result, &result) == nil && json.Unmarshal(result.Meta[mcp.MetaKeyServerInfo], &info) == nil {
			w.named(info.Name, info.Version)
		}
		return
	}
}

const revisionProbe = "2026-07-28"
