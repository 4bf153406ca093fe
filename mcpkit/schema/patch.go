package schema

import (
	"encoding/json"
	"reflect"
	"strings"
)

// A Patch is a field of a partial update that keeps three states apart: absent
// (leave the stored value as it is), null (clear it) and a value (replace it).
// The zero Patch is absent.
//
// A field of this type must carry the omitzero option, so that the absent state
// is also left out when the struct is encoded:
//
//	Milestone schema.Patch[int] `json:"milestone_number,omitzero" jsonschema_description:"Omitted means unchanged; null removes the milestone."`
//
// Its schema is that of T with null allowed, ["integer","null"] for the field
// above. T must be a type with one JSON type that is never null itself, so
// neither a pointer nor another Patch.
//
// A Patch is a plain value: copies are independent as far as those of T are,
// and methods that do not have a pointer receiver are safe for concurrent use.
type Patch[T any] struct {
	state patchState
	value T
}

type patchState uint8

const (
	patchAbsent patchState = iota
	patchNull
	patchValue
)

// Set returns a Patch that replaces the stored value by v.
func Set[T any](v T) Patch[T] { return Patch[T]{state: patchValue, value: v} }

// Clear returns a Patch that clears the stored value; its JSON is null.
func Clear[T any]() Patch[T] { return Patch[T]{state: patchNull} }

// Get returns the new value, and whether there is one. It returns the zero T
// and false when the Patch is absent or null.
func (p Patch[T]) Get() (v T, ok bool) { return p.value, p.state == patchValue }

// IsNull reports whether the stored value is to be cleared.
func (p Patch[T]) IsNull() bool { return p.state == patchNull }

// IsAbsent reports whether the stored value is to be left as it is.
func (p Patch[T]) IsAbsent() bool { return p.state == patchAbsent }

// IsZero is IsAbsent under the name that encoding/json's omitzero looks for.
func (p Patch[T]) IsZero() bool { return p.IsAbsent() }

// MarshalJSON encodes the value, or null when the Patch is null. An absent
// Patch has no JSON of its own and also gives null: the omitzero option keeps
// it from being encoded, and [For] refuses a Patch field without that option.
func (p Patch[T]) MarshalJSON() ([]byte, error) {
	if p.state != patchValue {
		return []byte("null"), nil
	}
	return json.Marshal(p.value)
}

// UnmarshalJSON sets the Patch to null or to the decoded value. It leaves the
// Patch unchanged when data does not decode into a T.
func (p *Patch[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*p = Clear[T]()
		return nil
	}
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*p = Set(v)
	return nil
}

// patched tells the reflecting half which type the Patch is of.
func (Patch[T]) patched() reflect.Type { return reflect.TypeFor[T]() }

var ownPath = reflect.TypeFor[Type]().PkgPath()

// patchElem returns T when t is a Patch[T].
func patchElem(t reflect.Type) (reflect.Type, bool) {
	// A struct that embeds a Patch has its methods too, but is none.
	if t.PkgPath() != ownPath || !strings.HasPrefix(t.Name(), "Patch[") {
		return nil, false
	}
	p, ok := reflect.Zero(t).Interface().(interface{ patched() reflect.Type })
	if !ok {
		return nil, false
	}
	return p.patched(), true
}
