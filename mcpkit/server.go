package mcpkit

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
	"github.com/mcpkit-go/agentmcp/versioning"
)

// A Server says what a server is and what its tools share.
type Server struct {
	// Name names the service, such as "github-issues-mcp": lower case, with
	// hyphens, no version, no path, no language word, not one generic word.
	Name string

	// Version is the semantic version of the surface, such as "1.0.0".
	Version string

	// Title is for people who pick from a list. Default: Name.
	Title string

	// Namespace is the reverse-DNS prefix of the server's own _meta keys.
	// Default: "com." and Name.
	Namespace string

	// Summary is one sentence on the server's purpose.
	Summary string

	// Does lists the tasks that the server completes, DoesNot those that one
	// might expect and that it does not. Both are required.
	Does, DoesNot []string

	// Codes explains the error codes of this server that are not in
	// [envelope.Standard]. Default: none.
	Codes envelope.Catalog

	// CommonErrors are codes that any tool may return, such as those for
	// credentials and upstream limits. They are documented once for the
	// server instead of with each tool. Default: none.
	CommonErrors []envelope.Code

	// Idempotency keeps the results of calls with an idempotency key. It is
	// required if a tool has such a parameter.
	Idempotency *idempotency.Keeper

	// IgnoreArguments are names that a host is known to add to the arguments
	// of every call; they are dropped from tools that do not declare them.
	// A name has at most 64 characters, all of them printable.
	// Default: none; any undeclared argument is refused.
	IgnoreArguments []string

	// EnvelopeInOutput makes the error envelope an alternative of every
	// tool's outputSchema, so that structuredContent carries it for clients
	// of every revision. Default: false, because it adds to the size of
	// tools/list; see [Result].
	EnvelopeInOutput bool

	// Strict makes author's mistakes visible: a repair that is not callable,
	// a code that is not declared, and output that does not match its schema
	// are answered as internal. Use it in tests. Default: false; such a
	// repair is dropped, and each mistake is logged.
	Strict bool

	// Logger gets one record for each failed call, with the request id and
	// the cause. Default: [slog.Default], looked up by [New].
	Logger *slog.Logger
}

// A Kit is a server's contract, checked and compiled. An adapter such as
// package gosdk serves it. It is immutable and safe for concurrent use.
type Kit struct {
	server           Server
	namespace        string
	tools            map[string]*tool
	names            []string
	records          []ToolRecord
	codes            envelope.Catalog
	keeper           *idempotency.Keeper
	logger           *slog.Logger
	strict           bool
	envelopeInOutput bool
	fingerprint      string
}

// A ToolRecord is what tools/list shows of a tool.
type ToolRecord struct {
	Name         string                     `json:"name"`
	Title        string                     `json:"title"`
	Description  string                     `json:"description"`
	InputSchema  json.RawMessage            `json:"inputSchema"`
	OutputSchema json.RawMessage            `json:"outputSchema"`
	Annotations  Annotations                `json:"annotations"`
	Meta         map[string]json.RawMessage `json:"_meta,omitempty"`
}

var (
	serverName  = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	namespaceRE = regexp.MustCompile(`^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$`)
	genericName = []string{"api", "app", "data", "mcp", "mcp-server", "server", "service", "tool", "tools"}
	oddWord     = regexp.MustCompile(`^(v?[0-9]+|go|golang|python|typescript|java|rust)$`)
)

// New checks the whole declaration and compiles it. The error joins every
// mistake, each a *[Fault] that names the tool and the field; nothing is
// registered then.
func New(server Server, declarations ...Declaration) (*Kit, error) {
	var all []*Fault
	f := faults{all: &all}
	k := &Kit{
		server: server, namespace: server.Namespace, keeper: server.Idempotency,
		logger: server.Logger, strict: server.Strict, envelopeInOutput: server.EnvelopeInOutput,
		tools: map[string]*tool{},
	}
	if k.logger == nil {
		k.logger = slog.Default()
	}
	if k.namespace == "" {
		k.namespace = "com." + server.Name
	}
	k.checkServer(f)
	codes, err := envelope.Standard().Merge(server.Codes)
	if err != nil {
		f.add("Codes", err.Error())
	}
	k.codes = codes
	for _, code := range server.CommonErrors {
		if _, ok := k.codes.Meaning(code); !ok {
			f.add("CommonErrors", "code "+string(code)+" is in no catalog; add it to Codes")
		}
	}
	for i, d := range declarations {
		t := compileSafely(f, d, fmt.Sprintf("#%d", i+1))
		if t == nil {
			continue
		}
		if _, ok := k.tools[t.name]; ok {
			f.forTool(t.name).add("Name", "is registered twice")
			continue
		}
		k.tools[t.name] = t
		k.names = append(k.names, t.name)
	}
	slices.Sort(k.names)
	k.checkTools(f)
	if err := f.err(); err != nil {
		return nil, err
	}
	for _, name := range k.names {
		k.records = append(k.records, k.record(k.tools[name]))
	}
	k.fingerprint, err = versioning.NewFingerprint(server.Name, server.Version, k.surfaceParts()...)
	if err != nil {
		return nil, err
	}
	k.warn()
	return k, nil
}

// compileSafely compiles one declaration. Functions of the author run in it, so
// a panic is a fault.
func compileSafely(f faults, d Declaration, number string) (t *tool) {
	defer func() {
		if r := recover(); r != nil {
			f.add("", fmt.Sprintf("a declaration panics: %v", r))
			t = nil
		}
	}()
	if d == nil {
		f.add("", "a declaration is nil")
		return nil
	}
	return d.compile(f, number)
}

func (k *Kit) checkServer(f faults) {
	s := k.server
	switch {
	case !serverName.MatchString(s.Name):
		f.add("Name", "must be lower-case words joined by hyphens")
	case slices.Contains(genericName, s.Name):
		f.add("Name", "is a generic word; name the service")
	default:
		for word := range strings.SplitSeq(s.Name, "-") {
			if oddWord.MatchString(word) {
				f.add("Name", "holds a version number or the name of a programming language: "+word)
			}
		}
	}
	if _, err := versioning.NewFingerprint("x", s.Version, versioning.Part{Covers: "version", JSON: []byte("{}")}); err != nil {
		f.add("Version", "must be a semantic version without build metadata, such as 1.0.0")
	}
	if s.Namespace != "" && !namespaceRE.MatchString(s.Namespace) {
		f.add("Namespace", "must be a reverse-DNS prefix such as com.example")
	}
	if strings.TrimSpace(s.Summary) == "" {
		f.add("Summary", "is empty; say in one sentence what the server is for")
	}
	if len(s.Does) == 0 {
		f.add("Does", "is empty; list the tasks that the server completes")
	}
	if len(s.DoesNot) == 0 {
		f.add("DoesNot", "is empty; list tasks that one might expect and that are out of scope")
	}
}

// checkTools checks what involves several tools or the server.
func (k *Kit) checkTools(f faults) {
	first := "" // the first well-formed name
	for _, name := range k.names {
		t := k.tools[name]
		f := f.forTool(name)
		if first == "" && toolName.MatchString(name) {
			first = name
		}
		if prefixOf(name) != prefixOf(first) && toolName.MatchString(name) {
			f.add("Name", "starts with "+prefixOf(name)+", but "+first+" with "+prefixOf(first)+"; all tools of a server share one prefix")
		}
		if t.keyField != "" && k.keeper == nil {
			f.add(t.keyField, "has the role idempotency_key, but Server.Idempotency is nil")
		}
		t.errors = append(t.errors, t.impliedErrors()...)
		seen := map[envelope.Code]bool{}
		t.errors = slices.DeleteFunc(t.errors, func(c envelope.Code) bool {
			duplicate := seen[c]
			seen[c] = true
			return duplicate
		})
		for _, code := range t.errors {
			if _, ok := k.codes.Meaning(code); !ok {
				f.add("Errors", "code "+string(code)+" is in no catalog; add it to Server.Codes")
			}
		}
		for _, field := range sortedKeys(t.lookups) {
			k.checkLookup(f, t, field, t.lookups[field])
		}
		if t.example == nil || t.effect == Reads {
			continue
		}
		if args, violations := t.doc.Read(t.example); len(violations) == 0 {
			in, err := t.tryDecode(args)
			if err != nil {
				continue
			}
			if r, ok := t.reconcile(in); ok {
				if reason := k.unprovable(r); reason != "" {
					f.add("Reconcile", "for the example is not callable: "+reason)
				}
			}
		}
	}
}

// checkLookup checks that a lookup tool exists and can be called with what the
// two tools share.
func (k *Kit) checkLookup(f faults, t *tool, field, name string) {
	other := k.tools[name]
	if other == nil {
		f.add(field, "names the lookup tool "+name+", which is not registered")
		return
	}
	if other.effect != Reads && other.effect != 0 {
		f.add(field, "names the lookup tool "+name+", which does not only read")
	}
	if t.in == nil {
		return
	}
	for _, p := range other.required {
		if !t.hasParameter(p) {
			f.add(field, "names the lookup tool "+name+", which requires "+p+", a parameter that this tool does not have")
		}
	}
}

func prefixOf(name string) string {
	prefix, _, _ := strings.Cut(name, "_")
	return prefix
}

// impliedErrors are the codes that follow from the declaration.
func (t *tool) impliedErrors() []envelope.Code {
	var codes []envelope.Code
	if t.cursorField != "" {
		codes = append(codes, envelope.CodeCursorExpired)
	}
	if t.versionField != "" {
		codes = append(codes, envelope.CodeConflict)
	}
	if t.keyField != "" {
		codes = append(codes, envelope.CodeIdempotencyKeyReused, envelope.CodeOutcomeUnknown)
	}
	return codes
}

// universalCodes can come from every tool and are documented once.
var universalCodes = []envelope.Code{
	envelope.CodeInvalidField, envelope.CodeInternal, envelope.CodeDeadlineExceeded,
	envelope.CodeCanceled, envelope.CodeUnknownTool,
}

// documents reports whether an agent can know that t returns c.
func (k *Kit) documents(t *tool, c envelope.Code) bool {
	if slices.Contains(universalCodes, c) || slices.Contains(k.server.CommonErrors, c) || slices.Contains(t.errors, c) {
		return true
	}
	// What else the kit itself answers for a cursor or a key; inline are only
	// the codes that decide about the next step.
	switch c {
	case envelope.CodeMissingCredential:
		return t.cursorField != "" || t.keyField != ""
	case envelope.CodeIdempotencyInProgress, envelope.CodeIdempotencyKeyExpired, envelope.CodeUpstreamUnavailable:
		return t.keyField != ""
	}
	return false
}

func (k *Kit) record(t *tool) ToolRecord {
	r := ToolRecord{
		Name: t.name, Title: t.title,
		Description:  t.description + "\n\nExample: " + string(t.example),
		InputSchema:  t.in.JSON(),
		OutputSchema: t.out.JSON(),
		Annotations:  t.effect.annotations(t.openWorld),
	}
	if k.envelopeInOutput {
		r.OutputSchema = withEnvelope(r.OutputSchema)
	}
	meta := map[string]json.RawMessage{}
	if len(t.errors) > 0 {
		meta[k.namespace+"/errors"] = mustJSON(t.errors)
	}
	if t.lifecycle.Stability != "" || t.lifecycle.Deprecation != nil {
		meta[k.namespace+"/lifecycle"] = mustJSON(t.lifecycle)
	}
	if len(meta) > 0 {
		r.Meta = meta
	}
	return r
}

// mustJSON encodes types of this module that cannot fail to encode.
func mustJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}

// surfaceParts is what the fingerprint covers.
func (k *Kit) surfaceParts() []versioning.Part {
	meanings := map[string]string{}
	for _, code := range k.codes.Codes() {
		meanings[string(code)], _ = k.codes.Meaning(code)
	}
	return []versioning.Part{
		{Covers: "error_codes", JSON: mustJSON(meanings)},
		{Covers: "summary", JSON: mustJSON([]any{k.Title(), k.namespace, k.instructions()})},
		{Covers: "tools", JSON: mustJSON(k.records)},
	}
}

// warn logs what is legal and yet unwise.
func (k *Kit) warn() {
	for _, name := range k.names {
		for _, w := range k.tools[name].out.Warnings() {
			k.logger.Warn("mcpkit: "+w, slog.String("tool", name))
		}
		for _, p := range k.tools[name].in.Fields() {
			for _, role := range []schema.Role{schema.RoleCursor, schema.RoleDetail, schema.RoleIdempotencyKey, schema.RoleExpectedVersion} {
				if p.Name == string(role) && !p.Has(role) {
					k.logger.Warn(fmt.Sprintf("mcpkit: parameter %s has no role, so the kit does nothing with it; tag it `mcp:%q`", p.Name, role), slog.String("tool", name))
				}
			}
		}
	}
}

// Name returns the server's name.
func (k *Kit) Name() string { return k.server.Name }

// Title returns the server's title, or its name if it has none.
func (k *Kit) Title() string {
	if k.server.Title != "" {
		return k.server.Title
	}
	return k.server.Name
}

// Version returns the server's semantic version.
func (k *Kit) Version() string { return k.server.Version }

// Namespace returns the reverse-DNS prefix of the server's own _meta keys.
func (k *Kit) Namespace() string { return k.namespace }

// Fingerprint returns name@version+hash over the whole surface, the same in
// every process.
func (k *Kit) Fingerprint() string { return k.fingerprint }

// Logger returns where causes are logged.
func (k *Kit) Logger() *slog.Logger { return k.logger }

// Tools returns the records of tools/list, sorted by name. The slice is the
// caller's; what it refers to is shared and must not be changed.
func (k *Kit) Tools() []ToolRecord { return slices.Clone(k.records) }

// Instructions returns the text for the instructions of initialize and
// server/discover: what the server does and does not, how failures are answered,
// every error code with its meaning, which received values are echoed, and the
// fingerprint with what it covers.
func (k *Kit) Instructions() string {
	return fmt.Sprintf("%s\nFingerprint: %s, over %s.\n", k.instructions(), k.fingerprint,
		strings.Join(versioning.Covers(k.surfaceParts()...), ", "))
}

func (k *Kit) instructions() string {
	var b strings.Builder
	list := func(title string, lines []string) {
		fmt.Fprintf(&b, "\n%s:\n", title)
		for _, line := range lines {
			fmt.Fprintf(&b, "- %s\n", line)
		}
	}
	fmt.Fprintln(&b, k.server.Summary)
	list("Does", k.server.Does)
	list("Does not", k.server.DoesNot)
	carrier := "requests of revision 2026-07-28 have the envelope in structuredContent too"
	if k.envelopeInOutput {
		carrier = "structuredContent is the envelope too, as outputSchema says"
	}
	b.WriteString("\nA failed tool call has isError true. Its one text block is a sentence, a newline, and a JSON envelope; " + carrier + ". " +
		"A JSON-RPC error has the envelope in error.data, with machine_code and human_message. " +
		"Branch on code. If the envelope has repair, call repair.tool with repair.arguments as they are. " +
		"If temporary is true, the same call may succeed after retry_after_ms.\n")
	var codes []string
	for _, code := range k.returnedCodes() {
		meaning, _ := k.codes.Meaning(code)
		codes = append(codes, string(code)+": "+meaning)
	}
	list("Error codes", codes)
	fmt.Fprintf(&b, "\nEchoed values: %s\n", envelope.EchoPolicy)
	return b.String()
}

// returnedCodes are the codes that a client of this server can meet, sorted.
func (k *Kit) returnedCodes() []envelope.Code {
	codes := slices.Concat(universalCodes, k.server.CommonErrors)
	for _, t := range k.tools {
		codes = append(codes, t.errors...)
		for _, code := range k.codes.Codes() {
			if k.documents(t, code) {
				codes = append(codes, code)
			}
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
