package detail

import (
	"encoding"
	"encoding/json"
	"reflect"
	"time"
)

// An encodeFunc appends the JSON of v, whose type it was made for.
type encodeFunc func(s *state, v reflect.Value) error

// A node is the encoder of one type. It exists before its function does, so
// that recursive types can refer to it.
type node struct{ encode encodeFunc }

// A state is one run of an encoder.
type state struct {
	dst     []byte
	summary bool
	depth   int
	encoder *Encoder
}

type compiler struct {
	nodes   map[reflect.Type]*node
	faults  []*Fault
	differs bool
}

func (c *compiler) fault(t reflect.Type, path, reason string) {
	c.faults = append(c.faults, &Fault{Type: t, Field: path, Reason: reason})
}

var (
	timeType          = reflect.TypeFor[time.Time]()
	numberType        = reflect.TypeFor[json.Number]()
	marshalerType     = reflect.TypeFor[json.Marshaler]()
	textMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()
)

// node returns the node of t, which is first met at path.
func (c *compiler) node(t reflect.Type, path string) *node {
	if n, ok := c.nodes[t]; ok {
		return n
	}
	n := &node{}
	c.nodes[t] = n
	n.encode = c.byMethod(t, path)
	return n
}

// byMethod prefers the methods that decide the JSON of t to its kind. A pointer
// method counts only for a value that has an address.
func (c *compiler) byMethod(t reflect.Type, path string) encodeFunc {
	switch t {
	case timeType:
		return encodeTime
	case reflect.PointerTo(timeType):
		return pointer(c.node(timeType, path))
	}
	indirect := t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface
	switch {
	case t.Implements(marshalerType):
		return encodeMarshaler
	case indirect && reflect.PointerTo(t).Implements(marshalerType):
		return ifAddressable(encodeMarshaler, c.byText(t, path))
	}
	return c.byText(t, path)
}

func (c *compiler) byText(t reflect.Type, path string) encodeFunc {
	indirect := t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface
	switch {
	case t.Implements(textMarshalerType):
		return encodeTextMarshaler
	case indirect && reflect.PointerTo(t).Implements(textMarshalerType):
		return ifAddressable(encodeTextMarshaler, c.byKind(t, path))
	}
	return c.byKind(t, path)
}

func ifAddressable(yes, no encodeFunc) encodeFunc {
	return func(s *state, v reflect.Value) error {
		if v.CanAddr() {
			return yes(s, v.Addr())
		}
		return no(s, v)
	}
}

func (c *compiler) byKind(t reflect.Type, path string) encodeFunc {
	switch t.Kind() {
	case reflect.Bool, reflect.Float32, reflect.Float64, reflect.String,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return scalar(t)
	case reflect.Interface:
		return encodeInterface
	case reflect.Struct:
		return c.object(t, path)
	case reflect.Map:
		return c.mapping(t, path)
	case reflect.Slice:
		elem := reflect.PointerTo(t.Elem())
		if t.Elem().Kind() == reflect.Uint8 && !elem.Implements(marshalerType) && !elem.Implements(textMarshalerType) {
			return encodeBytes
		}
		return list(c.node(t.Elem(), path))
	case reflect.Array:
		return list(c.node(t.Elem(), path))
	case reflect.Pointer:
		return pointer(c.node(t.Elem(), path))
	}
	delete(c.nodes, t) // so that each field of such a type is named
	c.fault(t, path, "a "+t.Kind().String()+" has no JSON")
	return nil
}
