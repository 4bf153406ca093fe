package idempotency

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

type holdKey struct{}

type heldKey struct {
	key  Key
	hold Hold
}

// HoldFrom returns the key that the run whose context ctx is holds, and how. A
// handler passes key.String() to an upstream that takes idempotency keys
// itself, or hold.Fence to one that refuses writers with an older fence. The
// result ok is false if ctx is not that of a run.
func HoldFrom(ctx context.Context) (key Key, hold Hold, ok bool) {
	h, ok := ctx.Value(holdKey{}).(heldKey)
	return h.key, h.hold, ok
}

// hold calls run and records how it ended, whatever way that is.
func (k *Keeper) hold(ctx context.Context, key Key, hold Hold, run func(context.Context) ([]byte, error)) (Reply, error) {
	lasting := context.WithoutCancel(ctx)
	runCtx, cancel := context.WithCancelCause(context.WithValue(ctx, holdKey{}, heldKey{key, hold}))
	stopRenewing := k.renew(lasting, key, hold, cancel)

	complete := func(o Outcome) error {
		return k.again(lasting, func(ctx context.Context) error { return k.store.Complete(ctx, key, hold, o) })
	}
	returned := false
	defer func() {
		if !returned { // run ended its goroutine by runtime.Goexit
			cancel(nil)
			_ = complete(Outcome{State: StateUnknown})
			stopRenewing()
		}
	}()
	body, err := call(runCtx, run)
	returned = true
	cancel(nil)
	defer stopRenewing() // so that the lease outlasts a slow recording

	switch {
	case err == nil:
		unrecorded := complete(Outcome{State: StateDone, Body: body})
		if errors.Is(unrecorded, ErrFull) {
			unrecorded = errors.Join(unrecorded, complete(Outcome{State: StateUnknown}))
		}
		return Reply{Body: body, Unrecorded: unrecorded}, nil
	case safeToRetry(err):
		rel := k.again(lasting, func(ctx context.Context) error { return k.store.Release(ctx, key, hold) })
		if rel != nil {
			return Reply{}, fmt.Errorf("%w (its idempotency key is still held: %w)", err, rel)
		}
		return Reply{}, err
	}
	if lost := complete(Outcome{State: StateUnknown}); lost != nil {
		err = fmt.Errorf("%w (which is not recorded: %w)", err, lost)
	}
	return Reply{}, &UnknownError{err}
}

// call turns a panic of run into an error.
func call(ctx context.Context, run func(context.Context) ([]byte, error)) (body []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			body, err = nil, &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return run(ctx)
}

// renew keeps the lease alive until stop is called, and cancels the run when
// the store says that it is lost. The goroutine has ended when stop returns.
func (k *Keeper) renew(ctx context.Context, key Key, hold Hold, lost context.CancelCauseFunc) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for sleep(ctx, k.opts.Lease/3) {
			err := k.once(ctx, func(ctx context.Context) error { return k.store.Renew(ctx, key, hold, k.opts.Lease) })
			if errors.Is(err, ErrStale) {
				lost(ErrStale)
				return
			}
			// Any other failure is tried again at the next third.
		}
	}()
	return func() { cancel(); <-done }
}

// safeToRetry reports whether err says that no effect started. In a chain the
// outermost opinion counts, in a joined error no branch may disagree.
func safeToRetry(err error) bool {
	safe, opinion := opinionOf(err)
	return safe && opinion
}

func opinionOf(err error) (safe, opinion bool) {
	switch x := err.(type) {
	case nil, *PanicError:
		return false, false
	case interface{ SafeToRetry() bool }:
		return ask(x), true
	case interface{ Unwrap() error }:
		return opinionOf(x.Unwrap())
	case interface{ Unwrap() []error }:
		safe = true
		for _, e := range x.Unwrap() {
			if s, o := opinionOf(e); o {
				safe, opinion = safe && s, true
			}
		}
	}
	return safe && opinion, opinion
}

// ask is SafeToRetry of an error that may be a nil pointer.
func ask(err interface{ SafeToRetry() bool }) (safe bool) {
	defer func() {
		if recover() != nil {
			safe = false
		}
	}()
	return err.SafeToRetry()
}
