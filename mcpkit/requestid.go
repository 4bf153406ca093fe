package mcpkit

import "github.com/oklog/ulid/v2"

// newRequestID returns "req_" and a ULID: unique, and sortable by time in logs.
func newRequestID() string { return "req_" + ulid.Make().String() }
