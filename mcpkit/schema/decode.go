package schema

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/mcpkit-go/agentmcp/mcpkit/internal/jsonfields"
)

// Decode stores args, a tree as [Document.Read] returns it, in the value that
// into points to. It follows encoding/json (the same fields, json.Unmarshaler,
// encoding.TextUnmarshaler, the string option, base64 for lists of bytes, null
// sets pointers, maps, lists and interfaces to nil and leaves the rest alone)
// and is stricter where that package guesses:
//
//   - names match exactly, case included, and one that no field has is an error;
//   - integers are exact up to the range of their type, and 512.0 is one;
//   - an array must have as many elements as the JSON;
//   - a number in an interface is a [json.Number].
//
// into is a non-nil pointer. It shares no map or list with args afterwards. What
// a value has no place for is a [*DecodeError], of the first name if there are
// several in an object; into may then be filled in part. Decode is safe for concurrent use with different
// values of into.
func Decode(args map[string]any, into any) error {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return errors.New("schema: decode: the target must be a pointer that is not nil")
	}
	if args == nil {
		args = map[string]any{}
	}
	err := decodeInto(args, v.Elem(), 0)
	if e := (*decodeError)(nil); errors.As(err, &e) {
		slices.Reverse(e.path)
		place := predicate(e.path, "", "-", nil)
		return &DecodeError{Field: place.Field, Pointer: place.Pointer, Reason: e.reason}
	}
	return err
}

// A DecodeError is what [Decode] reports about one value: it is valid by the
// schema and yet has no place in the Go type, such as an integer beyond 64 bits.
type DecodeError struct {
	Field   string // dotted path of names, as in a [Violation]
	Pointer string // RFC 6901 pointer into the arguments
	Reason  string // a phrase to be read after the field's name; never the value
}

// Error names the field and the reason.
func (e *DecodeError) Error() string { return "schema: decode: " + e.Field + ": " + e.Reason }

// A decodeError collects its path on the way up, innermost step first.
type decodeError struct {
	path   []step
	reason string
}

func (e *decodeError) Error() string { return e.reason }

func misfit(format string, args ...any) error {
	return &decodeError{reason: fmt.Sprintf(format, args...)}
}

func atStep(s step, err error) error {
	if e, ok := err.(*decodeError); ok {
		e.path = append(e.path, s)
	}
	return err
}

func decodeInto(v any, target reflect.Value, depth int) error {
	for ; ; depth++ {
		if depth > maxSchemaDepth {
			return misfit("is nested too deep")
		}
		if target.Kind() != reflect.Pointer {
			break
		}
		if v == nil {
			target.SetZero()
			return nil
		}
		if target.IsNil() {
			target.Set(reflect.New(target.Type().Elem()))
		}
		target = target.Elem()
	}
	if done, err := decodeByMethod(v, target); done {
		return err
	}
	switch v := v.(type) {
	case nil:
		switch target.Kind() {
		case reflect.Map, reflect.Slice, reflect.Interface:
			target.SetZero()
		}
		return nil
	case bool:
		if target.Kind() == reflect.Bool {
			target.SetBool(v)
			return nil
		}
	case string:
		return decodeText(v, target)
	case json.Number:
		return decodeNumber(v, target)
	case []any:
		return decodeList(v, target, depth)
	case map[string]any:
		switch target.Kind() {
		case reflect.Struct:
			return decodeStruct(v, target, depth)
		case reflect.Map:
			return decodeMap(v, target, depth)
		}
	default:
		return misfit("is a Go %T, not JSON", v)
	}
	return decodeAny(v, target)
}

// decodeAny stores v in an empty interface; nothing else is left.
func decodeAny(v any, target reflect.Value) error {
	if target.Kind() == reflect.Interface && target.NumMethod() == 0 {
		target.Set(reflect.ValueOf(cloneTree(v)))
		return nil
	}
	return misfit("must be %s", phraseOf(target.Type()))
}

// decodeByMethod uses the methods by which a type reads its own JSON.
func decodeByMethod(v any, target reflect.Value) (done bool, err error) {
	t := target.Type()
	if t.PkgPath() == "" && t.Kind() != reflect.Struct || !target.CanAddr() {
		return false, nil // nothing without a name has methods, but for embedding
	}
	switch u := target.Addr().Interface().(type) {
	case json.Unmarshaler:
		raw, err := Marshal(v)
		if err != nil {
			return true, err
		}
		if u.UnmarshalJSON(raw) != nil {
			return true, misfit("is not of a form that this field can hold")
		}
		return true, nil
	case encoding.TextUnmarshaler:
		s, ok := v.(string)
		switch {
		case v == nil:
			return true, nil
		case !ok:
			return true, misfit("is not of a form that this field can hold")
		case u.UnmarshalText([]byte(s)) != nil:
			return true, misfit("is not of a form that this field can hold")
		}
		return true, nil
	}
	return false, nil
}

// phraseOf says what JSON a Go type holds, without naming the type: it is read
// by clients.
func phraseOf(t reflect.Type) string {
	if t == numberType {
		return "a number"
	}
	if low, high, ok := kindRange(t.Kind()); ok {
		return "an integer from " + low.String() + " to " + high.String()
	}
	switch t.Kind() {
	case reflect.Bool:
		return "a boolean"
	case reflect.Float32:
		return "a number that 32-bit floating point can hold"
	case reflect.Float64:
		return "a number that 64-bit floating point can hold"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 && t.Kind() == reflect.Slice {
			return "a string of base64"
		}
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "left out, since nothing can hold it"
}

func decodeText(s string, target reflect.Value) error {
	switch {
	case target.Kind() == reflect.String && target.Type() != numberType:
		target.SetString(s)
		return nil
	case target.Kind() == reflect.Slice && target.Type().Elem().Kind() == reflect.Uint8:
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return misfit("must be a string of base64")
		}
		target.SetBytes(b)
		return nil
	}
	return decodeAny(s, target)
}

func decodeNumber(n json.Number, target reflect.Value) error {
	switch target.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, err := strconv.ParseInt(string(exactInteger(n)), 10, target.Type().Bits())
		if err != nil {
			return misfit("must be %s", phraseOf(target.Type()))
		}
		target.SetInt(i)
		return nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		i, err := strconv.ParseUint(string(exactInteger(n)), 10, target.Type().Bits())
		if err != nil {
			return misfit("must be %s", phraseOf(target.Type()))
		}
		target.SetUint(i)
		return nil
	case reflect.Float32, reflect.Float64:
		f, err := strconv.ParseFloat(string(n), target.Type().Bits())
		if err != nil || !isJSONNumber(string(n)) {
			return misfit("must be %s", phraseOf(target.Type()))
		}
		target.SetFloat(f)
		return nil
	}
	if target.Type() == numberType {
		if !isJSONNumber(string(n)) {
			return misfit("must be a number")
		}
		target.SetString(string(n))
		return nil
	}
	return decodeAny(n, target)
}

// exactInteger spells n plainly if it is an integer of moderate size. What is
// no JSON number becomes "", which no integer is.
func exactInteger(n json.Number) json.Number {
	if !isJSONNumber(string(n)) || !moderate(string(n)) {
		return ""
	}
	return plainInteger(n)
}

func decodeList(list []any, target reflect.Value, depth int) error {
	switch target.Kind() {
	case reflect.Slice:
		target.Set(reflect.MakeSlice(target.Type(), len(list), len(list)))
	case reflect.Array:
		if len(list) != target.Len() {
			return misfit("must have exactly %d elements", target.Len())
		}
	default:
		return decodeAny(list, target)
	}
	for i, v := range list {
		if err := decodeInto(v, target.Index(i), depth+1); err != nil {
			return atStep(step{index: i}, err)
		}
	}
	return nil
}

// decodeFields are the fields of a struct type by JSON name.
var decodeFields sync.Map // reflect.Type → map[string]jsonfields.Field

func fieldsByName(t reflect.Type) map[string]jsonfields.Field {
	if m, ok := decodeFields.Load(t); ok {
		return m.(map[string]jsonfields.Field)
	}
	m := map[string]jsonfields.Field{}
	for _, f := range jsonfields.Of(t) {
		m[f.Name] = f
	}
	actual, _ := decodeFields.LoadOrStore(t, m)
	return actual.(map[string]jsonfields.Field)
}

func decodeStruct(object map[string]any, target reflect.Value, depth int) error {
	fields := fieldsByName(target.Type())
	var first error // by name, so that the error does not depend on the order of the map
	var at string
	for name, v := range object {
		if first != nil && name > at {
			continue
		}
		var err error
		if f, known := fields[name]; !known {
			err = misfit("is not a known name")
		} else {
			err = decodeField(v, f, target, depth)
		}
		if err != nil {
			first, at = atStep(step{name: name, index: -1}, err), name
		}
	}
	return first
}

func decodeField(v any, f jsonfields.Field, target reflect.Value, depth int) error {
	for i, n := range f.Index {
		if i > 0 && target.Kind() == reflect.Pointer {
			if target.IsNil() {
				if v == nil {
					return nil
				}
				if !target.CanSet() {
					return misfit("is in an embedded pointer to the unexported %s", target.Type().Elem())
				}
				target.Set(reflect.New(target.Type().Elem()))
			}
			target = target.Elem()
		}
		target = target.Field(n)
	}
	if f.Quoted && v != nil {
		return decodeQuoted(v, target, depth)
	}
	return decodeInto(v, target, depth+1)
}

// decodeQuoted reads a value under the string option: a string that holds the
// JSON of the value.
func decodeQuoted(v any, target reflect.Value, depth int) error {
	s, ok := v.(string)
	if !ok {
		return misfit("must be a string that holds the value")
	}
	inner := readTree([]byte(s), 0, 0)
	if !inner.clean() {
		return misfit("must be a string that holds the value")
	}
	return decodeInto(inner.value, target, depth+1)
}

func decodeMap(object map[string]any, target reflect.Value, depth int) error {
	t := target.Type()
	if target.IsNil() {
		target.Set(reflect.MakeMapWithSize(t, len(object)))
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		key := reflect.New(t.Key()).Elem()
		value := reflect.New(t.Elem()).Elem()
		err := decodeKey(name, key)
		if err == nil {
			err = decodeInto(object[name], value, depth+1)
		}
		if err != nil {
			return atStep(step{name: name, index: -1}, err)
		}
		target.SetMapIndex(key, value)
	}
	return nil
}

func decodeKey(name string, key reflect.Value) error {
	if u, ok := key.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if u.UnmarshalText([]byte(name)) != nil {
			return misfit("is not a valid name")
		}
		return nil
	}
	switch key.Kind() {
	case reflect.String:
		key.SetString(name)
		return nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return decodeNumber(json.Number(name), key)
	}
	return misfit("is in a map whose names are no JSON names")
}
