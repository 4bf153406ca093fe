package storetest

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
)

var claimCases = []Case{{
	Name: "free key is claimed",
	Rule: "Claim of an absent key makes a running record with the owner, digest and lease of the claim.",
	check: func(p *probe) {
		p.take(claim("a"))
	},
}, {
	Name: "held key is refused",
	Rule: "Claim of a key that another owner holds changes nothing and returns the holder's record.",
	check: func(p *probe) {
		hold := p.take(claim("a"))
		c := claim("b")
		c.Digest = digest(2)
		for range 2 {
			r, claimed, err := p.store.Claim(p.ctx, p.key, c)
			p.expect(err == nil && !claimed, "Claim returned claimed=%t, error %v", claimed, err)
			p.expect(r.Hold == hold, "the record's hold is %+v, should be %+v", r.Hold, hold)
			p.expect(r.Digest == digest(1), "the record has the digest of the refused claim")
		}
		p.expect(p.renew(hold) == nil, "the holder lost the key")
	},
}, {
	Name: "own claim is recognised",
	Rule: "A claim that is repeated because its reply was lost is told apart from a rival's by its owner token: the key is claimed, under the same fence, and the lease starts anew.",
	check: func(p *probe) {
		c := claim("a")
		c.Lease = short
		hold := p.take(c)
		c.Lease = long
		again := p.take(c)
		p.expect(again == hold, "the repeated claim got the hold %+v, the first had %+v", again, hold)
		time.Sleep(pass)
		p.look(idempotency.StateRunning)
	},
}, {
	Name: "own claim is over once completed",
	Rule: "Claim by the owner of a completed record is not claimed: it would run twice.",
	check: func(p *probe) {
		p.expect(p.complete(p.take(claim("a")), done("x")) == nil, "Complete failed")
		r, claimed, err := p.store.Claim(p.ctx, p.key, claim("a"))
		p.expect(err == nil && !claimed && r.State == idempotency.StateDone, "Claim returned %s, claimed=%t, error %v", r.State, claimed, err)
	},
}, {
	Name: "keys are independent",
	Rule: "A key is identified by all of its bytes.",
	check: func(p *probe) {
		first := p.key
		p.take(claim("a"))
		for _, i := range []int{0, 15, 31} {
			p.key = first
			p.key[i] ^= 1
			p.take(claim("a"))
		}
	},
}}

var outcomeCases = []Case{{
	Name: "answer is replayed",
	Rule: "The answer of a completed record comes back byte for byte, with the digest of its claim, as often as it is asked for.",
	check: func(p *probe) {
		bodies := [][]byte{[]byte(`{"n":1}`), []byte("\x00\xff\xfe '\"\\\r\n\u2028"), bytes.Repeat([]byte("0123456789abcdef"), 16<<10), {}}
		for i, body := range bodies {
			p.key[0] = byte(i)
			hold := p.take(claim("a"))
			err := p.complete(hold, idempotency.Outcome{State: idempotency.StateDone, Body: body})
			p.expect(err == nil, "Complete with %d bytes failed: %v", len(body), err)
			for range 2 {
				r := p.look(idempotency.StateDone)
				p.expect(bytes.Equal(r.Body, body), "an answer of %d bytes came back as another of %d", len(body), len(r.Body))
				p.expect(r.Digest == digest(1), "the digest has changed")
				p.expect(r.Hold == hold, "the hold has changed")
				p.expect(r.Remaining <= long, "of a window of %v there remains %v", long, r.Remaining)
			}
		}
	},
}, {
	Name: "answer is nobody else's memory",
	Rule: "The store copies the answer that it is given, and gives every caller a copy.",
	check: func(p *probe) {
		body := []byte("answer")
		p.expect(p.complete(p.take(claim("a")), idempotency.Outcome{State: idempotency.StateDone, Body: body}) == nil, "Complete failed")
		clear(body)
		r := p.look(idempotency.StateDone)
		p.expect(string(r.Body) == "answer", "the answer changed with the slice given to Complete")
		clear(r.Body)
		r = p.look(idempotency.StateDone)
		p.expect(string(r.Body) == "answer", "the answer changed with the slice returned by Claim")
	},
}, {
	Name: "unknown outcome is kept",
	Rule: "A record that was completed as unknown stays so and has no answer.",
	check: func(p *probe) {
		p.expect(p.complete(p.take(claim("a")), unknown) == nil, "Complete failed")
		p.look(idempotency.StateUnknown)
		p.look(idempotency.StateUnknown)
	},
}, {
	Name: "completion can be repeated",
	Rule: "A holder that lost the reply to Complete repeats it: that succeeds and changes nothing.",
	check: func(p *probe) {
		hold := p.take(claim("a"))
		for _, o := range []idempotency.Outcome{done("first"), done("first"), done("second"), unknown} {
			err := p.complete(hold, o)
			p.expect(err == nil, "Complete by the hold that completed the record failed: %v", err)
			p.expect(string(p.look(idempotency.StateDone).Body) == "first", "a repeated Complete changed the answer")
		}
	},
}}

var holderCases = []Case{{
	Name: "strangers change nothing",
	Rule: "Renew, Complete and Release return ErrStale, and change nothing, if the record's hold differs in owner or fence.",
	check: func(p *probe) {
		hold := p.take(claim("a"))
		p.refused(idempotency.Hold{Owner: "b", Fence: hold.Fence})
		p.refused(idempotency.Hold{Owner: hold.Owner, Fence: hold.Fence + 1})
		p.refused(idempotency.Hold{Owner: hold.Owner, Fence: hold.Fence - 1})
		p.expect(p.look(idempotency.StateRunning).Hold == hold, "the hold has changed")
		p.expect(p.complete(hold, done("x")) == nil, "the holder cannot complete")
	},
}, {
	Name: "absent key has no holder",
	Rule: "Renew and Complete of an absent key return ErrStale and make no record; Release of one returns nil, as its aim is reached.",
	check: func(p *probe) {
		hold := idempotency.Hold{Owner: "a", Fence: 1}
		p.expect(errors.Is(p.renew(hold), idempotency.ErrStale), "Renew did not return ErrStale")
		p.expect(errors.Is(p.complete(hold, done("x")), idempotency.ErrStale), "Complete did not return ErrStale")
		p.expect(p.release(hold) == nil, "Release did not return nil")
		p.take(claim("b"))
	},
}, {
	Name: "released key is free",
	Rule: "Release removes the record, also when repeated, and the next claim gets a greater fence; the earlier holder can then do nothing.",
	check: func(p *probe) {
		old := p.take(claim("a"))
		for range 2 {
			err := p.release(old)
			p.expect(err == nil, "Release failed: %v", err)
		}
		c := claim("b")
		c.Digest = digest(2)
		hold := p.take(c)
		p.expect(hold.Fence > old.Fence, "fence %d follows %d", hold.Fence, old.Fence)
		p.refused(old)
		p.expect(p.look(idempotency.StateRunning).Hold == hold, "the new holder lost the key")
	},
}, {
	Name: "same owner gets a new fence",
	Rule: "A claim after a release is a new claim, also by the same owner: what is done under the old fence is refused.",
	check: func(p *probe) {
		old := p.take(claim("a"))
		p.expect(p.release(old) == nil, "Release failed")
		hold := p.take(claim("a"))
		p.expect(hold.Fence > old.Fence, "fence %d follows %d", hold.Fence, old.Fence)
		p.refused(old)
	},
}, {
	Name: "completed record has no holder",
	Rule: "Renew and Release of a completed record return ErrStale, and change nothing.",
	check: func(p *probe) {
		hold := p.take(claim("a"))
		p.expect(p.complete(hold, done("x")) == nil, "Complete failed")
		p.expect(errors.Is(p.renew(hold), idempotency.ErrStale), "Renew did not return ErrStale")
		p.expect(errors.Is(p.release(hold), idempotency.ErrStale), "Release did not return ErrStale")
		p.expect(string(p.look(idempotency.StateDone).Body) == "x", "the answer is gone")
	},
}}

// refused expects hold to be refused by every method.
func (p *probe) refused(hold idempotency.Hold) {
	p.Helper()
	p.expect(errors.Is(p.renew(hold), idempotency.ErrStale), "Renew under %+v did not return ErrStale", hold)
	p.expect(errors.Is(p.complete(hold, done("stale")), idempotency.ErrStale), "Complete under %+v did not return ErrStale", hold)
	p.expect(errors.Is(p.complete(hold, unknown), idempotency.ErrStale), "Complete under %+v did not return ErrStale", hold)
	p.expect(errors.Is(p.release(hold), idempotency.ErrStale), "Release under %+v did not return ErrStale", hold)
}

var timeCases = []Case{{
	Name: "crashed holder becomes unknown",
	Rule: "When a lease ends without an outcome, the outcome is unknown: the key is neither held any longer nor given to another.",
	check: func(p *probe) {
		c := claim("a")
		c.Lease = short
		p.take(c)
		time.Sleep(pass)
		p.look(idempotency.StateUnknown)
		r, claimed, err := p.store.Claim(p.ctx, p.key, c)
		p.expect(err == nil && !claimed && r.State == idempotency.StateUnknown, "the owner's own claim returned %s, claimed=%t, error %v", r.State, claimed, err)
	},
}, {
	Name: "stale completion is refused",
	Rule: "Once its lease has ended a holder can do nothing, even if nobody has looked since: others may be told at any moment that the outcome is unknown.",
	check: func(p *probe) {
		c := claim("a")
		c.Lease = short
		hold := p.take(c)
		time.Sleep(pass)
		p.refused(hold)
		p.look(idempotency.StateUnknown)
	},
}, {
	Name: "renewal extends the lease",
	Rule: "After Renew the lease ends the given time from now, neither earlier nor later.",
	check: func(p *probe) {
		c := claim("a")
		c.Lease = short
		hold := p.take(c)
		p.expect(p.renew(hold) == nil, "Renew failed")
		time.Sleep(pass)
		p.look(idempotency.StateRunning)
		err := p.store.Renew(p.ctx, p.key, hold, short)
		p.expect(err == nil, "Renew to a shorter lease failed: %v", err)
		time.Sleep(pass)
		p.look(idempotency.StateUnknown)
	},
}, {
	Name: "window begins with the outcome",
	Rule: "The window of an answer is counted from Complete, however long the request ran.",
	check: func(p *probe) {
		c := claim("a")
		c.Window = short
		hold := p.take(c)
		time.Sleep(pass)
		p.expect(p.complete(hold, done("x")) == nil, "Complete failed")
		p.look(idempotency.StateDone)
	},
}, {
	Name: "answer expires",
	Rule: "When the window of an answer ends its record is expired, with the digest of its claim and without the answer; its holder can do nothing but repeat itself.",
	check: func(p *probe) {
		c := claim("a")
		c.Window = short
		hold := p.take(c)
		p.expect(p.complete(hold, done("x")) == nil, "Complete failed")
		time.Sleep(pass)
		r := p.look(idempotency.StateExpired)
		p.expect(r.Digest == digest(1), "the digest has changed")
		p.expect(errors.Is(p.renew(hold), idempotency.ErrStale), "Renew did not return ErrStale")
		p.expect(errors.Is(p.release(hold), idempotency.ErrStale), "Release did not return ErrStale")
		p.look(idempotency.StateExpired)
	},
}, {
	Name: "unknown outcome expires",
	Rule: "The window of an unknown outcome begins when the lease ends, and its record then expires like an answer.",
	check: func(p *probe) {
		c := claim("a")
		c.Lease, c.Window = short, 2*pass
		p.take(c)
		time.Sleep(pass)
		p.look(idempotency.StateUnknown)
		time.Sleep(2 * pass)
		p.look(idempotency.StateExpired)
	},
}, {
	Name: "tombstone ends",
	Rule: "When the tombstone ends the key is free, and its next claim gets a greater fence.",
	check: func(p *probe) {
		c := claim("a")
		c.Window, c.Tombstone = short, short
		old := p.take(c)
		p.expect(p.complete(old, done("x")) == nil, "Complete failed")
		time.Sleep(2 * pass)
		c = claim("b")
		c.Digest = digest(2)
		hold := p.take(c)
		p.expect(hold.Fence > old.Fence, "fence %d follows %d", hold.Fence, old.Fence)
		p.refused(old)
	},
}}

var concurrencyCases = []Case{{
	Name: "one of many is claimed",
	Rule: "Of claims made at once by different owners exactly one succeeds, and the others see its record.",
	check: func(p *probe) {
		const rivals = 50
		type result struct {
			rec     idempotency.Record
			claimed bool
			err     error
		}
		results := make(chan result, rivals)
		start := make(chan struct{})
		for i := range rivals {
			go func() {
				<-start
				var r result
				r.rec, r.claimed, r.err = p.store.Claim(p.ctx, p.key, claim(string(rune('A'+i))))
				results <- r
			}()
		}
		close(start)
		winners, holds := 0, map[idempotency.Hold]bool{}
		for range rivals {
			r := <-results
			p.expect(r.err == nil, "Claim failed: %v", r.err)
			if r.claimed {
				winners++
			}
			holds[r.rec.Hold] = true
		}
		p.expect(winners == 1, "%d owners were given the key", winners)
		p.expect(len(holds) == 1, "%d different holds were seen", len(holds))
	},
}, {
	Name: "one outcome of many",
	Rule: "Of Complete and Release made at once under one hold, the first one counts.",
	check: func(p *probe) {
		hold := p.take(claim("a"))
		errs := make(chan error, 20)
		for range cap(errs) / 2 {
			go func() { errs <- p.complete(hold, done("x")) }()
			go func() { errs <- p.release(hold) }()
		}
		succeeded := 0
		for range cap(errs) {
			if err := <-errs; err == nil {
				succeeded++
			} else {
				p.expect(errors.Is(err, idempotency.ErrStale), "the other error is %v, not ErrStale", err)
			}
		}
		p.expect(succeeded == cap(errs)/2, "%d calls of one kind were made, %d calls succeeded", cap(errs)/2, succeeded)
	},
}, {
	Name: "fences grow",
	Rule: "Fences of one key grow from claim to claim, whoever makes them.",
	check: func(p *probe) {
		const rivals, rounds = 5, 4
		fences := make(chan uint64, rivals*rounds)
		errs := make(chan error, rivals)
		for i := range rivals {
			go func() { errs <- p.contend(string(rune('A'+i)), rounds, fences) }()
		}
		for range rivals {
			err := <-errs
			p.expect(err == nil, "%v", err)
		}
		close(fences)
		var seen []uint64
		for f := range fences {
			seen = append(seen, f)
		}
		p.expect(slices.IsSorted(seen) && len(slices.Compact(slices.Clone(seen))) == len(seen), "fences in the order of their claims: %d", seen)
	},
}, {
	Name: "context ends the call",
	Rule: "A method whose context has ended returns its error.",
	check: func(p *probe) {
		hold := p.take(claim("a"))
		ctx, cancel := context.WithCancel(p.ctx)
		cancel()
		_, _, err := p.store.Claim(ctx, p.key, claim("a"))
		p.expect(errors.Is(err, context.Canceled), "Claim returned %v", err)
		err = p.store.Renew(ctx, p.key, hold, long)
		p.expect(errors.Is(err, context.Canceled), "Renew returned %v", err)
		err = p.store.Complete(ctx, p.key, hold, done("x"))
		p.expect(errors.Is(err, context.Canceled), "Complete returned %v", err)
		err = p.store.Release(ctx, p.key, hold)
		p.expect(errors.Is(err, context.Canceled), "Release returned %v", err)
	},
}, {
	Name: "waiters wake",
	Rule: "If the store is a Waiter, Wait returns nil when the record is completed or released, at once if nothing runs under the fence, and the context's error when that ends.",
	check: func(p *probe) {
		w, ok := p.store.(idempotency.Waiter)
		if !ok {
			return
		}
		err := w.Wait(p.ctx, p.key, 1)
		p.expect(err == nil, "Wait for an absent key returned %v", err)
		for i, end := range []func(idempotency.Hold) error{
			p.release,
			func(h idempotency.Hold) error { return p.complete(h, unknown) },
		} {
			p.key[0] = byte(i)
			hold := p.take(claim("a"))
			err := w.Wait(p.ctx, p.key, hold.Fence+1)
			p.expect(err == nil, "Wait for another fence returned %v", err)
			ctx, cancel := context.WithTimeout(p.ctx, long)
			woken := make(chan error, 2)
			for range cap(woken) {
				go func() { woken <- w.Wait(ctx, p.key, hold.Fence) }()
			}
			time.Sleep(short)
			p.expect(end(hold) == nil, "ending the record failed")
			for range cap(woken) {
				err := <-woken
				p.expect(err == nil, "Wait returned %v after the record had ended", err)
			}
			cancel()
			err = w.Wait(p.ctx, p.key, hold.Fence)
			p.expect(err == nil, "Wait for a record that has ended returned %v", err)
		}
		p.key[0] = 2
		hold := p.take(claim("a"))
		ctx, cancel := context.WithTimeout(p.ctx, short)
		defer cancel()
		// It may return early; then it is called again, as the keeper does.
		for err = nil; err == nil && ctx.Err() == nil; {
			err = w.Wait(ctx, p.key, hold.Fence)
		}
		p.expect(errors.Is(ctx.Err(), context.DeadlineExceeded), "Wait for a running record returned %v", err)
	},
}}

// contend claims and releases the key rounds times, and sends each fence while
// it holds the key.
func (p *probe) contend(owner string, rounds int, fences chan<- uint64) error {
	for rounds > 0 {
		r, claimed, err := p.store.Claim(p.ctx, p.key, claim(owner))
		if err != nil {
			return err
		}
		if !claimed {
			select {
			case <-time.After(time.Millisecond):
				continue
			case <-p.ctx.Done():
				return p.ctx.Err()
			}
		}
		fences <- r.Hold.Fence
		if err := p.release(r.Hold); err != nil {
			return err
		}
		rounds--
	}
	return nil
}
