package detail

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
)

// scalar returns the encoder of a boolean, number or string type.
func scalar(t reflect.Type) encodeFunc {
	switch t.Kind() {
	case reflect.Bool:
		return func(s *state, v reflect.Value) error {
			s.dst = strconv.AppendBool(s.dst, v.Bool())
			return nil
		}
	case reflect.Float32, reflect.Float64:
		bits := t.Bits()
		return func(s *state, v reflect.Value) (err error) {
			s.dst, err = appendFloat(s.dst, v.Float(), bits)
			return err
		}
	case reflect.String:
		if t == numberType {
			return encodeNumber
		}
		return func(s *state, v reflect.Value) error {
			s.dst = appendString(s.dst, v.String())
			return nil
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(s *state, v reflect.Value) error {
			s.dst = strconv.AppendInt(s.dst, v.Int(), 10)
			return nil
		}
	}
	return func(s *state, v reflect.Value) error {
		s.dst = strconv.AppendUint(s.dst, v.Uint(), 10)
		return nil
	}
}

// quoted is the string option of a json tag: plain in a JSON string, for a
// boolean, number or string and for pointers to one. A type that decides its
// JSON by a method keeps that.
func quoted(plain *node, t reflect.Type) encodeFunc {
	depth := 0
	for ; t.Kind() == reflect.Pointer; t = t.Elem() {
		if t.Implements(marshalerType) || t.Implements(textMarshalerType) {
			return plain.encode
		}
		depth++
	}
	if t.Implements(marshalerType) || t.Implements(textMarshalerType) {
		return plain.encode
	}
	methods := reflect.PointerTo(t).Implements(marshalerType) || reflect.PointerTo(t).Implements(textMarshalerType)
	unquoted := scalar(t)
	return func(s *state, v reflect.Value) error {
		target := v
		for range depth {
			if target.IsNil() {
				return plain.encode(s, v)
			}
			target = target.Elem()
		}
		if methods && target.CanAddr() {
			return plain.encode(s, v)
		}
		if t.Kind() == reflect.String && t != numberType {
			s.dst = appendString(s.dst, string(appendString(nil, target.String())))
			return nil
		}
		s.dst = append(s.dst, '"')
		if err := unquoted(s, target); err != nil {
			return err
		}
		s.dst = append(s.dst, '"')
		return nil
	}
}

// jsonNumber is the grammar of RFC 8259 section 6.
var jsonNumber = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`)

// encodeNumber writes a json.Number as it is; the empty one is zero.
func encodeNumber(s *state, v reflect.Value) error {
	text := v.String()
	switch {
	case text == "":
		text = "0"
	case !jsonNumber.MatchString(text):
		return errors.New("a json.Number holds what is not a number")
	}
	s.dst = append(s.dst, text...)
	return nil
}

// appendFloat spells f as ECMAScript does, in the shortest form that reads back
// as the same number.
func appendFloat(dst []byte, f float64, bits int) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, fmt.Errorf("%v has no JSON", f)
	}
	size := math.Abs(f)
	small, large := size < 1e-6, size >= 1e21
	if bits == 32 {
		small, large = float32(size) < 1e-6, float32(size) >= 1e21
	}
	if size == 0 || !small && !large {
		return strconv.AppendFloat(dst, f, 'f', -1, bits), nil
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, bits)
	if n := len(dst); n >= 4 && string(dst[n-4:n-1]) == "e-0" { // e-07 is written e-7
		dst = append(dst[:n-2], dst[n-1])
	}
	return dst, nil
}
