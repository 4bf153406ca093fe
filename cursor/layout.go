package cursor

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

const fingerprintLen = 16

// A layout is a payload type, compiled: which parts are carried in which
// order. Booleans come first, eight to a byte, then numbers, then texts with
// their lengths; the last text needs none, for it ends with the payload. A
// value has one encoding, and read accepts no other.
type layout struct {
	fingerprint [fingerprintLen]byte
	bools       []leaf
	numbers     []leaf
	texts       []leaf
}

// A leaf is one part that is carried, found from the payload by field numbers.
type leaf struct {
	index []int
	kind  kind
}

type kind string

const (
	kindBool    kind = "bool"
	kindInt     kind = "int"
	kindUint    kind = "uint"
	kindFloat32 kind = "float32"
	kindFloat64 kind = "float64"
	kindTime    kind = "time"
	kindArray   kind = "array"
	kindString  kind = "string"
	kindBytes   kind = "bytes"
	kindStruct  kind = "struct"
	kindNone    kind = ""
)

func kindOf(t reflect.Type) kind {
	if t == reflect.TypeFor[time.Time]() {
		return kindTime
	}
	switch t.Kind() {
	case reflect.Bool:
		return kindBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return kindInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return kindUint
	case reflect.Float32:
		return kindFloat32
	case reflect.Float64:
		return kindFloat64
	case reflect.String:
		return kindString
	case reflect.Struct:
		return kindStruct
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return kindBytes
		}
	case reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return kindArray
		}
	}
	return kindNone
}

// compile returns the layout of t, or an error for each part of t that cannot
// be carried.
func compile(t reflect.Type) (*layout, error) {
	lay := &layout{}
	var faults []error
	var shape strings.Builder
	shape.WriteString(t.String())

	var visit func(t reflect.Type, path string, index []int)
	refuse := func(path, reason string) {
		if path != "" {
			path = " field " + path
		}
		faults = append(faults, fmt.Errorf("cursor: payload%s: %s", path, reason))
	}
	visit = func(t reflect.Type, path string, index []int) {
		l := leaf{index: index, kind: kindOf(t)}
		switch l.kind {
		case kindNone:
			refuse(path, fmt.Sprintf("type %v cannot be carried", t))
			return
		case kindStruct:
			for i := range t.NumField() {
				f := t.Field(i)
				name := strings.TrimPrefix(path+"."+f.Name, ".")
				if !f.IsExported() {
					refuse(name, "it is not exported, so its value would be lost")
					continue
				}
				visit(f.Type, name, append(slices.Clone(index), i))
			}
			return
		case kindBool:
			lay.bools = append(lay.bools, l)
		case kindString, kindBytes:
			lay.texts = append(lay.texts, l)
		default:
			lay.numbers = append(lay.numbers, l)
		}
		fmt.Fprintf(&shape, "|%s %s %s", path, l.kind, t.Kind())
		if l.kind == kindArray {
			fmt.Fprintf(&shape, " %d", t.Len())
		}
	}
	visit(t, "", nil)

	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	sum := sha256.Sum256([]byte(shape.String()))
	copy(lay.fingerprint[:], sum[:])
	return lay, nil
}

// values are the carried parts of one addressable payload.
type values struct {
	bools, numbers, texts []reflect.Value
}

func (lay *layout) of(payload reflect.Value) values {
	pick := func(leaves []leaf) []reflect.Value {
		picked := make([]reflect.Value, len(leaves))
		for i, l := range leaves {
			picked[i] = payload
			for _, n := range l.index {
				picked[i] = picked[i].Field(n)
			}
		}
		return picked
	}
	return values{bools: pick(lay.bools), numbers: pick(lay.numbers), texts: pick(lay.texts)}
}
