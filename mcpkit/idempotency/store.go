package idempotency

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"time"
)

// A Key identifies what a caller may not do twice: the SHA-256 of tool,
// principal, scope and the caller's own key. It can be stored and shown; it
// reveals none of them unless they can be guessed.
type Key [sha256.Size]byte

// String returns the key as 64 lower-case hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// KeyOf returns the identity of r, made of Tool, Principal, Scope and Key.
// Every part is hashed with its length before it, so that no two different
// requests give the same input to the hash: ("ab", "c") is not ("a", "bc").
func KeyOf(r Request) Key {
	const label = "idempotency key 1"
	b := make([]byte, 0, 256)
	part := func(s string) {
		b = binary.BigEndian.AppendUint64(b, uint64(len(s)))
		b = append(b, s...)
	}
	part(label)
	part(r.Tool)
	part(r.Principal)
	part(r.Key)
	b = binary.BigEndian.AppendUint64(b, uint64(len(r.Scope)))
	for _, s := range r.Scope {
		part(s)
	}
	return sha256.Sum256(b)
}

// A State is the stage of a key's life. Its text is meant to be stored.
type State string

const (
	// StateRunning: a holder runs the request and its lease has not ended.
	StateRunning State = "running"
	// StateDone: the request succeeded, and Body is its answer.
	StateDone State = "done"
	// StateUnknown: the request was started, and its outcome is not known.
	StateUnknown State = "unknown"
	// StateExpired: the window is over; only the tombstone is left.
	StateExpired State = "expired"
)

// A Hold names one claim. Every change of a claimed record is made under it,
// and is refused with [ErrStale] when record and hold differ in either field.
type Hold struct {
	// Owner is the random token of the [Keeper.Do] call that claimed the key,
	// at most 64 bytes of printable ASCII.
	Owner string
	// Fence is the number that the store gave to the claim. For one key it is
	// greater than every number given before, also across releases.
	Fence uint64
}

// A Claim is the wish to hold a key.
type Claim struct {
	Owner     string        // see [Hold]
	Digest    [32]byte      // of the request's arguments
	Lease     time.Duration // how long the claim lasts unless it is renewed; more than 0
	Window    time.Duration // how long an outcome is kept; more than 0
	Tombstone time.Duration // how long the record then stays expired; more than 0
}

// A Record is what a store knows of a key.
type Record struct {
	State  State
	Hold   Hold     // of the claim that made the record
	Digest [32]byte // of the claim that made the record
	Body   []byte   // the answer if State is StateDone, otherwise nil; the caller's to keep
	// Remaining is the time until State changes by itself: the rest of the
	// lease, of the window or of the tombstone. It is more than 0.
	Remaining time.Duration
}

// An Outcome is how a claimed request ended.
type Outcome struct {
	State State  // StateDone or StateUnknown
	Body  []byte // the answer if State is StateDone, otherwise nil; not kept by the store, which copies it
}

// A Store keeps records. It is the driver interface of [Keeper]; package
// storetest checks an implementation. All methods may be called concurrently,
// also by several processes, and each must be atomic: one SQL statement or
// transaction, one script.
//
// Time is measured by the store's own clock and passed as durations, so that
// the clocks of its clients do not matter. A record ages by itself:
//
//	absent ── Claim ─→ running ── Complete ─→ done or unknown
//	running ── Release ─→ absent
//	running ── lease ends ─→ unknown
//	done, unknown ── window ends ─→ expired ── tombstone ends ─→ absent
//
// The window begins when the record leaves running, and the tombstone when the
// window ends, both with the lengths of the claim. A store need not run
// anything at those moments: it can compute the state when it looks.
//
// Every method gives up when its context ends. It may then have had its effect
// or not; the caller finds out by calling it again, and therefore a repeated
// call with the same arguments must succeed as the first one did.
type Store interface {
	// Claim makes a running record under a new fence if key is absent. In
	// every case it returns the record. The result claimed is true if the
	// record is running under c.Owner, no matter whether this call or an
	// earlier one made it; the lease then starts anew. It is false if the
	// record is another owner's or not running, which then stays unchanged.
	//
	// Without room for the record Claim returns an error that is [ErrFull].
	Claim(ctx context.Context, key Key, c Claim) (r Record, claimed bool, err error)

	// Renew lets the lease of a running record end after lease, counted from
	// now. It returns [ErrStale] if hold does not hold key: the record is
	// absent, another's or no longer running.
	Renew(ctx context.Context, key Key, hold Hold, lease time.Duration) error

	// Complete ends a running record with o. It returns nil, without a
	// change, if this hold completed the record before, and [ErrStale] if
	// hold does not hold key, also if its lease has ended and nobody has
	// looked since. Without room for o.Body it returns an error that is
	// [ErrFull] and leaves the record running; an outcome that is unknown
	// always finds room.
	Complete(ctx context.Context, key Key, hold Hold, o Outcome) error

	// Release removes a running record: the request had no effect, and key is
	// free for another try. It returns nil if key is absent, and [ErrStale]
	// if the record is another's or no longer running.
	Release(ctx context.Context, key Key, hold Hold) error
}

// A Waiter is a [Store] that can wake those who wait for a running record.
// Without it [Keeper] polls.
type Waiter interface {
	// Wait returns nil as soon as key has no running record under fence, and
	// the context's error when ctx ends before. It need not notice the end of
	// a lease, and may return early.
	Wait(ctx context.Context, key Key, fence uint64) error
}
