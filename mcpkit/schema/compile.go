package schema

import "encoding/json"

// A Document is a compiled JSON Schema. It is immutable and safe for
// concurrent use.
type Document struct{}

// Compile compiles a JSON Schema.
func Compile(raw json.RawMessage) (*Document, error) { return &Document{}, nil }
