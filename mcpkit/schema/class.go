package schema

import (
	"encoding"
	"encoding/json"
	"math/big"
	"net/url"
	"reflect"
	"time"

	"github.com/invopop/jsonschema"
)

// A class says what decides the JSON of a type.
type class int

const (
	classKind     class = iota // the kind and the element types
	classTime                  // time.Time: a date-time
	classNumber                // json.Number
	classBigInt                // big.Int
	classAny                   // json.RawMessage or an empty interface
	classText                  // MarshalText or UnmarshalText
	classProvider              // states its schema itself
	classPatch                 // Patch[T]
	classBytes                 // a list of bytes: base64
)

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	urlType      = reflect.TypeFor[url.URL]()
	rawType      = reflect.TypeFor[json.RawMessage]()
	numberType   = reflect.TypeFor[json.Number]()
	bigIntType   = reflect.TypeFor[big.Int]()

	marshalerType       = reflect.TypeFor[json.Marshaler]()
	textMarshalerType   = reflect.TypeFor[encoding.TextMarshaler]()
	unmarshalerType     = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
	providerType        = reflect.TypeFor[Provider]()
)

// foreignHooks are methods by which the engine would let a type replace its
// schema behind our back.
var foreignHooks = []reflect.Type{
	reflect.TypeFor[interface{ JSONSchemaAlias() any }](),
	reflect.TypeFor[interface{ JSONSchema() *jsonschema.Schema }](),
	reflect.TypeFor[interface{ JSONSchemaExtend(*jsonschema.Schema) }](),
	reflect.TypeFor[interface{ EnumDescriptor() ([]byte, []int) }](),
}

// classify returns the class of t, which is no pointer, or the reason why it
// has no schema. addressable says whether a value found there can have its
// address taken, on which encoding/json makes pointer methods depend.
func classify(t reflect.Type, dir Direction, addressable bool) (c class, reason string) {
	switch t {
	case timeType:
		return classTime, ""
	case numberType:
		return classNumber, ""
	case rawType:
		return classifyAny(dir)
	case bigIntType:
		if dir == Output && !addressable {
			return 0, "encoding/json writes a big.Int held by value as {}; use *big.Int"
		}
		return classBigInt, ""
	case durationType:
		return 0, "a time.Duration is a bare count of nanoseconds in JSON; use an integer whose name has the unit, such as timeout_ms"
	case urlType:
		return 0, "encoding/json writes a url.URL as an object of its parts; use a string with format=uri"
	}
	if _, ok := patchElem(t); ok {
		return classPatch, ""
	}
	pointer := reflect.PointerTo(t)
	for _, hook := range foreignHooks {
		if t.Implements(hook) {
			return 0, "it has method " + hook.Method(0).Name + " of another schema library, which would be ignored; implement schema.Provider"
		}
	}
	if t.Kind() != reflect.Interface && pointer.Implements(providerType) {
		return classProvider, ""
	}
	if t.Kind() == reflect.Interface {
		if t.NumMethod() > 0 {
			return 0, "an interface with methods does not say what its JSON is; use a concrete type"
		}
		return classifyAny(dir)
	}
	own, text := unmarshalerType, textUnmarshalerType
	if dir == Output {
		own, text = marshalerType, textMarshalerType
	}
	// Decoding always has an address.
	reached := dir == Input || addressable
	switch {
	case pointer.Implements(own) && !t.Implements(own) && !reached, pointer.Implements(text) && !t.Implements(text) && !reached:
		return 0, "encoding/json ignores the pointer method that writes its JSON, because the value has no address here; use a pointer or a value receiver"
	case pointer.Implements(own):
		return 0, "method " + own.Method(0).Name + " decides its JSON; implement schema.Provider to state the schema"
	case pointer.Implements(text):
		return classText, ""
	}
	switch t.Kind() {
	case reflect.Uintptr, reflect.Complex64, reflect.Complex128, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return 0, "a " + t.Kind().String() + " has no JSON"
	case reflect.Slice:
		elem := reflect.PointerTo(t.Elem())
		if t.Elem().Kind() == reflect.Uint8 && !elem.Implements(marshalerType) && !elem.Implements(textMarshalerType) {
			return classBytes, ""
		}
	}
	return classKind, ""
}

func classifyAny(dir Direction) (class, string) {
	if dir == Input {
		return 0, "an input of any type gives a client nothing to go by; use a concrete type, or implement schema.Provider"
	}
	return classAny, ""
}

// keyPattern returns the pattern of the keys of a map with keys of type key, ""
// for any string. ok is false for keys that encoding/json refuses.
func keyPattern(key reflect.Type, dir Direction) (pattern string, ok bool) {
	switch {
	case key.Kind() == reflect.String,
		dir == Output && key.Implements(textMarshalerType),
		dir == Input && reflect.PointerTo(key).Implements(textUnmarshalerType):
		return "", true
	}
	return integerPattern(key.Kind())
}

// integerPattern matches the decimal spelling of an integer kind.
func integerPattern(k reflect.Kind) (pattern string, ok bool) {
	switch k {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return `^-?(?:0|[1-9][0-9]*)$`, true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return `^(?:0|[1-9][0-9]*)$`, true
	}
	return "", false
}

// kindRange returns the bounds of an integer kind.
func kindRange(k reflect.Kind) (low, high *big.Int, ok bool) {
	one := big.NewInt(1)
	power := func(bits int) *big.Int { return new(big.Int).Lsh(one, uint(bits)) }
	switch k {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		half := power(kindBits(k) - 1)
		return new(big.Int).Neg(half), new(big.Int).Sub(half, one), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return new(big.Int), new(big.Int).Sub(power(kindBits(k)), one), true
	}
	return nil, nil, false
}

// kindBits returns the width of an integer kind; int and uint count as 64 bits
// on every platform so that a schema does not depend on the machine.
func kindBits(k reflect.Kind) int {
	switch k {
	case reflect.Int8, reflect.Uint8:
		return 8
	case reflect.Int16, reflect.Uint16:
		return 16
	case reflect.Int32, reflect.Uint32:
		return 32
	}
	return 64
}
