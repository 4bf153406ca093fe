package cursor

import (
	"encoding/binary"
	"math"
	"math/bits"
	"reflect"
	"time"
)

// append writes the payload held in vs to dst.
func (lay *layout) append(dst []byte, vs values) []byte {
	for i := 0; i < len(vs.bools); i += 8 {
		var b byte
		for j, v := range vs.bools[i:min(i+8, len(vs.bools))] {
			if v.Bool() {
				b |= 1 << j
			}
		}
		dst = append(dst, b)
	}
	for i, v := range vs.numbers {
		dst = appendNumber(dst, lay.numbers[i].kind, v)
	}
	for i, v := range vs.texts {
		last := i == len(vs.texts)-1
		if !last {
			dst = binary.AppendUvarint(dst, uint64(v.Len()))
		}
		if lay.texts[i].kind == kindString {
			dst = append(dst, v.String()...)
		} else {
			dst = append(dst, v.Bytes()...)
		}
	}
	return dst
}

func appendNumber(dst []byte, k kind, v reflect.Value) []byte {
	switch k {
	case kindInt:
		return binary.AppendVarint(dst, v.Int())
	case kindUint:
		return binary.AppendUvarint(dst, v.Uint())
	case kindFloat32: // reversed, because the low bits of a float are often zero
		return binary.AppendUvarint(dst, uint64(bits.ReverseBytes32(math.Float32bits(float32(v.Float())))))
	case kindFloat64:
		return binary.AppendUvarint(dst, bits.ReverseBytes64(math.Float64bits(v.Float())))
	case kindTime:
		t := timeOf(v)
		dst = binary.AppendVarint(dst, t.Unix())
		return binary.AppendUvarint(dst, uint64(t.Nanosecond()))
	case kindArray:
		return append(dst, v.Bytes()...)
	}
	return dst
}

// timeOf reads through the pointer, which unlike Interface does not allocate.
func timeOf(v reflect.Value) *time.Time { return v.Addr().Interface().(*time.Time) }

// read sets vs, all of it zero before, to what append has written. It reports
// false for bytes that append does not write.
func (lay *layout) read(src []byte, vs values) bool {
	r := reader{src: src}
	for i := 0; i < len(vs.bools); i += 8 {
		group := vs.bools[i:min(i+8, len(vs.bools))]
		b := r.take(1)
		if !r.ok() || int(b[0])>>len(group) != 0 {
			return false
		}
		for j, v := range group {
			v.SetBool(b[0]>>j&1 == 1)
		}
	}
	for i, v := range vs.numbers {
		if !r.number(lay.numbers[i].kind, v) {
			return false
		}
	}
	for i, v := range vs.texts {
		n := uint64(len(r.src))
		if last := i == len(vs.texts)-1; !last {
			n = r.uvarint()
		}
		text := r.take(n)
		if !r.ok() {
			return false
		}
		if lay.texts[i].kind == kindString {
			v.SetString(string(text))
		} else if n > 0 {
			v.SetBytes(append([]byte(nil), text...))
		}
	}
	return r.ok() && len(r.src) == 0
}

// A reader consumes src. Once something is wrong it yields zeros.
type reader struct {
	src    []byte
	failed bool
}

func (r *reader) ok() bool { return !r.failed }

func (r *reader) take(n uint64) []byte {
	if r.failed || n > uint64(len(r.src)) {
		r.failed = true
		return nil
	}
	taken := r.src[:n:n]
	r.src = r.src[n:]
	return taken
}

// uvarint refuses numbers spelled longer than need be.
func (r *reader) uvarint() uint64 {
	x, n := binary.Uvarint(r.src)
	if r.failed || n <= 0 || n > 1 && r.src[n-1] == 0 {
		r.failed = true
		return 0
	}
	r.src = r.src[n:]
	return x
}

func (r *reader) varint() int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// number sets v. What does not fit v comes back changed, and is refused.
func (r *reader) number(k kind, v reflect.Value) bool {
	switch k {
	case kindInt:
		x := r.varint()
		v.SetInt(x)
		return r.ok() && v.Int() == x
	case kindUint:
		x := r.uvarint()
		v.SetUint(x)
		return r.ok() && v.Uint() == x
	case kindFloat32:
		x := r.uvarint()
		if x > math.MaxUint32 {
			return false
		}
		u := bits.ReverseBytes32(uint32(x))
		v.SetFloat(float64(math.Float32frombits(u)))
		return r.ok() && math.Float32bits(float32(v.Float())) == u
	case kindFloat64:
		v.SetFloat(math.Float64frombits(bits.ReverseBytes64(r.uvarint())))
		return r.ok()
	case kindTime:
		sec, nsec := r.varint(), r.uvarint()
		if nsec >= uint64(time.Second) {
			return false
		}
		*timeOf(v) = time.Unix(sec, int64(nsec)).UTC()
		return r.ok()
	case kindArray:
		b := r.take(uint64(v.Len()))
		copy(v.Bytes(), b)
		return r.ok()
	}
	return false
}
