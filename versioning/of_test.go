//lint:file-ignore SA5008 the odd json tags are there to be read as encoding/json reads them

package versioning_test

import (
	"bytes"
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

	"github.com/mcpkit-go/agentmcp/versioning"
)

func decode(raw []byte) (tree any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&tree)
	return tree, err
}

func of(t *testing.T, v any) string {
	t.Helper()
	token, err := versioning.Of(v)
	if err != nil {
		t.Fatalf("Of(%T): %v", v, err)
	}
	return token
}

type (
	base struct {
		ID   int `json:"id"`
		Note string
	}
	deeper  struct{ base }
	tagged  struct{ base }
	hidden  struct{ Note string }
	upper   string
	byteID  byte
	celsius float64
	pointed struct{ n int }
	broken  struct{}
	kids    struct {
		Name string  `json:"name"`
		Kids []*kids `json:"kids,omitempty"`
	}
	emptyDay struct{ day int }
	circular struct {
		*circular
		A int
	}
	left struct {
		base
		L int
	}
	right struct {
		base
		R int
	}
	textKey struct{ text string }
	unseen  struct{ N int }
)

func (k textKey) MarshalText() ([]byte, error) { return []byte("key " + k.text), nil }
func (unseen) MarshalJSON() ([]byte, error)    { return []byte(`1`), nil }
func (unseen) IsZero() bool                    { return false }

func (u upper) MarshalText() ([]byte, error)    { return []byte(strings.ToUpper(string(u))), nil }
func (b byteID) MarshalJSON() ([]byte, error)   { return fmt.Appendf(nil, `"#%d"`, byte(b)), nil }
func (p *pointed) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `{ "n" : %d }`, p.n), nil }
func (broken) MarshalText() ([]byte, error)     { return nil, errBroken }
func (e emptyDay) IsZero() bool                 { return e.day < 1 }

var errBroken = errors.New("disk on fire")

// The token of a Go value is that of its encoding/json text.
func TestOfAgreesWithEncodingJSON(t *testing.T) {
	three, text := 3, "three"
	var number any = json.Number("1e2")
	for _, v := range []any{
		nil, true, "x\u2028<\x00", 42, int8(-8), uint64(math.MaxUint64), int64(math.MinInt64), uintptr(7),
		0.1, 1e21, -1e-7, math.Copysign(0, -1), 5e-324, math.MaxFloat64, float64(1 << 60),
		float32(0.1), float32(16777216), float32(1e20), float32(3e-45), float32(math.MaxFloat32), celsius(36.6),
		json.Number("10e-1"), json.Number(""), json.RawMessage(`{"b":1, "a":[ 2.0 ]}`), json.RawMessage(nil),
		[]byte("hi"), []byte{}, [2]byte{1, 2}, []byteID{1, 2}, []celsius{1.5}, [0]int{}, []int{3, 1, 2}, [][]string{{"a"}, {}},
		&three, (*int)(nil), (**int)(nil), []*string{&text, nil}, []any{nil, 1, "a", []any{map[string]any{"k": number}}},
		map[string]int{"b": 1, "a": 2, "\n": 3}, map[int]string{10: "a", 9: "b", -1: "c"}, map[uint8]bool{1: true},
		map[netip.Addr]string{netip.MustParseAddr("::1"): "six", netip.MustParseAddr("127.0.0.1"): "four"},
		map[string]any{}, map[string]json.Number{"z": "1.0", "\U00010000": "2", "\uffff": "3"},
		time.Date(2026, 7, 28, 12, 0, 0, 500, time.UTC), netip.MustParseAddr("10.0.0.1"), big.NewInt(7), upper("text"), &pointed{4},
		base{1, "n"}, &base{1, "n"}, deeper{base{1, "n"}}, tagged{},
		struct {
			base
			Note int `json:"Note"`
		}{base{1, "n"}, 2},
		struct {
			base
			hidden
		}{base{1, "n"}, hidden{"m"}}, // Note twice at one depth: neither
		struct {
			*base
			Extra bool
		}{nil, true},
		struct {
			base `json:"meta"`
			M    string `json:"m"`
		}{base{1, "n"}, "m"},
		struct {
			A int `json:"x"`
			deepA
		}{1, deepA{2}},
		struct {
			A, B, skipped int
			C             int `json:"-"`
			D             int `json:"-,"`
			E             int `json:"bad\"name"`
			F             int `json:"ü,omitempty"`
		}{1, 2, 3, 4, 5, 6, 7},
		struct {
			A []int           `json:",omitempty"`
			B map[string]int  `json:",omitempty"`
			C *int            `json:",omitempty"`
			D string          `json:",omitempty"`
			E any             `json:",omitempty"`
			F struct{}        `json:",omitempty"`
			G [0]int          `json:",omitempty"`
			H float64         `json:",omitempty"`
			I bool            `json:",omitempty"`
			J time.Time       `json:",omitzero"`
			K base            `json:",omitzero"`
			L emptyDay        `json:",omitzero"`
			M *emptyDay       `json:",omitzero"`
			N int             `json:",omitempty,omitzero"`
			O json.RawMessage `json:",omitempty"`
			P isZeroer        `json:",omitzero"`
		}{L: emptyDay{-3}, M: &emptyDay{-1}, P: emptyDay{-2}, J: time.Time{}.In(time.FixedZone("", 3600))},
		struct {
			A int         `json:",string"`
			B bool        `json:",string"`
			C string      `json:",string"`
			D *int        `json:",string"`
			E *int        `json:",string"`
			F json.Number `json:",string"`
			G []int       `json:",string"`
			H upper       `json:",string"`
			I float64     `json:",string"`
			J **int       `json:",string"`
		}{A: 1, C: `a"b`, D: &three, F: "1.5", G: []int{}, H: "h", I: 0.25},
		circular{&circular{nil, 2}, 1},
		struct {
			left
			right
		}{left{base{ID: 1}, 2}, right{base{ID: 3}, 4}}, // base twice at one depth: neither
		struct {
			left
			*base
		}{left{base{ID: 1}, 2}, &base{ID: 3}}, // the shallower one
		map[textKey]int{{"b"}: 1, {"a"}: 2}, map[*textKey]int{nil: 1, {"a"}: 2},
		kids{"root", []*kids{{"a", nil}, {"b", []*kids{{"c", nil}}}}},
	} {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatalf("%T: %v", v, err)
		}
		want, err := versioning.OfJSON(raw)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		for range 2 { // the second time from the cache
			if got, err := versioning.Of(v); got != want || err != nil {
				t.Errorf("Of(%T) = %s, %v; want %s, that of %s", v, got, err, want, raw)
			}
		}
		if v != nil {
			p := reflect.New(reflect.TypeOf(v))
			p.Elem().Set(reflect.ValueOf(v))
			if got, err := versioning.Of(p.Interface()); got != want || err != nil {
				t.Errorf("Of(*%T) = %s, %v; want %s", v, got, err, want)
			}
		}
	}
}

type deepA struct {
	A int `json:"y"` // hidden from Go by an outer A, but not from JSON
}

type isZeroer interface{ IsZero() bool }

// Where Of departs from encoding/json.
func TestOfDepartures(t *testing.T) {
	same := func(name string, a, b any) {
		t.Helper()
		if of(t, a) != of(t, b) {
			t.Errorf("%s: two tokens", name)
		}
	}
	type lists struct {
		L []int
		M map[string]int
		B []byte
	}
	same("nil and empty", lists{}, lists{[]int{}, map[string]int{}, []byte{}})
	same("pointer receiver, by value", pointed{4}, &pointed{4})
	same("pointer receiver in a map", map[string]pointed{"a": {4}}, map[string]*pointed{"a": {4}})
	same("pointer receiver in an interface", []any{pointed{4}}, []any{&pointed{4}})
}

// public faults 59 and 82: order of a set is not a change, and what changed is
func TestTags(t *testing.T) {
	type issue struct {
		Title   string    `json:"title"`
		Labels  []string  `json:"labels" version:"set"`
		Order   []string  `json:"order"`
		Updated time.Time `json:"updated_at" version:"-"`
		ETag    string    `json:"-"`
	}
	at := time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	first := issue{"a", []string{"bug", "api", "é", "\U00010000", "\uffff"}, []string{"x", "y"}, at, ""}
	version := of(t, first)

	noop := first
	noop.Labels = []string{"\uffff", "\U00010000", "api", "é", "bug"}
	noop.Updated, noop.ETag = at.Add(time.Hour), "w"
	if of(t, noop) != version {
		t.Error("a write of equal content changed the version")
	}
	seen := map[string]string{version: "the first"}
	for name, change := range map[string]func(*issue){ // all within one tick of the clock
		"title":       func(i *issue) { i.Title = "b" },
		"one label":   func(i *issue) { i.Labels = append(noop.Labels[:4:4], "bugs") },
		"fewer":       func(i *issue) { i.Labels = noop.Labels[1:] },
		"twice":       func(i *issue) { i.Labels = append(noop.Labels[:5:5], "bug") },
		"none":        func(i *issue) { i.Labels = nil },
		"other order": func(i *issue) { i.Order = []string{"y", "x"} },
		"glued":       func(i *issue) { i.Labels = []string{"bug,api"} },
	} {
		next := first
		change(&next)
		token := of(t, next)
		if other, ok := seen[token]; ok {
			t.Errorf("%s and %s share a token", name, other)
		}
		seen[token] = name
	}
}

// Elements of a set may be anything, and sets may be inside sets.
func TestSetsOfAnything(t *testing.T) {
	type inner struct {
		Tags []string `json:"tags" version:"set"`
		N    int      `json:"n"`
	}
	type outer struct {
		List  []inner   `json:"list" version:"set"`
		Array [3]int    `json:"array" version:"set"`
		Ptr   *[]any    `json:"ptr" version:"set"`
		Deep  [][]inner `json:"deep" version:"set"`
	}
	a := outer{
		[]inner{{[]string{"x", "y"}, 1}, {[]string{"z"}, 2}}, [3]int{3, 10, 2}, &[]any{1, "1", nil},
		[][]inner{{{[]string{"p", "q"}, 1}}, {}},
	}
	b := outer{
		[]inner{{[]string{"z"}, 2}, {[]string{"y", "x"}, 1}}, [3]int{2, 3, 10}, &[]any{nil, 1, "1"},
		[][]inner{{}, {{[]string{"q", "p"}, 1}}},
	}
	if of(t, a) != of(t, b) {
		t.Error("the order of a set counts")
	}
	want, err := versioning.OfJSON([]byte(`{"array":[10,2,3],"deep":[[],[{"n":1,"tags":["p","q"]}]],"list":[{"n":1,"tags":["x","y"]},{"n":2,"tags":["z"]}],"ptr":["1",1,null]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := of(t, a); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if of(t, outer{}) != of(t, outer{List: []inner{}}) || of(t, outer{}) == of(t, outer{Ptr: &[]any{}}) {
		t.Error("nil lists are empty, nil pointers are not")
	}
}

// public fault 79: a summary and a full view carry the token of the record
func TestViewsShareTheToken(t *testing.T) {
	type record struct {
		Title string   `json:"title"`
		Body  string   `json:"body"`
		Tags  []string `json:"tags" version:"set"`
	}
	type summary struct {
		Title, Version string
	}
	type full struct {
		record
		Version string `json:"version"`
	}
	r := record{"t", "a long body", []string{"a", "b"}}
	short := summary{r.Title, of(t, r)}
	long := full{record: r}
	long.Tags = []string{"b", "a"} // as another query returned it
	long.Version = of(t, long.record)
	if err := versioning.Match(short.Version, long.Version); err != nil {
		t.Errorf("write with the token of a summary: %v", err)
	}
	// The same where the view itself is what is hashed.
	type view struct {
		record
		Version string `json:"version" version:"-"`
		Score   int    `json:"score" version:"-"`
	}
	if of(t, view{record: r}) != of(t, view{r, short.Version, 7}) || of(t, view{record: r}) != short.Version {
		t.Error("fields of the view count")
	}
}

func TestLeavingOutAnEmbeddedStruct(t *testing.T) {
	type page struct {
		HasMore bool `json:"has_more"`
		Next    any  `json:"next"`
	}
	type list struct {
		Rows []int `json:"rows"`
		page `version:"-"`
	}
	if of(t, list{[]int{1}, page{true, "x"}}) != of(t, struct {
		Rows []int `json:"rows"`
	}{[]int{1}}) {
		t.Error("fields of the embedded struct count")
	}
}

func TestValueErrors(t *testing.T) {
	type loop struct {
		Next *loop `json:"next"`
		Any  any   `json:"any"`
	}
	circle := &loop{}
	circle.Next = circle
	through := &loop{}
	through.Any = map[string]any{"again": through}
	deep := any(1)
	for range versioning.MaxDepth + 1 {
		deep = []any{deep}
	}
	type pointer *pointer
	var self pointer
	self = pointer(&self)
	type item struct {
		Name string  `json:"name"`
		F    float64 `json:"f"`
	}
	tests := []struct {
		name          string
		v             any
		field, reason string
	}{
		{"text", "a\xffb", "", "invalid UTF-8"},
		{"text in a field", []item{{}, {Name: "\xc3"}}, "1.name", "invalid UTF-8"},
		{"map key", struct {
			M map[string]int `json:"m"`
		}{map[string]int{"\xff": 1}}, "m", "invalid UTF-8 in a map key"},
		{"under a map key", map[string][]string{"secret": {"\xff"}}, "*.0", "invalid UTF-8"},
		{"infinity", item{F: math.Inf(1)}, "f", "neither an infinity nor a NaN is a JSON number"},
		{"NaN", math.NaN(), "", "neither an infinity nor a NaN is a JSON number"},
		{"32-bit infinity", float32(math.Inf(-1)), "", "neither an infinity nor a NaN is a JSON number"},
		{"number", json.Number("0x10"), "", "not a JSON number"},
		{"number with space", json.Number(" 1"), "", "not a JSON number"},
		{"number and more", json.Number("1,2"), "", "not a JSON number"},
		{"number of another grammar", json.Number("01"), "", "leading zero in a number"},
		{"no number", json.Number("null"), "", "not a JSON number"},
		{"number out of range", json.Number("1e999"), "", "number too large"},
		{"raw text", json.RawMessage(`{"a":1,"a":2}`), "", "MarshalJSON: duplicate key"},
		{"failing method", []any{broken{}}, "0", "MarshalText: disk on fire"},
		{"a key of kind string, whose methods JSON ignores", map[upper]int{"a": 1}, "", ""},
		{"failing method of a key", map[failingKey]int{{}: 1}, "", "a map key: disk on fire"},
		{"method that cannot be called", struct {
			unseen          `json:"u,omitzero"`
			json.RawMessage `json:"-"` // makes the promoted method ambiguous
		}{unseen: unseen{1}}, "u", "an embedded type that is not exported has a marshaling method"},
		{"set", struct {
			S []string `json:"s" version:"set"`
		}{[]string{"a", "\xff"}}, "s.1", "invalid UTF-8"},
		{"string option", struct {
			F float64 `json:"f,string"`
		}{math.NaN()}, "f", "neither an infinity nor a NaN is a JSON number"},
		{"cycle", circle, strings.TrimSuffix(strings.Repeat("next.", versioning.MaxDepth/2), "."), "nested too deeply"},
		{"cycle through a map", through, strings.TrimSuffix(strings.Repeat("any.*.", 42), ".") + ".any", "nested too deeply"},
		{"pointer to itself", self, "", "nested too deeply"},
		{"deep", deep, strings.TrimSuffix(strings.Repeat("0.", versioning.MaxDepth), "."), "nested too deeply"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			token, err := versioning.Of(tt.v)
			if tt.reason == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var e *versioning.ValueError
			if !errors.As(err, &e) || token != "" {
				t.Fatalf("got %q, %v; want a ValueError", token, err)
			}
			if e.Field != tt.field || e.Reason != tt.reason {
				t.Errorf("got %q: %q, want %q: %q", e.Field, e.Reason, tt.field, tt.reason)
			}
			want := "versioning: " + tt.reason
			if tt.field != "" {
				want = "versioning: " + tt.field + ": " + tt.reason
			}
			if err.Error() != want {
				t.Errorf("text %q, want %q", err, want)
			}
		})
	}
	if _, err := versioning.Of(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("the cause is lost: %v", err)
	}
	if _, err := versioning.Of(map[collide]int{{1}: 1, {2}: 2}); err == nil || !strings.Contains(err.Error(), "two map keys encode alike") {
		t.Errorf("keys that encode alike: %v", err)
	}
	if token, err := versioning.Of(deep.([]any)[0]); token == "" || err != nil {
		t.Errorf("at the cap: %v", err)
	}
}

type failingKey struct{}

func (failingKey) MarshalText() ([]byte, error) { return nil, errBroken }

type collide struct{ n int }

func (collide) MarshalText() ([]byte, error) { return []byte("same"), nil }

func TestCheckReportsAllFaults(t *testing.T) {
	type inner struct {
		Typo []string `version:"sets"`
		C    chan int
	}
	type faulty struct {
		inner
		Set      string             `json:"set" version:"set"`
		Bytes    []byte             `json:"bytes" version:"set"`
		Raw      json.RawMessage    `json:"raw" version:"set"`
		Unseen   []int              `json:"-" version:"set"`
		F        func()             `json:"f"`
		G        func()             `json:"g"`
		Z        complex128         `json:"z"`
		Keys     map[float64]string `json:"keys"`
		Fine     []int              `version:"set"`
		Left     chan int           `version:"-"`
		FineToo  map[string][]int   `json:"too"`
		FinePtr  *[]int             `version:"set"`
		Children []faultyChild
	}
	err := versioning.Check(reflect.TypeFor[faulty]())
	if err == nil {
		t.Fatal("no error")
	}
	const set = `version:"set" on a field that is not encoded as a list of its elements`
	want := []string{
		`versioning: versioning_test.faulty.Unseen: ` + set,
		`versioning: versioning_test.inner.Typo: the version tag is neither "-" nor "set"`,
		`versioning: versioning_test.faulty.C: JSON has no form for type chan int`,
		`versioning: versioning_test.faultyChild.c: JSON has no form for type complex64`,
		`versioning: versioning_test.faulty.bytes: ` + set,
		`versioning: versioning_test.faulty.f: JSON has no form for type func()`,
		`versioning: versioning_test.faulty.g: JSON has no form for type func()`,
		`versioning: versioning_test.faulty.keys: JSON has no map with keys of type float64`,
		`versioning: versioning_test.faulty.raw: ` + set,
		`versioning: versioning_test.faulty.set: ` + set,
		`versioning: versioning_test.faulty.z: JSON has no form for type complex128`,
	}
	got := strings.Split(err.Error(), "\n")
	for _, w := range want {
		if !strings.Contains("\n"+err.Error()+"\n", "\n"+w+"\n") {
			t.Errorf("no fault %s", w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d faults, want %d:\n%v", len(got), len(want), err)
	}
	if _, ofErr := versioning.Of(faulty{}); ofErr == nil || ofErr.Error() != err.Error() {
		t.Errorf("Of reports something else: %v", ofErr)
	}
	if _, err := versioning.Of([]any{faulty{}}); err == nil {
		t.Error("no error for a value in an interface")
	}
}

type faultyChild struct {
	C complex64 `json:"c"`
}

func TestCheck(t *testing.T) {
	type closed struct{ a, b int }
	type allLeft struct {
		A int `version:"-"`
	}
	type ring *ring
	for _, tt := range []struct {
		t    reflect.Type
		want string
	}{
		{nil, ""},
		{reflect.TypeFor[int](), ""},
		{reflect.TypeFor[kids](), ""},
		{reflect.TypeFor[any](), ""},
		{reflect.TypeFor[time.Time](), ""},
		{reflect.TypeFor[[]closed](), ""},
		{reflect.TypeFor[ring](), ""},
		// A token that never changes would let every write through.
		{reflect.TypeFor[closed](), "versioning: versioning_test.closed: no field counts"},
		{reflect.TypeFor[**closed](), "versioning: **versioning_test.closed: no field counts"},
		{reflect.TypeFor[allLeft](), "versioning: versioning_test.allLeft: no field counts"},
		{reflect.TypeFor[struct{}](), "versioning: struct: no field counts"},
		{reflect.TypeFor[map[bool]int](), "versioning: map[bool]int: JSON has no map with keys of type bool"},
	} {
		err := versioning.Check(tt.t)
		if got := fmt.Sprint(err); tt.want == "" && err != nil || tt.want != "" && got != tt.want {
			t.Errorf("Check(%v) = %v, want %q", tt.t, err, tt.want)
		}
	}
	_ = closed{1, 2}
}

func TestOfIsSafeForConcurrentUse(t *testing.T) {
	want := of(t, kids{"a", []*kids{{"b", nil}}})
	done := make(chan string)
	for range 8 {
		go func() {
			token := ""
			for range 200 {
				token, _ = versioning.Of(&kids{"a", []*kids{{"b", nil}}})
			}
			done <- token
		}()
	}
	for range 8 {
		if got := <-done; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
