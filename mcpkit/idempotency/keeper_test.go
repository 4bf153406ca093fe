package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
	"github.com/mcpkit-go/agentmcp/versioning"
)

func newKeeper(t testing.TB, s idempotency.Store, opts *idempotency.Options) *idempotency.Keeper {
	t.Helper()
	k, err := idempotency.New(s, opts)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// request is one whose arguments are args.
func request(args string) idempotency.Request {
	r := idempotency.Request{Tool: "github_create_issue", Principal: "alice", Scope: []string{"acme", "api"}, Key: "k"}
	copy(r.Digest[:], args)
	return r
}

// A counter is a function to run that says how often it was.
type counter struct{ runs atomic.Int32 }

func (c *counter) run(context.Context) ([]byte, error) {
	return fmt.Appendf(nil, `{"issue_number":%d}`, 512+c.runs.Add(1)), nil
}

func (c *counter) expect(t *testing.T, runs int32) {
	t.Helper()
	if n := c.runs.Load(); n != runs {
		t.Errorf("ran %d times, want %d", n, runs)
	}
}

const firstBody = `{"issue_number":513}`

func expectReply(t *testing.T, r idempotency.Reply, err error, body string, replayed bool) {
	t.Helper()
	if err != nil {
		t.Fatalf("error: %v", err)
	}
	if string(r.Body) != body || r.Replayed != replayed || r.Unrecorded != nil {
		t.Errorf("reply is %s, replayed %t, unrecorded %v; want %s, %t", r.Body, r.Replayed, r.Unrecorded, body, replayed)
	}
}

func expectError(t *testing.T, r idempotency.Reply, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error is %v, want %v", err, want)
	}
	if r.Body != nil || r.Replayed || r.Unrecorded != nil {
		t.Errorf("reply beside the error is %+v", r)
	}
}

// public fault 91: the marker is no part of what is stored, and an expired key
// is refused.
func TestLifeOfAKey(t *testing.T) {
	for _, window := range []struct {
		name    string
		request time.Duration
		lasts   time.Duration
	}{{"of the keeper", 0, 10 * time.Minute}, {"of the request", time.Hour, time.Hour}} {
		t.Run(window.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := newKeeper(t, idempotency.NewMemory(nil), nil)
				var c counter
				req := request("a")
				req.Window = window.request
				do := func() (idempotency.Reply, error) { return k.Do(t.Context(), req, c.run) }

				r, err := do()
				expectReply(t, r, err, firstBody, false)
				for range 3 {
					r, err = do()
					expectReply(t, r, err, firstBody, true)
					clear(r.Body) // it is the caller's
				}
				time.Sleep(window.lasts - time.Nanosecond)
				r, err = do()
				expectReply(t, r, err, firstBody, true)

				time.Sleep(time.Nanosecond)
				r, err = do()
				expectError(t, r, err, idempotency.ErrExpired)
				other := req
				other.Digest[31] ^= 1
				r, err = k.Do(t.Context(), other, c.run)
				expectError(t, r, err, idempotency.ErrReused)
				time.Sleep(24*time.Hour - time.Nanosecond)
				r, err = do()
				expectError(t, r, err, idempotency.ErrExpired)
				c.expect(t, 1)

				time.Sleep(time.Nanosecond) // the tombstone has ended
				r, err = do()
				expectReply(t, r, err, `{"issue_number":514}`, false)
			})
		})
	}
}

func TestWindowIsCountedFromTheEndOfTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper(t, idempotency.NewMemory(nil), &idempotency.Options{Window: time.Minute})
		var c counter
		_, err := k.Do(t.Context(), request("a"), func(ctx context.Context) ([]byte, error) {
			time.Sleep(time.Hour)
			return c.run(ctx)
		})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(59 * time.Second)
		r, err := k.Do(t.Context(), request("a"), c.run)
		expectReply(t, r, err, firstBody, true)
	})
}

// public fault 84: an answer goes only to the request that it belongs to.
func TestAnotherRequestNeverGetsTheAnswer(t *testing.T) {
	first := request("title=secret-a")
	tests := []struct {
		name   string
		change func(r *idempotency.Request)
		want   error // nil: it is a key of its own, and runs
	}{
		{"other arguments", func(r *idempotency.Request) { r.Digest[0] ^= 1 }, idempotency.ErrReused},
		{"arguments that differ in the last bit", func(r *idempotency.Request) { r.Digest[31] ^= 1 }, idempotency.ErrReused},
		{"other tool, same arguments", func(r *idempotency.Request) { r.Tool = "github_close_issue" }, nil},
		{"other tool, other arguments", func(r *idempotency.Request) { r.Tool = "github_close_issue"; r.Digest[0] ^= 1 }, nil},
		{"other principal", func(r *idempotency.Request) { r.Principal = "bob" }, nil},
		{"other scope", func(r *idempotency.Request) { r.Scope = []string{"acme", "web"} }, nil},
		{"scope cut elsewhere", func(r *idempotency.Request) { r.Scope = []string{"acm", "eapi"} }, nil},
		{"scope joined", func(r *idempotency.Request) { r.Scope = []string{"acmeapi"} }, nil},
		{"scope with an empty part", func(r *idempotency.Request) { r.Scope = append(r.Scope, "") }, nil},
		{"other key", func(r *idempotency.Request) { r.Key = "K" }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := newKeeper(t, idempotency.NewMemory(nil), nil)
			var c counter
			r, err := k.Do(t.Context(), first, c.run)
			expectReply(t, r, err, firstBody, false)

			second := first
			second.Scope = append([]string(nil), first.Scope...)
			tt.change(&second)
			r, err = k.Do(t.Context(), second, c.run)
			if tt.want == nil {
				expectReply(t, r, err, `{"issue_number":514}`, false)
				c.expect(t, 2)
				return
			}
			expectError(t, r, err, tt.want)
			c.expect(t, 1)
			if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "513") {
				t.Errorf("the error tells of the first request: %v", err)
			}
		})
	}
}

// public fault 83: what means the same is a repeat.
func TestSpellingOfTheArgumentsDoesNotMatter(t *testing.T) {
	doc, err := schema.Compile([]byte(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
		"properties":{"title":{"type":"string"},"priority":{"type":"integer","default":3},"meta":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}}}},
		"required":["title"],"additionalProperties":false}`))
	if err != nil {
		t.Fatal(err)
	}
	parse := func(t *testing.T, args string) idempotency.Request {
		t.Helper()
		tree, violations := doc.Read([]byte(args))
		if len(violations) > 0 {
			t.Fatalf("%s: %v", args, violations)
		}
		raw, err := schema.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		r := request("")
		if r.Digest, err = versioning.Digest(raw); err != nil {
			t.Fatal(err)
		}
		return r
	}
	tests := []struct {
		name, args string
		same       bool
	}{
		{"same bytes", `{"title":"é","meta":{"a":1,"b":2}}`, true},
		{"keys swapped", `{"meta":{"a":1,"b":2},"title":"é"}`, true},
		{"nested keys swapped", `{"title":"é","meta":{"b":2,"a":1}}`, true},
		{"spaces", " {\n\t\"title\" : \"é\" ,\r\n \"meta\":{ \"a\":1,\"b\":2 } } ", true},
		{"escapes", `{"title":"\u00e9","meta":{"a":1,"b":2}}`, true},
		{"default spelled out", `{"title":"é","meta":{"a":1,"b":2},"priority":3}`, true},
		{"number spelled otherwise", `{"title":"é","meta":{"a":1.0,"b":20e-1},"priority":3.0}`, true},
		{"other default", `{"title":"é","meta":{"a":1,"b":2},"priority":4}`, false},
		{"values swapped", `{"title":"é","meta":{"a":2,"b":1}}`, false},
		{"decomposed accent", `{"title":"e\u0301","meta":{"a":1,"b":2}}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := newKeeper(t, idempotency.NewMemory(nil), nil)
			var c counter
			r, err := k.Do(t.Context(), parse(t, tests[0].args), c.run)
			expectReply(t, r, err, firstBody, false)
			r, err = k.Do(t.Context(), parse(t, tt.args), c.run)
			if tt.same {
				expectReply(t, r, err, firstBody, true)
			} else {
				expectError(t, r, err, idempotency.ErrReused)
			}
			c.expect(t, 1)
		})
	}
}

// public fault 86: the death of a process is noticed after its lease.
func TestCrashedHolder(t *testing.T) {
	for _, waits := range []time.Duration{-1, 5 * time.Second, 2 * time.Minute} {
		t.Run(fmt.Sprint("wait ", waits), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := idempotency.NewMemory(nil)
				_, claimed, err := s.Claim(t.Context(), idempotency.KeyOf(request("a")), idempotency.Claim{
					Owner: "dead", Digest: request("a").Digest, Lease: time.Minute, Window: 10 * time.Minute, Tombstone: time.Hour,
				})
				if err != nil || !claimed {
					t.Fatal(claimed, err)
				}
				k := newKeeper(t, s, &idempotency.Options{Wait: waits})
				var c counter
				start := time.Now()
				for time.Since(start) < time.Minute {
					_, err = k.Do(t.Context(), request("a"), c.run)
					var delay interface{ RetryAfter() time.Duration }
					if !errors.Is(err, idempotency.ErrInProgress) {
						break
					}
					if !errors.As(err, &delay) || delay.RetryAfter() <= 0 || delay.RetryAfter() > time.Second {
						t.Fatalf("delay of %v", err)
					}
					time.Sleep(delay.RetryAfter())
				}
				if err == nil || !errors.Is(err, idempotency.ErrOutcomeUnknown) {
					// The loop may have ended with the lease.
					_, err = k.Do(t.Context(), request("a"), c.run)
				}
				if !errors.Is(err, idempotency.ErrOutcomeUnknown) {
					t.Fatalf("error is %v", err)
				}
				if passed := time.Since(start); passed < time.Minute || passed > time.Minute+time.Second {
					t.Errorf("noticed after %v", passed)
				}
				c.expect(t, 0)
			})
		})
	}
}

// public fault 89: a repeat of a call that runs is told so, and gets the same
// answer once it has ended.
func TestInFlight(t *testing.T) {
	for _, polls := range []bool{false, true} {
		t.Run(fmt.Sprint("polling ", polls), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var s idempotency.Store = idempotency.NewMemory(nil)
				if polls {
					s = struct{ idempotency.Store }{s}
				}
				k := newKeeper(t, s, nil)
				var c counter
				release := make(chan struct{})
				first := make(chan idempotency.Reply)
				go func() {
					r, err := k.Do(t.Context(), request("a"), func(ctx context.Context) ([]byte, error) {
						<-release
						return c.run(ctx)
					})
					if err != nil {
						t.Error(err)
					}
					first <- r
				}()
				synctest.Wait()

				start := time.Now()
				r, err := k.Do(t.Context(), request("a"), c.run)
				expectError(t, r, err, idempotency.ErrInProgress)
				var inProgress *idempotency.InProgressError
				if !errors.As(err, &inProgress) || inProgress.RetryAfter() != time.Second {
					t.Errorf("error is %#v", err)
				}
				if waited := time.Since(start); waited != 5*time.Second {
					t.Errorf("waited %v, want 5s", waited)
				}
				start = time.Now()
				r, err = k.Do(t.Context(), request("b"), c.run)
				expectError(t, r, err, idempotency.ErrReused)
				if waited := time.Since(start); waited != 0 {
					t.Errorf("a mistaken key waited %v", waited)
				}

				// One that waits gets the answer promptly.
				second := make(chan time.Duration)
				go func() {
					r, err := k.Do(t.Context(), request("a"), c.run)
					expectReply(t, r, err, firstBody, true)
					second <- time.Since(start)
				}()
				time.Sleep(2 * time.Second)
				close(release)
				if r := <-first; string(r.Body) != firstBody || r.Replayed {
					t.Errorf("the first reply is %s, replayed %t", r.Body, r.Replayed)
				}
				late := <-second - 2*time.Second
				if !polls && late != 0 || late > time.Second {
					t.Errorf("the answer came %v late", late)
				}
				r, err = k.Do(t.Context(), request("a"), c.run)
				expectReply(t, r, err, firstBody, true)
				c.expect(t, 1)
			})
		})
	}
}

func TestWaitEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper(t, idempotency.NewMemory(nil), nil)
		var c counter
		release := make(chan struct{})
		go k.Do(t.Context(), request("a"), func(context.Context) ([]byte, error) { <-release; return nil, nil })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r, err := k.Do(ctx, request("a"), c.run)
		expectError(t, r, err, context.DeadlineExceeded)
		r, err = k.Do(ctx, request("another"), c.run)
		expectError(t, r, err, context.DeadlineExceeded)
		close(release)
		synctest.Wait()
		c.expect(t, 0)
	})
}

// opinion is an error that says whether its effect started.
type opinion struct {
	safe  bool
	cause error
}

func (o *opinion) Error() string     { return "opinion" }
func (o *opinion) SafeToRetry() bool { return o.safe } // faults on a nil pointer
func (o *opinion) Unwrap() error     { return o.cause }

func TestErrorsOfRun(t *testing.T) {
	plain := errors.New("connection reset")
	safe, unsafe := &opinion{safe: true}, &opinion{}
	tests := []struct {
		name     string
		err      error
		released bool
	}{
		{"no opinion", plain, false},
		{"safe", safe, true},
		{"not safe", unsafe, false},
		{"safe, wrapped", fmt.Errorf("create: %w", safe), true},
		{"safe about an unsafe cause", &opinion{safe: true, cause: unsafe}, true},
		{"not safe about a safe cause", &opinion{cause: safe}, false},
		{"safe and without opinion", errors.Join(plain, safe), true},
		{"safe and not safe", errors.Join(safe, unsafe), false},
		{"not safe and safe, wrapped", fmt.Errorf("%w: %w", fmt.Errorf("x: %w", unsafe), safe), false},
		{"nil pointer", (*opinion)(nil), false},
		{"cancelled", context.Canceled, false},
		{"deadline", context.DeadlineExceeded, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := newKeeper(t, idempotency.NewMemory(nil), nil)
			var c counter
			r, err := k.Do(t.Context(), request("a"), func(context.Context) ([]byte, error) {
				return []byte("half an answer"), tt.err
			})
			if tt.released {
				if err != tt.err {
					t.Errorf("error is %v, want %v as it is", err, tt.err)
				}
				r, err = k.Do(t.Context(), request("a"), c.run)
				expectReply(t, r, err, firstBody, false)
				return
			}
			expectError(t, r, err, idempotency.ErrOutcomeUnknown)
			if !errors.Is(err, tt.err) {
				t.Errorf("error %v does not wrap %v", err, tt.err)
			}
			for range 2 {
				r, err = k.Do(t.Context(), request("a"), c.run)
				expectError(t, r, err, idempotency.ErrOutcomeUnknown)
				if errors.Unwrap(err) != nil {
					t.Errorf("the cause was stored: %v", err)
				}
			}
			other := request("b")
			r, err = k.Do(t.Context(), other, c.run)
			expectError(t, r, err, idempotency.ErrReused)
			c.expect(t, 0)
		})
	}
}

// A released key goes to the next in line, and to one at a time.
func TestWaitersTakeOverAReleasedKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper(t, idempotency.NewMemory(nil), nil)
		var runs, running atomic.Int32
		run := func(context.Context) ([]byte, error) {
			if running.Add(1) > 1 {
				t.Error("two runs at a time")
			}
			defer running.Add(-1)
			time.Sleep(time.Second)
			if runs.Add(1) < 3 {
				return nil, &opinion{safe: true}
			}
			return []byte("third"), nil
		}
		var wg sync.WaitGroup
		var failed, answered atomic.Int32
		for range 20 {
			wg.Go(func() {
				switch r, err := k.Do(t.Context(), request("a"), run); {
				case err == nil && string(r.Body) == "third":
					answered.Add(1)
				case errors.As(err, new(*opinion)):
					failed.Add(1)
				default:
					t.Errorf("reply %s, error %v", r.Body, err)
				}
			})
		}
		wg.Wait()
		if runs.Load() != 3 || failed.Load() != 2 || answered.Load() != 18 {
			t.Errorf("%d runs, %d failed, %d answered", runs.Load(), failed.Load(), answered.Load())
		}
	})
}

func TestPanic(t *testing.T) {
	boom := errors.New("boom")
	for _, value := range []any{"boom", boom, 42, &opinion{safe: true}} {
		t.Run(fmt.Sprintf("%T", value), func(t *testing.T) {
			k := newKeeper(t, idempotency.NewMemory(nil), nil)
			var c counter
			r, err := k.Do(t.Context(), request("a"), func(context.Context) ([]byte, error) { panic(value) })
			expectError(t, r, err, idempotency.ErrOutcomeUnknown)
			var p *idempotency.PanicError
			if !errors.As(err, &p) || p.Value != value || !strings.Contains(string(p.Stack), "TestPanic") {
				t.Errorf("cause is %#v", p)
			}
			if value == boom && !errors.Is(err, boom) {
				t.Errorf("%v does not wrap the error that was the panic", err)
			}
			r, err = k.Do(t.Context(), request("a"), c.run)
			expectError(t, r, err, idempotency.ErrOutcomeUnknown)
			c.expect(t, 0)
		})
	}
}

func TestGoexit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper(t, idempotency.NewMemory(nil), nil)
		var wg sync.WaitGroup
		wg.Go(func() {
			k.Do(t.Context(), request("a"), func(context.Context) ([]byte, error) {
				runtime.Goexit()
				return nil, nil
			})
			t.Error("Do returned")
		})
		wg.Wait()
		var c counter
		start := time.Now()
		r, err := k.Do(t.Context(), request("a"), c.run)
		expectError(t, r, err, idempotency.ErrOutcomeUnknown)
		if waited := time.Since(start); waited != 0 {
			t.Errorf("the outcome was recorded by the lease, after %v", waited)
		}
	})
}

// The caller's going away stops neither the recording nor, unless the handler
// heeds it, the handler.
func TestCallerGoesAway(t *testing.T) {
	tests := []struct {
		name string
		end  error // what the handler returns
		want error
	}{
		{"the handler finishes", nil, nil},
		{"the handler stops somewhere", context.Canceled, idempotency.ErrOutcomeUnknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := newKeeper(t, idempotency.NewMemory(nil), nil)
				type key struct{}
				ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "value"))
				r, err := k.Do(ctx, request("a"), func(ctx context.Context) ([]byte, error) {
					cancel()
					<-ctx.Done() // it is the caller's
					if ctx.Value(key{}) != "value" {
						t.Error("the values of the caller's context are missing")
					}
					time.Sleep(10 * time.Minute) // longer than the lease
					return []byte("answer"), tt.end
				})
				var c counter
				if tt.want != nil {
					expectError(t, r, err, tt.want)
					r, err = k.Do(t.Context(), request("a"), c.run)
					expectError(t, r, err, tt.want)
					return
				}
				expectReply(t, r, err, "answer", false)
				r, err = k.Do(t.Context(), request("a"), c.run)
				expectReply(t, r, err, "answer", true)
			})
		})
	}
}

func TestLongRunKeepsItsLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := idempotency.NewMemory(nil)
		k := newKeeper(t, s, &idempotency.Options{Lease: 3 * time.Second, Wait: -1})
		var c counter
		done := make(chan struct{})
		go func() {
			defer close(done)
			r, err := k.Do(t.Context(), request("a"), func(ctx context.Context) ([]byte, error) {
				time.Sleep(time.Hour)
				return c.run(ctx)
			})
			expectReply(t, r, err, firstBody, false)
		}()
		other := newKeeper(t, s, &idempotency.Options{Wait: -1}) // another process
		for range 59 {
			time.Sleep(time.Minute)
			r, err := other.Do(t.Context(), request("a"), c.run)
			expectError(t, r, err, idempotency.ErrInProgress)
		}
		<-done
		r, err := other.Do(t.Context(), request("a"), c.run)
		expectReply(t, r, err, firstBody, true)
		c.expect(t, 1)
	})
}

func TestHoldFrom(t *testing.T) {
	k := newKeeper(t, idempotency.NewMemory(nil), nil)
	if _, _, ok := idempotency.HoldFrom(t.Context()); ok {
		t.Error("there is a hold outside of a run")
	}
	var last uint64
	for _, args := range []string{"a", "b"} {
		req := request(args)
		req.Key = args
		_, err := k.Do(t.Context(), req, func(ctx context.Context) ([]byte, error) {
			key, hold, ok := idempotency.HoldFrom(ctx)
			if !ok || key != idempotency.KeyOf(req) || hold.Owner == "" || hold.Fence <= last {
				t.Errorf("key %v, hold %+v, %t", key, hold, ok)
			}
			last = hold.Fence
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestConcurrentDuplicates(t *testing.T) {
	for _, n := range []int{50, 1000} {
		for _, polls := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d polling %t", n, polls), func(t *testing.T) {
				var s idempotency.Store = idempotency.NewMemory(nil)
				if polls {
					s = struct{ idempotency.Store }{s}
				}
				keepers := []*idempotency.Keeper{newKeeper(t, s, &idempotency.Options{Wait: time.Minute}), newKeeper(t, s, &idempotency.Options{Wait: time.Minute})}
				var c counter
				var fresh atomic.Int32
				var wg sync.WaitGroup
				start := make(chan struct{})
				for i := range n {
					wg.Go(func() {
						<-start
						r, err := keepers[i%2].Do(t.Context(), request("a"), func(ctx context.Context) ([]byte, error) {
							time.Sleep(50 * time.Millisecond)
							return c.run(ctx)
						})
						if err != nil || string(r.Body) != firstBody {
							t.Errorf("reply %s, error %v", r.Body, err)
						}
						if !r.Replayed {
							fresh.Add(1)
						}
						clear(r.Body) // no two callers share it
					})
				}
				close(start)
				wg.Wait()
				c.expect(t, 1)
				if fresh.Load() != 1 {
					t.Errorf("%d replies are not replayed", fresh.Load())
				}
			})
		}
	}
}

func TestRequestFaults(t *testing.T) {
	k := newKeeper(t, idempotency.NewMemory(nil), nil)
	var c counter
	tests := []struct {
		name    string
		request idempotency.Request
		run     func(context.Context) ([]byte, error)
		want    []string
	}{
		{"empty", idempotency.Request{Window: -1}, c.run, []string{"Request.Tool", "Request.Principal", "Request.Key", "Request.Window"}},
		{"without a principal", idempotency.Request{Tool: "t", Key: "k"}, c.run, []string{"Request.Principal"}},
		{"without a function", request("a"), nil, []string{"run"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := k.Do(t.Context(), tt.request, tt.run)
			for _, name := range tt.want {
				if err == nil || !strings.Contains(err.Error(), name) {
					t.Errorf("error %v does not name %s", err, name)
				}
			}
			c.expect(t, 0)
		})
	}
}

func TestOptions(t *testing.T) {
	k := newKeeper(t, idempotency.NewMemory(nil), nil)
	want := idempotency.Options{Window: 10 * time.Minute, Tombstone: 24 * time.Hour, Lease: time.Minute, Wait: 5 * time.Second, StoreTimeout: 2 * time.Second}
	if k.Options() != want {
		t.Errorf("defaults are %+v, want %+v", k.Options(), want)
	}
	_, err := idempotency.New(nil, &idempotency.Options{Window: -1, Tombstone: -1, Lease: time.Microsecond, Wait: -1, StoreTimeout: -1})
	for _, name := range []string{"store", "Options.Window", "Options.Tombstone", "Options.Lease", "Options.StoreTimeout"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v does not name %s", err, name)
		}
	}
	if err != nil && strings.Contains(err.Error(), "Wait") {
		t.Errorf("a negative Wait is a fault: %v", err)
	}
}

func BenchmarkDo(b *testing.B) {
	run := func(context.Context) ([]byte, error) { return []byte(firstBody), nil }
	b.Run("first", func(b *testing.B) {
		k := newKeeper(b, idempotency.NewMemory(&idempotency.MemoryOptions{MaxEntries: 50_000}), &idempotency.Options{Window: time.Millisecond})
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			req := request("a")
			req.Key = fmt.Sprint(i)
			if _, err := k.Do(b.Context(), req, run); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("replay", func(b *testing.B) {
		k := newKeeper(b, idempotency.NewMemory(nil), nil)
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, err := k.Do(context.Background(), request("a"), run); err != nil {
					b.Error(err)
				}
			}
		})
	})
}
