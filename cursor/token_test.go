package cursor_test

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mcpkit-go/agentmcp/cursor"
)

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

func raw(t testing.TB, token string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func spell(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// public fault 63: every byte, every other value of it.
func TestEveryByteIsAuthenticated(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			c := codec[position](t, ring(t, key(1), key(2)), mode.opts)
			token := raw(t, c.Seal(typical, bound))
			for i := range token {
				for flip := 1; flip < 256; flip++ {
					forged := bytes.Clone(token)
					forged[i] ^= byte(flip)
					if _, err := c.Open(spell(forged), bound); err != cursor.ErrInvalid {
						t.Fatalf("byte %d xor %#02x: error = %v, want ErrInvalid", i, flip, err)
					}
				}
			}
		})
	}
}

// public faults 62, 63: every character, every other character of the alphabet
// and some beyond it.
func TestEveryCharacterIsAuthenticated(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			c := codec[position](t, ring(t, key(1)), mode.opts)
			token := c.Seal(typical, bound)
			for i := range len(token) {
				for _, by := range []byte(alphabet + "+/=.~%&#? \n\r\t\x00\xff") {
					if by == token[i] {
						continue
					}
					if _, err := c.Open(token[:i]+string(by)+token[i+1:], bound); err != cursor.ErrInvalid {
						t.Fatalf("character %d as %q: error = %v, want ErrInvalid", i, by, err)
					}
				}
			}
		})
	}
}

// public fault 63: parts of genuine tokens, put together anew.
func TestPartsOfTokens(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			c := codec[position](t, ring(t, key(1)), mode.opts)
			a := raw(t, c.Seal(position{ID: "aaaaaaaaaaaaaaaa", Sort: 1}, bound))
			b := raw(t, c.Seal(position{ID: "bbbbbbbbbbbbbbbb", Sort: 2}, bound))
			older := raw(t, codec[position](t, ring(t, key(2)), mode.opts).Seal(position{ID: "aaaaaaaaaaaaaaaa", Sort: 1}, bound))
			mac := len(a) - 16
			// With equal lengths, every cut that takes both parts from
			// different tokens swaps payload and MAC, or pieces of them.
			for cut := 6; cut < len(a); cut++ {
				refused(t, c, spell(append(bytes.Clone(a[:cut]), b[cut:]...)), bound)
				refused(t, c, spell(append(bytes.Clone(b[:cut]), a[cut:]...)), bound)
			}
			for cut := range a[1:] {
				refused(t, c, spell(append(bytes.Clone(older[:cut+1]), a[cut+1:]...)), bound)
			}
			// Any piece missing or added at either end.
			for n := range len(a) {
				refused(t, c, spell(a[:n]), bound)
				refused(t, c, spell(a[len(a)-n:]), bound)
			}
			for _, extra := range [][]byte{{0}, {0xff}, a[mac:], a} {
				refused(t, c, spell(append(bytes.Clone(a), extra...)), bound)
				refused(t, c, spell(append(bytes.Clone(extra), a...)), bound)
			}
			// The MAC dropped, zeroed, or moved to the front.
			refused(t, c, spell(a[:mac]), bound)
			refused(t, c, spell(append(bytes.Clone(a[:mac]), make([]byte, 16)...)), bound)
			refused(t, c, spell(append(bytes.Clone(a[mac:]), a[:mac]...)), bound)
		})
	}
}

// public fault 62: a token has one spelling. All lengths modulo 3 are covered,
// for the unused bits of the last character depend on it.
func TestOneSpelling(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			for n := range 6 {
				c := codec[position](t, ring(t, key(1)), mode.opts)
				token := c.Seal(position{ID: strings.Repeat("i", n)}, bound)
				if _, err := c.Open(token, bound); err != nil {
					t.Fatal(err)
				}
				for _, padding := range []string{"=", "==", "===", "%3D", "\n", "\r\n", " ", "\t", "\x00", "A", "AA", "AAAA"} {
					refused(t, c, token+padding, bound)
					refused(t, c, padding+token, bound)
				}
				for i := 1; i < len(token); i++ {
					refused(t, c, token[:i]+"\n"+token[i:], bound)
					refused(t, c, token[:i]+"\r"+token[i:], bound)
				}
				for _, last := range alphabet {
					if other := token[:len(token)-1] + string(last); other != token {
						refused(t, c, other, bound)
					}
				}
				refused(t, c, url.QueryEscape(token)+"%20", bound)
				refused(t, c, base64.StdEncoding.EncodeToString(raw(t, token))+"=", bound)
			}
		})
	}
	t.Run("standard alphabet", func(t *testing.T) {
		c := codec[position](t, ring(t, key(1)), nil)
		seen := 0
		for i := range int64(200) {
			token := c.Seal(position{Sort: i}, bound)
			if std := strings.NewReplacer("-", "+", "_", "/").Replace(token); std != token {
				refused(t, c, std, bound)
				seen++
			}
		}
		if seen == 0 {
			t.Error("no token had a character in which the alphabets differ")
		}
	})
}

func TestNotTokens(t *testing.T) {
	for _, mode := range modes {
		c := codec[position](t, ring(t, key(1)), mode.opts)
		for _, token := range []string{
			"", "A", "AAAA", "null", "undefined", "0", "next_cursor", "eyJhZnRlciI6MX0",
			strings.Repeat("A", 27), strings.Repeat("A", 28), strings.Repeat("A", 29), strings.Repeat("_", 62),
			strings.Repeat("\n", 62), strings.Repeat("=", 62), "é" + strings.Repeat("A", 60), strings.Repeat("A", 1<<20),
		} {
			refused(t, c, token, bound)
		}
	}
}

// A typical cursor has at most 62 characters, whatever its times are.
func TestLength(t *testing.T) {
	c := codec[position](t, ring(t, key(1)), nil)
	for _, tt := range []struct {
		name string
		p    position
		most int
	}{
		{"16-character id and nanoseconds", typical, 62},
		{"the same before 1970", position{typical.ID, -typical.Sort}, 62},
		{"16-character id and a number", position{typical.ID, 512}, 52},
		{"nothing", position{}, 30},
	} {
		if got := len(c.Seal(tt.p, bound)); got > tt.most {
			t.Errorf("%s: %d characters, want at most %d", tt.name, got, tt.most)
		}
	}
}

func TestAlphabetSurvivesURL(t *testing.T) {
	for _, mode := range modes {
		c := codec[position](t, ring(t, key(1)), mode.opts)
		used := map[rune]bool{}
		for i := range int64(500) {
			token := c.Seal(position{Sort: i}, bound)
			if url.QueryEscape(token) != token || url.PathEscape(token) != token {
				t.Fatalf("%s: token %q is escaped in a URL", mode.name, token)
			}
			query, err := url.ParseQuery("cursor=" + token)
			if err != nil || query.Get("cursor") != token {
				t.Fatalf("%s: query gave %q, %v", mode.name, query.Get("cursor"), err)
			}
			for _, r := range token {
				used[r] = true
			}
		}
		if len(used) != len(alphabet) {
			t.Errorf("%s: %d characters occurred, want all %d", mode.name, len(used), len(alphabet))
		}
	}
}

// A sealed token shows nothing of the payload and is another one each time; a
// signed token shows it and is the same each time.
func TestSealedHides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signed := codec[position](t, ring(t, key(1)), nil)
		sealed := codec[position](t, ring(t, key(1)), &cursor.Options{Sealed: true})
		if !bytes.Contains(raw(t, signed.Seal(typical, bound)), []byte(typical.ID)) {
			t.Error("the payload of a signed token is not readable")
		}
		if bytes.Contains(raw(t, sealed.Seal(typical, bound)), []byte(typical.ID)) {
			t.Error("the payload of a sealed token is readable")
		}
		if a, b := signed.Seal(typical, bound), signed.Seal(typical, bound); a != b {
			t.Error("a signed token is not deterministic")
		}
		if a, b := sealed.Seal(typical, bound), sealed.Seal(typical, bound); a == b {
			t.Error("two sealed tokens are equal: a nonce was used twice")
		} else if len(a) != len(signed.Seal(typical, bound))+16 {
			t.Errorf("a sealed token has %d characters, want 16 more than a signed one", len(a))
		}
	})
}

// The principal, the purpose and the digest are bound, not carried.
func TestBindingIsNotCarried(t *testing.T) {
	c := codec[position](t, ring(t, key(1)), nil)
	long := cursor.Bind(strings.Repeat("purpose", 100), strings.Repeat("principal", 100), bytes.Repeat([]byte("digest"), 100))
	if a, b := len(c.Seal(typical, bound)), len(c.Seal(typical, long)); a != b {
		t.Errorf("%d characters under a short binding, %d under a long one", a, b)
	}
}

// The format, built by hand from its description: what one release seals, the
// next one opens. At the begin of a synctest bubble it is 2000-01-01.
func TestFormat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		typeHash := sha256.Sum256([]byte("cursor_test.position|ID string string|Sort int int64"))
		var triple []byte
		for _, s := range []string{"list_issues cursor", "alice", "digest of the filters"} {
			triple = append(binary.BigEndian.AppendUint64(triple, uint64(len(s))), s...)
		}
		binding := sha256.Sum256(triple)

		derive := func(use string, n int) []byte {
			k, err := hkdf.Key(sha256.New, key(1), nil, "agentmcp cursor v1 "+use, n)
			if err != nil {
				t.Fatal(err)
			}
			return k
		}
		token := []byte{derive("hint", 1)[0] & 0x3f}
		token = binary.BigEndian.AppendUint32(token, 946684800+15*60)
		token = binary.AppendVarint(token, typical.Sort)
		token = append(token, typical.ID...)

		mac := hmac.New(sha256.New, derive("HMAC-SHA-256", 32))
		mac.Write(typeHash[:16])
		mac.Write(binding[:])
		mac.Write(token)
		token = mac.Sum(token)
		want := spell(token[:len(token)-16])

		c := codec[position](t, ring(t, key(1)), nil)
		if got := c.Seal(typical, bound); got != want {
			t.Errorf("Seal = %s\nwant   %s", got, want)
		}
		const golden = "MjhtRwSqtK7VvpS5hjEwMUpHSDdRRjg4Wks0TTJQofoGlUDynzQvHcut8dHNLg"
		if want != golden {
			t.Errorf("the format has changed: %s\nearlier releases: %s", want, golden)
		}
	})
}
