package storetest

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
)

// A Case checks one rule.
type Case struct {
	Name string // of a subtest
	Rule string // what a store must do; quoted by failures

	check func(p *probe)
}

// Check runs the case on s, which must be able to hold some hundred records,
// and fails t if s breaks the rule. It takes about three seconds at most; the
// context of its calls ends with it, or after a minute.
func (c Case) Check(t testing.TB, s idempotency.Store) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	p := &probe{TB: t, ctx: ctx, store: s, rule: c.Rule}
	rand.Read(p.key[:])
	c.check(p)
}

// Cases returns all cases, each of which needs a store of its own only in so
// far as a wrapper counts or delays calls.
func Cases() []Case {
	var all []Case
	for _, group := range [][]Case{claimCases, outcomeCases, holderCases, timeCases, concurrencyCases} {
		all = append(all, group...)
	}
	return all
}

// Run checks the store that newStore returns, in one parallel subtest for each
// case. newStore is called once in each subtest, and registers with its t what
// must be cleaned up.
func Run(t *testing.T, newStore func(t *testing.T) idempotency.Store) {
	t.Helper()
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			c.Check(t, newStore(t))
		})
	}
}

const (
	// short is a lease, window or tombstone that is meant to end, and pass
	// how long to wait for that.
	short = 500 * time.Millisecond
	pass  = 800 * time.Millisecond
	// long is one that is not.
	long = time.Minute
)

// A probe is one run of a case.
type probe struct {
	testing.TB
	ctx   context.Context
	store idempotency.Store
	rule  string
	key   idempotency.Key
}

// expect fails the case, quoting the rule, unless ok.
func (p *probe) expect(ok bool, format string, args ...any) {
	p.Helper()
	if !ok {
		p.Fatalf("the store breaks this rule: %s\nfound: %s", p.rule, fmt.Sprintf(format, args...))
	}
}

// claim is a claim by owner with long times.
func claim(owner string) idempotency.Claim {
	return idempotency.Claim{Owner: owner, Digest: digest(1), Lease: long, Window: long, Tombstone: long}
}

func digest(b byte) [32]byte { return [32]byte{b, 31: b} }

// look claims the key by a new owner, to see what others see. It expects the
// record to be in state.
func (p *probe) look(state idempotency.State) idempotency.Record {
	p.Helper()
	r, claimed, err := p.store.Claim(p.ctx, p.key, claim("onlooker-"+rand.Text()))
	p.expect(err == nil, "Claim by another owner failed: %v", err)
	p.expect(!claimed, "another owner was given the key, which should be %s", state)
	p.expect(r.State == state, "another owner is told that the key is %s, should be %s", r.State, state)
	p.expect(r.Remaining > 0, "a record that is %s has %v remaining", r.State, r.Remaining)
	p.expect(state == idempotency.StateDone || len(r.Body) == 0, "a record that is %s has a body", r.State)
	return r
}

// take claims the key by c and expects to get it.
func (p *probe) take(c idempotency.Claim) idempotency.Hold {
	p.Helper()
	r, claimed, err := p.store.Claim(p.ctx, p.key, c)
	p.expect(err == nil, "Claim failed: %v", err)
	p.expect(claimed, "Claim of a free key was refused; its record is %s", r.State)
	p.expect(r.State == idempotency.StateRunning, "the record of a claimed key is %s", r.State)
	p.expect(r.Hold.Owner == c.Owner, "the claimed record belongs to %q, not to %q", r.Hold.Owner, c.Owner)
	p.expect(r.Hold.Fence > 0, "the fence is 0")
	p.expect(r.Digest == c.Digest, "the claimed record has another digest")
	p.expect(r.Remaining > 0 && r.Remaining <= c.Lease, "of a lease of %v there remains %v", c.Lease, r.Remaining)
	return r.Hold
}

func (p *probe) complete(h idempotency.Hold, o idempotency.Outcome) error {
	return p.store.Complete(p.ctx, p.key, h, o)
}

func (p *probe) renew(h idempotency.Hold) error { return p.store.Renew(p.ctx, p.key, h, long) }

func (p *probe) release(h idempotency.Hold) error { return p.store.Release(p.ctx, p.key, h) }

func done(body string) idempotency.Outcome {
	return idempotency.Outcome{State: idempotency.StateDone, Body: []byte(body)}
}

var unknown = idempotency.Outcome{State: idempotency.StateUnknown}
