//lint:file-ignore SA5008 What encoding/json makes of odd tags is tested here.

package detail_test

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit/detail"
)

// encode compiles the type of v and encodes v.
func encode(t testing.TB, v any, level detail.Level) string {
	t.Helper()
	enc, err := detail.Compile(reflect.TypeOf(v))
	if err != nil {
		t.Fatal(err)
	}
	out, err := enc.Append(nil, v, level)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// standard is what encoding/json writes, without its escaping for HTML.
func standard(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

type (
	valueMarshaler   struct{ n int }
	pointerMarshaler struct{ N int }
	valueText        struct{ n int }
	pointerText      struct{ N int }
	textKey          struct{ s string }
	textString       string
	byteMarshaler    byte
	nilIsZero        struct{ N int }
	pointerZero      struct{ N int }
	tree             struct {
		Name  string           `json:"name"`
		Left  *tree            `json:"left"`
		More  []tree           `json:"more,omitempty"`
		Named map[string]*tree `json:"named,omitempty"`
	}
	inner struct {
		A int    `json:"a"`
		B string `json:"b,omitempty"`
	}
	Embedded struct {
		C int `json:"c"`
		D int `json:"d"`
	}
	hidden struct{ E int }
	deeper struct {
		*Embedded
		D string `json:"d"`
	}
	stamp struct{ time.Time }
)

func (m valueMarshaler) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, ` { "n" : %d , "s":"<é>" } `, m.n), nil
}
func (m *pointerMarshaler) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `[%d]`, m.N), nil }
func (m valueText) MarshalText() ([]byte, error)         { return fmt.Appendf(nil, "n<%d>", m.n), nil }
func (m *pointerText) MarshalText() ([]byte, error)      { return fmt.Appendf(nil, "N%d", m.N), nil }
func (k textKey) MarshalText() ([]byte, error)           { return []byte("k" + k.s), nil }
func (s textString) MarshalText() ([]byte, error)        { return []byte("text " + string(s)), nil }
func (b byteMarshaler) MarshalJSON() ([]byte, error)     { return fmt.Appendf(nil, "%d", b), nil }
func (z nilIsZero) IsZero() bool                         { return z.N == 7 }
func (z *pointerZero) IsZero() bool                      { return z.N == 7 }

type pointerBool bool

func (b *pointerBool) MarshalJSON() ([]byte, error) { return []byte(`"own"`), nil }

func ptr[T any](v T) *T { return &v }

type everything struct {
	Bool    bool
	Int     int
	I8      int8
	I64     int64
	Uint    uint
	U64     uint64
	Uintptr uintptr
	F32     float32
	F64     float64
	String  string
	Number  json.Number
	Bytes   []byte
	Array   [3]uint8
	List    []string
	Nested  []inner
	Map     map[string]int
	IntMap  map[int8]string
	UintMap map[uint64]bool
	TextMap map[textKey]int
	StrMap  map[textString]int
	Pointer *int
	PP      **string
	NilPtr  *inner
	Any     any
	AnyNil  any
	AnyList []any
	Iface   fmt.Stringer
	Raw     json.RawMessage
	RawPtr  *json.RawMessage
	Time    time.Time
	TimePtr *time.Time
	Stamp   stamp
	VM      valueMarshaler
	VMPtr   *valueMarshaler
	VMNil   *valueMarshaler
	PM      pointerMarshaler
	PMPtr   *pointerMarshaler
	PMList  []pointerMarshaler
	PMMap   map[string]pointerMarshaler
	PMArray [1]pointerMarshaler
	VT      valueText
	VTNil   *valueText
	PT      pointerText
	PTMap   map[string]pointerText
	Bytes2  []byteMarshaler
	Big     *big.Int
	Addr    netip.Addr
	MIface  json.Marshaler
	TIface  encoding.TextMarshaler
	Tree    tree
	Inner   inner
	Anon    struct{ X, Y int }
	Embedded
	*hidden
	Renamed  Embedded `json:"renamed,"`
	Skipped  string   `json:"-"`
	Dash     string   `json:"-,"`
	BadName  string   `json:"a\"b"`
	HTML     string   `json:"<&>"`
	unseen   string
	QInt     int         `json:",string"`
	QFloat   float64     `json:",string"`
	QBool    bool        `json:",string"`
	QString  string      `json:",string"`
	QNumber  json.Number `json:",string"`
	QPtr     *int64      `json:",string"`
	QNil     *int64      `json:",string"`
	QText    textString  `json:",string"`
	QList    []int       `json:",string"`
	QAny     any         `json:",string"`
	OEInt    int         `json:",omitempty"`
	OEString string      `json:",omitempty"`
	OEList   []int       `json:",omitempty"`
	OEArray  [0]int      `json:",omitempty"`
	OEMap    map[int]int `json:",omitempty"`
	OEStruct inner       `json:",omitempty"`
	OETime   time.Time   `json:",omitempty"`
	OEPtr    *int        `json:",omitempty"`
	OEAny    any         `json:",omitempty"`
	OEBool   bool        `json:"oe_bool,omitempty"`
	OZInt    int         `json:",omitzero"`
	OZStruct inner       `json:",omitzero"`
	OZTime   time.Time   `json:",omitzero"`
	OZList   []int       `json:",omitzero"`
	OZSeven  nilIsZero   `json:",omitzero"`
	OZPtr    *nilIsZero  `json:",omitzero"`
	OZP      pointerZero `json:",omitzero"`
	OZIface  interface{ IsZero() bool }
	OZIface2 interface{ IsZero() bool } `json:",omitzero"`
	OZBoth   string                     `json:",omitempty,omitzero"`
}

func sample() everything {
	raw := json.RawMessage(` [ 1 , {"a" : "\u003c\ud800"} , 1E5 ] `)
	return everything{
		Bool: true, Int: -5, I8: math.MinInt8, I64: math.MinInt64, Uint: 7, U64: math.MaxUint64, Uintptr: 9,
		F32: 1e-7, F64: 1e21, String: "a<b>&\"\\/\b\f\n\r\t\x00\x1f é 日 \xff 😀", Number: "12345678901234567890.50",
		Bytes: []byte("\x00\xffbytes"), Array: [3]uint8{1, 2, 3}, List: []string{"", "x"}, Nested: []inner{{A: 1}, {B: "b"}},
		Map: map[string]int{"b": 1, "a": 2, "": 3, "é": 4, "<": 5}, IntMap: map[int8]string{10: "x", 9: "y", -1: "z"},
		UintMap: map[uint64]bool{math.MaxUint64: true, 2: false}, TextMap: map[textKey]int{{"b"}: 1, {"a"}: 2}, StrMap: map[textString]int{"b": 1, "a": 2},
		Pointer: ptr(3), PP: ptr(ptr("pp")), Any: map[string]any{"z": []any{1, "2", nil, 3.5, true}, "a": inner{A: 4}},
		AnyList: []any{nil, ptr(inner{A: 1}), json.Number("1"), []byte("x"), pointerMarshaler{5}, &pointerMarshaler{6}, [2]bool{}},
		Raw:     raw, RawPtr: &raw, Time: time.Date(2026, 1, 2, 3, 4, 5, 600, time.UTC), TimePtr: ptr(time.Unix(0, 0).UTC()), Stamp: stamp{time.Unix(1, 0).UTC()},
		VM: valueMarshaler{1}, VMPtr: &valueMarshaler{2}, PM: pointerMarshaler{3}, PMPtr: &pointerMarshaler{4},
		PMList: []pointerMarshaler{{1}, {2}}, PMMap: map[string]pointerMarshaler{"k": {1}}, VT: valueText{1}, PT: pointerText{2},
		PTMap: map[string]pointerText{"k": {3}}, Bytes2: []byteMarshaler{1, 2}, Big: big.NewInt(0).Lsh(big.NewInt(1), 100), Addr: netip.MustParseAddr("::1"),
		MIface: valueMarshaler{7}, TIface: &pointerText{8},
		Tree:  tree{Name: "root", Left: &tree{Name: "l"}, More: []tree{{Name: "m", Named: map[string]*tree{"n": nil}}}},
		Inner: inner{B: "x"}, Embedded: Embedded{C: 1, D: 2}, hidden: &hidden{E: 3}, Skipped: "s", Dash: "d", BadName: "bad", HTML: "h", unseen: "u",
		QInt: 1, QFloat: 2.5, QBool: true, QString: "a\"<\n", QNumber: "3", QPtr: ptr(int64(4)), QText: "t", QList: []int{5}, QAny: 6,
		OZList: []int{1}, OZSeven: nilIsZero{7}, OZPtr: &nilIsZero{7}, OZP: pointerZero{7}, OZIface: nilIsZero{7}, OZIface2: nilIsZero{7},
	}
}

func TestLikeEncodingJSON(t *testing.T) {
	full := sample()
	tests := []struct {
		name  string
		value any
	}{
		{"everything by value", full},
		{"everything by pointer", &full},
		{"list of everything", []everything{full}},
		{"map of everything", map[string]everything{"x": full}},
		{"everything in an interface", []any{full, &full}},
		{"embedded pointer", deeper{&Embedded{1, 2}, "d"}},
		{"nil embedded pointer", deeper{nil, "d"}},
		{"empty struct", struct{}{}},
		{"omitzero of nil", struct {
			P *nilIsZero                 `json:",omitzero"`
			I interface{ IsZero() bool } `json:",omitzero"`
			J interface{ IsZero() bool } `json:",omitzero"`
			K *nilIsZero                 `json:",omitzero"`
		}{J: (*nilIsZero)(nil), K: &nilIsZero{1}}},
		{"string option of types with methods", struct {
			P *textString `json:",string"`
			N *textString `json:",string"`
			B pointerBool `json:",string"`
		}{P: ptr(textString("x"))}},
		{"string option of a type with a pointer method, by pointer", &struct {
			B pointerBool `json:",string"`
		}{true}},
		{"pointer keys", map[*textKey]int{nil: 1, {"a"}: 2}},
		{"root string", "x"},
		{"root list", []int{1, 2}},
		{"root marshaler", valueMarshaler{1}},
		{"root pointer marshaler by value", pointerMarshaler{1}},
		{"root pointer marshaler by pointer", &pointerMarshaler{1}},
		{"recursive type by pointer", &tree{Name: "x", Left: &tree{}}},
		{"floats", []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e-6, 9.99e-7, 1e-7, 1e-10, 1e20, 1e21, 1e22, 1.5e300, 5e-324, math.MaxFloat64, 123456789, 1.0000000000000002}},
		{"float32s", []float32{0, 0.1, 1e-6, 9.99e-7, 1e-7, 1e20, 1e21, math.MaxFloat32, math.SmallestNonzeroFloat32, 16777216}},
		{"nil pointers", []*int{nil, ptr(1)}},
		{"json.Number", []json.Number{"", "0", "-0", "1.50", "1E+2", "-1e-2"}},
		{"time precision", []time.Time{time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			enc, err := detail.Compile(reflect.TypeOf(tt.value))
			if err != nil {
				t.Fatal(err)
			}
			out, err := enc.Append([]byte("before:"), tt.value, detail.Full)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := string(out), "before:"+standard(t, withoutNil(tt.value)); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// withoutNil returns a copy of v in which nil slices and maps are empty ones,
// raw JSON and what cannot be set excepted.
func withoutNil(v any) any {
	out := reflect.New(reflect.TypeOf(v)).Elem()
	out.Set(reflect.ValueOf(v))
	fillNil(out)
	return out.Interface()
}

func fillNil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			return
		}
		fresh := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(fresh, v)
		for i := range fresh.Len() {
			fillNil(fresh.Index(i))
		}
		v.Set(fresh)
	case reflect.Map:
		fresh := reflect.MakeMap(v.Type())
		for it := v.MapRange(); it.Next(); {
			elem := reflect.New(v.Type().Elem()).Elem()
			elem.Set(it.Value())
			fillNil(elem)
			fresh.SetMapIndex(it.Key(), elem)
		}
		v.Set(fresh)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				fillNil(f)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fillNil(v.Index(i))
		}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if _, opaque := v.Interface().(json.Marshaler); opaque {
			return
		}
		fresh := reflect.New(v.Elem().Type())
		fresh.Elem().Set(v.Elem())
		if v.Kind() == reflect.Pointer {
			fillNil(fresh.Elem())
			v.Set(fresh)
		} else if v.Elem().Kind() != reflect.Pointer {
			fillNil(fresh.Elem())
			v.Set(fresh.Elem())
		}
	}
}

func TestUnlikeEncodingJSON(t *testing.T) {
	tokyo := time.FixedZone("JST", 9*3600)
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"nil list", struct{ V []int }{}, `{"V":[]}`},
		{"nil list of a named type", struct{ V listOfPointers }{}, `{"V":[]}`},
		{"nil map", struct{ V map[string]int }{}, `{"V":{}}`},
		{"nil bytes", struct{ V []byte }{}, `{"V":""}`},
		{"nil raw JSON", struct{ V json.RawMessage }{}, `{"V":null}`},
		{"nil pointer to a list", struct{ V *[]int }{}, `{"V":null}`},
		{"pointer to a nil list", struct{ V *[]int }{new([]int)}, `{"V":[]}`},
		{"nil list in an interface", struct{ V any }{[]int(nil)}, `{"V":[]}`},
		{"nil list in a list", [][]int{nil, {1}}, `[[],[1]]`},
		{"nil map in a map", map[string]map[string]int{"a": nil}, `{"a":{}}`},
		{"root nil list", []int(nil), `[]`},
		{"HTML", "<a href='x'>&</a>", `"<a href='x'>&</a>"`},
		{"delete and C1", "\x7f\u0080\u009f\u00a0", `"\u007f\u0080\u009f` + "\u00a0\""},
		{"bidi", "a\u202eb\u2066c\u2069\u200f\u061c", `"a\u202eb\u2066c\u2069\u200f\u061c"`},
		{"zero width", "\u200b\u200d\ufeff\u2060\u00ad", `"\u200b\u200d\ufeff\u2060\u00ad"`},
		{"separators", "\u2028\u2029", `"\u2028\u2029"`},
		{"tags beyond the BMP", "x\U000e0041", `"x\udb40\udc41"`},
		{"invalid UTF-8", "a\xc3(\xed\xa0\x80\xf8", `"a\ufffd(\ufffd\ufffd\ufffd\ufffd"`},
		{"replacement character", "\ufffd", "\"\ufffd\""},
		{"keys", map[string]int{"\u202e": 1, "a\nb": 2}, `{"a\nb":2,"\u202e":1}`},
		{"raw JSON", json.RawMessage("{ \"k\u202e\" : \"a\u0085\\u202e\\\\\\\"\x7f\xff<\" }"), `{"k\u202e":"a\u0085\u202e\\\"\u007f\ufffd<"}`},
		{"MarshalText", valueText{1}, `"n<1>"`},
		{"string option", struct {
			V string `json:",string"`
		}{"a\u202e<"}, `{"V":"\"a\\u202e<\""}`},
		{"time", time.Date(2026, 1, 2, 3, 4, 5, 0, tokyo), `"2026-01-01T18:04:05Z"`},
		{"time pointer", ptr(time.Date(2026, 1, 2, 3, 4, 5, 0, tokyo)), `"2026-01-01T18:04:05Z"`},
		{"times in any", []any{time.Date(2026, 1, 2, 3, 4, 5, 0, tokyo)}, `["2026-01-01T18:04:05Z"]`},
		{"time with an own method", stamp{time.Date(2026, 1, 2, 3, 4, 5, 0, tokyo)}, `"2026-01-02T03:04:05+09:00"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := encode(t, tt.value, detail.Full); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

type listOfPointers []*int

type (
	failing     struct{}
	panicking   struct{ V *int }
	invalidJSON struct{}
	deepJSON    struct{ levels int }
	selfPointer *selfPointer
	ring        struct {
		Next *ring          `json:"next"`
		All  []any          `json:"all"`
		Map  map[string]any `json:"map"`
	}
)

var errMethod = errors.New("said the method")

func (failing) MarshalJSON() ([]byte, error)     { return nil, errMethod }
func (p panicking) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%d", *p.V), nil }
func (invalidJSON) MarshalJSON() ([]byte, error) { return []byte(`{"a":1,}`), nil }
func (d deepJSON) MarshalJSON() ([]byte, error) {
	return []byte(strings.Repeat("[", d.levels) + strings.Repeat("]", d.levels)), nil
}

type failingText struct{}

func (failingText) MarshalText() ([]byte, error) { return nil, errMethod }

type number struct{ N *int }

func (n number) MarshalText() ([]byte, error) { return []byte("same"), nil }

func TestAppendErrors(t *testing.T) {
	round := &ring{}
	round.Next = round
	roundList := &ring{All: make([]any, 1)}
	roundList.All[0] = roundList.All
	roundMap := &ring{Map: map[string]any{}}
	roundMap.Map["m"] = roundMap.Map
	var self selfPointer
	self = &self
	var chain any
	for range 2000 {
		chain = []any{chain}
	}
	tests := []struct {
		name  string
		value any
		want  string
		is    error
	}{
		{"not a number", struct{ V float64 }{math.NaN()}, "V: NaN", nil},
		{"infinite", struct{ V []float32 }{[]float32{0, float32(math.Inf(-1))}}, "V.1: -Inf", nil},
		{"quoted infinite", struct {
			V float64 `json:",string"`
		}{math.Inf(1)}, "V: +Inf", nil},
		{"bad number", struct{ V json.Number }{"1,5"}, "V: ", nil},
		{"bad quoted number", struct {
			V json.Number `json:",string"`
		}{"x"}, "V: ", nil},
		{"year", struct{ V time.Time }{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, "V: ", nil},
		{"MarshalJSON fails", struct{ V []failing }{[]failing{{}}}, "V.0: MarshalJSON", errMethod},
		{"MarshalText fails", struct{ V failingText }{}, "V: MarshalText", errMethod},
		{"MarshalText of a key fails", map[failingText]int{{}: 1}, "key of", errMethod},
		{"MarshalJSON panics", struct{ V panicking }{}, "panic", nil},
		{"MarshalJSON returns no JSON", map[string]any{"k": invalidJSON{}}, `"k": MarshalJSON`, nil},
		{"empty raw JSON", struct{ V json.RawMessage }{json.RawMessage{}}, "V: ", nil},
		{"keys of the same text", map[number]int{{}: 1, {new(int)}: 2}, "same text", nil},
		{"nil key", map[encoding.TextMarshaler]int{nil: 1}, "key of", nil},
		{"channel in an interface", struct{ V any }{make(chan int)}, "V: value in an interface: detail: chan int", nil},
		{"ring of pointers", round, "contains itself", nil},
		{"ring of lists", roundList, "contains itself", nil},
		{"ring of maps", roundMap, "contains itself", nil},
		{"pointer to itself", self, "contains itself", nil},
		{"deep lists", struct{ V any }{chain}, "deeper than 1000", nil},
		{"deep JSON from MarshalJSON", struct{ V deepJSON }{deepJSON{1001}}, "deeper than 1000", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			enc, err := detail.Compile(reflect.TypeOf(tt.value))
			if err != nil {
				t.Fatal(err)
			}
			out, err := enc.Append([]byte("before"), tt.value, detail.Summary)
			if err == nil || !strings.HasPrefix(err.Error(), "detail: ") || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 200 {
				t.Errorf("error is %v, want one with %q", err, tt.want)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v does not wrap %v", err, tt.is)
			}
			if string(out) != "before" {
				t.Errorf("result is %q", out)
			}
		})
	}
	t.Run("as deep as allowed", func(t *testing.T) {
		encode(t, struct{ V deepJSON }{deepJSON{999}}, detail.Full)
	})
}

func TestAppendRefuses(t *testing.T) {
	enc, err := detail.Compile(reflect.TypeFor[inner]())
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		value any
		level detail.Level
		want  string
	}{
		{"other type", Embedded{}, detail.Full, "detail_test.Embedded"},
		{"pointer to a pointer", ptr(&inner{}), detail.Full, "**detail_test.inner"},
		{"nil", nil, detail.Full, "nil"},
		{"nil pointer", (*inner)(nil), detail.Full, "nil"},
		{"no level", inner{}, "", "level"},
		{"other level", inner{}, "FULL", "level"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := enc.Append([]byte("x"), tt.value, tt.level)
			if err == nil || !strings.Contains(err.Error(), tt.want) || string(out) != "x" {
				t.Errorf("result %q, error %v, want one with %q", out, err, tt.want)
			}
		})
	}
}
