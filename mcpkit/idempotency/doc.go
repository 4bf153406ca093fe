// Package idempotency gives a request that carries a key one effect, however
// often it is sent.
//
//	keeper, err := idempotency.New(idempotency.NewMemory(nil), nil)
//
//	reply, err := keeper.Do(ctx, idempotency.Request{
//		Tool: "github_create_issue", Principal: user, Scope: []string{owner, repo},
//		Key: key, Digest: digest,
//	}, func(ctx context.Context) ([]byte, error) {
//		return create(ctx, issue)
//	})
//
// The first call with a key runs the function and records its answer. A repeat
// gets that answer, byte for byte, and reply.Replayed is true. Of calls made at
// the same time one runs, and the others wait for its answer.
//
// # Identity
//
// A key counts for one tool, one principal and one scope, such as a repository:
// the same key under another of them is another key, and no caller can learn
// of, or collide with, the keys of another. Within it the digest of the
// arguments decides between a repeat and a mistake: a call with the same key
// and another digest gets [ErrReused], and nothing of the first call is
// revealed. The digest is the caller's. It should be taken of a canonical form,
// with defaults filled in, so that key order and spacing do not matter:
// versioning.Digest gives one.
//
// # Errors
//
// What happens after an error depends on one question: did the effect start?
// An error whose method SafeToRetry() bool returns true proves that it did
// not: the key is released, and the next call runs. After any other error, a
// panic, or the death of the process, nobody knows. The key is then recorded
// as unknown, and every later call gets [ErrOutcomeUnknown] without running,
// until the window ends. Someone must look whether the effect is there.
//
//	ErrReused          same key, other digest                    nothing was run
//	ErrInProgress      the first call still runs                 ask again after RetryAfter()
//	ErrExpired         the window is over                        nothing was run
//	ErrOutcomeUnknown  a call was started, its outcome unknown   look, then use a new key
//	ErrUnavailable     the store failed or is full               nothing was run, try again after RetryAfter()
//
// # Time
//
// An answer is replayed for the window of its request, [Options.Window], that
// begins when the first call ends. After that the key is refused with
// [ErrExpired] for [Options.Tombstone], rather than run again. Then it is
// forgotten.
//
// A running call holds its key under a lease, [Options.Lease], that it renews
// until it ends, so that a call may take any time, while the death of a process
// is noticed after one lease. The outcome is then unknown; the key is not given
// to another, because the dead process may have had its effect. A holder whose
// lease ended although it lives, as after a long pause of its machine, can no
// longer record anything: its context is cancelled, and [Reply.Unrecorded] or
// the error says so.
//
// # Stores
//
// [Memory] serves one process. A [Store] of several processes needs four atomic
// methods, and package storetest checks it. A claim carries a random owner
// token, by which a keeper recognises its own claim when the reply of the store
// was lost, and gets a fence, a number that grows with every claim of the key.
// [HoldFrom] hands both to the function that is run.
//
// Stores see keys hashed, but answers in the clear, and keep them for the
// window: they deserve the protection of the data they are made of.
package idempotency
