package cursor

import (
	"crypto/sha256"
	"encoding/binary"
)

// A Binding names the call that a token belongs to. The token does not carry
// it: a token opened under another Binding than it was sealed under is
// [ErrInvalid].
//
// Bindings are values, comparable, and hold a hash of what was bound, not the
// principal's name. The zero Binding binds to nothing and equals no result of
// [Bind].
type Binding struct {
	sum [sha256.Size]byte
}

// Bind binds a token to three things.
//
// Purpose is what the token is for, such as the tool and its parameter
// "github_get_issue comments_cursor". Principal is who may use it, "" where
// there is only one. Digest stands for the arguments that select the rows: a
// hash of their canonical form, defaults filled in and set-like lists sorted,
// so that two spellings of one query share a digest. Leave the cursor itself
// out of it, and everything that does not select rows, such as a level of
// detail. Nil and empty digests are the same.
//
// The three are length-prefixed, so no two different triples are bound alike.
func Bind(purpose, principal string, digest []byte) Binding {
	buf := make([]byte, 0, 256)
	buf = binary.BigEndian.AppendUint64(buf, uint64(len(purpose)))
	buf = append(buf, purpose...)
	buf = binary.BigEndian.AppendUint64(buf, uint64(len(principal)))
	buf = append(buf, principal...)
	buf = binary.BigEndian.AppendUint64(buf, uint64(len(digest)))
	buf = append(buf, digest...)
	return Binding{sum: sha256.Sum256(buf)}
}
