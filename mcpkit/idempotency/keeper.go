package idempotency

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

// Options adjusts a [Keeper]. A nil *Options means the zero value.
type Options struct {
	// Window is how long a repeat gets the answer of the first call, counted
	// from the end of that call, so never less than from its start.
	// Default: 10 minutes.
	Window time.Duration

	// Tombstone is how long after the window a repeat is refused with
	// [ErrExpired]. After that the key is forgotten and would run again.
	// Default: 24 hours.
	Tombstone time.Duration

	// Lease is the time after which a holder that died is noticed. It does
	// not limit how long run may take: a live holder renews its lease each
	// third of it. At least 10 milliseconds. Default: 1 minute.
	Lease time.Duration

	// Wait is how long a repeat waits for a running first call before it gets
	// [ErrInProgress]. Negative: it does not wait. Default: 5 seconds.
	Wait time.Duration

	// StoreTimeout bounds each call of the store. Default: 2 seconds.
	StoreTimeout time.Duration
}

const (
	defaultWindow       = 10 * time.Minute
	defaultTombstone    = 24 * time.Hour
	defaultLease        = time.Minute
	defaultWait         = 5 * time.Second
	defaultStoreTimeout = 2 * time.Second
	minLease            = 10 * time.Millisecond
)

// A Keeper gives requests with a key their single effect. It is immutable and
// safe for concurrent use.
type Keeper struct {
	store Store
	opts  Options
}

// New returns a Keeper over store. The error names every option that is out of
// range, or says that store is nil.
func New(store Store, opts *Options) (*Keeper, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	var faults []error
	if store == nil {
		faults = append(faults, errors.New("idempotency: store is nil"))
	}
	positive := func(name string, d *time.Duration, def, least time.Duration) {
		if *d == 0 {
			*d = def
		}
		if *d < least {
			faults = append(faults, fmt.Errorf("idempotency: Options.%s is %v, less than %v", name, *d, least))
		}
	}
	positive("Window", &o.Window, defaultWindow, time.Millisecond)
	positive("Tombstone", &o.Tombstone, defaultTombstone, time.Millisecond)
	positive("Lease", &o.Lease, defaultLease, minLease)
	positive("StoreTimeout", &o.StoreTimeout, defaultStoreTimeout, time.Millisecond)
	if o.Wait == 0 {
		o.Wait = defaultWait
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return &Keeper{store: store, opts: o}, nil
}

// Options returns the options in force, defaults filled in: what a server
// needs to tell its clients, such as the window.
func (k *Keeper) Options() Options { return k.opts }

// A Request is a call that must have one effect.
type Request struct {
	// Tool, Principal, Scope and Key are the identity of the request: see
	// [KeyOf]. Tool, Principal and Key must not be empty; a server with one
	// user passes a constant as the principal. Scope may be empty.
	Tool      string
	Principal string
	Scope     []string
	Key       string

	// Digest is of the canonical form of everything else that was asked for.
	// A repeat with another digest is refused with [ErrReused].
	Digest [32]byte

	// Window is [Options.Window] for this request. Default: that option.
	Window time.Duration
}

func (r Request) check() error {
	var faults []error
	for _, part := range []struct{ name, value string }{{"Tool", r.Tool}, {"Principal", r.Principal}, {"Key", r.Key}} {
		if part.value == "" {
			faults = append(faults, fmt.Errorf("idempotency: Request.%s is empty", part.name))
		}
	}
	if r.Window < 0 {
		faults = append(faults, errors.New("idempotency: Request.Window is negative"))
	}
	return errors.Join(faults...)
}

// A Reply is the answer to a request.
type Reply struct {
	// Body is what run returned, in this call or in the first one, byte for
	// byte. It belongs to the caller. An empty body may come back as nil.
	Body []byte

	// Replayed is false in the call that ran the request, and true in others.
	Replayed bool

	// Unrecorded says why the answer could not be recorded, such as
	// [ErrStale] or [ErrFull]. The answer is right, but repeats get
	// [ErrOutcomeUnknown] instead of it. A server logs it. Usually nil.
	Unrecorded error
}

// Do answers r: by calling run if r is the first request with its key, and
// with the recorded answer if it is a repeat. At most one run is called for a
// key until its tombstone ends, unless an earlier run proved to have had no
// effect.
//
// run is called on Do's goroutine. Its context is that of the caller, with
// what [HoldFrom] returns; it is also cancelled, with [ErrStale] as the cause,
// when the store says that the lease is lost. When the caller goes away while
// run works, its result is recorded all the same.
//
//   - If run returns nil, its bytes are recorded and returned.
//   - If run returns an error with a method SafeToRetry() bool, found as
//     [errors.As] does, that returns true, there was no effect: the key is
//     released and the error returned as it is. If the key cannot be released
//     the error also wraps why. Where parts of a joined error contradict each
//     other, the effect counts as possible.
//   - If run returns another error, panics or exits its goroutine, the effect
//     is possible: this is recorded, and Do returns an [*UnknownError] that
//     wraps the error or a [*PanicError].
//
// Without calling run Do returns [ErrReused], [ErrInProgress], [ErrExpired],
// [ErrOutcomeUnknown] or [ErrUnavailable], the error of ctx if that ends while
// Do waits, or an error that names the faulty fields of r. A lost reply of the
// store is asked for again under the same owner token, so that the keeper
// recognises its own claim.
//
// Do starts one goroutine, which renews the lease and ends before Do returns.
func (k *Keeper) Do(ctx context.Context, r Request, run func(context.Context) ([]byte, error)) (Reply, error) {
	if err := r.check(); err != nil {
		return Reply{}, err
	}
	if run == nil {
		return Reply{}, errors.New("idempotency: run is nil")
	}
	key := KeyOf(r)
	c := Claim{
		Owner: rand.Text(), Digest: r.Digest,
		Lease: k.opts.Lease, Window: r.Window, Tombstone: k.opts.Tombstone,
	}
	if c.Window == 0 {
		c.Window = k.opts.Window
	}
	giveUp := time.Now().Add(k.opts.Wait)
	for attempt := 0; ; attempt++ {
		rec, claimed, err := k.claim(ctx, key, c)
		switch {
		case err != nil:
			return Reply{}, err
		case claimed:
			return k.hold(ctx, key, rec.Hold, run)
		case rec.Digest != r.Digest:
			return Reply{}, ErrReused
		case rec.State == StateDone:
			return Reply{Body: rec.Body, Replayed: true}, nil
		case rec.State == StateUnknown:
			return Reply{}, &UnknownError{}
		case rec.State == StateExpired:
			return Reply{}, ErrExpired
		case rec.State != StateRunning:
			return Reply{}, &UnavailableError{fmt.Errorf("idempotency: store returned the unknown state %q", rec.State)}
		}
		left := time.Until(giveUp)
		if left <= 0 {
			return Reply{}, &InProgressError{min(max(rec.Remaining, time.Millisecond), time.Second)}
		}
		k.wait(ctx, key, rec, left, attempt)
		if err := ctx.Err(); err != nil {
			return Reply{}, err
		}
	}
}
