package envelope

import (
	"bytes"
	"encoding/json"
	"slices"
)

// EchoPolicy states, for a server's capability summary, when details.value
// appears.
const EchoPolicy = "details.value is emitted only for values that the server minted and for published enum members; " +
	"received free-form values are never echoed, errors locate them by field and array index instead."

// Details says which parameter is at fault and why. It names exactly one field
// or a list of several; the constructors [Field] and [Fields] are the only
// doors. Each method returns a changed copy. The zero Details is none.
//
// A field is a dotted path in the tool's input schema, or a parameter of the
// request such as "uri". An empty name stands for the whole of the arguments
// and becomes "arguments". Names may come from the caller (an unknown
// argument), so they are cut at 256 bytes.
type Details struct {
	fields     []string // one: rendered as field; several: as fields
	reason     string
	value      string
	allowed    json.RawMessage
	scopes     []string
	violations []violation
}

// Field returns details about one parameter. The reason is one line under the
// rules of a message (see [New]); an empty one is left out.
func Field(name, reason string) Details {
	return Details{fields: []string{fieldName(name)}, reason: prose(reason)}
}

// Fields returns details about several parameters that are at fault together.
// Their order is kept and repetitions are dropped; if one name remains, the
// result is that of [Field].
func Fields(reason, first, second string, more ...string) Details {
	d := Details{reason: prose(reason)}
	for _, name := range append([]string{first, second}, more...) {
		d.fields = appendUnique(d.fields, fieldName(name))
	}
	return d
}

func fieldName(name string) string {
	if name == "" {
		return "arguments"
	}
	return label(name, maxName)
}

func appendUnique(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// Allowed adds what the schema publishes as acceptable: a list of enum members,
// or bounds such as map[string]any{"minimum": 1, "maximum": 100}. Any value
// that encodes to JSON will do; null, "", [] and {} say nothing and are left
// out, as is a value that does not encode.
func (d Details) Allowed(value any) Details {
	d.allowed = publishable(value)
	return d
}

// publishable encodes value, or returns nil if nothing would be said by it.
func publishable(value any) json.RawMessage {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if enc.Encode(value) != nil {
		return nil
	}
	raw := appendRaw(nil, buf.Bytes())
	switch string(raw) {
	case "null", `""`, "[]", "{}":
		return nil
	}
	return raw
}

// Minted adds details.value. The name is the policy: only a value that this
// server minted and that the caller sent back (a version token, a cursor, a
// URI), or a published enum member in the wrong place. Never pass a value of
// which that has not been checked: a free-form value may hold a secret or an
// instruction. What no server mints is left out: a value of more than 2 KiB, with
// anything but printable characters, or that looks like a credential.
func (d Details) Minted(value string) Details {
	d.value = plain(value)
	if redactTokens(d.value) != d.value {
		d.value = ""
	}
	return d
}

// RequiredScopes adds details.required_scopes: what a credential needs for the
// call. Order is kept; empty names and repetitions are dropped.
func (d Details) RequiredScopes(scopes ...string) Details {
	d.scopes = nil
	for _, s := range scopes {
		if s != "" {
			d.scopes = appendUnique(d.scopes, label(s, maxName))
		}
	}
	return d
}

// IsZero reports whether d names no field, and so is none.
func (d Details) IsZero() bool { return len(d.fields) == 0 }

// Fields returns the names of all parameters at fault: one for details.field,
// several for details.fields, none for the zero Details.
func (d Details) Fields() []string { return slices.Clone(d.fields) }

// Reason returns what is wrong; it may be empty.
func (d Details) Reason() string { return d.reason }

// Value returns the value given to [Details.Minted], or "".
func (d Details) Value() string { return d.value }

// AllowedJSON returns what [Details.Allowed] recorded, or nil.
func (d Details) AllowedJSON() json.RawMessage { return slices.Clone(d.allowed) }

// Scopes returns the scopes given to [Details.RequiredScopes].
func (d Details) Scopes() []string { return slices.Clone(d.scopes) }

// Violations returns the list that [Invalid] recorded, if it had to record
// one. Allowed is then nil or a [json.RawMessage].
func (d Details) Violations() []Violation {
	var list []Violation
	for _, v := range d.violations {
		list = append(list, v.public())
	}
	return list
}
