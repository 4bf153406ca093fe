package cursor

import (
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"math"
	"reflect"
	"sync"
	"time"
)

var (
	// ErrExpired is the error of [Codec.Open] for a token that is genuine
	// and fits its call, but whose lifetime is over. The walk starts again.
	ErrExpired = errors.New("cursor: expired")

	// ErrInvalid is the error of [Codec.Open] for every other token that
	// is refused: malformed, forged, altered, sealed with a key that is no
	// longer in the keyring, or sealed for another purpose, principal,
	// digest, payload type or mode. Which of these it was is deliberately
	// not told.
	ErrInvalid = errors.New("cursor: invalid")
)

// Options are the optional settings of [New]. A nil *Options is the zero
// Options.
type Options struct {
	// Skew is how much longer than its lifetime a token is accepted, to
	// allow for replicas whose clocks differ. It is between zero and the
	// TTL. Default zero.
	Skew time.Duration

	// Sealed encrypts the payload with AES-256-GCM, for payloads that the
	// client must not read; otherwise it is authenticated, but anyone can
	// decode it. A sealed token is 12 bytes longer, and its length still
	// tells that of the payload. A codec opens tokens of its own mode only.
	// Nonces are random: rotate a key before it has sealed 2³² tokens.
	// Default false.
	Sealed bool
}

// The layout of a token, before base64url:
//
//	1 byte     two bits of version and mode, six bits of key hint
//	4 bytes    expiry, Unix seconds, big-endian
//	n bytes    payload                 | 12 bytes nonce, n bytes ciphertext
//	16 bytes   HMAC-SHA-256, truncated | 16 bytes GCM tag
//
// What is authenticated is the fingerprint of the payload type and the
// binding, both of fixed length, followed by the token up to its MAC.
const (
	modeSigned = 0x00
	modeSealed = 0x40
	hintMask   = 0x3f

	headLen  = 1 + 4
	macLen   = 16
	boundLen = fingerprintLen + sha256.Size
)

// encoding has one spelling for each byte string: no padding, no stray bits.
// Line breaks, which it skips, are refused by length.
var encoding = base64.RawURLEncoding.Strict()

// A Codec seals and opens tokens of one payload type. It is made by [New],
// immutable and safe for concurrent use. The zero Codec has no key: it seals
// the empty string and refuses every token.
type Codec[P any] struct {
	keys    []derived
	ttl     time.Duration
	skew    time.Duration
	sealed  bool
	layout  *layout
	scratch sync.Pool // of *scratch[P]
}

// scratch is what one Seal or Open works with. A payload lives in it while it
// is encoded or decoded, so that reflection needs no allocation of its own.
type scratch[P any] struct {
	payload P
	values  values      // into payload
	macs    []hash.Hash // by key; made when first needed
	tag     [sha256.Size]byte
	buf     []byte // authenticated bytes
	text    []byte // base64
}

// New returns a codec whose tokens hold a P and live for ttl, at least one
// second.
//
// P is time.Time, or of kind bool, integer, float, string, []byte or [N]byte, or
// a struct of such types, nested as you like, with exported fields only. There are no pointers, lists, maps or interfaces:
// a position that needs one belongs on the server.
//
// The error lists every fault: no key, a TTL or skew out of bounds, and each
// field of P that cannot be carried.
func New[P any](keys *Keyring, ttl time.Duration, opts *Options) (*Codec[P], error) {
	if opts == nil {
		opts = &Options{}
	}
	var faults []error
	if keys == nil || len(keys.keys) == 0 {
		faults = append(faults, errors.New("cursor: the keyring has no key"))
	}
	if ttl < time.Second {
		faults = append(faults, fmt.Errorf("cursor: TTL is %v, at least 1s is needed", ttl))
	}
	if opts.Skew < 0 || opts.Skew > max(ttl, 0) {
		faults = append(faults, fmt.Errorf("cursor: skew is %v, it must be between 0 and the TTL", opts.Skew))
	}
	lay, err := compile(reflect.TypeFor[P]())
	if err != nil {
		faults = append(faults, err)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return &Codec[P]{keys: keys.keys, ttl: ttl, skew: opts.Skew, sealed: opts.Sealed, layout: lay}, nil
}

// TTL returns how long a token lives, as given to [New].
func (c *Codec[P]) TTL() time.Duration { return c.ttl }

// Seal returns the token for p under b. It expires after the codec's TTL,
// rounded up to a whole second of the clock. Its characters are A-Z a-z 0-9 - _
// and survive a URL unescaped. Times in p keep their instant and nanoseconds,
// not their location.
func (c *Codec[P]) Seal(p P, b Binding) string {
	if len(c.keys) == 0 {
		return ""
	}
	s := c.get()
	defer c.put(s)
	s.payload = p
	s.begin(c.layout, b)
	s.buf = append(s.buf, c.mode()|c.keys[0].hint)
	s.buf = binary.BigEndian.AppendUint32(s.buf, c.expiry(time.Now()))
	head := len(s.buf)
	s.buf = c.layout.append(s.buf, s.values)
	if c.sealed {
		token := append(make([]byte, 0, len(s.buf)+c.keys[0].aead.Overhead()), s.buf[boundLen:head]...)
		token = c.keys[0].aead.Seal(token, nil, s.buf[head:], s.buf[:head])
		return encoding.EncodeToString(token)
	}
	s.buf = append(s.buf, s.sum(s.buf, 0, c.keys[0].mac)...)
	s.text = encoding.AppendEncode(s.text[:0], s.buf[boundLen:])
	return string(s.text)
}

// Open returns the payload of a token that Seal has made under b with a key of
// the keyring. The error is [ErrExpired] from the instant at which the token's
// lifetime, lengthened by the allowed skew, is over, else [ErrInvalid]; the
// payload is then zero. Authenticity is decided first, in constant time, and
// nothing of a forged token is parsed.
func (c *Codec[P]) Open(token string, b Binding) (P, error) {
	var zero P
	if len(c.keys) == 0 || encoding.DecodedLen(len(token)) < headLen+macLen {
		return zero, ErrInvalid
	}
	s := c.get()
	defer c.put(s)
	s.begin(c.layout, b)
	s.text = append(s.text[:0], token...)
	buf, err := encoding.AppendDecode(s.buf, s.text)
	if err != nil || encoding.EncodedLen(len(buf)-boundLen) != len(token) {
		return zero, ErrInvalid
	}
	s.buf = buf
	payload, ok := s.authentic(c)
	if !ok {
		return zero, ErrInvalid
	}
	expiry := time.Unix(int64(binary.BigEndian.Uint32(buf[boundLen+1:])), 0)
	if !time.Now().Before(expiry.Add(c.skew)) {
		return zero, ErrExpired
	}
	if !c.layout.read(payload, s.values) {
		return zero, ErrInvalid
	}
	return s.payload, nil
}

func (c *Codec[P]) mode() byte {
	if c.sealed {
		return modeSealed
	}
	return modeSigned
}

// expiry is rounded up, so that a token lives for its TTL at least. Beyond the
// year 2106 it stays at the last second that four bytes hold, and all tokens
// are expired.
func (c *Codec[P]) expiry(now time.Time) uint32 {
	end := now.Add(c.ttl)
	unix := end.Unix()
	if end.Nanosecond() > 0 {
		unix++
	}
	return uint32(min(max(unix, 0), math.MaxUint32))
}

// authentic returns the payload of the token in s.buf if one of the keys that
// its hint allows has sealed it.
func (s *scratch[P]) authentic(c *Codec[P]) (payload []byte, ok bool) {
	first := s.buf[boundLen]
	if first&^hintMask != c.mode() {
		return nil, false
	}
	for i, key := range c.keys {
		if key.hint != first&hintMask {
			continue
		}
		if c.sealed {
			payload, ok = openSealed(key.aead, s.buf)
		} else {
			payload, ok = s.openSigned(i, key.mac)
		}
		if ok {
			return payload, true
		}
	}
	return nil, false
}

func (s *scratch[P]) openSigned(key int, secret []byte) ([]byte, bool) {
	end := len(s.buf) - macLen
	want := s.sum(s.buf[:end], key, secret)
	return s.buf[boundLen+headLen : end], hmac.Equal(want, s.buf[end:])
}

func openSealed(aead cipher.AEAD, buf []byte) ([]byte, bool) {
	head := boundLen + headLen
	plain, err := aead.Open(nil, nil, buf[head:], buf[:head])
	return plain, err == nil
}

// begin starts the authenticated bytes.
func (s *scratch[P]) begin(lay *layout, b Binding) {
	s.buf = append(s.buf[:0], lay.fingerprint[:]...)
	s.buf = append(s.buf, b.sum[:]...)
}

// sum returns the truncated MAC of data, valid until the next call.
func (s *scratch[P]) sum(data []byte, key int, secret []byte) []byte {
	mac := s.macs[key]
	if mac == nil {
		mac = hmac.New(sha256.New, secret)
		s.macs[key] = mac
	} else {
		mac.Reset()
	}
	mac.Write(data)
	return mac.Sum(s.tag[:0])[:macLen]
}

func (c *Codec[P]) get() *scratch[P] {
	if s, ok := c.scratch.Get().(*scratch[P]); ok {
		return s
	}
	s := &scratch[P]{macs: make([]hash.Hash, len(c.keys))}
	s.values = c.layout.of(reflect.ValueOf(&s.payload).Elem())
	return s
}

// put keeps s for later, without the payload and unless it has grown large.
func (c *Codec[P]) put(s *scratch[P]) {
	const most = 16 << 10
	if cap(s.buf) > most || cap(s.text) > most {
		return
	}
	var zero P
	s.payload = zero
	c.scratch.Put(s)
}
