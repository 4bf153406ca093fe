package versioning

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/mcpkit-go/agentmcp/versioning/internal/jcs"
)

// MaxDepth, 128, is how many arrays and objects (for [Of]: and pointers) may be
// nested in each other. What is nested more deeply is an error.
const MaxDepth = jcs.MaxDepth

// An InputError says why a JSON text has no canonical form. It holds nothing of
// the text itself.
type InputError struct {
	Offset int    // byte of the text at which reading stopped, from 0
	Reason string // for people: "duplicate key", "lone surrogate", …
}

// Error returns the reason and the offset.
func (e *InputError) Error() string {
	return fmt.Sprintf("versioning: %s at byte %d", e.Reason, e.Offset)
}

// Canonical returns the canonical form of the JSON text raw: the one of RFC
// 8785, but that an integer which no double holds keeps its exact digits (see
// the package documentation). Any top-level value is allowed.
//
// The error is an [*InputError]: the text is not JSON (RFC 8259), has more
// after its value, is not valid UTF-8, holds half of a surrogate pair, names a
// member twice, is nested deeper than [MaxDepth], or holds a number beyond the
// range of a double, or one other than zero that rounds to zero.
func Canonical(raw []byte) ([]byte, error) {
	return AppendCanonical(make([]byte, 0, len(raw)), raw)
}

// AppendCanonical appends what [Canonical] returns to dst, which must not
// overlap raw. On error it returns dst unchanged.
func AppendCanonical(dst, raw []byte) ([]byte, error) {
	dst, err := jcs.Append(dst, raw)
	return dst, inputError(err)
}

// Digest returns the SHA-256 of the canonical form of the JSON text raw, without
// making the form if raw is in it already. It fails as [Canonical] does.
func Digest(raw []byte) ([sha256.Size]byte, error) {
	sum, err := jcs.Sum(raw)
	return sum, inputError(err)
}

func inputError(err error) error {
	if err == nil {
		return nil // what follows would allocate
	}
	var e *jcs.Error
	if errors.As(err, &e) {
		return &InputError{Offset: e.Offset, Reason: e.Reason}
	}
	return err
}
