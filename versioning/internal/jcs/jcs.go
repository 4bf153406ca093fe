// Package jcs writes JSON in the one spelling of RFC 8785, with one difference:
// an integer that no double holds keeps its exact digits, so that two integers
// that differ never have the same canonical form.
package jcs

import (
	"crypto/sha256"
	"fmt"
	"sync"
)

// MaxDepth is how many arrays and objects may be open at once.
const MaxDepth = 128

// An Error says at which byte of the input reading stopped, and why. Reason is
// one of this package's own sentences and holds nothing of the input.
type Error struct {
	Offset int
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("%s at byte %d", e.Reason, e.Offset) }

// Append appends the canonical form of the JSON text src to dst. dst and src
// must not overlap. On error it returns dst as it was.
func Append(dst, src []byte) ([]byte, error) {
	w := get(src)
	defer w.put()
	canonical, err := w.document()
	if err != nil {
		return dst, err
	}
	return append(dst, canonical...), nil
}

// Sum returns the SHA-256 of the canonical form of the JSON text src. It
// allocates nothing once its buffers have grown, and copies nothing of a text
// that is canonical already.
func Sum(src []byte) ([sha256.Size]byte, error) {
	w := get(src)
	defer w.put()
	canonical, err := w.document()
	if err != nil {
		return [sha256.Size]byte{}, err
	}
	return sha256.Sum256(canonical), nil
}

var writers = sync.Pool{New: func() any { return new(writer) }}

// maxKept bounds the memory that an idle writer holds on to.
const maxKept = 4 << 20

func get(src []byte) *writer {
	w := writers.Get().(*writer)
	w.src = src
	return w
}

func (w *writer) put() {
	const memberSize = 48
	if cap(w.out)+cap(w.spare)+cap(w.keys)+cap(w.digits)+cap(w.spelling)+cap(w.members)*memberSize > maxKept {
		return
	}
	*w = writer{
		out: w.out[:0], spare: w.spare[:0], keys: w.keys[:0],
		digits: w.digits[:0], spelling: w.spelling[:0], members: w.members[:0],
	}
	writers.Put(w)
}
