package idempotency

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// Calls of the store that fail are tried again this often, with pauses that
// double and are spread by half to both sides.
const (
	storeTries = 3
	firstPause = 50 * time.Millisecond
)

// again calls f until it succeeds, fails in a way that final knows to be the
// store's answer, or has been tried enough. Each call has its own timeout.
func (k *Keeper) again(ctx context.Context, f func(context.Context) error) error {
	pause := firstPause
	for try := 1; ; try++ {
		err := k.once(ctx, f)
		if err == nil || errors.Is(err, ErrStale) || errors.Is(err, ErrFull) || try == storeTries {
			return err
		}
		if !sleep(ctx, spread(pause)) {
			return err
		}
		pause *= 2
	}
}

func (k *Keeper) once(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, k.opts.StoreTimeout)
	defer cancel()
	return f(ctx)
}

// claim claims key. Before it reports a failure it gives back what a lost
// reply may have given: otherwise the key would be held, and then unknown, for
// nothing.
func (k *Keeper) claim(ctx context.Context, key Key, c Claim) (rec Record, claimed bool, err error) {
	if err := ctx.Err(); err != nil {
		return Record{}, false, err
	}
	var started time.Time
	err = k.again(ctx, func(ctx context.Context) (err error) {
		started = time.Now()
		rec, claimed, err = k.store.Claim(ctx, key, c)
		return err
	})
	if errors.Is(err, ErrFull) {
		return Record{}, false, &UnavailableError{err}
	}
	late := err == nil && claimed && time.Since(started) > c.Lease/2
	if late {
		// The lease may be over before it was known to have begun.
		err = k.again(ctx, func(ctx context.Context) error { return k.store.Renew(ctx, key, rec.Hold, c.Lease) })
	}
	gone := ctx.Err()
	if err == nil && (gone == nil || !claimed) {
		return rec, claimed, nil
	}
	k.giveBack(ctx, key, c)
	if gone != nil {
		return Record{}, false, gone
	}
	return Record{}, false, &UnavailableError{err}
}

// giveBack releases key if it is held under c.Owner. Claiming it once more
// shows whether it is, and under which fence.
func (k *Keeper) giveBack(ctx context.Context, key Key, c Claim) {
	// A failure here has no one to go to: the lease ends the claim.
	_ = k.once(context.WithoutCancel(ctx), func(ctx context.Context) error {
		rec, claimed, err := k.store.Claim(ctx, key, c)
		if err != nil || !claimed {
			return err
		}
		return k.store.Release(ctx, key, rec.Hold)
	})
}

// wait returns when it makes sense to look at key again: when the store says
// so, when the lease ends, after left, or when ctx ends. A store that cannot
// wake its callers is polled, ever more slowly.
func (k *Keeper) wait(ctx context.Context, key Key, rec Record, left time.Duration, attempt int) {
	left = min(left, max(rec.Remaining, time.Millisecond))
	if w, ok := k.store.(Waiter); ok {
		limited, cancel := context.WithTimeout(ctx, left)
		defer cancel()
		if w.Wait(limited, key, rec.Hold.Fence) == nil || limited.Err() != nil {
			return
		}
	}
	pause := 20 * time.Millisecond << min(attempt, 5)
	sleep(ctx, min(left, spread(pause)))
}

// spread returns d changed at random by at most half.
func spread(d time.Duration) time.Duration { return d/2 + rand.N(d) }

// sleep pauses for d and reports whether ctx is still alive.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
