package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency/storetest"
)

func TestMemory(t *testing.T) {
	for _, c := range storetest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { c.Check(t, idempotency.NewMemory(nil)) })
		})
	}
}

func TestMemoryInRealTime(t *testing.T) {
	storetest.Run(t, func(t *testing.T) idempotency.Store { return new(idempotency.Memory) })
}

// fill is a memory under test with claims by number.
type fill struct {
	*testing.T
	*idempotency.Memory
}

func number(i int) (k idempotency.Key) {
	copy(k[:], fmt.Sprint(i))
	return k
}

func (f fill) claim(i int) (idempotency.Hold, error) {
	r, claimed, err := f.Claim(f.Context(), number(i), idempotency.Claim{
		Owner: "owner", Lease: time.Minute, Window: 10 * time.Minute, Tombstone: time.Hour,
	})
	if err == nil && !claimed {
		err = fmt.Errorf("key %d is %s", i, r.State)
	}
	return r.Hold, err
}

func (f fill) mustClaim(i int) idempotency.Hold {
	f.Helper()
	h, err := f.claim(i)
	if err != nil {
		f.Fatalf("claim %d: %v", i, err)
	}
	return h
}

func (f fill) finish(i int, body []byte) error {
	f.Helper()
	return f.Complete(f.Context(), number(i), f.mustClaim(i), idempotency.Outcome{State: idempotency.StateDone, Body: body})
}

// state looks at key i as a stranger; what was absent is released again.
func (f fill) state(i int) idempotency.State {
	f.Helper()
	r, claimed, err := f.Claim(f.Context(), number(i), idempotency.Claim{Owner: "onlooker", Lease: time.Minute, Window: time.Minute, Tombstone: time.Minute})
	if claimed {
		if err := f.Release(f.Context(), number(i), r.Hold); err != nil {
			f.Fatal(err)
		}
		return "absent"
	}
	if err != nil {
		if !errors.Is(err, idempotency.ErrFull) {
			f.Fatal(err)
		}
		return "absent and full"
	}
	return r.State
}

// isFull expects err to be that of a full memory with room in want.
func (f fill) isFull(err error, want time.Duration) {
	f.Helper()
	var full *idempotency.FullError
	if !errors.Is(err, idempotency.ErrFull) || !errors.As(err, &full) {
		f.Fatalf("error is %v, want ErrFull", err)
	}
	if full.RetryAfter() != want {
		f.Errorf("room is expected in %v, want %v", full.RetryAfter(), want)
	}
}

func TestMemoryFull(t *testing.T) {
	tests := []struct {
		name string
		opts idempotency.MemoryOptions
		test func(f fill)
	}{{
		name: "in flight is never dropped",
		opts: idempotency.MemoryOptions{MaxEntries: 3},
		test: func(f fill) {
			for i := range 3 {
				f.mustClaim(i)
				time.Sleep(time.Second)
			}
			_, err := f.claim(3)
			f.isFull(err, 11*time.Minute-3*time.Second) // lease and window of the first
			for i := range 3 {
				if s := f.state(i); s != idempotency.StateRunning {
					f.Errorf("key %d is %s", i, s)
				}
			}
		},
	}, {
		name: "answers within their window are never dropped",
		opts: idempotency.MemoryOptions{MaxEntries: 2},
		test: func(f fill) {
			for i := range 2 {
				if err := f.finish(i, []byte("x")); err != nil {
					f.Fatal(err)
				}
			}
			_, err := f.claim(2)
			f.isFull(err, 10*time.Minute)
			time.Sleep(10*time.Minute - time.Nanosecond)
			_, err = f.claim(2)
			f.isFull(err, time.Nanosecond)
			if s := f.state(0); s != idempotency.StateDone {
				f.Errorf("key 0 is %s", s)
			}
			time.Sleep(time.Nanosecond) // the promised time
			f.mustClaim(2)
		},
	}, {
		name: "tombstones go first, the oldest before the others",
		opts: idempotency.MemoryOptions{MaxEntries: 3},
		test: func(f fill) {
			for i := range 3 {
				if err := f.finish(i, nil); err != nil {
					f.Fatal(err)
				}
				time.Sleep(time.Minute)
			}
			time.Sleep(8 * time.Minute) // 0 and 1 are expired, 2 is not
			f.mustClaim(3)
			for i, want := range []idempotency.State{"absent", idempotency.StateExpired, idempotency.StateDone, idempotency.StateRunning} {
				if i == 0 {
					continue // looking would drop key 1
				}
				if s := f.state(i); s != want {
					f.Errorf("key %d is %s, want %s", i, s, want)
				}
			}
			f.mustClaim(4)
			_, err := f.claim(1)
			f.isFull(err, time.Minute) // key 1 is gone as well
		},
	}, {
		name: "released keys give room at once",
		opts: idempotency.MemoryOptions{MaxEntries: 1},
		test: func(f fill) {
			h := f.mustClaim(0)
			if err := f.Release(f.Context(), number(0), h); err != nil {
				f.Fatal(err)
			}
			f.mustClaim(1)
		},
	}, {
		name: "ended tombstones give room",
		opts: idempotency.MemoryOptions{MaxEntries: 2},
		test: func(f fill) {
			for i := range 20 {
				if err := f.finish(i, nil); err != nil {
					f.Fatalf("key %d: %v", i, err)
				}
				time.Sleep(2 * time.Hour)
			}
			for i := range 20 {
				if s := f.state(i); s != "absent" {
					f.Errorf("key %d is %s", i, s)
				}
			}
		},
	}, {
		name: "bytes are bounded",
		opts: idempotency.MemoryOptions{MaxBytes: 100_000, Reserve: 1000},
		test: func(f fill) {
			n := 0
			for ; n < 1000; n++ {
				if err := f.finish(n, make([]byte, 9000)); err != nil {
					f.isFull(err, 10*time.Minute)
					break
				}
			}
			if n != 10 { // of 9,300 bytes each
				f.Errorf("%d answers of 9,000 bytes found room in 100,000", n)
			}
			time.Sleep(10 * time.Minute) // the bodies may go, the tombstones need not
			for i := 100; i < 110; i++ {
				if err := f.finish(i, make([]byte, 9000)); err != nil {
					f.Fatalf("answer %d: %v", i, err)
				}
			}
		},
	}, {
		name: "bodies go before tombstones",
		opts: idempotency.MemoryOptions{MaxBytes: 20_000, Reserve: 1000},
		test: func(f fill) {
			if err := f.finish(0, make([]byte, 15_000)); err != nil {
				f.Fatal(err)
			}
			time.Sleep(10 * time.Minute)
			if err := f.finish(1, make([]byte, 15_000)); err != nil {
				f.Fatal(err)
			}
			if s := f.state(0); s != idempotency.StateExpired {
				f.Errorf("the tombstone is %s", s)
			}
		},
	}, {
		name: "want of room shows before the effect",
		opts: idempotency.MemoryOptions{MaxBytes: 10_000, Reserve: 3000},
		test: func(f fill) {
			holds := []idempotency.Hold{f.mustClaim(0), f.mustClaim(1), f.mustClaim(2)}
			_, err := f.claim(3)
			f.isFull(err, 11*time.Minute)
			for i, h := range holds { // every answer of the reserved size has room
				err := f.Complete(f.Context(), number(i), h, idempotency.Outcome{State: idempotency.StateDone, Body: make([]byte, 3000)})
				if err != nil {
					f.Errorf("answer %d: %v", i, err)
				}
			}
		},
	}, {
		name: "an answer that is too large leaves the record running",
		opts: idempotency.MemoryOptions{MaxBytes: 10_000},
		test: func(f fill) {
			h := f.mustClaim(0)
			err := f.Complete(f.Context(), number(0), h, idempotency.Outcome{State: idempotency.StateDone, Body: make([]byte, 10_000)})
			f.isFull(err, 11*time.Minute)
			if s := f.state(0); s != idempotency.StateRunning {
				f.Errorf("the record is %s", s)
			}
			if err := f.Complete(f.Context(), number(0), h, idempotency.Outcome{State: idempotency.StateUnknown}); err != nil {
				f.Errorf("an unknown outcome found no room: %v", err)
			}
		},
	}, {
		name: "crashed holders give back their reserve",
		opts: idempotency.MemoryOptions{MaxBytes: 10_000, Reserve: 9000},
		test: func(f fill) {
			f.mustClaim(0)
			time.Sleep(time.Minute)
			if s := f.state(0); s != idempotency.StateUnknown {
				f.Fatalf("the record is %s", s)
			}
			f.mustClaim(1)
		},
	}, {
		name: "nothing ever fits",
		opts: idempotency.MemoryOptions{MaxBytes: 10},
		test: func(f fill) {
			_, err := f.claim(0)
			f.isFull(err, time.Minute)
		},
	}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { tt.test(fill{t, idempotency.NewMemory(&tt.opts)}) })
		})
	}
}

// Records age also for those who do not claim.
func TestMemoryAgesForHolders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fill{t, new(idempotency.Memory)}
		h := f.mustClaim(0)
		for _, age := range []time.Duration{time.Minute, 10 * time.Minute} { // unknown, then expired
			time.Sleep(age)
			if err := f.Renew(t.Context(), number(0), h, time.Minute); !errors.Is(err, idempotency.ErrStale) {
				t.Errorf("Renew: %v", err)
			}
		}
		time.Sleep(time.Hour) // absent
		if err := f.Release(t.Context(), number(0), h); err != nil {
			t.Errorf("Release: %v", err)
		}
	})
}

// Options below 1 mean the defaults, so no value makes a memory without bound.
func TestMemoryDefaultBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fill{t, idempotency.NewMemory(&idempotency.MemoryOptions{MaxEntries: -1, MaxBytes: -1, Reserve: 1})}
		n := 0
		for ; n < 200_000; n++ {
			if _, err := f.claim(n); err != nil {
				f.isFull(err, 11*time.Minute)
				break
			}
		}
		if n != 100_000 {
			t.Errorf("%d records found room", n)
		}
	})
}

func TestMemoryAgesManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fill{t, idempotency.NewMemory(&idempotency.MemoryOptions{MaxEntries: 5000})}
		for round := range 3 {
			for i := range 5000 {
				if err := f.finish(round*5000+i, []byte("answer")); err != nil {
					t.Fatalf("round %d, key %d: %v", round, i, err)
				}
			}
			time.Sleep(10 * time.Minute) // all become tombstones
		}
	})
}

// Whoever makes room holds the whole memory, others a part of it. Neither the
// bound nor an answer within its window gives way, and all of it ends.
func TestMemoryFullForMany(t *testing.T) {
	const workers, keys, bound = 16, 300, 50
	m := idempotency.NewMemory(&idempotency.MemoryOptions{MaxEntries: bound})
	claim := idempotency.Claim{Owner: "owner", Lease: time.Minute, Window: time.Minute, Tombstone: time.Hour}
	var live, kept atomic.Int64 // live counts a record never longer than it exists
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range keys {
				key := idempotency.Key{byte(i), byte(i >> 8), byte(w)}
				r, _, err := m.Claim(t.Context(), key, claim)
				if errors.Is(err, idempotency.ErrFull) {
					continue
				}
				if err != nil {
					t.Errorf("Claim: %v", err)
					return
				}
				if n := live.Add(1); n > bound {
					t.Errorf("%d records at once", n)
				}
				if i%20 == 0 && kept.Load() < bound/2 {
					kept.Add(1)
					err = m.Complete(t.Context(), key, r.Hold, idempotency.Outcome{State: idempotency.StateDone, Body: key[:]})
				} else {
					live.Add(-1)
					err = m.Release(t.Context(), key, r.Hold)
				}
				if err != nil {
					t.Errorf("after Claim: %v", err)
				}
			}
		})
	}
	wg.Wait()
	found := int64(0)
	for w := range workers {
		for i := range keys {
			key := idempotency.Key{byte(i), byte(i >> 8), byte(w)}
			r, claimed, err := m.Claim(t.Context(), key, claim)
			switch {
			case err != nil:
				t.Fatal(err)
			case claimed:
				if err := m.Release(t.Context(), key, r.Hold); err != nil {
					t.Fatal(err)
				}
			case r.State != idempotency.StateDone || string(r.Body) != string(key[:]):
				t.Errorf("key %v is %s with %v", key, r.State, r.Body)
			default:
				found++
			}
		}
	}
	if found != kept.Load() || found == 0 {
		t.Errorf("%d answers are there, want %d", found, kept.Load())
	}
}

// Lengths of time beyond what a clock can tell mean "for ever".
func TestMemoryForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := idempotency.NewMemory(nil)
		claim := idempotency.Claim{Owner: "owner", Lease: math.MaxInt64, Window: math.MaxInt64, Tombstone: math.MaxInt64}
		r, _, err := m.Claim(t.Context(), number(0), claim)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * 365 * 24 * time.Hour)
		if err := m.Complete(t.Context(), number(0), r.Hold, idempotency.Outcome{State: idempotency.StateDone}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * 365 * 24 * time.Hour)
		if r, claimed, err := m.Claim(t.Context(), number(0), claim); err != nil || claimed || r.State != idempotency.StateDone {
			t.Errorf("the record is %s, claimed %t, %v", r.State, claimed, err)
		}
	})
}

func BenchmarkMemory(b *testing.B) {
	claim := idempotency.Claim{Owner: "owner", Lease: time.Minute, Window: time.Minute, Tombstone: time.Hour}
	outcome := idempotency.Outcome{State: idempotency.StateDone, Body: make([]byte, 1000)}
	b.Run("first", func(b *testing.B) { // claim and complete, at the bound
		m := idempotency.NewMemory(&idempotency.MemoryOptions{MaxEntries: 50_000})
		short := claim
		short.Window = time.Nanosecond
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			r, _, err := m.Claim(b.Context(), number(i), short)
			if err == nil {
				err = m.Complete(b.Context(), number(i), r.Hold, outcome)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("replay", func(b *testing.B) {
		m := idempotency.NewMemory(nil)
		r, _, _ := m.Claim(b.Context(), number(0), claim)
		if err := m.Complete(b.Context(), number(0), r.Hold, outcome); err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, _, err := m.Claim(context.Background(), number(0), claim); err != nil {
					b.Error(err)
				}
			}
		})
	})
}
