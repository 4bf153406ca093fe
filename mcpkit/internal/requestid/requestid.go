// Package requestid makes the identifiers of requests.
package requestid

import (
	"math/rand/v2"
	"time"
)

const (
	prefix = "req_"

	// alphabet is that of Crockford's base 32: in the order of ASCII, so that
	// identifiers sort as the numbers that they spell.
	alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

	timeLen   = 10 // characters for 48 bits
	randomLen = 16 // characters for 80 bits
)

// New returns "req_" and a ULID: 48 bits of Unix time in milliseconds and 80
// random bits, in 26 characters. Identifiers sort by time; within a millisecond
// their order is random. They name a request and are no secret. New is safe for
// concurrent use, and callers do not wait for each other.
func New() string {
	var id [len(prefix) + timeLen + randomLen]byte
	copy(id[:], prefix)
	now := uint64(time.Now().UnixMilli())
	*(*[2]byte)(id[4:]) = pairs[now>>40&1023]
	spell((*[8]byte)(id[6:]), now)
	spell((*[8]byte)(id[14:]), rand.Uint64())
	spell((*[8]byte)(id[22:]), rand.Uint64())
	return string(id[:])
}

// pairs has the two characters of each ten bits.
var pairs = func() (table [1 << 10][2]byte) {
	for i := range table {
		table[i] = [2]byte{alphabet[i>>5], alphabet[i&31]}
	}
	return table
}()

// spell fills dst with the low 40 bits of n, five a character.
func spell(dst *[8]byte, n uint64) {
	*(*[2]byte)(dst[0:]) = pairs[n>>30&1023]
	*(*[2]byte)(dst[2:]) = pairs[n>>20&1023]
	*(*[2]byte)(dst[4:]) = pairs[n>>10&1023]
	*(*[2]byte)(dst[6:]) = pairs[n&1023]
}
