package schema_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

// A generator makes struct types and values of them.
type generator struct {
	*rand.Rand
	dir schema.Direction
}

var (
	leaves = []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[flag](), reflect.TypeFor[string](), reflect.TypeFor[color](),
		reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
		reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
		reflect.TypeFor[float32](), reflect.TypeFor[float64](),
		reflect.TypeFor[[]byte](), reflect.TypeFor[[]octet](), reflect.TypeFor[[4]byte](),
		reflect.TypeFor[time.Time](), reflect.TypeFor[json.Number](), reflect.TypeFor[*big.Int](), reflect.TypeFor[netip.Addr](),
		reflect.TypeFor[level](), reflect.TypeFor[money](), reflect.TypeFor[inner](),
	}
	anyLeaves = []reflect.Type{reflect.TypeFor[any](), reflect.TypeFor[json.RawMessage]()}
	keys      = []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[color](), reflect.TypeFor[int](), reflect.TypeFor[uint8](), reflect.TypeFor[level]()}
)

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

func (g *generator) typ(depth int) reflect.Type {
	if depth == 0 {
		return g.leaf()
	}
	switch g.IntN(7) {
	case 0:
		return reflect.SliceOf(g.typ(depth - 1))
	case 1:
		return reflect.ArrayOf(g.IntN(3), g.typ(depth-1))
	case 2:
		return reflect.MapOf(pick(g, keys), g.typ(depth-1))
	case 3:
		return reflect.PointerTo(g.typ(depth - 1))
	case 4:
		return g.object(depth - 1)
	}
	return g.leaf()
}

func (g *generator) leaf() reflect.Type {
	if g.dir == schema.Output && g.IntN(8) == 0 {
		return pick(g, anyLeaves)
	}
	return pick(g, leaves)
}

func (g *generator) object(depth int) reflect.Type {
	var fields []reflect.StructField
	for i := range g.IntN(5) {
		t := g.typ(depth)
		tag := fmt.Sprintf("f%d", i) + pick(g, []string{"", "", ",omitempty", ",omitzero"})
		base := t
		if base.Kind() == reflect.Pointer {
			base = base.Elem()
		}
		if base.PkgPath() == "" && reflect.Bool <= base.Kind() && base.Kind() <= reflect.Float64 && g.IntN(3) == 0 {
			tag += ",string"
		}
		detail := pick(g, []string{"", "", ` detail:"full"`, ` detail:"always"`})
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", i),
			Type: t,
			Tag:  reflect.StructTag(fmt.Sprintf(`json:"%s" jsonschema_description:"Omitted means unset."%s`, tag, detail)),
		})
	}
	return reflect.StructOf(fields)
}

// fill sets v, which is settable, to a random value.
func (g *generator) fill(v reflect.Value) {
	switch v.Type() {
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(g.Int64N(4e9), g.Int64N(1e9)).UTC()))
		return
	case reflect.TypeFor[json.Number]():
		v.SetString(pick(g, []string{"0", "-1.5e3", "18446744073709551616"}))
		return
	case reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(pick(g, []string{`null`, `{"x":1}`, `[]`, `"s"`})))
		return
	case reflect.TypeFor[big.Int]():
		v.Addr().Interface().(*big.Int).SetString("-123456789012345678901234567890", 10)
		return
	case reflect.TypeFor[netip.Addr]():
		v.Set(reflect.ValueOf(netip.MustParseAddr(pick(g, []string{"::1", "192.0.2.1"}))))
		return
	case reflect.TypeFor[money]():
		v.Set(reflect.ValueOf(money{g.Int64()}))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(g.IntN(2) == 0)
	case reflect.String:
		v.SetString(pick(g, []string{"", "a", "ü\u2028<&>"}))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(g.Uint64()) >> (64 - v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(g.Uint64() >> (64 - v.Type().Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(float32(g.NormFloat64() * 1e20)))
	case reflect.Interface:
		v.Set(reflect.ValueOf(pick(g, []any{true, "s", 1.5, []any{nil}, map[string]any{"k": 1}})))
	case reflect.Pointer:
		if g.dir == schema.Input || g.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			g.fill(v.Elem())
		}
	case reflect.Slice:
		n := g.IntN(3)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			g.fill(v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			g.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range g.IntN(3) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			g.fill(key)
			g.fill(value)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			g.fill(v.Field(i))
		}
	}
}

// unnil turns nil lists and maps into empty ones, as our encoder writes them.
func unnil(v reflect.Value) {
	switch v.Type() {
	case reflect.TypeFor[json.RawMessage](), reflect.TypeFor[time.Time](), reflect.TypeFor[netip.Addr](), reflect.TypeFor[big.Int](), reflect.TypeFor[money]():
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			unnil(v.Elem())
		}
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			unnil(v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			unnil(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for _, key := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(key))
			unnil(value)
			v.SetMapIndex(key, value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			unnil(v.Field(i))
		}
	}
}

// Whatever encoding/json writes for a value conforms to the schema of its type,
// as another validator sees it; and the schema keeps to what all hosts accept.
func TestOutputConforms(t *testing.T) {
	for seed := range uint64(400) {
		g := &generator{rand.New(rand.NewPCG(seed, 1)), schema.Output}
		typ := g.object(3)
		s, err := schema.For(typ, schema.Output, nil)
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, typ, err)
		}
		checkPortable(t, s.JSON(), schema.Output)
		for i := range 5 {
			v := reflect.New(typ).Elem()
			if i > 0 { // the first is the zero value
				g.fill(v)
			}
			unnil(v)
			data, err := json.Marshal(v.Interface())
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if err := conforms(t, s, data); err != nil {
				t.Fatalf("seed %d: %s does not conform to %s: %v", seed, data, s.JSON(), err)
			}
		}
	}
}

// What encoding/json writes for an input is read without a violation and comes
// back as the same value.
func TestInputRoundTrip(t *testing.T) {
	for seed := range uint64(400) {
		g := &generator{rand.New(rand.NewPCG(seed, 2)), schema.Input}
		typ := g.object(3)
		s, err := schema.For(typ, schema.Input, nil)
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, typ, err)
		}
		checkPortable(t, s.JSON(), schema.Input)
		for range 5 {
			v, back := reflect.New(typ), reflect.New(typ)
			g.fill(v.Elem())
			unnil(v.Elem())
			want, err := json.Marshal(v.Interface())
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			args, violations := s.Document().Read(want)
			if len(violations) > 0 {
				t.Fatalf("seed %d: %s against %s: %v", seed, want, s.JSON(), violations)
			}
			if err := schema.Decode(args, back.Interface()); err != nil {
				t.Fatalf("seed %d: %s into %v: %v", seed, want, typ, err)
			}
			unnil(back.Elem())
			if got, err := json.Marshal(back.Interface()); err != nil || string(got) != string(want) {
				t.Fatalf("seed %d: got %s, %v; want %s", seed, got, err, want)
			}
		}
	}
}

// checkPortable fails on what some host refuses. Public faults 21, 22, 23, 24.
func checkPortable(t *testing.T, raw json.RawMessage, dir schema.Direction) {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(raw, &root); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(raw), `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",`) {
		t.Errorf("the root starts otherwise: %s", raw)
	}
	delete(root, "$schema")
	var walk func(path string, s any)
	walk = func(path string, node any) {
		s, ok := node.(map[string]any)
		if !ok {
			t.Errorf("%s is a boolean schema in %s", path, raw)
			return
		}
		for key, value := range s {
			switch key {
			case "properties":
				for name, sub := range value.(map[string]any) {
					walk(path+"/"+name, sub)
				}
			case "items", "propertyNames":
				walk(path+"/"+key, value)
			case "additionalProperties":
				if value != false {
					walk(path+"/"+key, value)
				}
			case "type":
				if _, single := value.(string); !single && dir == schema.Input {
					t.Errorf("%s has several types in %s", path, raw)
				}
			case "title", "description", "default", "enum", "required", "format", "contentEncoding", "pattern",
				"minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength":
			default:
				t.Errorf("%s has keyword %s in %s", path, key, raw)
			}
		}
		if kind := fmt.Sprint(s["type"]); strings.Contains(kind, "object") {
			if _, has := s["additionalProperties"]; !has {
				t.Errorf("%s is open in %s", path, raw)
			}
		} else if strings.Contains(kind, "array") {
			if _, has := s["items"]; !has {
				t.Errorf("%s has no items in %s", path, raw)
			}
		}
	}
	walk("", root)
}
