package failure

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

// Symbols of the repairs that are made here and in the packages that import
// this one.
const (
	StepCorrected = "retry_with_corrected_arguments"
	StepLookup    = "look_up_value_then_retry"
	StepRestart   = "restart_without_cursor"
	StepWait      = "wait_then_retry_same_call"
	StepOtherTool = "call_registered_tool"
)

// MaxRepairArguments bounds the arguments of a repair in bytes of JSON. A call
// whose arguments are larger is not repeated to its sender.
const MaxRepairArguments = 16 << 10

// MaxName bounds what is shown of a name that a caller made up, in bytes of its
// quoted form.
const MaxName = 68

// A Tool is what must be known of a tool to prove a call of it.
type Tool struct {
	Name      string
	Document  *schema.Document // of the input schema
	Sensitive []string         // parameters that are never repeated to the caller

	// Writes says that the tool may change something. What such a call was
	// told must not be lost on the way to a repair: a dry_run that the tool
	// does not know is no reason to propose the real thing.
	Writes bool

	// Accepts says whether the handler takes arguments that the schema
	// accepts, with defaults. Nil: it takes all of them.
	Accepts func(args map[string]any) bool
}

// accepts reports whether the handler would get to see these arguments.
func (t Tool) accepts(args map[string]any) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	raw, err := schema.Marshal(args)
	if err != nil {
		return false
	}
	full, violations := t.Document.Read(raw)
	if len(violations) > 0 {
		return false
	}
	return t.Accepts == nil || t.Accepts(full)
}

// Call is the repair that calls t with args, without what must not be
// repeated. There is none if that leaves the call invalid, makes it too large,
// or takes something away from a call that writes.
func (t Tool) Call(step string, args map[string]any) (envelope.Repair, bool) {
	kept := maps.Clone(args)
	for _, name := range t.Sensitive {
		delete(kept, name)
	}
	if t.Writes && len(kept) < len(args) {
		return envelope.Repair{}, false
	}
	raw, err := schema.Marshal(kept)
	if err != nil || len(raw) > MaxRepairArguments || !t.accepts(kept) {
		return envelope.Repair{}, false
	}
	return envelope.Repair{NextStep: step, Tool: t.Name, Arguments: raw}, true
}

// Corrected is the error for arguments that t refuses and whose correction can
// be proven; false if there is none.
func (t Tool) Corrected(args map[string]any, violations []schema.Violation) (*envelope.Error, bool) {
	fixed, ok := t.Document.Correct(args, violations)
	if !ok || t.Writes && len(fixed) < len(args) {
		return nil, false
	}
	r, ok := t.Call(StepCorrected, fixed)
	if !ok {
		return nil, false
	}
	return Invalid(withoutMoved(violations)).Repair(r), true
}

// Invalid is the error for at least one violation.
func Invalid(violations []schema.Violation) *envelope.Error {
	list := make([]envelope.Violation, len(violations))
	for i, v := range violations {
		list[i] = envelope.Violation(v)
	}
	return envelope.Invalid(list[0], list[1:]...)
}

// withoutMoved leaves out the violations that say that a parameter is missing.
// It is for arguments that can be corrected: a correction invents no value, so
// what is missing was there under another name, and that name is the fault.
func withoutMoved(violations []schema.Violation) []schema.Violation {
	kept := slices.DeleteFunc(slices.Clone(violations), func(v schema.Violation) bool { return v.Rule == "required" })
	if len(kept) == 0 {
		return violations
	}
	return kept
}

// Explicit returns those arguments that the caller sent, without the defaults.
func Explicit(args map[string]any, raw json.RawMessage) map[string]any {
	var sent map[string]json.RawMessage
	if err := json.Unmarshal(raw, &sent); err != nil {
		return map[string]any{}
	}
	kept := make(map[string]any, len(sent))
	for name, v := range args {
		if _, ok := sent[name]; ok {
			kept[name] = v
		}
	}
	return kept
}

// UnknownTool is the error for a call of name, which is not among the sorted
// names. It says which registered tool the name is a slip of, and calls that with
// the same arguments if they fit and it only reads; else it names the tools that
// share words with it. tool returns a registered one.
func UnknownTool(name string, arguments json.RawMessage, names []string, tool func(name string) (Tool, bool)) *envelope.Error {
	message := fmt.Sprintf("Unknown tool %s.", envelope.Quote(name, MaxName))
	unknown := func(reason string) *envelope.Error {
		return envelope.New(envelope.CodeUnknownTool, message+" "+reason).NothingApplied().
			With(envelope.Field("name", reason).Allowed(names))
	}
	nearest := Nearest(name, names)
	if nearest == "" {
		if related := Related(name, names); len(related) > 0 {
			return unknown("The nearest registered tools are " + strings.Join(related, ", ") + ".")
		}
		return unknown("No registered tool has a similar name.")
	}
	e := unknown("The nearest registered tool is " + nearest + ".")
	t, ok := tool(nearest)
	if !ok || t.Writes {
		return e
	}
	args, violations := t.Document.Read(arguments)
	if len(violations) == 0 {
		args = Explicit(args, arguments)
	} else if args, ok = t.Document.Correct(args, violations); !ok {
		return e
	}
	if r, ok := t.Call(StepOtherTool, args); ok {
		return e.Repair(r)
	}
	return e
}
