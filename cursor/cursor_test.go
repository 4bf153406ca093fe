package cursor_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/cursor"
)

// position is a typical payload: an id of 16 characters and a sort key.
type position struct {
	ID   string
	Sort int64
}

var (
	typical = position{ID: "01JGH7QF88ZK4M2P", Sort: 1_767_225_600_123_456_789}
	bound   = cursor.Bind("list_issues cursor", "alice", []byte("digest of the filters"))
)

// modes are the two kinds of codec.
var modes = []struct {
	name string
	opts *cursor.Options
}{
	{"signed", nil},
	{"sealed", &cursor.Options{Sealed: true}},
}

// key returns a deterministic key that no other n shares.
func key(n int) []byte {
	b := make([]byte, cursor.MinKeyLen)
	for i := range b {
		b[i] = byte(i*7 + n*31)
	}
	return b
}

func ring(t testing.TB, keys ...[]byte) *cursor.Keyring {
	t.Helper()
	r, err := cursor.NewKeyring(keys[0], keys[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func codec[P any](t testing.TB, keys *cursor.Keyring, opts *cursor.Options) *cursor.Codec[P] {
	t.Helper()
	c, err := cursor.New[P](keys, 15*time.Minute, opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// refused asserts that a token is invalid and that the payload comes back zero.
func refused(t *testing.T, c *cursor.Codec[position], token string, b cursor.Binding) {
	t.Helper()
	got, err := c.Open(token, b)
	if err != cursor.ErrInvalid {
		t.Errorf("Open(%q) error = %v, want ErrInvalid", token, err)
	}
	if got != (position{}) {
		t.Errorf("Open(%q) = %+v along with an error, want zero", token, got)
	}
}

func TestRoundTrip(t *testing.T) {
	type inner struct {
		N int32
		S string
	}
	type name string
	type all struct {
		Bool    bool
		Int     int
		Int8    int8
		Int64   int64
		Uint8   uint8
		Uint64  uint64
		F32     float32
		F64     float64
		Text    string
		Bytes   []byte
		UUID    [16]byte
		At      time.Time
		Nested  inner
		Named   name
		Ending  string
		Boolean bool
	}
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			roundTrip(t, mode.opts, typical)
			roundTrip(t, mode.opts, position{})
			roundTrip(t, mode.opts, position{ID: "\x00\xff not UTF-8", Sort: math.MinInt64})
			roundTrip(t, mode.opts, "alone")
			roundTrip(t, mode.opts, "")
			roundTrip(t, mode.opts, name("derived"))
			roundTrip(t, mode.opts, 42)
			roundTrip(t, mode.opts, uint64(math.MaxUint64))
			roundTrip(t, mode.opts, true)
			roundTrip(t, mode.opts, math.Inf(-1))
			roundTrip(t, mode.opts, math.Copysign(0, -1))
			roundTrip(t, mode.opts, float32(math.SmallestNonzeroFloat32))
			roundTrip(t, mode.opts, []byte{0, 1, 2})
			roundTrip(t, mode.opts, [3]byte{9, 8, 7})
			roundTrip(t, mode.opts, struct{}{})
			roundTrip(t, mode.opts, time.Time{})
			roundTrip(t, mode.opts, time.Date(2026, 7, 28, 1, 2, 3, 999_999_999, time.UTC))
			roundTrip(t, mode.opts, time.Date(-4, 1, 1, 0, 0, 0, 1, time.UTC))
			roundTrip(t, mode.opts, [2]byte{})
			roundTrip(t, mode.opts, struct{ A, B, C, D, E, F, G, H, I bool }{B: true, H: true, I: true})
			roundTrip(t, mode.opts, struct{ A, B, C string }{"", "b", ""})
			roundTrip(t, mode.opts, strings.Repeat("long ", 10_000))
			roundTrip(t, mode.opts, all{})
			roundTrip(t, mode.opts, all{
				Bool: true, Int: -1, Int8: math.MinInt8, Int64: math.MinInt64, Uint8: 255, Uint64: math.MaxUint64,
				F32: 1.5, F64: math.MaxFloat64, Text: "a", Bytes: []byte("b"), UUID: [16]byte{15: 1},
				At: time.Unix(1, 2).UTC(), Nested: inner{N: -7, S: "nested"}, Named: "n", Ending: "e", Boolean: true,
			})
		})
	}
}

func roundTrip[P any](t *testing.T, opts *cursor.Options, want P) {
	t.Helper()
	c := codec[P](t, ring(t, key(1)), opts)
	// Twice, because state is reused and must not leak into the second.
	for range 2 {
		got, err := c.Open(c.Seal(want, bound), bound)
		if err != nil {
			t.Errorf("Open(Seal(%+v)): %v", want, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("round trip of %T (-want +got):\n%s", want, diff)
		}
	}
}

func TestNormalizedPayloads(t *testing.T) {
	t.Run("a time keeps its instant, not its location", func(t *testing.T) {
		c := codec[time.Time](t, ring(t, key(1)), nil)
		local := time.Date(2026, 7, 28, 12, 0, 0, 5, time.FixedZone("east", 2*3600))
		got, err := c.Open(c.Seal(local, bound), bound)
		if err != nil || got != local.UTC() {
			t.Errorf("got %v, %v, want %v", got, err, local.UTC())
		}
	})
	t.Run("empty bytes become nil", func(t *testing.T) {
		c := codec[[]byte](t, ring(t, key(1)), nil)
		got, err := c.Open(c.Seal([]byte{}, bound), bound)
		if err != nil || got != nil {
			t.Errorf("got %#v, %v, want nil", got, err)
		}
	})
	t.Run("NaN keeps its bits", func(t *testing.T) {
		c := codec[float64](t, ring(t, key(1)), nil)
		nan := math.Float64frombits(0x7ff8_0000_0000_1234)
		got, err := c.Open(c.Seal(nan, bound), bound)
		if err != nil || math.Float64bits(got) != math.Float64bits(nan) {
			t.Errorf("got %x, %v", math.Float64bits(got), err)
		}
	})
}

// An opened payload belongs to the caller: the codec's scratch is not aliased.
func TestPayloadIsOwned(t *testing.T) {
	for _, mode := range modes {
		c := codec[struct{ A, B []byte }](t, ring(t, key(1)), mode.opts)
		first, err := c.Open(c.Seal(struct{ A, B []byte }{[]byte("one"), []byte("two")}, bound), bound)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			c.Open(c.Seal(struct{ A, B []byte }{[]byte("XXX"), []byte("YYY")}, bound), bound)
		}
		if string(first.A) != "one" || string(first.B) != "two" {
			t.Errorf("%s: payload changed afterwards to %q, %q", mode.name, first.A, first.B)
		}
	}
}

func TestLifetime(t *testing.T) {
	const ttl = 15 * time.Minute
	tests := []struct {
		name   string
		minted time.Duration // after a whole second
		skew   time.Duration
		age    time.Duration
		want   error
	}{
		{"at once", 0, 0, 0, nil},
		{"a nanosecond before the end", 0, 0, ttl - 1, nil},
		{"exactly at the end", 0, 0, ttl, cursor.ErrExpired},
		{"long after", 0, 0, 1000 * time.Hour, cursor.ErrExpired},
		{"skew: at the end", 0, 5 * time.Second, ttl, nil},
		{"skew: a nanosecond before its end", 0, 5 * time.Second, ttl + 5*time.Second - 1, nil},
		{"skew: exactly at its end", 0, 5 * time.Second, ttl + 5*time.Second, cursor.ErrExpired},
		{"skew below a second", 0, time.Millisecond, ttl + time.Millisecond - 1, nil},
		{"skew below a second: its end", 0, time.Millisecond, ttl + time.Millisecond, cursor.ErrExpired},
		{"minted within a second: lives its TTL in full", 300 * time.Millisecond, 0, ttl, nil},
		{"minted within a second: until the next whole one", 300 * time.Millisecond, 0, ttl + 700*time.Millisecond - 1, nil},
		{"minted within a second: not beyond", 300 * time.Millisecond, 0, ttl + 700*time.Millisecond, cursor.ErrExpired},
	}
	for _, mode := range modes {
		for _, tt := range tests {
			t.Run(mode.name+"/"+tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					opts := cursor.Options{Skew: tt.skew}
					if mode.opts != nil {
						opts.Sealed = mode.opts.Sealed
					}
					c, err := cursor.New[position](ring(t, key(1)), ttl, &opts)
					if err != nil {
						t.Fatal(err)
					}
					time.Sleep(tt.minted)
					token := c.Seal(typical, bound)
					time.Sleep(tt.age)
					got, err := c.Open(token, bound)
					if err != tt.want {
						t.Fatalf("error = %v, want %v", err, tt.want)
					}
					want := typical
					if tt.want != nil {
						want = position{}
					}
					if got != want {
						t.Errorf("payload = %+v, want %+v", got, want)
					}
				})
			})
		}
	}
}

// Only a token that would have been accepted is told to be expired.
func TestExpiredNeedsAuthenticity(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := codec[position](t, ring(t, key(1)), mode.opts)
				token := c.Seal(typical, bound)
				time.Sleep(c.TTL())
				if _, err := c.Open(token, bound); err != cursor.ErrExpired {
					t.Errorf("error = %v, want ErrExpired", err)
				}
				refused(t, c, token, cursor.Bind("list_issues cursor", "bob", []byte("digest of the filters")))
				refused(t, c, token[:len(token)-1]+"A", bound)
				refused(t, codec[position](t, ring(t, key(2)), mode.opts), token, bound)
			})
		})
	}
}

// A TTL that reaches beyond the four bytes of the expiry does not wrap around
// into the past.
func TestLongestLifetime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := cursor.New[position](ring(t, key(1)), math.MaxInt64, nil)
		if err != nil {
			t.Fatal(err)
		}
		token := c.Seal(typical, bound)
		last := time.Unix(math.MaxUint32, 0)
		time.Sleep(time.Until(last) - 1)
		if got, err := c.Open(token, bound); err != nil || got != typical {
			t.Errorf("just before 2106-02-07: %+v, %v", got, err)
		}
		time.Sleep(time.Nanosecond)
		if _, err := c.Open(token, bound); err != cursor.ErrExpired {
			t.Errorf("at 2106-02-07: %v, want ErrExpired", err)
		}
	})
}

// public fault 64: replicas share keys, and rotation does not break live walks.
func TestRotation(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			mint := func(keys ...[]byte) string {
				return codec[position](t, ring(t, keys...), mode.opts).Seal(typical, bound)
			}
			open := func(token string, keys ...[]byte) error {
				got, err := codec[position](t, ring(t, keys...), mode.opts).Open(token, bound)
				if err == nil && got != typical {
					t.Errorf("payload = %+v", got)
				}
				return err
			}
			tests := []struct {
				name  string
				token string
				keys  [][]byte
				want  error
			}{
				{"another replica with the same key", mint(key(1)), [][]byte{key(1)}, nil},
				{"announced: the new key verifies before it signs", mint(key(2), key(1)), [][]byte{key(1), key(2)}, nil},
				{"rotated: the previous key still verifies", mint(key(1)), [][]byte{key(2), key(1)}, nil},
				{"rotated twice", mint(key(1)), [][]byte{key(3), key(2), key(1)}, nil},
				{"the first key signs", mint(key(2), key(1)), [][]byte{key(2)}, nil},
				{"a previous key does not sign", mint(key(2), key(1)), [][]byte{key(1)}, cursor.ErrInvalid},
				{"retired", mint(key(1)), [][]byte{key(2)}, cursor.ErrInvalid},
			}
			for _, tt := range tests {
				if err := open(tt.token, tt.keys...); err != tt.want {
					t.Errorf("%s: error = %v, want %v", tt.name, err, tt.want)
				}
			}
		})
	}
}

// With more keys than hints, several keys share one, and each must be tried.
func TestSharedHints(t *testing.T) {
	var keys [][]byte
	for n := range 100 {
		keys = append(keys, key(n))
	}
	for _, mode := range modes {
		all := codec[position](t, ring(t, keys...), mode.opts)
		for n, k := range keys {
			token := codec[position](t, ring(t, k), mode.opts).Seal(typical, bound)
			if got, err := all.Open(token, bound); err != nil || got != typical {
				t.Errorf("%s: token of key %d: %+v, %v", mode.name, n, got, err)
			}
		}
	}
}

// public faults 58, 65: a cursor of another call or caller, refused like a forged one.
func TestForeignBinding(t *testing.T) {
	foreign := []struct {
		name string
		b    cursor.Binding
	}{
		{"purpose", cursor.Bind("list_labels cursor", "alice", []byte("digest of the filters"))},
		{"principal", cursor.Bind("list_issues cursor", "bob", []byte("digest of the filters"))},
		{"no principal", cursor.Bind("list_issues cursor", "", []byte("digest of the filters"))},
		{"filters", cursor.Bind("list_issues cursor", "alice", []byte("digest of other filters"))},
		{"no filters", cursor.Bind("list_issues cursor", "alice", nil)},
		{"boundary purpose/principal", cursor.Bind("list_issues cursora", "lice", []byte("digest of the filters"))},
		{"boundary principal/digest", cursor.Bind("list_issues cursor", "alicedigest", []byte(" of the filters"))},
		{"swapped", cursor.Bind("alice", "list_issues cursor", []byte("digest of the filters"))},
		{"nothing", cursor.Bind("", "", nil)},
		{"zero", cursor.Binding{}},
	}
	for _, mode := range modes {
		c := codec[position](t, ring(t, key(1)), mode.opts)
		token := c.Seal(typical, bound)
		for _, tt := range foreign {
			t.Run(mode.name+"/"+tt.name, func(t *testing.T) {
				refused(t, c, token, tt.b)
				// And the other way around.
				refused(t, c, c.Seal(typical, tt.b), bound)
				if got, err := c.Open(c.Seal(typical, tt.b), tt.b); err != nil || got != typical {
					t.Errorf("under its own binding: %+v, %v", got, err)
				}
			})
		}
	}
}

// public fault 59, the part of the binding: it depends on what the arguments
// mean, for it depends on nothing but the digest.
func TestBindByMeaning(t *testing.T) {
	digest := bytes.Repeat([]byte{7}, 32)
	a := cursor.Bind("list", "alice", digest)
	if b := cursor.Bind("list", "alice", bytes.Clone(digest)); a != b {
		t.Error("equal digests bind differently")
	}
	digest[0]++ // after Bind: no alias is kept
	if b := cursor.Bind("list", "alice", bytes.Repeat([]byte{7}, 32)); a != b {
		t.Error("the binding changed with the caller's slice")
	}
	if cursor.Bind("p", "q", nil) != cursor.Bind("p", "q", []byte{}) {
		t.Error("nil and empty digest bind differently")
	}
	long := strings.Repeat("x", 1000)
	if cursor.Bind(long, long, nil) == cursor.Bind(long, long+"x", nil) {
		t.Error("long principals bind alike")
	}
}

// Pieces can be moved between purpose, principal and digest in no way that
// gives the same binding.
func TestBindIsInjective(t *testing.T) {
	pieces := []string{"", "\x00", "a", "b", "ab", "a\x00", "\x00a", "\x00\x00\x00\x00\x00\x00\x00\x01"}
	seen := map[cursor.Binding][3]string{}
	for _, p := range pieces {
		for _, q := range pieces {
			for _, d := range pieces {
				b, triple := cursor.Bind(p, q, []byte(d)), [3]string{p, q, d}
				if twin, ok := seen[b]; ok {
					t.Errorf("%q and %q bind alike", twin, triple)
				}
				seen[b] = triple
			}
		}
	}
}

func TestForeignType(t *testing.T) {
	type renamed struct {
		Key  string
		Sort int64
	}
	type reordered struct {
		Sort int64
		ID   string
	}
	type narrowed struct {
		ID   string
		Sort int32
	}
	type retyped struct {
		ID   []byte
		Sort int64
	}
	type twin position
	for _, mode := range modes {
		c := codec[position](t, ring(t, key(1)), mode.opts)
		refuses[renamed](t, c, mode.opts)
		refuses[reordered](t, c, mode.opts)
		refuses[narrowed](t, c, mode.opts)
		refuses[retyped](t, c, mode.opts)
		refuses[twin](t, c, mode.opts)
		refuses[struct{ Position position }](t, c, mode.opts)
		refuses[string](t, c, mode.opts)
		refuses[struct{}](t, c, mode.opts)
	}
	a, b := codec[[4]byte](t, ring(t, key(1)), nil), codec[[5]byte](t, ring(t, key(1)), nil)
	if _, err := b.Open(a.Seal([4]byte{}, bound), bound); err != cursor.ErrInvalid {
		t.Errorf("array of another length: %v", err)
	}
}

// refuses asserts that codecs of P and of position refuse each other's tokens.
func refuses[P any](t *testing.T, c *cursor.Codec[position], opts *cursor.Options) {
	t.Helper()
	other := codec[P](t, ring(t, key(1)), opts)
	var zero P
	if _, err := other.Open(c.Seal(position{}, bound), bound); err != cursor.ErrInvalid {
		t.Errorf("%T opened a position: %v", zero, err)
	}
	refused(t, c, other.Seal(zero, bound), bound)
}

func TestModesAreApart(t *testing.T) {
	keys := ring(t, key(1))
	signed, sealed := codec[position](t, keys, nil), codec[position](t, keys, &cursor.Options{Sealed: true})
	refused(t, signed, sealed.Seal(typical, bound), bound)
	refused(t, sealed, signed.Seal(typical, bound), bound)
}

func TestZeroCodec(t *testing.T) {
	var c cursor.Codec[position]
	if token := c.Seal(typical, bound); token != "" {
		t.Errorf("Seal = %q, want the empty string", token)
	}
	refused(t, &c, "", bound)
	refused(t, &c, codec[position](t, ring(t, key(1)), nil).Seal(typical, bound), bound)
}

func TestTTL(t *testing.T) {
	if got := codec[position](t, ring(t, key(1)), nil).TTL(); got != 15*time.Minute {
		t.Errorf("TTL() = %v", got)
	}
}

func TestConcurrentUse(t *testing.T) {
	for _, mode := range modes {
		c := codec[position](t, ring(t, key(2), key(1)), mode.opts)
		old := codec[position](t, ring(t, key(1)), mode.opts)
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				mine := cursor.Bind("list", fmt.Sprint(g), nil)
				for i := range 100 {
					want := position{ID: fmt.Sprintf("%d/%d", g, i), Sort: int64(i)}
					for _, by := range []*cursor.Codec[position]{c, old} {
						token := by.Seal(want, mine)
						if got, err := c.Open(token, mine); err != nil || got != want {
							t.Errorf("%s: %+v, %v, want %+v", mode.name, got, err, want)
						}
						if _, err := c.Open(token, bound); !errors.Is(err, cursor.ErrInvalid) {
							t.Errorf("%s: foreign binding: %v", mode.name, err)
						}
					}
				}
			})
		}
		wg.Wait()
	}
}
