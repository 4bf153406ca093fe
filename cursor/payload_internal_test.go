package cursor

import (
	"bytes"
	"reflect"
	"testing"
	"time"
)

// everything has a part of each kind.
type everything struct {
	A     bool
	B     bool
	Int8  int8
	Int   int64
	Uint8 uint8
	F32   float32
	F64   float64
	At    time.Time
	ID    [3]byte
	Text  string
	Bytes []byte
	Last  string
}

// A payload is only read once it is authentic, so no token reaches these from
// outside; still read must neither panic nor take bytes that append does not
// write.
func TestReadRefuses(t *testing.T) {
	type one struct{ N int8 }
	tests := []struct {
		name    string
		payload any
		src     string
	}{
		{"empty", &one{}, ""},
		{"trailing byte", &one{}, "\x02\x00"},
		{"number spelled too long", &one{}, "\x82\x00"},
		{"number without end", &one{}, "\x82"},
		{"number out of range", &one{}, "\x80\x02"},
		{"number of more than 64 bits", &struct{ N uint64 }{}, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"},
		{"unsigned out of range", &struct{ N uint8 }{}, "\x80\x02"},
		{"float32 of more than 32 bits", &struct{ F float32 }{}, "\x80\x80\x80\x80\x10"},
		{"flag without a field", &struct{ A, B bool }{}, "\x04"},
		{"no flags", &struct{ A bool }{}, ""},
		{"a second of nanoseconds", &struct{ T time.Time }{}, "\x00\x80\x94\xeb\xdc\x03"},
		{"array cut short", &struct{ ID [4]byte }{}, "abc"},
		{"text longer than the payload", &struct{ A, B string }{}, "\x05abcd"},
		{"text of an absurd length", &struct{ A, B string }{}, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"},
		{"no length", &struct{ A, B string }{}, ""},
		{"nothing to carry", &struct{}{}, "\x00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := reflect.ValueOf(tt.payload).Elem()
			lay, err := compile(v.Type())
			if err != nil {
				t.Fatal(err)
			}
			if lay.read([]byte(tt.src), lay.of(v)) {
				t.Errorf("read %q as %+v", tt.src, v)
			}
		})
	}
}

// What read accepts, append writes: a payload has one encoding.
func FuzzRead(f *testing.F) {
	lay, err := compile(reflect.TypeFor[everything]())
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range []everything{
		{},
		{true, false, -1, 1 << 40, 255, 1.5, -2.25, time.Unix(1, 999).UTC(), [3]byte{1, 2, 3}, "text", []byte("bytes"), "last"},
	} {
		f.Add(lay.append(nil, lay.of(reflect.ValueOf(&p).Elem())))
	}
	f.Add([]byte("\x03\x80\x00"))
	f.Fuzz(func(t *testing.T, src []byte) {
		var p everything
		vs := lay.of(reflect.ValueOf(&p).Elem())
		if !lay.read(src, vs) {
			return
		}
		if again := lay.append(nil, vs); !bytes.Equal(again, src) {
			t.Errorf("read %x, but append writes %x for %+v", src, again, p)
		}
	})
}
