package cursor

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
)

// MinKeyLen is the shortest key that [NewKeyring] accepts, in bytes.
const MinKeyLen = 32

// A Keyring holds the deployment's keys: the first seals, all of them open.
// It is immutable and safe for concurrent use, and it prints without its keys.
// The zero Keyring holds no key and is refused by [New].
type Keyring struct {
	keys []derived
}

// derived is what one deployment key is used for. The deployment key itself is
// not kept.
type derived struct {
	hint byte   // six bits that tell a token's key apart, not secret
	mac  []byte // HMAC-SHA-256 key of signed tokens
	aead cipher.AEAD
}

// NewKeyring returns a keyring that seals with current and opens what current
// or one of previous has sealed.
//
// Each key is at least [MinKeyLen] bytes from a cryptographic random source,
// shared by all replicas of a server and different from its other secrets; 32
// bytes of crypto/rand are right. The keys are not retained, so the caller may
// overwrite them.
//
// To rotate, start all replicas with NewKeyring(old, new), then with
// NewKeyring(new, old), and leave old out once a TTL has passed.
//
// The error lists every unusable key: one that is too short, that repeats
// another, or that is one byte repeated, as an unset buffer is.
func NewKeyring(current []byte, previous ...[]byte) (*Keyring, error) {
	secrets := append([][]byte{current}, previous...)
	var faults []error
	seen := map[[sha256.Size]byte]string{}
	for i, secret := range secrets {
		name := "current key"
		if i > 0 {
			name = fmt.Sprintf("previous key %d", i)
		}
		digest := sha256.Sum256(secret)
		switch twin, repeated := seen[digest]; {
		case len(secret) < MinKeyLen:
			faults = append(faults, fmt.Errorf("cursor: %s has %d bytes, at least %d are needed", name, len(secret), MinKeyLen))
		case constant(secret):
			faults = append(faults, fmt.Errorf("cursor: %s is one byte repeated", name))
		case repeated:
			faults = append(faults, fmt.Errorf("cursor: %s equals the %s", name, twin))
		default:
			seen[digest] = name
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	ring := &Keyring{}
	for _, secret := range secrets {
		key, err := derive(secret)
		if err != nil {
			return nil, fmt.Errorf("cursor: %w", err)
		}
		ring.keys = append(ring.keys, key)
	}
	return ring, nil
}

// derive separates the uses of one deployment key, so that a signed and a
// sealed codec may share it (HKDF, RFC 5869).
func derive(secret []byte) (derived, error) {
	const domain = "agentmcp cursor v1 "
	hint, err := hkdf.Key(sha256.New, secret, nil, domain+"hint", 1)
	if err != nil {
		return derived{}, err
	}
	mac, err := hkdf.Key(sha256.New, secret, nil, domain+"HMAC-SHA-256", 32)
	if err != nil {
		return derived{}, err
	}
	enc, err := hkdf.Key(sha256.New, secret, nil, domain+"AES-256-GCM", 32)
	if err != nil {
		return derived{}, err
	}
	block, err := aes.NewCipher(enc)
	if err != nil {
		return derived{}, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return derived{}, err
	}
	return derived{hint: hint[0] & hintMask, mac: mac, aead: aead}, nil
}

func constant(b []byte) bool {
	for _, c := range b {
		if c != b[0] {
			return false
		}
	}
	return true
}

// String returns a fixed text without key material.
func (Keyring) String() string { return "cursor.Keyring(redacted)" }

// Format writes the text of String for every verb and flag, so that no way of
// printing reaches the keys.
func (k Keyring) Format(f fmt.State, verb rune) { io.WriteString(f, k.String()) }
