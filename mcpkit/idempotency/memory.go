package idempotency

import (
	"container/heap"
	"context"
	"fmt"
	"slices"
	"sync"
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
	opts MemoryOptions

	mu      sync.Mutex // protects everything below
	entries map[Key]*entry
	bytes   int64  // sum of the entries' costs
	fence   uint64 // last one given
	kept    queue  // running, or within the window: by the end of the window
	tombs   queue  // expired: by the end of the tombstone
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

// An entry is a record. While it runs, end is that of the lease; then it is
// when the entry leaves the queue that it is in.
type entry struct {
	key       Key
	state     State
	hold      Hold
	digest    [32]byte
	body      []byte // never changed once set
	lease     time.Time
	end       time.Time // of the window while in kept, of the tombstone while in tombs
	window    time.Duration
	tombstone time.Duration
	cost      int64
	slot      int           // index in its queue
	changed   chan struct{} // closed when the entry stops running; nil until someone waits
}

// Claim implements [Store].
func (m *Memory) Claim(ctx context.Context, key Key, c Claim) (Record, bool, error) {
	if err := ctx.Err(); err != nil {
		return Record{}, false, err
	}
	rec, claimed, err := m.claim(key, c)
	rec.Body = slices.Clone(rec.Body) // outside the lock
	return rec, claimed, err
}

func (m *Memory) claim(key Key, c Claim) (Record, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	m.sweep(now, sweepBatch)
	if e := m.look(key, now); e != nil {
		claimed := e.state == StateRunning && e.hold.Owner == c.Owner
		if claimed {
			m.extend(e, now, c.Lease)
		}
		return e.record(now), claimed, nil
	}
	cost := entryBytes + m.reserve()
	if !m.makeRoom(now, 1, cost) {
		return Record{}, false, m.full(now)
	}
	m.fence++
	e := &entry{
		key: key, state: StateRunning, hold: Hold{Owner: c.Owner, Fence: m.fence}, digest: c.Digest,
		lease: now.Add(c.Lease), window: c.Window, tombstone: c.Tombstone, cost: cost,
	}
	e.end = e.lease.Add(e.window)
	if m.entries == nil {
		m.entries = map[Key]*entry{}
	}
	m.entries[key] = e
	m.bytes += cost
	heap.Push(&m.kept, e)
	return e.record(now), true, nil
}

// Renew implements [Store].
func (m *Memory) Renew(ctx context.Context, key Key, hold Hold, lease time.Duration) error {
	return m.change(ctx, key, func(e *entry, now time.Time) error {
		if !e.heldBy(hold) {
			return ErrStale
		}
		m.extend(e, now, lease)
		return nil
	})
}

// Complete implements [Store]. It copies the answer.
func (m *Memory) Complete(ctx context.Context, key Key, hold Hold, o Outcome) error {
	var body []byte
	if o.State == StateDone {
		body = slices.Clone(o.Body) // outside the lock
	}
	return m.change(ctx, key, func(e *entry, now time.Time) error {
		switch {
		case e != nil && e.hold == hold && e.completed():
			return nil
		case !e.heldBy(hold):
			return ErrStale
		}
		more := entryBytes + int64(len(body)) - e.cost
		if more > 0 && !m.makeRoom(now, 0, more) {
			return m.full(now)
		}
		m.bytes += more
		e.cost += more
		e.state, e.body = o.State, body
		e.lease = time.Time{}
		e.end = now.Add(e.window)
		heap.Fix(&m.kept, e.slot)
		e.wake()
		return nil
	})
}

// Release implements [Store].
func (m *Memory) Release(ctx context.Context, key Key, hold Hold) error {
	return m.change(ctx, key, func(e *entry, now time.Time) error {
		switch {
		case e == nil:
			return nil
		case !e.heldBy(hold):
			return ErrStale
		}
		heap.Remove(&m.kept, e.slot)
		m.forget(e)
		e.wake()
		return nil
	})
}

// Wait implements [Waiter].
func (m *Memory) Wait(ctx context.Context, key Key, fence uint64) error {
	var changed chan struct{}
	err := m.change(ctx, key, func(e *entry, now time.Time) error {
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

// change calls f, under the lock, with the entry of key, nil if there is none.
func (m *Memory) change(ctx context.Context, key Key, f func(e *entry, now time.Time) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	return f(m.look(key, now), now)
}

// look returns the entry of key as it is now, nil if it has none.
func (m *Memory) look(key Key, now time.Time) *entry {
	e := m.entries[key]
	if e == nil {
		return nil
	}
	if e.state == StateRunning && !now.Before(e.lease) {
		e.state = StateUnknown // end is right already
		m.bytes += entryBytes - e.cost
		e.cost = entryBytes
		e.wake()
	}
	if e.state != StateExpired && !now.Before(e.end) {
		heap.Remove(&m.kept, e.slot)
		m.bury(e)
	}
	if e.state == StateExpired && !now.Before(e.end) {
		heap.Remove(&m.tombs, e.slot)
		m.forget(e)
		return nil
	}
	return e
}

// sweep ages at most limit entries that nobody looked at.
func (m *Memory) sweep(now time.Time, limit int) {
	for ; limit > 0 && len(m.kept) > 0 && !now.Before(m.kept[0].end); limit-- {
		e := heap.Pop(&m.kept).(*entry)
		e.wake()
		m.bury(e)
	}
	for ; limit > 0 && len(m.tombs) > 0 && !now.Before(m.tombs[0].end); limit-- {
		m.forget(heap.Pop(&m.tombs).(*entry))
	}
}

// bury makes a tombstone of e, which has left kept.
func (m *Memory) bury(e *entry) {
	e.state, e.body = StateExpired, nil
	e.end = e.end.Add(e.tombstone)
	m.bytes += entryBytes - e.cost
	e.cost = entryBytes
	heap.Push(&m.tombs, e)
}

// forget drops e, which has left its queue.
func (m *Memory) forget(e *entry) {
	delete(m.entries, e.key)
	m.bytes -= e.cost
}

// makeRoom drops what may be dropped until the given numbers fit, and reports
// whether they do. It drops nothing in vain beyond what has expired.
func (m *Memory) makeRoom(now time.Time, entries int, bytes int64) bool {
	fits := func(freeEntries int, freeBytes int64) bool {
		return len(m.entries)-freeEntries+entries <= m.maxEntries() && m.bytes-freeBytes+bytes <= m.maxBytes()
	}
	if fits(0, 0) {
		return true
	}
	m.sweep(now, len(m.kept)+len(m.tombs))
	if !fits(len(m.tombs), int64(len(m.tombs))*entryBytes) {
		return false
	}
	for !fits(0, 0) {
		m.forget(heap.Pop(&m.tombs).(*entry))
	}
	return true
}

// full says when the first record that is kept may be dropped.
func (m *Memory) full(now time.Time) error {
	after := time.Minute // nothing is kept: one record alone is more than the bound
	if len(m.kept) > 0 {
		after = m.kept[0].end.Sub(now)
	}
	return &FullError{after}
}

// extend starts the lease of the running entry e anew.
func (m *Memory) extend(e *entry, now time.Time, lease time.Duration) {
	e.lease = now.Add(lease)
	e.end = e.lease.Add(e.window)
	heap.Fix(&m.kept, e.slot)
}

func (m *Memory) maxEntries() int {
	if m.opts.MaxEntries < 1 {
		return defaultMaxEntries
	}
	return m.opts.MaxEntries
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
func (e *entry) completed() bool { return e.state != StateRunning && e.lease.IsZero() }

func (e *entry) wake() {
	if e.changed != nil {
		close(e.changed)
		e.changed = nil
	}
}

func (e *entry) record(now time.Time) Record {
	end := e.end
	if e.state == StateRunning {
		end = e.lease
	}
	return Record{State: e.state, Hold: e.hold, Digest: e.digest, Body: e.body, Remaining: end.Sub(now)}
}

// A queue is a heap of entries by end.
type queue []*entry

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].end.Before(q[j].end) }
func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].slot, q[j].slot = i, j
}

// Push implements [heap.Interface].
func (q *queue) Push(x any) {
	e := x.(*entry)
	e.slot = len(*q)
	*q = append(*q, e)
}

// Pop implements [heap.Interface].
func (q *queue) Pop() any {
	old := *q
	e := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return e
}
