package versioning

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/mcpkit-go/agentmcp/versioning/internal/jcs"
)

func (s *state) string(text string) error {
	var ok bool
	if s.buf, ok = jcs.AppendString(s.buf, text); !ok {
		return &ValueError{Reason: "invalid UTF-8"}
	}
	return nil
}

// number appends a number from its JSON text.
func (s *state) number(text string) (err error) {
	if s.buf, err = jcs.AppendNumber(s.buf, text); err != nil {
		return &ValueError{Reason: reasonOf(err)}
	}
	return nil
}

// reasonOf leaves out the offset, which tells nothing about a Go value.
func reasonOf(err error) string {
	if e, ok := err.(*jcs.Error); ok {
		return e.Reason
	}
	return err.Error()
}

func encodeBool(s *state, v reflect.Value) error {
	s.buf = strconv.AppendBool(s.buf, v.Bool())
	return nil
}

func encodeInt(s *state, v reflect.Value) error {
	s.buf = strconv.AppendInt(s.buf, v.Int(), 10)
	return nil
}

func encodeUint(s *state, v reflect.Value) error {
	s.buf = strconv.AppendUint(s.buf, v.Uint(), 10)
	return nil
}

const notFinite = "neither an infinity nor a NaN is a JSON number"

func encodeFloat64(s *state, v reflect.Value) error {
	var ok bool
	if s.buf, ok = jcs.AppendFloat(s.buf, v.Float()); !ok {
		return &ValueError{Reason: notFinite}
	}
	return nil
}

// encodeFloat32 takes the shortest decimal that is the value among the 32-bit
// ones, as encoding/json does: 0.1, not 0.10000000149011612.
func encodeFloat32(s *state, v reflect.Value) error {
	f := v.Float()
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return &ValueError{Reason: notFinite}
	}
	var buffer [32]byte
	return s.number(string(strconv.AppendFloat(buffer[:0], f, 'e', -1, 32)))
}

func encodeString(s *state, v reflect.Value) error { return s.string(v.String()) }

func encodeNumber(s *state, v reflect.Value) error {
	text := v.String()
	if text == "" {
		text = "0" // as encoding/json has it
	}
	return s.number(text)
}

func encodeBytes(s *state, v reflect.Value) error {
	s.buf = append(s.buf, '"')
	s.buf = base64.StdEncoding.AppendEncode(s.buf, v.Bytes())
	s.buf = append(s.buf, '"')
	return nil
}

func encodeNull(s *state) error {
	s.buf = append(s.buf, "null"...)
	return nil
}

func encodeInterface(s *state, v reflect.Value) error {
	if v.IsNil() {
		return encodeNull(s)
	}
	v = v.Elem()
	p, err := planOf(v.Type())
	if err != nil {
		return err
	}
	return p.encode(s, v)
}

func encodePointer(elem *plan) func(*state, reflect.Value) error {
	return func(s *state, v reflect.Value) error {
		if v.IsNil() {
			return encodeNull(s)
		}
		if err := s.enter(); err != nil {
			return err
		}
		err := elem.encode(s, v.Elem())
		s.depth--
		return err
	}
}

func encodeList(elem *plan) func(*state, reflect.Value) error {
	return func(s *state, v reflect.Value) error {
		if err := s.enter(); err != nil {
			return err
		}
		s.buf = append(s.buf, '[')
		for i := range v.Len() {
			if i > 0 {
				s.buf = append(s.buf, ',')
			}
			if err := elem.encode(s, v.Index(i)); err != nil {
				return under(strconv.Itoa(i), err)
			}
		}
		s.buf = append(s.buf, ']')
		s.depth--
		return nil
	}
}

// A span is where an element is in the buffer.
type span struct{ start, end int }

func encodeSet(elem *plan) func(*state, reflect.Value) error {
	return func(s *state, v reflect.Value) error {
		if err := s.enter(); err != nil {
			return err
		}
		s.buf = append(s.buf, '[')
		start, first := len(s.buf), len(s.spans)
		for i := range v.Len() {
			at := len(s.buf)
			if err := elem.encode(s, v.Index(i)); err != nil {
				return under(strconv.Itoa(i), err)
			}
			s.spans = append(s.spans, span{at, len(s.buf)})
		}
		elements := s.spans[first:]
		slices.SortFunc(elements, func(a, b span) int {
			return bytes.Compare(s.buf[a.start:a.end], s.buf[b.start:b.end])
		})
		s.spare = append(s.spare[:0], s.buf[start:]...)
		s.buf = s.buf[:start]
		for i, e := range elements {
			if i > 0 {
				s.buf = append(s.buf, ',')
			}
			s.buf = append(s.buf, s.spare[e.start-start:e.end-start]...)
		}
		s.buf = append(s.buf, ']')
		s.spans = s.spans[:first]
		s.depth--
		return nil
	}
}

// encodeQuoted puts the canonical JSON of a scalar into a string, for the option
// string.
func encodeQuoted(inner *plan) func(*state, reflect.Value) error {
	return func(s *state, v reflect.Value) error {
		if v.Kind() == reflect.Pointer && v.IsNil() {
			return encodeNull(s)
		}
		start := len(s.buf)
		if err := inner.encode(s, v); err != nil {
			return err
		}
		text := string(s.buf[start:])
		s.buf = s.buf[:start]
		return s.string(text)
	}
}

// A structMember is one field of a struct.
type structMember struct {
	name  string
	key   []byte // with its quotes and the colon
	index []int
	plan  *plan
	omit  []func(reflect.Value) bool
}

func encodeStruct(members []structMember) func(*state, reflect.Value) error {
	return func(s *state, v reflect.Value) error {
		if err := s.enter(); err != nil {
			return err
		}
		s.buf = append(s.buf, '{')
		empty := len(s.buf)
	next:
		for i := range members {
			m := &members[i]
			value, ok := fieldByIndex(v, m.index)
			if !ok {
				continue
			}
			for _, omit := range m.omit {
				if omit(value) {
					continue next
				}
			}
			if len(s.buf) > empty {
				s.buf = append(s.buf, ',')
			}
			s.buf = append(s.buf, m.key...)
			if err := m.plan.encode(s, value); err != nil {
				return under(m.name, err)
			}
		}
		s.buf = append(s.buf, '}')
		s.depth--
		return nil
	}
}

// fieldByIndex is false for a field of an embedded pointer that is nil.
func fieldByIndex(v reflect.Value, index []int) (reflect.Value, bool) {
	for i, n := range index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}, false
			}
			v = v.Elem()
		}
		v = v.Field(n)
	}
	return v, true
}

// isEmpty is the rule of omitempty.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// zeroFunc is the rule of omitzero: a method IsZero decides where there is one.
func zeroFunc(t reflect.Type) func(reflect.Value) bool {
	type zeroer interface{ IsZero() bool }
	wanted := reflect.TypeFor[zeroer]()
	switch {
	case t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer:
		if !t.Implements(wanted) {
			return reflect.Value.IsZero
		}
		return func(v reflect.Value) bool {
			if v.IsNil() || v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() {
				return true
			}
			return v.CanInterface() && v.Interface().(zeroer).IsZero()
		}
	case reflect.PointerTo(t).Implements(wanted):
		return func(v reflect.Value) bool {
			if !v.CanInterface() {
				return v.IsZero()
			}
			return addressable(v).Addr().Interface().(zeroer).IsZero()
		}
	}
	return reflect.Value.IsZero
}

// addressable returns v, or a copy of it whose address can be taken.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// A mapEntry is one member of a map.
type mapEntry struct {
	key   string
	value reflect.Value
}

func encodeMap(key func(reflect.Value) (string, error), elem *plan) func(*state, reflect.Value) error {
	return func(s *state, v reflect.Value) error {
		if err := s.enter(); err != nil {
			return err
		}
		entries := make([]mapEntry, 0, v.Len())
		for it := v.MapRange(); it.Next(); {
			name, err := key(it.Key())
			if err != nil {
				return &ValueError{Reason: "a map key: " + err.Error(), cause: err}
			}
			entries = append(entries, mapEntry{name, it.Value()})
		}
		slices.SortFunc(entries, func(a, b mapEntry) int { return jcs.Compare(a.key, b.key) })
		s.buf = append(s.buf, '{')
		for i, e := range entries {
			if i > 0 {
				if entries[i-1].key == e.key {
					return &ValueError{Reason: "two map keys encode alike"}
				}
				s.buf = append(s.buf, ',')
			}
			if err := s.string(e.key); err != nil {
				return &ValueError{Reason: "invalid UTF-8 in a map key"}
			}
			s.buf = append(s.buf, ':')
			if err := elem.encode(s, e.value); err != nil {
				return under("*", err)
			}
		}
		s.buf = append(s.buf, '}')
		s.depth--
		return nil
	}
}

// keyFunc returns what makes a JSON name of a map key, or nil.
func keyFunc(t reflect.Type) func(reflect.Value) (string, error) {
	switch {
	case t.Kind() == reflect.String:
		return func(v reflect.Value) (string, error) { return v.String(), nil }
	case t.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return func(v reflect.Value) (string, error) {
			if (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil() {
				return "", nil
			}
			text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
			return string(text), err
		}
	}
	switch k := t.Kind(); {
	case reflect.Int <= k && k <= reflect.Int64:
		return func(v reflect.Value) (string, error) { return strconv.FormatInt(v.Int(), 10), nil }
	case reflect.Uint <= k && k <= reflect.Uintptr:
		return func(v reflect.Value) (string, error) { return strconv.FormatUint(v.Uint(), 10), nil }
	}
	return nil
}

// encodeMethod calls a method of t, through a pointer if it needs one.
func encodeMethod(t reflect.Type, m method) func(*state, reflect.Value) error {
	wanted := m.interfaceType()
	return func(s *state, v reflect.Value) error {
		if !v.CanInterface() {
			return &ValueError{Reason: "an embedded type that is not exported has a marshaling method"}
		}
		if !t.Implements(wanted) {
			v = addressable(v).Addr()
		}
		if m == marshalsText {
			text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
			if err != nil {
				return &ValueError{Reason: "MarshalText: " + err.Error(), cause: err}
			}
			return s.string(string(text))
		}
		raw, err := v.Interface().(json.Marshaler).MarshalJSON()
		if err != nil {
			return &ValueError{Reason: "MarshalJSON: " + err.Error(), cause: err}
		}
		if s.buf, err = jcs.Append(s.buf, raw); err != nil {
			return &ValueError{Reason: "MarshalJSON: " + reasonOf(err)}
		}
		return nil
	}
}
