package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
)

var errLost = errors.New("connection lost")

// A flaky store loses calls or replies. The functions get the number of the
// call, from 1, and say what goes wrong with it; nil means nothing does.
type flaky struct {
	*idempotency.Memory
	claim, renew, complete, release func(n int32) mishap

	claims, renewals, completions, releases atomic.Int32
}

type mishap int

const (
	none     mishap = iota
	lost            // the call does not reach the store
	replied         // the store acts and the reply is lost
	hanging         // the call does not reach the store, and nobody says so
	hangover        // the store acts and nobody says so
)

// through calls f as m has it.
func through(ctx context.Context, m mishap, f func() error) error {
	var err error
	if m == none || m == replied || m == hangover {
		err = f()
	}
	switch m {
	case none:
		return err
	case lost, replied:
		return errLost
	}
	<-ctx.Done()
	return ctx.Err()
}

func count(n *atomic.Int32, f func(int32) mishap) mishap {
	i := n.Add(1)
	if f == nil {
		return none
	}
	return f(i)
}

func (s *flaky) Claim(ctx context.Context, k idempotency.Key, c idempotency.Claim) (r idempotency.Record, claimed bool, err error) {
	err = through(ctx, count(&s.claims, s.claim), func() (err error) {
		r, claimed, err = s.Memory.Claim(ctx, k, c)
		return err
	})
	if err != nil {
		return idempotency.Record{}, false, err
	}
	return r, claimed, nil
}

func (s *flaky) Renew(ctx context.Context, k idempotency.Key, h idempotency.Hold, d time.Duration) error {
	return through(ctx, count(&s.renewals, s.renew), func() error { return s.Memory.Renew(ctx, k, h, d) })
}

func (s *flaky) Complete(ctx context.Context, k idempotency.Key, h idempotency.Hold, o idempotency.Outcome) error {
	return through(ctx, count(&s.completions, s.complete), func() error { return s.Memory.Complete(ctx, k, h, o) })
}

func (s *flaky) Release(ctx context.Context, k idempotency.Key, h idempotency.Hold) error {
	return through(ctx, count(&s.releases, s.release), func() error { return s.Memory.Release(ctx, k, h) })
}

// upTo is m for the first n calls.
func upTo(n int32, m mishap) func(int32) mishap {
	return func(i int32) mishap {
		if i <= n {
			return m
		}
		return none
	}
}

const always = 1 << 30

// public fault 90: the keeper's own claim is not a rival's. The same holds for
// what follows the claim: a lost reply is asked for again.
func TestLostReplies(t *testing.T) {
	failing := &opinion{safe: true}
	tests := []struct {
		name    string
		store   flaky
		fails   error // of the first run
		replays bool  // else the key is free again
	}{
		{name: "claim", store: flaky{claim: upTo(1, replied)}, replays: true},
		{name: "claim, twice", store: flaky{claim: upTo(2, replied)}, replays: true},
		{name: "claim, not sent", store: flaky{claim: upTo(2, lost)}, replays: true},
		{name: "claim, timeout", store: flaky{claim: upTo(2, hangover)}, replays: true},
		{name: "claim, timeout before sending", store: flaky{claim: upTo(2, hanging)}, replays: true},
		{name: "complete", store: flaky{complete: upTo(2, replied)}, replays: true},
		{name: "complete, not sent", store: flaky{complete: upTo(2, lost)}, replays: true},
		{name: "complete, timeout", store: flaky{complete: upTo(2, hangover)}, replays: true},
		{name: "release", store: flaky{release: upTo(2, replied)}, fails: failing},
		{name: "release, not sent", store: flaky{release: upTo(2, lost)}, fails: failing},
		{name: "release, timeout", store: flaky{release: upTo(2, hanging)}, fails: failing},
		{name: "renewals", store: flaky{renew: func(i int32) mishap { return []mishap{lost, replied, none}[i%3] }}, replays: true},
		{name: "all of them", store: flaky{claim: upTo(1, replied), complete: upTo(1, replied), renew: upTo(1, hangover)}, replays: true},
	}
	for i := range tests {
		tt := &tests[i]
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tt.store.Memory = idempotency.NewMemory(nil)
				k := newKeeper(t, &tt.store, nil)
				var c counter
				r, err := k.Do(t.Context(), request("a"), func(ctx context.Context) ([]byte, error) {
					time.Sleep(10 * time.Minute)
					if tt.fails != nil {
						return nil, tt.fails
					}
					return c.run(ctx)
				})
				if err != tt.fails {
					t.Fatalf("error is %v, want %v", err, tt.fails)
				}
				if tt.replays {
					expectReply(t, r, err, firstBody, false)
				}
				r, err = k.Do(t.Context(), request("a"), c.run)
				expectReply(t, r, err, firstBody, tt.replays)
				c.expect(t, 1)
			})
		})
	}
}

func TestStoreThatDoesNotTakeTheClaim(t *testing.T) {
	tests := []struct {
		name  string
		claim func(int32) mishap
		tries int32
	}{
		{"down", upTo(always, lost), 4}, // three, and one to see whether there is something to give back
		{"silent", upTo(always, hanging), 4},
		{"every reply lost, then well again", upTo(3, replied), 4},
		{"every reply late, then well again", upTo(3, hangover), 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &flaky{Memory: idempotency.NewMemory(nil), claim: tt.claim}
				k := newKeeper(t, s, nil)
				var c counter
				start := time.Now()
				r, err := k.Do(t.Context(), request("a"), c.run)
				expectError(t, r, err, idempotency.ErrUnavailable)
				if took := time.Since(start); took > 9*time.Second {
					t.Errorf("took %v", took)
				}
				var e *idempotency.UnavailableError
				if !errors.As(err, &e) || !e.SafeToRetry() || e.RetryAfter() != time.Second {
					t.Errorf("error is %#v", err)
				}
				if !errors.Is(err, errLost) && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("error %v does not wrap the store's", err)
				}
				if n := s.claims.Load(); n != tt.tries {
					t.Errorf("%d claims, want %d", n, tt.tries)
				}
				c.expect(t, 0)

				// Nothing was run, so the key must not be held for nothing.
				s.claim = nil
				r, err = k.Do(t.Context(), request("a"), c.run)
				expectReply(t, r, err, firstBody, false)
			})
		})
	}
}

// The caller goes away while the claim is under way: it is given back.
func TestCallerGoesAwayDuringTheClaim(t *testing.T) {
	for _, replyArrives := range []bool{true, false} {
		t.Run(fmt.Sprint("reply arrives ", replyArrives), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				s := leaving{idempotency.NewMemory(nil), cancel, replyArrives}
				var c counter
				r, err := newKeeper(t, s, nil).Do(ctx, request("a"), c.run)
				expectError(t, r, err, context.Canceled)
				c.expect(t, 0)
				r, err = newKeeper(t, s.Memory, nil).Do(t.Context(), request("a"), c.run)
				expectReply(t, r, err, firstBody, false)
			})
		})
	}
}

// leaving is a store whose caller goes away when it has claimed.
type leaving struct {
	*idempotency.Memory
	cancel       func()
	replyArrives bool
}

func (s leaving) Claim(ctx context.Context, k idempotency.Key, c idempotency.Claim) (idempotency.Record, bool, error) {
	r, claimed, err := s.Memory.Claim(ctx, k, c)
	s.cancel()
	if !s.replyArrives && ctx.Err() != nil {
		return idempotency.Record{}, false, ctx.Err()
	}
	return r, claimed, err
}

// A claim whose reply comes after the lease may be over is not run on trust.
func TestLateClaim(t *testing.T) {
	for _, tt := range []struct {
		late time.Duration
		runs int32
	}{{time.Second, 1}, {40 * time.Second, 1}, {70 * time.Second, 0}} {
		t.Run(tt.late.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := slow{idempotency.NewMemory(nil), tt.late}
				k := newKeeper(t, s, &idempotency.Options{StoreTimeout: time.Hour})
				var c counter
				r, err := k.Do(t.Context(), request("a"), func(ctx context.Context) ([]byte, error) {
					time.Sleep(50 * time.Second) // the lease is whole, or renewed
					return c.run(ctx)
				})
				if tt.runs > 0 {
					expectReply(t, r, err, firstBody, false)
				} else {
					expectError(t, r, err, idempotency.ErrUnavailable)
				}
				c.expect(t, tt.runs)
			})
		})
	}
}

// slow is a store whose replies to Claim take long.
type slow struct {
	*idempotency.Memory
	late time.Duration
}

func (s slow) Claim(ctx context.Context, k idempotency.Key, c idempotency.Claim) (idempotency.Record, bool, error) {
	r, claimed, err := s.Memory.Claim(ctx, k, c)
	time.Sleep(s.late)
	return r, claimed, err
}

// A holder whose lease ended although it lives is told so, and what it then
// says changes nothing for others.
func TestLostLease(t *testing.T) {
	plain := errors.New("plain")
	tests := []struct {
		name  string
		renew func(int32) mishap
		run   func(ctx context.Context) ([]byte, error)
		check func(t *testing.T, r idempotency.Reply, err error)
	}{{
		name:  "the run heeds its context",
		renew: upTo(4, lost), // until the lease has ended
		run: func(ctx context.Context) ([]byte, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		},
		check: func(t *testing.T, r idempotency.Reply, err error) {
			expectError(t, r, err, idempotency.ErrOutcomeUnknown)
			if !errors.Is(err, idempotency.ErrStale) {
				t.Errorf("error %v does not say that the lease was lost", err)
			}
		},
	}, {
		name:  "the run succeeds",
		renew: upTo(always, hanging),
		run: func(ctx context.Context) ([]byte, error) {
			time.Sleep(5 * time.Minute)
			return []byte("done"), nil
		},
		check: func(t *testing.T, r idempotency.Reply, err error) {
			if err != nil || string(r.Body) != "done" || !errors.Is(r.Unrecorded, idempotency.ErrStale) {
				t.Errorf("reply %s, unrecorded %v, error %v", r.Body, r.Unrecorded, err)
			}
		},
	}, {
		name:  "the run fails",
		renew: upTo(always, lost),
		run: func(ctx context.Context) ([]byte, error) {
			time.Sleep(5 * time.Minute)
			return nil, plain
		},
		check: func(t *testing.T, r idempotency.Reply, err error) {
			expectError(t, r, err, idempotency.ErrOutcomeUnknown)
			if !errors.Is(err, idempotency.ErrStale) || !errors.Is(err, plain) {
				t.Errorf("error is %v", err)
			}
		},
	}, {
		name:  "the run had no effect",
		renew: upTo(always, lost),
		run: func(ctx context.Context) ([]byte, error) {
			time.Sleep(5 * time.Minute)
			return nil, &opinion{safe: true}
		},
		check: func(t *testing.T, r idempotency.Reply, err error) {
			if !errors.Is(err, idempotency.ErrStale) || !errors.As(err, new(*opinion)) {
				t.Errorf("error is %v", err)
			}
		},
	}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &flaky{Memory: idempotency.NewMemory(nil), renew: tt.renew}
				k := newKeeper(t, s, nil)
				r, err := k.Do(t.Context(), request("a"), tt.run)
				tt.check(t, r, err)
				var c counter
				r, err = k.Do(t.Context(), request("a"), c.run)
				expectError(t, r, err, idempotency.ErrOutcomeUnknown)
				c.expect(t, 0)
			})
		})
	}
}

// What cannot be recorded is reported, and is unknown to repeats.
func TestUnrecordedAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &flaky{Memory: idempotency.NewMemory(nil), complete: upTo(always, lost)}
		k := newKeeper(t, s, &idempotency.Options{Wait: -1})
		var c counter
		r, err := k.Do(t.Context(), request("a"), c.run)
		if err != nil || string(r.Body) != firstBody || !errors.Is(r.Unrecorded, errLost) {
			t.Errorf("reply %s, unrecorded %v, error %v", r.Body, r.Unrecorded, err)
		}
		r, err = k.Do(t.Context(), request("a"), c.run)
		expectError(t, r, err, idempotency.ErrInProgress)
		time.Sleep(time.Minute)
		r, err = k.Do(t.Context(), request("a"), c.run)
		expectError(t, r, err, idempotency.ErrOutcomeUnknown)
		c.expect(t, 1)
	})
}

func TestFullStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &flaky{Memory: idempotency.NewMemory(&idempotency.MemoryOptions{MaxEntries: 2, MaxBytes: 10_000})}
		k := newKeeper(t, s, nil)
		var c counter
		r, err := k.Do(t.Context(), request("a"), c.run)
		expectReply(t, r, err, firstBody, false)

		// An answer without room is unknown at once, not after the lease.
		large := request("large")
		large.Key = "large"
		r, err = k.Do(t.Context(), large, func(context.Context) ([]byte, error) { return make([]byte, 20_000), nil })
		if err != nil || len(r.Body) != 20_000 || !errors.Is(r.Unrecorded, idempotency.ErrFull) {
			t.Errorf("reply of %d bytes, unrecorded %v, error %v", len(r.Body), r.Unrecorded, err)
		}
		r, err = k.Do(t.Context(), large, c.run)
		expectError(t, r, err, idempotency.ErrOutcomeUnknown)

		third := request("third")
		third.Key = "third"
		claims := s.claims.Load()
		r, err = k.Do(t.Context(), third, c.run)
		expectError(t, r, err, idempotency.ErrUnavailable)
		var e *idempotency.UnavailableError
		if !errors.Is(err, idempotency.ErrFull) || !errors.As(err, &e) || !e.SafeToRetry() || e.RetryAfter() != 10*time.Minute {
			t.Errorf("error is %v", err)
		}
		if n := s.claims.Load() - claims; n != 1 {
			t.Errorf("a full store was asked %d times", n)
		}
		// What it holds is still answered.
		r, err = k.Do(t.Context(), request("a"), c.run)
		expectReply(t, r, err, firstBody, true)

		time.Sleep(e.RetryAfter())
		r, err = k.Do(t.Context(), third, c.run)
		expectReply(t, r, err, `{"issue_number":514}`, false)
	})
}

// A store may say what it likes; the keeper does not run on it.
type strange struct{ *idempotency.Memory }

func (strange) Claim(context.Context, idempotency.Key, idempotency.Claim) (idempotency.Record, bool, error) {
	return idempotency.Record{State: "resting", Digest: request("a").Digest}, false, nil
}

func TestStrangeState(t *testing.T) {
	var c counter
	r, err := newKeeper(t, strange{}, nil).Do(t.Context(), request("a"), c.run)
	expectError(t, r, err, idempotency.ErrUnavailable)
	if !strings.Contains(err.Error(), "resting") {
		t.Errorf("error is %v", err)
	}
	c.expect(t, 0)
}

// A Waiter that fails is no reason to spin.
type badWaiter struct {
	*idempotency.Memory
	waits atomic.Int32
}

func (s *badWaiter) Wait(context.Context, idempotency.Key, uint64) error {
	s.waits.Add(1)
	return errLost
}

func TestWaiterThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &badWaiter{Memory: idempotency.NewMemory(nil)}
		k := newKeeper(t, s, nil)
		var c counter
		go k.Do(t.Context(), request("a"), func(ctx context.Context) ([]byte, error) {
			time.Sleep(4 * time.Second)
			return c.run(ctx)
		})
		synctest.Wait()
		r, err := k.Do(t.Context(), request("a"), c.run)
		expectReply(t, r, err, firstBody, true)
		if n := s.waits.Load(); n > 30 {
			t.Errorf("waited %d times in 4 seconds", n)
		}
		c.expect(t, 1)
	})
}
