package cursor_test

import (
	"encoding/base64"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mcpkit-go/agentmcp/cursor"
)

// A million tokens that this codec did not seal for this call: none opens.
func TestMillionForgedTokens(t *testing.T) {
	const total = 1_000_000
	var tried, accepted atomic.Int64
	keys := ring(t, key(1), key(2))
	type other struct{ ID, Sort string }
	for _, mode := range modes {
		own := codec[position](t, keys, mode.opts)
		foreignKey := codec[position](t, ring(t, key(3)), mode.opts)
		foreignType := codec[other](t, keys, mode.opts)
		foreignMode := codec[position](t, keys, &cursor.Options{Sealed: mode.opts == nil})
		var wg sync.WaitGroup
		workers := runtime.GOMAXPROCS(0)
		each := total / len(modes) / workers
		for worker := range workers {
			wg.Go(func() {
				random := rand.New(rand.NewPCG(uint64(worker), 7))
				alphabet := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
				var genuine string
				for i := range each {
					if i%64 == 0 {
						genuine = own.Seal(position{ID: typical.ID, Sort: random.Int64()}, bound)
					}
					token := []byte(genuine)
					at := random.IntN(len(token))
					switch i % 8 {
					case 0: // one character is another one
						token[at] = alphabet[(random.IntN(63)+1+strings.IndexByte(alphabet, token[at]))%64]
					case 1: // cut
						token = token[:at]
					case 2: // one bit of its bytes flipped, spelled strictly
						bytes, err := base64.RawURLEncoding.DecodeString(genuine)
						if err != nil {
							t.Error(err)
							return
						}
						bytes[random.IntN(len(bytes))] ^= 1 << random.IntN(8)
						token = base64.RawURLEncoding.AppendEncode(nil, bytes)
					case 3: // something in front or behind
						extra := alphabet[random.IntN(64)]
						if i&8 == 0 {
							token = append(token, extra)
						} else {
							token = append([]byte{extra}, token...)
						}
					case 4: // noise of the same length with a plausible head
						for j := 7; j < len(token); j++ {
							token[j] = alphabet[random.IntN(64)]
						}
					case 5: // sealed with a key of another server
						token = []byte(foreignKey.Seal(typical, bound))
					case 6: // of another payload type, or of the other mode
						if i&8 == 0 {
							token = []byte(foreignType.Seal(other{"a", "b"}, bound))
						} else {
							token = []byte(foreignMode.Seal(typical, bound))
						}
					case 7: // of another caller, tool or filter
						b := []cursor.Binding{
							cursor.Bind("list_issues cursor", "bob", []byte("digest of the filters")),
							cursor.Bind("list_labels cursor", "alice", []byte("digest of the filters")),
							cursor.Bind("list_issues cursor", "alice", []byte("digest of other filters")),
						}[random.IntN(3)]
						token = []byte(own.Seal(typical, b))
					}
					tried.Add(1)
					got, err := own.Open(string(token), bound)
					if err == nil || got != (position{}) {
						accepted.Add(1)
						t.Errorf("%s: %s opened as %+v: %v", mode.name, token, got, err)
						return
					}
				}
			})
		}
		wg.Wait()
	}
	if n := tried.Load(); accepted.Load() != 0 || n < total-10 {
		t.Errorf("%d of %d accepted", accepted.Load(), n)
	}
}
