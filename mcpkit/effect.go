package mcpkit

import "fmt"

// An Effect says what a tool does to state that others can observe, or that
// outlasts the response. The tool annotations of the MCP specification follow
// from it, so they cannot be set to anything else.
//
// The zero Effect is not valid: a tool that does not say what it does is not
// registered.
type Effect int

const (
	// Reads changes nothing. The hints destructiveHint and idempotentHint
	// have no meaning then and are left out.
	Reads Effect = iota + 1
	// Adds creates something new at each call and takes nothing away:
	// destructiveHint false, idempotentHint false.
	Adds
	// Sets brings about a state without losing information; the same call
	// again changes nothing: destructiveHint false, idempotentHint true.
	Sets
	// Replaces overwrites or removes what this surface cannot restore; the
	// same call again changes nothing: destructiveHint true, idempotentHint
	// true.
	Replaces
	// Acts may destroy, and each call acts anew: destructiveHint true,
	// idempotentHint false. It is the honest choice in doubt.
	Acts
)

// String returns the name of the constant, such as "Reads".
func (e Effect) String() string {
	switch e {
	case Reads:
		return "Reads"
	case Adds:
		return "Adds"
	case Sets:
		return "Sets"
	case Replaces:
		return "Replaces"
	case Acts:
		return "Acts"
	}
	return fmt.Sprintf("Effect(%d)", int(e))
}

func (e Effect) valid() bool { return e >= Reads && e <= Acts }

// repeatable reports whether sending the same call again is harmless whatever
// became of the first one.
func (e Effect) repeatable() bool { return e == Reads || e == Sets || e == Replaces }

func (e Effect) annotations(openWorld bool) Annotations {
	a := Annotations{ReadOnly: e == Reads, OpenWorld: openWorld}
	if e != Reads {
		destructive := e == Replaces || e == Acts
		idempotent := e == Sets || e == Replaces
		a.Destructive, a.Idempotent = &destructive, &idempotent
	}
	return a
}

// Annotations are the tool annotations of the MCP specification ("Tools",
// ToolAnnotations), every applicable hint explicit. Destructive and Idempotent
// are nil for read-only tools, where they do not apply.
type Annotations struct {
	ReadOnly    bool  `json:"readOnlyHint"`
	Destructive *bool `json:"destructiveHint,omitempty"`
	Idempotent  *bool `json:"idempotentHint,omitempty"`
	OpenWorld   bool  `json:"openWorldHint"`
}
