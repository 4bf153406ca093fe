package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

type (
	hidden   struct{ Deep string }
	within   struct{ C string }
	shadowed struct {
		within
		C int
	}
	upper  string // reads itself as text
	keyed  int    // reads itself as a map key
	custom struct{ raw string }

	decodeTarget struct {
		B    bool
		I    int
		I8   int8
		I64  int64
		U64  uint64
		F    float64
		F32  float32
		S    string
		Num  json.Number
		Any  any
		Raw  json.RawMessage
		P    *int
		PP   **string
		L    []string
		LL   [][]int
		A    [2]int
		Byte []byte
		M    map[string]int
		MI   map[int64]string
		MU   map[uint8]bool
		MK   map[keyed]int
		T    time.Time
		Addr netip.Addr
		Big  *big.Int
		Up   upper
		Cust custom
		Pat  schema.Patch[int]
		Pats []schema.Patch[string]
		Obj  struct {
			X int `json:"x"`
		}
		Q     int64   `json:",string"`
		QS    string  `json:",string"`
		QP    *bool   `json:",string"`
		QF    float64 `json:"qf,string"`
		Named int     `json:"named_field,omitempty"`
		Skip  int     `json:"-"`
		*Wide
		hidden
	}
	Wide struct{ W string }
)

func (u *upper) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		return strconv.ErrSyntax
	}
	*u = upper(strings.ToUpper(string(b)))
	return nil
}

func (k *keyed) UnmarshalText(b []byte) error {
	n, err := strconv.Atoi(strings.TrimPrefix(string(b), "k"))
	*k = keyed(n)
	return err
}

func (c *custom) UnmarshalJSON(b []byte) error {
	if string(b) == `"bad"` {
		return strconv.ErrSyntax
	}
	c.raw = string(b)
	return nil
}

func tree(t testing.TB, text string) map[string]any {
	t.Helper()
	args, violations := compile(t, `{"type":"object"}`).Read([]byte(text))
	if len(violations) > 0 {
		t.Fatalf("%s: %+v", text, violations)
	}
	return args
}

// Where encoding/json and Decode both accept, they agree.
func TestDecodeLikeEncodingJSON(t *testing.T) {
	tests := []string{
		`{}`,
		`{"B":true,"I":-5,"I8":127,"I64":9223372036854775807,"U64":18446744073709551615,"F":1e-3,"F32":0.5,"S":"é\n","Num":1.50}`,
		`{"I64":9007199254740993,"Raw":{"b":[1,2.0]},"P":7,"PP":"x"}`, // public fault 30
		`{"B":null,"I":null,"S":null,"P":null,"PP":null,"L":null,"M":null,"Any":null,"T":null,"Pat":null,"Cust":null,"Obj":null,"A":null,"Q":null,"QP":null,"Raw":null,"Up":null}`,
		`{"L":["a","b"],"LL":[[1],[],null],"A":[1,2],"Byte":"aGk="}`,
		`{"L":[],"M":{}}`,
		`{"Byte":[104,105]}`,
		`{"M":{"a":1,"b":2},"MI":{"-5":"x"},"MU":{"255":true},"MK":{"k3":1}}`,
		`{"T":"2026-12-01T01:02:03.5+05:00","Addr":"::1","Big":123456789012345678901234567890,"Up":"abc"}`,
		`{"Cust":{"z":1,"a":"\u0000"},"Pat":5,"Pats":["a",null]}`,
		`{"Obj":{"x":1},"Q":"-12","QS":"\"in\"","QP":"true","qf":"1.5","named_field":3}`,
		`{"W":"wide","Deep":"d"}`,
		`{"Any":"text"}`, `{"Any":[true,null,{"a":"b"}]}`,
	}
	for _, text := range tests {
		var want, got decodeTarget
		dec := json.NewDecoder(strings.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&want); err != nil {
			t.Errorf("encoding/json refuses %s: %v", text, err)
			continue
		}
		if err := schema.Decode(tree(t, text), &got); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		// Both spell the JSON of a method in their own way.
		compactRaw(&got.Raw)
		compactRaw(&want.Raw)
		got.Cust, want.Cust = custom{}, custom{}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n got %+v\nwant %+v", text, got, want)
		}
	}
}

func compactRaw(raw *json.RawMessage) {
	var b bytes.Buffer
	if len(*raw) > 0 && json.Compact(&b, *raw) == nil {
		*raw = b.Bytes()
	}
}

func TestDecodeIntegers(t *testing.T) {
	var v struct {
		I64 int64
		U64 uint64
		I   []int
		Any any
	}
	err := schema.Decode(tree(t, `{"I64":512.0,"U64":1.8446744073709551615e19,"I":[5e2,-0,120e-1],"Any":9007199254740993}`), &v)
	if err != nil || v.I64 != 512 || v.U64 != math.MaxUint64 || !reflect.DeepEqual(v.I, []int{500, 0, 12}) || v.Any != json.Number("9007199254740993") {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	const secret = "s3cret"
	tests := map[string]struct{ in, want string }{
		"unknown":             {`{"zzz":1}`, "zzz: is not a known name"},
		"case":                {`{"NAMED_FIELD":1}`, "NAMED_FIELD: is not a known name"}, // public fault 32
		"case of an untagged": {`{"i64":1}`, "i64: is not a known name"},                 // public fault 32
		"ignored field":       {`{"Skip":1}`, "Skip: is not a known name"},
		"overflow":            {`{"I8":128}`, "I8: must be an integer from -128 to 127"},
		"negative":            {`{"U64":-1}`, "U64: must be an integer from 0 to 18446744073709551615"},
		"fraction":            {`{"I":1.5}`, "I: must be an integer from -9223372036854775808 to 9223372036854775807"},
		"beyond int64":        {`{"I64":9223372036854775808}`, "I64: must be an integer from -9223372036854775808 to 9223372036854775807"}, // public fault 30
		"float32":             {`{"F32":1e300}`, "F32: must be a number that 32-bit floating point can hold"},
		"text for number":     {`{"I":"` + secret + `"}`, "I: must be an integer from -9223372036854775808 to 9223372036854775807"},
		"number for text":     {`{"S":1}`, "S: must be a string"},
		"text for Number":     {`{"Num":"1"}`, "Num: must be a number"},
		"object for text":     {`{"S":{}}`, "S: must be a string"},
		"list for object":     {`{"Obj":[]}`, "Obj: must be an object"},
		"bool for list":       {`{"L":true}`, "L: must be an array"},
		"element":             {`{"LL":[[1],[2,"` + secret + `"]]}`, "LL: must be an integer from -9223372036854775808 to 9223372036854775807"},
		"short array":         {`{"A":[1]}`, "A: must have exactly 2 elements"},
		"long array":          {`{"A":[1,2,3]}`, "A: must have exactly 2 elements"},
		"base64":              {`{"Byte":"` + secret + `!"}`, "Byte: must be a string of base64"},
		"key":                 {`{"MI":{"x":"a"}}`, "MI.x: must be an integer from -9223372036854775808 to 9223372036854775807"},
		"key range":           {`{"MU":{"256":true}}`, "MU.256: must be an integer from 0 to 255"},
		"text key":            {`{"MK":{"x":1}}`, "MK.x: is not a valid name"},
		"map value":           {`{"M":{"a":"x"}}`, "M.a: must be an integer from -9223372036854775808 to 9223372036854775807"},
		"time":                {`{"T":"` + secret + `"}`, "T: is not of a form that this field can hold"},
		"address":             {`{"Addr":7}`, "Addr: is not of a form that this field can hold"},
		"own method":          {`{"Cust":"bad"}`, "Cust: is not of a form that this field can hold"},
		"patch":               {`{"Pat":"` + secret + `"}`, "Pat: is not of a form that this field can hold"},
		"nested":              {`{"Obj":{"X":1}}`, "Obj.X: is not a known name"},
		"quoted, bare":        {`{"Q":12}`, "Q: must be a string that holds the value"},
		"quoted, text":        {`{"Q":"` + secret + `"}`, "Q: must be a string that holds the value"},
		"quoted, object":      {`{"Q":"{}"}`, "Q: must be a string that holds the value"},
		"quoted, overflow":    {`{"Q":"9223372036854775808"}`, "Q: must be an integer from -9223372036854775808 to 9223372036854775807"},
		"first by name":       {`{"zzz":1,"aaa":1,"S":1}`, "S: must be a string"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for range 3 {
				var v decodeTarget
				err := schema.Decode(tree(t, tt.in), &v)
				var misfit *schema.DecodeError
				if !errors.As(err, &misfit) || misfit.Field == "" || !strings.HasPrefix(misfit.Pointer, "/") {
					t.Fatalf("%#v", err)
				}
				if !strings.HasPrefix(err.Error(), "schema: decode: "+tt.want) || strings.Contains(err.Error(), secret) {
					t.Fatalf("error %v, want %q", err, tt.want)
				}
			}
		})
	}
}

func TestDecodeTargets(t *testing.T) {
	var s struct{ A string }
	var null *struct{ A string }
	for name, into := range map[string]any{"nil": nil, "value": s, "nil pointer": null, "map": map[string]any{}} {
		if err := schema.Decode(map[string]any{}, into); err == nil || !strings.Contains(err.Error(), "must be a pointer") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := schema.Decode(map[string]any{"A": "x"}, &null); err != nil || null == nil || null.A != "x" {
		t.Errorf("pointer to a pointer: %+v, %v", null, err)
	}
	if err := schema.Decode(nil, &s); err != nil {
		t.Errorf("nil arguments: %v", err)
	}
	var m map[string]any
	if err := schema.Decode(map[string]any{"a": json.Number("1")}, &m); err != nil || m["a"] != json.Number("1") {
		t.Errorf("map: %v, %v", m, err)
	}
	var shadow shadowed // public fault 9: the outer field is the one
	if err := schema.Decode(map[string]any{"C": json.Number("1")}, &shadow); err != nil || shadow.C != 1 || shadow.within.C != "" {
		t.Errorf("shadowed: %+v, %v", shadow, err)
	}
	var embeds struct{ *hidden }
	if err := schema.Decode(map[string]any{"Deep": "x"}, &embeds); err == nil {
		t.Error("an embedded pointer to an unexported type cannot be set")
	}
	type endless *endless
	var e endless
	if err := schema.Decode(map[string]any{}, &e); err == nil {
		t.Error("a pointer type without end was filled")
	}
	loop := map[string]any{}
	loop["Any"] = loop
	type node struct{ Any *node }
	if err := schema.Decode(loop, new(node)); err == nil {
		t.Error("a tree without end was decoded")
	}
	if err := schema.Decode(map[string]any{"A": 1}, &s); err == nil {
		t.Error("an int is no JSON value")
	}
	var bad struct {
		F float64
		N json.Number
		I int
	}
	for _, name := range []string{"F", "N", "I"} {
		if err := schema.Decode(map[string]any{name: json.Number("0x10")}, &bad); err == nil {
			t.Errorf("%s: a hexadecimal number was decoded", name)
		}
	}
}

// What is decoded shares nothing with the tree.
func TestDecodeOwnership(t *testing.T) {
	args := tree(t, `{"Any":{"list":["a"]}}`)
	var v struct{ Any any }
	if err := schema.Decode(args, &v); err != nil {
		t.Fatal(err)
	}
	v.Any.(map[string]any)["list"].([]any)[0] = "changed"
	if got := marshal(t, args); got != `{"Any":{"list":["a"]}}` {
		t.Errorf("args changed: %s", got)
	}
}

func TestMarshal(t *testing.T) {
	got := marshal(t, map[string]any{
		"b": []any{json.Number("9007199254740993"), json.Number("1.50"), true, false, nil, "x"}, "a": map[string]any{},
		"<&>": "\"\\/\x00\n\x7f\u0085\u00ad\u200b\u2028\u202e\ufeff\U000e0001é😀", "nil": []any(nil), "map": map[string]any(nil),
	})
	want := `{"<&>":"\"\\/\u0000\u000a\u007f\u0085\u00ad\u200b\u2028\u202e\ufeff\udb40\udc01é😀","a":{},"b":[9007199254740993,1.50,true,false,null,"x"],"map":{},"nil":[]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	loop := []any{nil}
	loop[0] = loop
	for name, v := range map[string]any{
		"int": 1, "nested": []any{map[string]any{"a": struct{}{}}}, "UTF-8": "\xff", "name": map[string]any{"\xff": nil},
		"number": json.Number("1x"), "no number": json.Number(""), "loop": loop,
	} {
		if raw, err := schema.Marshal(v); err == nil || raw != nil || !strings.HasPrefix(err.Error(), "schema: marshal: ") {
			t.Errorf("%s: %s, %v", name, raw, err)
		}
	}
}

type fuzzTarget struct {
	I int64
	U uint16
	F float64
	S string
	B bool
	L []string
	M map[string]int8
	P *fuzzTarget
	Q int32 `json:"q,string"`
	D []byte
	T time.Time
	R json.RawMessage
	X schema.Patch[string]
	A any
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"I":9007199254740993,"U":65535,"F":0.1,"S":"x","B":true}`, `{"L":["a",null],"M":{"k":-128},"P":{"P":{"I":1}}}`,
		`{"q":"5","D":"aGk=","T":"2026-12-01T01:02:03Z","R":[1,{"b":2,"a":1}],"X":null,"A":{"a":"\u2028"}}`, `{"i":1}`, `{"q":"\"5\""}`, `{"D":[1,300]}`,
	} {
		f.Add([]byte(s))
	}
	d := compile(f, `{"type":"object"}`)
	f.Fuzz(func(t *testing.T, raw []byte) {
		args, violations := d.Read(raw)
		if len(violations) > 0 {
			return
		}
		var got, want fuzzTarget
		if err := schema.Decode(args, &got); err != nil {
			return
		}
		text := marshal(t, args)
		dec := json.NewDecoder(strings.NewReader(text))
		dec.DisallowUnknownFields()
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil {
			var wrong *json.UnmarshalTypeError // 512.0 for an integer
			if strings.ContainsAny(text, ".eE") || strings.Contains(err.Error(), "string") {
				return
			}
			t.Fatalf("decoded %s as %+v; encoding/json: %v (%T)", text, got, err, wrong)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(schema.Patch[string]{})); diff != "" {
			t.Fatalf("%s\n%s", text, diff)
		}
	})
}
