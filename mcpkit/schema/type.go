package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// A Direction says which way the JSON of a type travels. The two differ in
// what is refused and in what null means; [For] has the details.
type Direction int

const (
	// Input is JSON that a client sends: the arguments of a tool.
	Input Direction = iota + 1
	// Output is JSON that we send: the structured result of a tool.
	Output
)

// String returns "input" or "output".
func (d Direction) String() string {
	switch d {
	case Input:
		return "input"
	case Output:
		return "output"
	}
	return fmt.Sprintf("Direction(%d)", int(d))
}

// Options adjusts [For]. A nil *Options means the zero value.
type Options struct {
	// Describe replaces descriptions, by the dotted path of JSON names: the
	// title of each element of a list "issues" is "issues.title". A path that
	// names no field is a fault. Default: the jsonschema_description tags alone.
	Describe map[string]string
}

// A Role is a meaning that a tool gives to one of its fields, declared in the
// mcp tag: `mcp:"cursor"`, or several as in `mcp:"scope,sensitive"`.
type Role string

const (
	RoleCursor          Role = "cursor"           // continuation token of a list; a string, once in a type
	RoleDetail          Role = "detail"           // level of detail, "summary" or "full"; a string, once in a type
	RoleIdempotencyKey  Role = "idempotency_key"  // makes a repeated call have one effect; a string, once in a type
	RoleExpectedVersion Role = "expected_version" // version token that must still hold; a string, once in a type
	RoleScope           Role = "scope"            // part of the scope of the idempotency key; a string, integer or boolean
	RoleSet             Role = "set"              // a list whose order means nothing
	RoleFold            Role = "fold"             // text, or a list of texts, whose letter case means nothing
	RoleSensitive       Role = "sensitive"        // never repeated in a repair or a message
)

// A Field is one property of an object schema, in the order in which
// encoding/json writes it. It belongs to its [Type] and must not be changed.
type Field struct {
	Name        string          // JSON name
	Index       []int           // for [reflect.Value.FieldByIndex]; may cross embedded pointers
	Required    bool            // listed under "required"
	Nullable    bool            // null is a valid value
	Roles       []Role          // of the mcp tag, in its order
	Lookup      string          // tool that lists the valid values, from `mcp:"lookup=…"`; "" for none
	Detail      string          // of the detail tag: "full", "always" or ""
	Description string          // "" for none
	Default     json.RawMessage // nil for none
	Schema      json.RawMessage // of the property, compact
	Fields      []Field         // of the object, or of each element of a list or map of objects; nil for others
}

// Has reports whether the field has role.
func (f Field) Has(role Role) bool { return slices.Contains(f.Roles, role) }

// A Type is the schema of a Go type for one direction. It is immutable and
// safe for concurrent use.
type Type struct {
	json     json.RawMessage
	fields   []Field
	warnings []string
	document *Document
}

// JSON returns the schema, compact, the same bytes on every run. Its root
// has the keys $schema, type, required, properties and additionalProperties in
// this order. The caller owns the result.
func (t *Type) JSON() json.RawMessage { return slices.Clone(t.json) }

// Fields returns the top-level properties in the order of the schema. The
// slice is the caller's; what the fields point to is shared and read-only.
func (t *Type) Fields() []Field { return slices.Clone(t.fields) }

// Warnings returns what is legal but will hurt some clients, sorted, each
// with the path of the field. There is one kind: an int64, uint64 or *big.Int in
// an output (not an int, which asks for no width) that is named like an id (id, issue_id, IDs, …) and neither sent as a string
// (`json:",string"`) nor bounded to ±(2^53-1), beyond which JavaScript rounds.
func (t *Type) Warnings() []string { return slices.Clone(t.warnings) }

// Document returns the compiled schema, which reads and validates JSON.
func (t *Type) Document() *Document { return t.document }

// A Fault is one reason why a Go type has no schema. [For] joins all that it
// finds.
type Fault struct {
	Type   reflect.Type // the struct that declares the field, or the root if that has no name; nil if For was given nil
	Field  string       // dotted path of JSON names from the root, "" for the root itself
	Reason string       // one line, without a full stop
}

// Error names the Go type, the field and the reason.
func (f *Fault) Error() string {
	name := "nil"
	if f.Type != nil {
		name = f.Type.String()
	}
	if f.Field == "" {
		return fmt.Sprintf("schema: %s: %s", name, f.Reason)
	}
	return fmt.Sprintf("schema: %s: field %q: %s", name, f.Field, f.Reason)
}

// Faults returns the faults that err, an error of [For] or one that wraps it,
// is made of, in its order.
func Faults(err error) []*Fault {
	var one *Fault
	var many interface{ Unwrap() []error }
	switch {
	case err == nil:
		return nil
	case errors.As(err, &many):
		var out []*Fault
		for _, e := range many.Unwrap() {
			out = append(out, Faults(e)...)
		}
		return out
	case errors.As(err, &one):
		return []*Fault{one}
	}
	return nil
}

// A Provider is a type with its own JSON, such as one that implements
// [json.Marshaler], that states the schema of that JSON. SchemaJSON is called
// on the zero value, and for a pointer receiver on a new one; it must return
// the same object each time.
//
// The schema must keep to the portable subset that [For] generates: no
// reference, definition, boolean or combining subschema; objects closed; one
// type, never a list; every array with items. Its keywords are emitted as they
// are, in the places where For would put them; a description, title or default
// in the tags of the field replaces that of the Provider.
//
// The method is not named JSONSchema because github.com/invopop/jsonschema
// gives that name another signature; a type can serve both.
type Provider interface {
	SchemaJSON() json.RawMessage
}
