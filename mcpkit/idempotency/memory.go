package idempotency

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// MemoryOptions adjusts a [Memory]. A nil *MemoryOptions means the zero value.
type MemoryOptions struct {
	// MaxEntries bounds the number of records. Default, also for values
	// below 1: 100,000.
	MaxEntries int

	// MaxBytes bounds the memory that records take: their answers and about
	// 300 bytes each. Default, also for values below 1: 64 MiB.
	MaxBytes int64

	// Reserve is how many bytes are set aside for the answer of each running
	// request, so that want of room shows before its effect, not after. A
	// larger answer is kept if there is room. Default, also for values below
	// 1: 4 KiB.
	Reserve int64
}

const (
	defaultMaxEntries = 100_000
	defaultMaxBytes   = 64 << 20
	defaultReserve    = 4 << 10

	// entryBytes is what an entry takes besides its answer: struct, map slot,
	// heap slot, owner token.
	entryBytes = 300

	// sweepBatch bounds the ageing that one call does for others.
	sweepBatch = 128

	// partCount is a power of two.
	partCount = 16
)

// Memory is a [Store] in the memory of one process, for servers that run as
// one process and may forget keys when it restarts. The zero value is ready to
// use, with the default options. It starts no goroutine.
//
// Memory is bounded. To make room it drops, in this order, answers whose
// window is over, records whose tombstone is over, and tombstones, those
// nearest to their end first: their keys would run again. It never drops a
// record that is running or within its window. When nothing else is left it
// is full and refuses new claims with a [*FullError] that says when the next
// record can be dropped; repeats of the keys that it holds are still answered.
type Memory struct {
	opts  MemoryOptions
	start sync.Once
	epoch time.Time // moments are durations since then

	fence   atomic.Uint64 // last one given
	entries atomic.Int64  // how many there are
	bytes   atomic.Int64  // sum of their costs
	parts   [partCount]part
}

// A part holds the keys of some hashes. Calls with keys of different parts do
// not wait for each other, unless room is wanted: who makes room holds all
// parts, locked in the order of their indices.
type part struct {
	mu      sync.Mutex // protects everything below
	entries map[Key]*entry
	kept    queue    // running, or within the window: by the end of the window
	tombs   queue    // expired: by the end of the tombstone
	_       [64]byte // keeps the parts out of each other's cache lines
}

var _ interface {
	Store
	Waiter
} = (*Memory)(nil)

// NewMemory returns an empty Memory.
func NewMemory(opts *MemoryOptions) *Memory {
	m := &Memory{}
	if opts != nil {
		m.opts = *opts
	}
	return m
}

// A FullError is the [ErrFull] of a [Memory].
type FullError struct{ after time.Duration }

// Error returns the text of [ErrFull] and the delay.
func (e *FullError) Error() string {
	return fmt.Sprintf("%v; room is expected in %v", ErrFull, e.after)
}

// Is reports whether target is [ErrFull].
func (e *FullError) Is(target error) bool { return target == ErrFull }

// RetryAfter is the time, more than zero, until the first of the records that
// are kept may be dropped. Room can come sooner, when a key is released.
func (e *FullError) RetryAfter() time.Duration { return e.after }

// An entry is a record. While it runs, end is that of the lease and the window;
// then it is when the entry leaves the queue that it is in.
type entry struct {
	key       Key
	state     State
	hold      Hold
	digest    [32]byte
	body      []byte        // never changed once set
	lease     time.Duration // the moment at which it ends; 0 after Complete
	end       time.Duration // a moment: of the window while in kept, of the tombstone while in tombs
	window    time.Duration
	tombstone time.Duration
	cost      int64
	slot      int           // index in its queue
	changed   chan struct{} // closed when the entry stops running; nil until someone waits
}

// Claim implements [Store].
func (m *Memory) Claim(ctx context.Context, key Key, c Claim) (rec Record, claimed bool, err error) {
	err = m.change(ctx, key, func(p *part, now time.Duration, all bool) error {
		m.sweep(p, now, sweepBatch)
		if e := m.look(p, key, now); e != nil {
			if claimed = e.state == StateRunning && e.hold.Owner == c.Owner; claimed {
				p.extend(e, now, c.Lease)
			}
			rec = e.record(now)
			return nil
		}
		cost := entryBytes + m.reserve()
		if err := m.room(now, 1, cost, all); err != nil {
			return err
		}
		e := &entry{
			key: key, state: StateRunning, hold: Hold{Owner: c.Owner, Fence: m.fence.Add(1)}, digest: c.Digest,
			lease: after(now, c.Lease), window: c.Window, tombstone: c.Tombstone, cost: cost,
		}
		e.end = after(e.lease, e.window)
		if p.entries == nil {
			p.entries = map[Key]*entry{}
		}
		p.entries[key] = e
		p.kept.push(e)
		rec, claimed = e.record(now), true
		return nil
	})
	rec.Body = slices.Clone(rec.Body) // outside the lock
	return rec, claimed, err
}

// Renew implements [Store].
func (m *Memory) Renew(ctx context.Context, key Key, hold Hold, lease time.Duration) error {
	return m.change(ctx, key, func(p *part, now time.Duration, _ bool) error {
		e := m.look(p, key, now)
		if !e.heldBy(hold) {
			return ErrStale
		}
		p.extend(e, now, lease)
		return nil
	})
}

// Complete implements [Store]. It copies the answer.
func (m *Memory) Complete(ctx context.Context, key Key, hold Hold, o Outcome) error {
	var body []byte
	if o.State == StateDone {
		body = slices.Clone(o.Body) // outside the lock
	}
	return m.change(ctx, key, func(p *part, now time.Duration, all bool) error {
		e := m.look(p, key, now)
		switch {
		case e != nil && e.hold == hold && e.completed():
			return nil
		case !e.heldBy(hold):
			return ErrStale
		}
		more := entryBytes + int64(len(body)) - e.cost
		if more > 0 {
			if err := m.room(now, 0, more, all); err != nil {
				return err
			}
			e.cost += more
		} else {
			m.recost(e, e.cost+more)
		}
		e.state, e.body, e.lease = o.State, body, 0
		e.end = after(now, e.window)
		p.kept.fix(e.slot)
		e.wake()
		return nil
	})
}

// Release implements [Store].
func (m *Memory) Release(ctx context.Context, key Key, hold Hold) error {
	return m.change(ctx, key, func(p *part, now time.Duration, _ bool) error {
		e := m.look(p, key, now)
		switch {
		case e == nil:
			return nil
		case !e.heldBy(hold):
			return ErrStale
		}
		p.kept.remove(e.slot)
		m.forget(p, e)
		return nil
	})
}

// Wait implements [Waiter].
func (m *Memory) Wait(ctx context.Context, key Key, fence uint64) error {
	var changed chan struct{}
	err := m.change(ctx, key, func(p *part, now time.Duration, _ bool) error {
		e := m.look(p, key, now)
		if e == nil || e.state != StateRunning || e.hold.Fence != fence {
			return nil
		}
		if e.changed == nil {
			e.changed = make(chan struct{})
		}
		changed = e.changed
		return nil
	})
	if err != nil || changed == nil {
		return err
	}
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// change calls f with the part of key locked. If f wants more room than is free
// it is called once more with all parts locked, so it asks for room before it
// changes anything that is not right in any case.
func (m *Memory) change(ctx context.Context, key Key, f func(p *part, now time.Duration, all bool) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := &m.parts[key[0]%partCount]
	if err := m.inPart(p, f); err != errNoRoom {
		return err
	}
	return m.inAll(p, f)
}

func (m *Memory) inAll(p *part, f func(*part, time.Duration, bool) error) error {
	for i := range m.parts {
		m.parts[i].mu.Lock()
		defer m.parts[i].mu.Unlock()
	}
	return f(p, m.now(), true)
}

func (m *Memory) inPart(p *part, f func(*part, time.Duration, bool) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return f(p, m.now(), false)
}

// now is the moment, on the monotonic clock.
func (m *Memory) now() time.Duration {
	m.start.Do(func() { m.epoch = time.Now().Add(-1) }) // no moment is 0
	return time.Since(m.epoch)
}

// after is the moment d after now, or the last that there is.
func after(now, d time.Duration) time.Duration {
	if d > math.MaxInt64-now {
		return math.MaxInt64
	}
	return now + d
}

// errNoRoom says that room must be made. It does not leave the package.
var errNoRoom = errors.New("idempotency: no free room")

// room counts more entries and bytes, for which there must be room. With all
// parts locked it makes room if need be, otherwise it returns errNoRoom.
func (m *Memory) room(now time.Duration, entries, bytes int64, all bool) error {
	if m.count(entries, bytes) {
		return nil
	}
	if !all {
		return errNoRoom
	}
	if !m.makeRoom(now, entries, bytes) {
		return m.full(now)
	}
	m.count(entries, bytes)
	return nil
}

// count reports whether there was room for more entries and bytes, which are
// then counted. Another call that finds none can be in the way for a moment;
// not so with all parts locked.
func (m *Memory) count(entries, bytes int64) bool {
	if m.entries.Add(entries) <= m.maxEntries() {
		if m.bytes.Add(bytes) <= m.maxBytes() {
			return true
		}
		m.bytes.Add(-bytes)
	}
	m.entries.Add(-entries)
	return false
}

// look returns the entry of key as it is now, nil if it has none.
func (m *Memory) look(p *part, key Key, now time.Duration) *entry {
	e := p.entries[key]
	if e == nil {
		return nil
	}
	if e.state == StateRunning && now >= e.lease {
		e.state = StateUnknown // end is right already
		m.recost(e, entryBytes)
		e.wake()
	}
	if e.state != StateExpired && now >= e.end {
		p.kept.remove(e.slot)
		m.bury(p, e)
	}
	if e.state == StateExpired && now >= e.end {
		p.tombs.remove(e.slot)
		m.forget(p, e)
		return nil
	}
	return e
}

// sweep ages at most limit entries of p that nobody looked at.
func (m *Memory) sweep(p *part, now time.Duration, limit int) {
	for ; limit > 0 && p.kept.due(now); limit-- {
		e := p.kept.remove(0)
		e.wake()
		m.bury(p, e)
	}
	for ; limit > 0 && p.tombs.due(now); limit-- {
		m.forget(p, p.tombs.remove(0))
	}
}

// bury makes a tombstone of e, which has left kept.
func (m *Memory) bury(p *part, e *entry) {
	e.state, e.body = StateExpired, nil
	e.end = after(e.end, e.tombstone)
	m.recost(e, entryBytes)
	p.tombs.push(e)
}

// forget drops e, which has left its queue.
func (m *Memory) forget(p *part, e *entry) {
	delete(p.entries, e.key)
	m.entries.Add(-1)
	m.bytes.Add(-e.cost)
	e.wake()
}

func (m *Memory) recost(e *entry, cost int64) {
	m.bytes.Add(cost - e.cost)
	e.cost = cost
}

// makeRoom drops what may be dropped until the given numbers fit, and reports
// whether they do. It drops nothing in vain beyond what has expired. All parts
// are locked.
func (m *Memory) makeRoom(now time.Duration, entries, bytes int64) bool {
	fits := func(freeEntries, freeBytes int64) bool {
		return m.entries.Load()-freeEntries+entries <= m.maxEntries() && m.bytes.Load()-freeBytes+bytes <= m.maxBytes()
	}
	var tombs int64
	for i := range m.parts {
		p := &m.parts[i]
		m.sweep(p, now, len(p.kept)+len(p.tombs))
		tombs += int64(len(p.tombs))
	}
	if !fits(tombs, tombs*entryBytes) {
		return false
	}
	for !fits(0, 0) {
		p := m.first(func(p *part) queue { return p.tombs })
		m.forget(p, p.tombs.remove(0))
	}
	return true
}

// first returns the part whose queue has the entry that is due first, nil if
// the queues are empty.
func (m *Memory) first(of func(*part) queue) (first *part) {
	for i := range m.parts {
		p := &m.parts[i]
		if q := of(p); len(q) > 0 && (first == nil || q[0].end < of(first)[0].end) {
			first = p
		}
	}
	return first
}

// full says when the first record that is kept may be dropped.
func (m *Memory) full(now time.Duration) error {
	after := time.Minute // nothing is kept: one record alone is more than the bound
	if p := m.first(func(p *part) queue { return p.kept }); p != nil {
		after = p.kept[0].end - now
	}
	return &FullError{after}
}

// extend starts the lease of the running entry e anew.
func (p *part) extend(e *entry, now time.Duration, lease time.Duration) {
	e.lease = after(now, lease)
	e.end = after(e.lease, e.window)
	p.kept.fix(e.slot)
}

func (m *Memory) maxEntries() int64 {
	if m.opts.MaxEntries < 1 {
		return defaultMaxEntries
	}
	return int64(m.opts.MaxEntries)
}

func (m *Memory) maxBytes() int64 {
	if m.opts.MaxBytes < 1 {
		return defaultMaxBytes
	}
	return m.opts.MaxBytes
}

func (m *Memory) reserve() int64 {
	if m.opts.Reserve < 1 {
		return defaultReserve
	}
	return m.opts.Reserve
}

func (e *entry) heldBy(h Hold) bool {
	return e != nil && e.state == StateRunning && e.hold == h
}

// completed reports whether e got its outcome from its holder: a lease that
// merely ended is still on the entry.
func (e *entry) completed() bool { return e.state != StateRunning && e.lease == 0 }

func (e *entry) wake() {
	if e.changed != nil {
		close(e.changed)
		e.changed = nil
	}
}

func (e *entry) record(now time.Duration) Record {
	end := e.end
	if e.state == StateRunning {
		end = e.lease
	}
	return Record{State: e.state, Hold: e.hold, Digest: e.digest, Body: e.body, Remaining: end - now}
}
