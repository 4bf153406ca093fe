package versioning

import (
	"crypto/sha256"
	"reflect"
	"sync"
)

// Of returns the version token of a Go value: the token that [OfJSON] gives for
// what encoding/json makes of it, with five differences that a token needs.
//
//   - A field tagged version:"-" does not count. On an embedded struct that is
//     flattened the tag leaves out all of its fields.
//   - The order of a slice or array tagged version:"set" does not count. How
//     often an element is in it does.
//   - A nil slice or map is an empty one, as everywhere in this module, so that
//     storing and loading a value does not change its version.
//   - Methods with pointer receivers are called whether or not the value is
//     addressable, so that Of(x) equals Of(&x).
//   - Text that is not valid UTF-8 is an error, never replaced.
//
// A time.Time counts as it is written: the same instant in another zone is
// another version. Keep times in UTC.
//
// The error is what [Check] returns for the type, or a [*ValueError]: text that
// is not UTF-8, an infinite or not-a-number float, values nested deeper than
// [MaxDepth] (which a cycle always is), map keys that encode alike, or a
// MarshalJSON or MarshalText method that fails or returns what [Canonical]
// refuses.
//
// Of is safe for concurrent use as long as nobody changes v meanwhile.
func Of(v any) (string, error) {
	s := states.Get().(*state)
	defer s.put()
	if err := s.root(v); err != nil {
		return "", err
	}
	var buffer [tokenLength]byte
	return string(appendToken(buffer[:0], sha256.Sum256(s.buf))), nil
}

// Check returns nil if [Of] can encode values of type t, or else one error that
// joins all faults, each naming struct type and field: a version tag other than
// "-" and "set"; a set that is no slice or array, or that a MarshalJSON method
// writes; a type that JSON cannot express (channels, functions, complex
// numbers, maps with such keys); a struct at the root of which no field counts,
// whose token would never change. What sits in an interface is checked when it
// is encoded. A program calls Check when it starts, so that no call finds the
// fault.
func Check(t reflect.Type) error {
	if t == nil {
		return nil
	}
	_, err := rootPlan(t)
	return err
}

// A ValueError says which part of a Go value [Of] could not encode.
type ValueError struct {
	// Field is the dotted path of JSON names and list indices, with * in place
	// of a map's key; "" if it is the value itself.
	Field string
	// Reason is for people and holds nothing of the value, unless a method of
	// its own reported it.
	Reason string
	cause  error
}

// Error returns the path and the reason.
func (e *ValueError) Error() string {
	if e.Field == "" {
		return "versioning: " + e.Reason
	}
	return "versioning: " + e.Field + ": " + e.Reason
}

// Unwrap returns the error of the MarshalJSON or MarshalText method that
// failed, or nil.
func (e *ValueError) Unwrap() error { return e.cause }

// under prefixes the path of an error that came from inside name.
func under(name string, err error) error {
	e, ok := err.(*ValueError) // never wrapped on the way up
	if !ok {
		return err
	}
	if e.Field != "" {
		name += "." + e.Field
	}
	e.Field = name
	return e
}

// A state holds the buffers of one encoding.
type state struct {
	buf   []byte
	spare []byte // for putting sets into order
	spans []span // elements of the sets that are open
	depth int
}

var states = sync.Pool{New: func() any { return new(state) }}

// maxKept bounds the memory that an idle state holds on to.
const maxKept = 4 << 20

func (s *state) put() {
	const spanSize = 16
	if cap(s.buf)+cap(s.spare)+cap(s.spans)*spanSize > maxKept {
		return
	}
	*s = state{buf: s.buf[:0], spare: s.spare[:0], spans: s.spans[:0]}
	states.Put(s)
}

func (s *state) root(v any) error {
	if v == nil {
		s.buf = append(s.buf, "null"...)
		return nil
	}
	value := reflect.ValueOf(v)
	p, err := rootPlan(value.Type())
	if err != nil {
		return err
	}
	return p.encode(s, value)
}

// enter counts one more container that is open.
func (s *state) enter() error {
	if s.depth == MaxDepth {
		return &ValueError{Reason: "nested too deeply"}
	}
	s.depth++
	return nil
}
