package cursor

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"strings"
	"time"
)

const fingerprintLen = 16

// A layout is a payload type, compiled: which of its parts are carried in
// which order. Booleans come first, eight to a byte, then numbers, then texts
// with their lengths; the last text needs none, for it ends with the payload.
// There is one encoding of a value and read accepts no other.
type layout struct {
	fingerprint [fingerprintLen]byte
	bools       int    // leaves[:bools]
	leaves      []leaf // in the order of encoding
	last        int    // index of the last text, -1 if there is none
}

// A leaf is one part that is carried.
type leaf struct {
	index []int // path of field numbers from the payload, empty for itself
	kind  kind
}

type kind int

const (
	kindBool kind = iota
	kindInt
	kindUint
	kindFloat32
	kindFloat64
	kindTime
	kindArray
	kindText
)

var timeType = reflect.TypeFor[time.Time]()

// compile returns the layout of t or an error for each part that cannot be
// carried.
func compile(t reflect.Type) (*layout, error) {
	var groups [3][]leaf // bools, numbers, texts
	var faults []error
	var shape strings.Builder
	shape.WriteString(t.String())
	var visit func(t reflect.Type, path string, index []int)
	visit = func(t reflect.Type, path string, index []int) {
		k, reason := classify(t)
		switch {
		case reason != "":
			at := ""
			if path != "" {
				at = ": field " + path
			}
			faults = append(faults, fmt.Errorf("cursor: payload %s%s: %s", reflect.TypeFor[any](), at, reason))
		case k == kindStruct:
			for i := range t.NumField() {
				f := t.Field(i)
				name := f.Name
				if path != "" {
					name = path + "." + name
				}
				next := append(append([]int{}, index...), i)
				if !f.IsExported() {
					faults = append(faults, fmt.Errorf("field %s is not exported", name))
					continue
				}
				visit(f.Type, name, next)
			}
		}
	}
	visit(t, "", nil)
	_ = groups
	_ = sha256.Sum256
	_ = binary.MaxVarintLen64
	_ = math.MaxInt
	_ = bits.ReverseBytes64
	return nil, errors.Join(faults...)
}
