package versioning

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// What [Match], [IfMatch] and [IfNoneMatch] return wraps one of these, or is
// one of them.
var (
	// ErrConflict means that the content is not the one that the token was
	// issued for. Reading again gives the token that matches.
	ErrConflict = errors.New("versioning: conflict")
	// ErrMalformed means that a token or a header cannot have come from here:
	// it does not have the form.
	ErrMalformed = errors.New("versioning: malformed")
)

// tokenPrefix names the format and the hash. Another way to canonicalize or to
// hash needs another prefix, so that tokens of both are never equal.
const tokenPrefix = "v1:sha256:"

// Half of SHA-256 keeps 64 bits of security against collisions that someone
// constructs and 128 against hitting a given version.
const (
	tokenBytes  = 16
	tokenLength = len(tokenPrefix) + 2*tokenBytes
)

// OfJSON returns the version token of the JSON text raw: "v1:sha256:" and 32
// lower-case hexadecimal digits, the first half of [Digest]. Two texts have the
// same token if they differ only in spelling: order of members, white space,
// escapes, 1.0 for 1. It fails as [Canonical] does.
func OfJSON(raw []byte) (string, error) {
	var buffer [tokenLength]byte
	token, err := AppendOfJSON(buffer[:0], raw)
	return string(token), err
}

// AppendOfJSON appends the token that [OfJSON] returns to dst, for callers that
// must not allocate. On error it returns dst unchanged.
func AppendOfJSON(dst, raw []byte) ([]byte, error) {
	sum, err := Digest(raw)
	if err != nil {
		return dst, err
	}
	return appendToken(dst, sum), nil
}

func appendToken(dst []byte, sum [sha256.Size]byte) []byte {
	dst = append(dst, tokenPrefix...)
	return hex.AppendEncode(dst, sum[:tokenBytes])
}

// Match is the precondition of a write: expected is the token that the caller
// read before, current the token of the content as it is now. Compare and write
// must be one atomic step of the author's store, or another write gets between.
//
//   - expected is "": nil, the caller asks for no check.
//   - expected is current: nil.
//   - expected is not of the form that [OfJSON] documents: an error that wraps
//     [ErrMalformed] and does not hold the value.
//   - Otherwise [ErrConflict].
func Match(expected, current string) error {
	switch {
	case expected == "":
		return nil
	case !isToken(expected):
		return fmt.Errorf("%w version token", ErrMalformed)
	case expected != current:
		return ErrConflict
	}
	return nil
}

func isToken(s string) bool {
	digits, ok := strings.CutPrefix(s, tokenPrefix)
	if !ok || len(digits) != 2*tokenBytes {
		return false
	}
	for _, c := range []byte(digits) {
		if (c < '0' || '9' < c) && (c < 'a' || 'f' < c) {
			return false
		}
	}
	return true
}
