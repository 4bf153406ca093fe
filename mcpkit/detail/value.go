package detail

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxDepth bounds the levels that an encoder is inside of at a time.
const maxDepth = 1000

var errDepth = fmt.Errorf("value is nested deeper than %d levels, or contains itself", maxDepth)

// enter goes one level deeper. Who leaves by an error need not come back up.
func (s *state) enter() error {
	if s.depth++; s.depth > maxDepth {
		return errDepth
	}
	return nil
}

// A fieldError says where in the value encoding stopped.
type fieldError struct {
	path  string
	cause error
}

func (e *fieldError) Error() string { return e.path + ": " + e.cause.Error() }
func (e *fieldError) Unwrap() error { return e.cause }

func within(name string, err error) error {
	if err == errDepth {
		return err // the path would be as long as it is deep
	}
	if inner, ok := err.(*fieldError); ok {
		return &fieldError{name + "." + inner.path, inner.cause}
	}
	return &fieldError{name, err}
}

func pointer(elem *node) encodeFunc {
	return func(s *state, v reflect.Value) error {
		if v.IsNil() {
			s.dst = append(s.dst, "null"...)
			return nil
		}
		if err := s.enter(); err != nil {
			return err
		}
		err := elem.encode(s, v.Elem())
		s.depth--
		return err
	}
}

func list(elem *node) encodeFunc {
	return func(s *state, v reflect.Value) error {
		if err := s.enter(); err != nil {
			return err
		}
		s.dst = append(s.dst, '[')
		for i := range v.Len() {
			if i > 0 {
				s.dst = append(s.dst, ',')
			}
			if err := elem.encode(s, v.Index(i)); err != nil {
				return within(strconv.Itoa(i), err)
			}
		}
		s.dst = append(s.dst, ']')
		s.depth--
		return nil
	}
}

func encodeBytes(s *state, v reflect.Value) error {
	s.dst = append(s.dst, '"')
	s.dst = base64.StdEncoding.AppendEncode(s.dst, v.Bytes())
	s.dst = append(s.dst, '"')
	return nil
}

// mapping returns the encoder of a map type.
func (c *compiler) mapping(t reflect.Type, path string) encodeFunc {
	switch t.Key().Kind() {
	case reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
	default:
		if !t.Key().Implements(textMarshalerType) {
			c.fault(t, path, "a "+t.Key().String()+" cannot be the key of a JSON object")
		}
	}
	elem := c.node(t.Elem(), path)
	return func(s *state, v reflect.Value) error { return s.mapping(elem, v) }
}

func (s *state) mapping(elem *node, v reflect.Value) error {
	if err := s.enter(); err != nil {
		return err
	}
	type entry struct {
		key   string
		value reflect.Value
	}
	entries := make([]entry, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		key, err := keyText(it.Key())
		if err != nil {
			return fmt.Errorf("key of a %v: %w", v.Type(), err)
		}
		entries = append(entries, entry{key, it.Value()})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	s.dst = append(s.dst, '{')
	for i, e := range entries {
		if i > 0 {
			if e.key == entries[i-1].key {
				return fmt.Errorf("two keys of a %v have the same text", v.Type())
			}
			s.dst = append(s.dst, ',')
		}
		s.dst = append(appendString(s.dst, e.key), ':')
		if err := elem.encode(s, e.value); err != nil {
			return within(strconv.Quote(e.key), err)
		}
	}
	s.dst = append(s.dst, '}')
	s.depth--
	return nil
}

func keyText(k reflect.Value) (string, error) {
	if k.Kind() == reflect.String {
		return k.String(), nil
	}
	if m, ok := reflect.TypeAssert[encoding.TextMarshaler](k); ok {
		if k.Kind() == reflect.Pointer && k.IsNil() {
			return "", nil
		}
		text, err := m.MarshalText()
		return string(text), err
	}
	switch k.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(k.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(k.Uint(), 10), nil
	}
	return "", errors.New("it has no text") // a nil interface
}

// encodeInterface encodes the value in an interface by an encoder for its type,
// which is made when the first such value is met.
func encodeInterface(s *state, v reflect.Value) error {
	if v.IsNil() {
		s.dst = append(s.dst, "null"...)
		return nil
	}
	if err := s.enter(); err != nil {
		return err
	}
	v = v.Elem()
	inner, ok := s.encoder.dynamic.Load(v.Type())
	if !ok {
		made, err := Compile(v.Type())
		if err != nil {
			return fmt.Errorf("value in an interface: %w", err)
		}
		inner, _ = s.encoder.dynamic.LoadOrStore(v.Type(), made)
	}
	err := inner.(*Encoder).root.encode(s, v)
	s.depth--
	return err
}

func encodeTime(s *state, v reflect.Value) error {
	t, _ := reflect.TypeAssert[time.Time](v)
	s.dst = append(s.dst, '"')
	dst, err := t.UTC().AppendText(s.dst)
	if err != nil {
		return err
	}
	s.dst = append(dst, '"')
	return nil
}

// encodeMarshaler encodes a json.Marshaler. A nil pointer or interface is null
// and is not asked.
func encodeMarshaler(s *state, v reflect.Value) error {
	if isNil(v) {
		s.dst = append(s.dst, "null"...)
		return nil
	}
	m, _ := reflect.TypeAssert[json.Marshaler](v)
	raw, err := m.MarshalJSON()
	if err != nil {
		return fmt.Errorf("MarshalJSON of a %v: %w", v.Type(), err)
	}
	if !json.Valid(raw) {
		return fmt.Errorf("MarshalJSON of a %v returned invalid JSON", v.Type())
	}
	return s.raw(raw)
}

func encodeTextMarshaler(s *state, v reflect.Value) error {
	if isNil(v) {
		s.dst = append(s.dst, "null"...)
		return nil
	}
	m, _ := reflect.TypeAssert[encoding.TextMarshaler](v)
	text, err := m.MarshalText()
	if err != nil {
		return fmt.Errorf("MarshalText of a %v: %w", v.Type(), err)
	}
	s.dst = appendString(s.dst, string(text))
	return nil
}

func isNil(v reflect.Value) bool {
	return (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil()
}
