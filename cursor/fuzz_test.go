package cursor_test

import (
	"math"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/cursor"
)

// Whatever arrives, Open does not panic, and what it accepts is a payload that
// was sealed, in the one spelling of its token, under its own binding. Fuzzing
// workers seal for themselves, so tokens are told by their payloads.
func FuzzOpen(f *testing.F) {
	keys := ring(f, key(1), key(2))
	codecs := []*cursor.Codec[position]{
		codec[position](f, keys, nil),
		codec[position](f, keys, &cursor.Options{Sealed: true}),
	}
	sealed := map[position]bool{{}: true, typical: true, {ID: "x", Sort: -1}: true}
	for p := range sealed {
		for _, c := range codecs {
			token := c.Seal(p, bound)
			for _, seed := range []string{token, token + "=", token + "\n", token[:len(token)-1], token[1:]} {
				f.Add(seed)
			}
		}
	}
	f.Add("")
	f.Add("AAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Add("QAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	other := cursor.Bind("other", "alice", nil)
	f.Fuzz(func(t *testing.T, token string) {
		for _, c := range codecs {
			got, err := c.Open(token, bound)
			switch {
			case err == nil && !sealed[got]:
				t.Errorf("%q opened as %+v, which was never sealed", token, got)
			case err == nil && spell(raw(t, token)) != token:
				t.Errorf("%q is not the spelling of a token", token)
			case err != nil && got != (position{}):
				t.Errorf("payload %+v with error %v", got, err)
			}
			if _, err := c.Open(token, other); err != cursor.ErrInvalid {
				t.Errorf("under another binding: %v", err)
			}
		}
	})
}

// Every payload comes back as it was, under its own binding only.
func FuzzSeal(f *testing.F) {
	type payload struct {
		Flag  bool
		Int   int64
		Uint  uint16
		F32   float32
		F64   float64
		At    time.Time
		Text  string
		Bytes []byte
		Last  string
	}
	keys := ring(f, key(1))
	signed := codec[payload](f, keys, nil)
	sealed := codec[payload](f, keys, &cursor.Options{Sealed: true})
	f.Add(true, int64(1), uint16(2), float32(3), 4.0, int64(5), int64(6), "seven", []byte("eight"), "", "alice")
	f.Add(false, int64(math.MinInt64), uint16(0), float32(math.Inf(1)), math.NaN(), int64(-62135596800), int64(0), "", []byte(nil), "\xff", "")
	f.Fuzz(func(t *testing.T, flag bool, i int64, u uint16, f32 float32, f64 float64, sec, nsec int64, text string, data []byte, last, principal string) {
		want := payload{flag, i, u, f32, f64, time.Unix(sec, nsec).UTC(), text, data, last}
		b := cursor.Bind("fuzz", principal, data)
		for _, c := range []*cursor.Codec[payload]{signed, sealed} {
			token := c.Seal(want, b)
			got, err := c.Open(token, b)
			if err != nil {
				t.Fatal(err)
			}
			same := got.Flag == flag && got.Int == i && got.Uint == u && got.At == want.At &&
				math.Float32bits(got.F32) == math.Float32bits(f32) && math.Float64bits(got.F64) == math.Float64bits(f64) &&
				got.Text == text && string(got.Bytes) == string(data) && got.Last == last
			if !same {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if _, err := c.Open(token, cursor.Bind("fuzz", principal+"'", data)); err != cursor.ErrInvalid {
				t.Errorf("as another principal: %v", err)
			}
		}
	})
}
