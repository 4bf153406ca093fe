package cursor_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"testing"
)

// BenchmarkFloor is the least that a signed token costs: HMAC-SHA-256 with
// reset state over as many bytes as a typical token authenticates.
func BenchmarkFloor(b *testing.B) {
	c := codec[position](b, ring(b, key(1)), nil)
	token := raw(b, c.Seal(typical, bound))
	message := make([]byte, 16+sha256.Size+len(token)-16)
	mac := hmac.New(sha256.New, key(1))
	var sum [sha256.Size]byte
	b.ReportAllocs()
	for b.Loop() {
		mac.Reset()
		mac.Write(message)
		mac.Sum(sum[:0])
	}
}

func BenchmarkSeal(b *testing.B) {
	for _, mode := range modes {
		b.Run(mode.name, func(b *testing.B) {
			c := codec[position](b, ring(b, key(1)), mode.opts)
			b.ReportAllocs()
			for b.Loop() {
				c.Seal(typical, bound)
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, mode := range modes {
		b.Run(mode.name, func(b *testing.B) {
			c := codec[position](b, ring(b, key(1)), mode.opts)
			token := c.Seal(typical, bound)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Open(token, bound); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpenForged(b *testing.B) {
	c := codec[position](b, ring(b, key(1)), nil)
	token := []byte(c.Seal(typical, bound))
	token[10] ^= 1
	forged := string(token)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Open(forged, bound); err == nil {
			b.Fatal("accepted")
		}
	}
}
