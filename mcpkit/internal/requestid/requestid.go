// Package requestid makes the identifiers of requests.
package requestid

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/oklog/ulid/v2"
)

const prefix = "req_"

// New returns "req_" and a ULID: 48 bits of Unix time in milliseconds and 80
// random bits, in 26 characters. Identifiers sort by time; within a millisecond
// their order is random. They name a request and are no secret. New is safe for
// concurrent use, and callers do not wait for each other, as they would for
// ulid.Make, which orders within a millisecond too.
func New() string {
	var id ulid.ULID
	binary.BigEndian.PutUint64(id[:], rand.Uint64())
	binary.BigEndian.PutUint64(id[8:], rand.Uint64())
	// Neither call can fail: the time has 48 bits, the room is exact.
	_ = id.SetTime(ulid.Now())
	var text [len(prefix) + ulid.EncodedSize]byte
	copy(text[:], prefix)
	_ = id.MarshalTextTo(text[len(prefix):])
	return string(text[:])
}
