package detail

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A Level says how much of a value is encoded. Its text is what the parameter
// of a tool holds.
type Level string

const (
	// Summary leaves out the fields tagged detail:"full", and those whose
	// value is null or their default, unless they are tagged detail:"always".
	Summary Level = "summary"
	// Full encodes every field.
	Full Level = "full"
)

// An Encoder encodes the values of one Go type. It is safe for concurrent use.
type Encoder struct {
	typ     reflect.Type
	root    *node
	differs bool
	dynamic sync.Map // of reflect.Type to *Encoder, for values in interfaces
}

// Compile prepares the encoder of t, which may be of any kind that has a JSON.
//
// The error joins one [*Fault] for everything that is wrong with t, sorted by
// field: a type that has no JSON, a detail tag that is neither "full" nor
// "always" or that has no JSON field to apply to, a default that its field
// cannot hold. What a value in an interface is made of is seen by Append only.
func Compile(t reflect.Type) (*Encoder, error) {
	c := &compiler{nodes: map[reflect.Type]*node{}}
	if t == nil {
		return nil, &Fault{Reason: "there is no type"}
	}
	root := c.node(t, "")
	if len(c.faults) > 0 {
		slices.SortStableFunc(c.faults, func(a, b *Fault) int {
			return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Reason, b.Reason))
		})
		list := make([]error, len(c.faults))
		for i, f := range c.faults {
			list[i] = f
		}
		return nil, errors.Join(list...)
	}
	return &Encoder{typ: t, root: root, differs: c.differs}, nil
}

// A Fault is one reason why a Go type cannot be encoded.
type Fault struct {
	Type   reflect.Type // the type that declares the field, or that has no JSON; nil if there is none
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
		return fmt.Sprintf("detail: %s: %s", name, f.Reason)
	}
	return fmt.Sprintf("detail: %s: field %q: %s", name, f.Field, f.Reason)
}

// Differs reports whether some field of the type is tagged detail:"full", so
// that offering a choice of levels makes sense.
func (e *Encoder) Differs() bool { return e.differs }

// Append appends the JSON of v at level to dst and returns the extended slice.
// v is of the type that was compiled, or a non-nil pointer to it; methods with
// a pointer receiver are called where encoding/json would call them.
//
// On an error the result is dst as it was; bytes beyond its length may have
// been overwritten. An error names the field at which encoding stopped: a
// number that is not finite, a year outside 0 to 9999, an error or panic of a
// method of the value, invalid JSON from MarshalJSON, a value nested too
// deeply, or a value in an interface whose type cannot be encoded. It is for
// logs, since it can hold what such a method said.
func (e *Encoder) Append(dst []byte, v any, level Level) (out []byte, err error) {
	if level != Summary && level != Full {
		return dst, errors.New("detail: level is neither summary nor full")
	}
	value := reflect.ValueOf(v)
	switch {
	case !value.IsValid():
		return dst, fmt.Errorf("detail: value is nil, not a %v", e.typ)
	case value.Type() == e.typ:
	case value.Kind() == reflect.Pointer && value.Type().Elem() == e.typ:
		if value.IsNil() {
			return dst, fmt.Errorf("detail: value is a nil %v", value.Type())
		}
		value = value.Elem()
	default:
		return dst, fmt.Errorf("detail: value is a %v, not a %v", value.Type(), e.typ)
	}
	defer func() {
		if p := recover(); p != nil {
			out, err = dst, fmt.Errorf("detail: panic while encoding a %v: %v", e.typ, p)
		}
	}()
	s := state{dst: dst, summary: level == Summary, encoder: e}
	if err := e.root.encode(&s, value); err != nil {
		return dst, fmt.Errorf("detail: %w", err)
	}
	return s.dst, nil
}
