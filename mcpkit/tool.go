package mcpkit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/detail"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
	"github.com/mcpkit-go/agentmcp/versioning"
)

// A Tool is one tool of a server, declared from the Go types of its arguments
// and of its result. It is a plain value: declare it, hand it to [New], do not
// change it afterwards.
//
// In is a struct whose fields are the parameters; the tags that say more about
// them are those of package [schema], and these roles, given as `mcp:"…"`:
//
//   - cursor: the continuation token of a list; needs Tool.Cursor.
//   - detail: "summary" or "full"; chooses what of Out is encoded.
//   - idempotency_key: repeats with the same key take effect once; needs
//     Server.Idempotency. The fields tagged scope are part of the key's scope.
//   - expected_version: the field blamed when the handler returns an error
//     that wraps [versioning.ErrConflict] or [versioning.ErrMalformed].
//   - set: a list whose order has no meaning to cursors and idempotency keys.
//   - fold: text whose letter case has no meaning to them either.
//   - sensitive: never repeated in a repair.
//   - lookup=TOOL: valid values are found with that tool, which an error at
//     this field then names. TOOL takes its arguments from the parameters of
//     the same name.
//
// Out is a struct whose fields are the result; fields tagged `detail:"full"`
// are left out of summaries, as package [detail] says.
type Tool[In, Out any] struct {
	// Name is snake_case with the service's prefix first: github_get_issue.
	// It matches ^[a-z][a-z0-9]*(_[a-z0-9]+)+$ and has at most 60 characters.
	Name string

	// Title is for people who pick from a list.
	Title string

	// Description says when to use the tool, its edge cases, and, if it
	// changes anything, which tool shows the outcome of a call whose answer
	// was lost. The example call is appended by the kit.
	Description string

	// Example is a call that validates. It is shown to agents as JSON and is
	// checked against the schema at start-up.
	Example In

	// Effect says what the tool changes. It is required: the zero value is a
	// registration fault.
	Effect Effect

	// OpenWorld is true if the tool reaches beyond this server's own data.
	OpenWorld bool

	// Errors are the codes that Handle returns, the repair-critical ones
	// first. They are published in _meta under <namespace>/errors, together
	// with those that follow from the declaration (a cursor can expire, a key
	// can be reused). invalid_field, internal, deadline_exceeded and canceled
	// need not be named.
	Errors []envelope.Code

	// Describe replaces descriptions of parameters, by JSON path, where they
	// depend on configuration and cannot stand in a struct tag.
	Describe map[string]string

	// Cursor opens the parameter that has the role cursor. Default: none.
	Cursor CursorOpener

	// Check refuses arguments that are well-formed each but not together. It
	// must be fast, free of effects and depend on in alone: it also proves
	// repairs. Return an *[envelope.Error] of code invalid_field. Default:
	// none.
	Check func(in In) error

	// Reconcile returns the call that shows whether a call with these
	// arguments took effect. Tools that take an idempotency key need it; it
	// becomes the repair of outcome_unknown. Default: none.
	Reconcile func(in In) envelope.Repair

	// AcceptStringified decodes a list or object that a host sends as JSON
	// text, such as "[\"a\"]" for a list of strings: once, at the top level,
	// at most 256 KiB, each use logged. The schema does not change, and text
	// that is valid as it stands stays text. Turn it on for hosts that were
	// seen to do this. Default: false; such a call is refused with a repair.
	AcceptStringified bool

	// Lifecycle marks a preview or a deprecated tool. Default: no marker.
	Lifecycle versioning.Lifecycle

	// Handle does the work. The arguments are validated, defaults applied,
	// and the cursor opened. An *[envelope.Error] anywhere in the chain of a
	// returned error goes to the client; any other error is answered as
	// internal and logged. If the call has an idempotency key, an error that
	// does not prove that nothing started (envelope.Error.NothingApplied) is
	// answered as outcome_unknown instead. A panic is treated likewise. It must be safe for
	// concurrent use.
	Handle func(ctx context.Context, in In) (Out, error)
}

// Call returns a repair that says: call this tool with these arguments.
// nextStep is a symbol for it, such as "reread_then_reapply". The kit checks
// the arguments against the tool's schema before the repair leaves.
func (t Tool[In, Out]) Call(nextStep string, in In) envelope.Repair {
	args, err := plainJSON(in)
	if err != nil {
		args = nil // not provable, so the kit will not send it
	}
	return envelope.Repair{NextStep: nextStep, Tool: t.Name, Arguments: args}
}

// plainJSON encodes v without the escapes that HTML needs and readers do not.
func plainJSON(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// A Declaration is a [Tool]: something that [New] registers. The interface has
// no exported methods, so that only this package's types implement it.
type Declaration interface {
	compile(f faults, number string) *tool
}

// tool is the compiled form of a Tool, its types erased.
type tool struct {
	name        string
	title       string
	description string
	effect      Effect
	openWorld   bool

	acceptStringified bool

	errors    []envelope.Code
	lifecycle versioning.Lifecycle

	in      *schema.Type
	doc     *schema.Document
	out     *schema.Type
	outDoc  *schema.Document
	encoder *detail.Encoder

	cursorField  string
	cursor       CursorOpener
	detailField  string
	keyField     string
	versionField string
	scope        []string
	sets         []string
	folds        []string
	sensitive    []string
	lookups      map[string]string // parameter → tool
	required     []string

	example   json.RawMessage
	reconcile func(in any) (envelope.Repair, bool)
	// decode turns validated arguments into In and runs Check.
	decode func(args map[string]any) (in any, err error)
	handle func(ctx context.Context, in any) (out any, err error)
}

var toolName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)+$`)

const maxToolName = 60

// compile checks and compiles t; number stands for its name if it has none.
func (t Tool[In, Out]) compile(all faults, number string) *tool {
	f := all.forTool(cmp.Or(t.Name, number))
	c := &tool{
		name: cmp.Or(t.Name, number), title: t.Title, description: t.Description, effect: t.Effect,
		openWorld: t.OpenWorld, errors: slices.Clone(t.Errors), lifecycle: t.Lifecycle,
		acceptStringified: t.AcceptStringified,
		cursor:            t.Cursor, lookups: map[string]string{},
	}
	if !toolName.MatchString(t.Name) || len(t.Name) > maxToolName {
		f.add("Name", "must match "+toolName.String()+" and have at most 60 characters: service prefix, verb, noun")
	}
	if strings.TrimSpace(t.Title) == "" {
		f.add("Title", "is empty; people pick tools by it")
	}
	if strings.TrimSpace(t.Description) == "" {
		f.add("Description", "is empty; say when to use the tool and what its edge cases are")
	}
	if !t.Effect.valid() {
		f.add("Effect", "is not set; say what the tool changes (mcpkit.Reads if nothing)")
	}
	if t.Handle == nil {
		f.add("Handle", "is nil")
	}
	if err := validLifecycle(t.Lifecycle); err != nil {
		f.add("Lifecycle", err.Error())
	}
	c.handle = func(ctx context.Context, in any) (any, error) { return t.Handle(ctx, in.(In)) }
	c.decode = func(args map[string]any) (any, error) {
		var in In
		if err := schema.Decode(args, &in); err != nil {
			var misfit *schema.DecodeError
			if errors.As(err, &misfit) {
				return nil, envelope.InvalidField(misfit.Field, misfit.Field+" "+misfit.Reason+".")
			}
			return nil, err
		}
		if t.Check != nil {
			if err := t.Check(in); err != nil {
				return nil, err
			}
		}
		return in, nil
	}
	if t.Reconcile != nil {
		c.reconcile = func(in any) (repair envelope.Repair, ok bool) {
			defer func() {
				if recover() != nil {
					repair, ok = envelope.Repair{}, false
				}
			}()
			return t.Reconcile(in.(In)), true
		}
	} else {
		c.reconcile = func(any) (envelope.Repair, bool) { return envelope.Repair{}, false }
	}

	c.compileInput(f, reflect.TypeFor[In](), t.Describe)
	c.compileOutput(f, reflect.TypeFor[Out]())
	if c.doc != nil {
		c.compileExample(f, t.Example)
	}
	return c
}

func validLifecycle(l versioning.Lifecycle) error {
	if l.Stability == "" && l.Deprecation == nil {
		return nil
	}
	return l.Validate()
}

func (c *tool) compileInput(f faults, t reflect.Type, describe map[string]string) {
	if t.Kind() != reflect.Struct {
		f.add("In", "must be a struct, not "+t.String())
		return
	}
	in, err := schema.For(t, schema.Input, &schema.Options{Describe: describe})
	if err != nil {
		addSchemaFaults(f, "In", err)
		return
	}
	c.in, c.doc = in, in.Document()
	one := func(target *string, field, role string) {
		if *target != "" {
			f.add(field, "is the second parameter with the role "+role+"; only one can have it")
			return
		}
		*target = field
	}
	for _, p := range in.Fields() {
		if p.Required {
			c.required = append(c.required, p.Name)
		}
		if p.Lookup != "" {
			c.lookups[p.Name] = p.Lookup
		}
		for _, role := range p.Roles {
			switch role {
			case schema.RoleCursor:
				one(&c.cursorField, p.Name, "cursor")
			case schema.RoleDetail:
				one(&c.detailField, p.Name, "detail")
			case schema.RoleIdempotencyKey:
				one(&c.keyField, p.Name, "idempotency_key")
			case schema.RoleExpectedVersion:
				one(&c.versionField, p.Name, "expected_version")
			case schema.RoleScope:
				c.scope = append(c.scope, p.Name)
			case schema.RoleSet:
				c.sets = append(c.sets, p.Name)
			case schema.RoleFold:
				c.folds = append(c.folds, p.Name)
			case schema.RoleSensitive:
				c.sensitive = append(c.sensitive, p.Name)
			}
		}
	}
	switch {
	case c.cursorField != "" && c.cursor == nil:
		f.add(c.cursorField, "has the role cursor, but Tool.Cursor is nil")
	case c.cursor != nil && !c.cursor.ready():
		f.add("Cursor", "was not made by NewCursor")
	case c.cursorField == "" && c.cursor != nil:
		f.add("Cursor", "is set, but no parameter has the role cursor")
	}
	if c.keyField != "" && c.effect == Reads {
		f.add(c.keyField, "an idempotency key on a tool that only reads has no meaning")
	}
}

func (c *tool) compileOutput(f faults, t reflect.Type) {
	if t.Kind() != reflect.Struct {
		f.add("Out", "must be a struct, not "+t.String())
		return
	}
	out, err := schema.For(t, schema.Output, nil)
	if err != nil {
		addSchemaFaults(f, "Out", err)
		return
	}
	enc, err := detail.Compile(t)
	if err != nil {
		addSchemaFaults(f, "Out", err)
		return
	}
	c.out, c.outDoc, c.encoder = out, out.Document(), enc
	if c.in == nil {
		return
	}
	switch {
	case c.detailField != "" && !enc.Differs():
		f.add(c.detailField, `has the role detail, but no field of Out is tagged detail:"full"`)
	case c.detailField == "" && enc.Differs():
		f.add("Out", `has fields tagged detail:"full", but no parameter has the role detail`)
	}
}

func (c *tool) compileExample(f faults, example any) {
	raw, err := plainJSON(example)
	if err != nil {
		f.add("Example", "cannot be encoded: "+err.Error())
		return
	}
	args, violations := c.doc.Read(raw)
	for _, v := range violations {
		f.add("Example."+v.Field, v.Reason)
	}
	if len(violations) > 0 {
		return
	}
	in, err := c.tryDecode(args)
	if err != nil {
		f.add("Example", "is refused by Check: "+err.Error())
		return
	}
	c.example = raw
	if c.effect == Reads {
		return
	}
	repair, ok := c.reconcile(in)
	switch {
	case !ok && c.keyField != "":
		f.add("Reconcile", "is nil, but the tool takes an idempotency key: say which call shows the outcome")
	case ok && !strings.Contains(c.description, repair.Tool):
		f.add("Description", "does not name "+repair.Tool+", the tool that shows the outcome of a call whose answer was lost")
	}
}

// tryDecode is decode, where a panic of the author's Check is an error.
func (c *tool) tryDecode(args map[string]any) (in any, err error) {
	defer func() {
		if r := recover(); r != nil {
			in, err = nil, fmt.Errorf("it panics: %v", r)
		}
	}()
	return c.decode(args)
}

// addSchemaFaults unpacks a joined error of package schema or detail.
func addSchemaFaults(f faults, direction string, err error) {
	list := schema.Faults(err)
	for _, x := range list {
		f.add(strings.TrimSuffix(direction+"."+x.Field, "."), x.Reason)
	}
	if len(list) == 0 {
		f.add(direction, err.Error())
	}
}
