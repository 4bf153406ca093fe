package storetest_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency/storetest"
)

// A recorder is a testing.TB that keeps the failure instead of reporting it.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failure = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// failures returns the names of the cases that s fails.
func failures(t *testing.T, newStore func() idempotency.Store) (names []string) {
	for _, c := range storetest.Cases() {
		synctest.Test(t, func(t *testing.T) {
			r := &recorder{TB: t}
			done := make(chan struct{})
			go func() {
				defer close(done)
				c.Check(r, newStore())
			}()
			<-done
			if r.failure == "" {
				return
			}
			names = append(names, c.Name)
			if !strings.Contains(r.failure, c.Rule) {
				t.Errorf("%s: the failure does not quote the rule: %s", c.Name, r.failure)
			}
		})
	}
	return names
}

// A mutant is a Memory with some methods replaced.
type mutant struct {
	*idempotency.Memory
	claim    func(m *idempotency.Memory, ctx context.Context, k idempotency.Key, c idempotency.Claim) (idempotency.Record, bool, error)
	renew    func(m *idempotency.Memory, ctx context.Context, k idempotency.Key, h idempotency.Hold, d time.Duration) error
	complete func(m *idempotency.Memory, ctx context.Context, k idempotency.Key, h idempotency.Hold, o idempotency.Outcome) error
	release  func(m *idempotency.Memory, ctx context.Context, k idempotency.Key, h idempotency.Hold) error
}

func (m *mutant) Claim(ctx context.Context, k idempotency.Key, c idempotency.Claim) (idempotency.Record, bool, error) {
	if m.claim == nil {
		return m.Memory.Claim(ctx, k, c)
	}
	return m.claim(m.Memory, ctx, k, c)
}

func (m *mutant) Renew(ctx context.Context, k idempotency.Key, h idempotency.Hold, d time.Duration) error {
	if m.renew == nil {
		return m.Memory.Renew(ctx, k, h, d)
	}
	return m.renew(m.Memory, ctx, k, h, d)
}

func (m *mutant) Complete(ctx context.Context, k idempotency.Key, h idempotency.Hold, o idempotency.Outcome) error {
	if m.complete == nil {
		return m.Memory.Complete(ctx, k, h, o)
	}
	return m.complete(m.Memory, ctx, k, h, o)
}

func (m *mutant) Release(ctx context.Context, k idempotency.Key, h idempotency.Hold) error {
	if m.release == nil {
		return m.Memory.Release(ctx, k, h)
	}
	return m.release(m.Memory, ctx, k, h)
}

func TestSuiteFindsFaults(t *testing.T) {
	type (
		memory = idempotency.Memory
		key    = idempotency.Key
		hold   = idempotency.Hold
	)
	tests := []struct {
		fault string
		store mutant
		finds string // a case that must fail
	}{{
		fault: "own claim taken for a rival",
		store: mutant{claim: func(m *memory, ctx context.Context, k key, c idempotency.Claim) (idempotency.Record, bool, error) {
			r, _, err := m.Claim(ctx, k, idempotency.Claim{Owner: "probe", Digest: c.Digest, Lease: c.Lease, Window: c.Window, Tombstone: c.Tombstone})
			if err != nil || r.Hold.Owner != "probe" {
				return r, false, err
			}
			if err := m.Release(ctx, k, r.Hold); err != nil {
				return r, false, nil
			}
			return m.Claim(ctx, k, c)
		}},
		finds: "own claim is recognised",
	}, {
		fault: "claims always succeed",
		store: mutant{claim: func(m *memory, ctx context.Context, k key, c idempotency.Claim) (idempotency.Record, bool, error) {
			r, _, err := m.Claim(ctx, k, c)
			return r, err == nil, err
		}},
		finds: "held key is refused",
	}, {
		fault: "answer is trimmed",
		store: mutant{complete: func(m *memory, ctx context.Context, k key, h hold, o idempotency.Outcome) error {
			o.Body = []byte(strings.ToValidUTF8(string(o.Body), ""))
			return m.Complete(ctx, k, h, o)
		}},
		finds: "answer is replayed",
	}, {
		fault: "unknown is stored as an answer",
		store: mutant{complete: func(m *memory, ctx context.Context, k key, h hold, o idempotency.Outcome) error {
			o.State = idempotency.StateDone
			return m.Complete(ctx, k, h, o)
		}},
		finds: "unknown outcome is kept",
	}, {
		fault: "stale completion is swallowed",
		store: mutant{complete: func(m *memory, ctx context.Context, k key, h hold, o idempotency.Outcome) error {
			_ = m.Complete(ctx, k, h, o)
			return nil
		}},
		finds: "stale completion is refused",
	}, {
		fault: "fence is not compared",
		store: mutant{complete: func(m *memory, ctx context.Context, k key, h hold, o idempotency.Outcome) error {
			r, _, err := m.Claim(ctx, k, idempotency.Claim{Owner: h.Owner, Lease: time.Minute, Window: time.Minute, Tombstone: time.Minute})
			if err != nil {
				return err
			}
			h.Fence = r.Hold.Fence
			return m.Complete(ctx, k, h, o)
		}},
		finds: "same owner gets a new fence",
	}, {
		fault: "renewal does nothing",
		store: mutant{renew: func(m *memory, ctx context.Context, k key, h hold, d time.Duration) error { return nil }},
		finds: "renewal extends the lease",
	}, {
		fault: "release does nothing",
		store: mutant{release: func(m *memory, ctx context.Context, k key, h hold) error { return nil }},
		finds: "released key is free",
	}, {
		fault: "crashed holders are forgotten, so that the key runs again",
		store: mutant{claim: func(m *memory, ctx context.Context, k key, c idempotency.Claim) (idempotency.Record, bool, error) {
			c.Window, c.Tombstone = time.Nanosecond, time.Nanosecond
			return m.Claim(ctx, k, c)
		}},
		finds: "crashed holder becomes unknown",
	}, {
		fault: "expired keys run again",
		store: mutant{claim: func(m *memory, ctx context.Context, k key, c idempotency.Claim) (idempotency.Record, bool, error) {
			c.Tombstone = time.Nanosecond
			return m.Claim(ctx, k, c)
		}},
		finds: "answer expires",
	}, {
		fault: "records never end",
		store: mutant{claim: func(m *memory, ctx context.Context, k key, c idempotency.Claim) (idempotency.Record, bool, error) {
			c.Tombstone = 24 * time.Hour
			return m.Claim(ctx, k, c)
		}},
		finds: "tombstone ends",
	}, {
		fault: "contexts are ignored",
		store: mutant{release: func(m *memory, ctx context.Context, k key, h hold) error {
			return m.Release(context.WithoutCancel(ctx), k, h)
		}},
		finds: "context ends the call",
	}}
	for _, tt := range tests {
		t.Run(tt.fault, func(t *testing.T) {
			found := failures(t, func() idempotency.Store {
				s := tt.store
				s.Memory = idempotency.NewMemory(nil)
				return &s
			})
			if !slices.Contains(found, tt.finds) {
				t.Errorf("failed cases are %q, without %q", found, tt.finds)
			}
		})
	}
}

// Fences of a mutant are the same for all claims of a key.
type constantFence struct{ *idempotency.Memory }

func (s constantFence) Claim(ctx context.Context, k idempotency.Key, c idempotency.Claim) (idempotency.Record, bool, error) {
	r, claimed, err := s.Memory.Claim(ctx, k, c)
	r.Hold.Fence = 7
	return r, claimed, err
}

func TestSuiteFindsConstantFences(t *testing.T) {
	found := failures(t, func() idempotency.Store { return constantFence{idempotency.NewMemory(nil)} })
	if !slices.Contains(found, "released key is free") {
		t.Errorf("failed cases are %q", found)
	}
}

// polled hides that Memory is a Waiter.
type polled struct{ idempotency.Store }

func TestSuitePasses(t *testing.T) {
	for name, newStore := range map[string]func() idempotency.Store{
		"waiter": func() idempotency.Store { return idempotency.NewMemory(nil) },
		"plain":  func() idempotency.Store { return polled{idempotency.NewMemory(nil)} },
	} {
		t.Run(name, func(t *testing.T) {
			if found := failures(t, newStore); len(found) > 0 {
				t.Errorf("failed cases are %q", found)
			}
		})
	}
}

func TestCaseNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range storetest.Cases() {
		if c.Name == "" || c.Rule == "" || seen[c.Name] {
			t.Errorf("case %q is without a name or rule, or not the only one of its name", c.Name)
		}
		seen[c.Name] = true
	}
}

func ExampleCase() {
	for _, c := range storetest.Cases()[:3] {
		fmt.Println(c.Name)
	}
	// Output:
	// free key is claimed
	// held key is refused
	// own claim is recognised
}
