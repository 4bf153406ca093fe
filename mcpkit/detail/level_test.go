package detail_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/mcpkit/detail"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

type person struct {
	Login string  `json:"login"`
	Email *string `json:"email"`
	Bio   string  `json:"bio" detail:"full"`
}

type issue struct {
	Number    int               `json:"number"`
	State     string            `json:"state" jsonschema:"enum=open,enum=closed,default=open"`
	Reason    *string           `json:"reason"`
	Version   *string           `json:"version" detail:"always"`
	Priority  int               `json:"priority" jsonschema:"default=3" detail:"always"`
	Comments  int               `json:"comments" jsonschema:"default=0"`
	Score     float64           `json:"score" jsonschema:"default=1.50"`
	Locked    bool              `json:"locked" jsonschema:"default=false"`
	ID        int64             `json:"id,string" jsonschema:"default=7"`
	Labels    []string          `json:"labels" jsonschema:"default=[]"`
	Colour    string            `json:"colour" jsonschema:"default=red\\,green,title=Colour"`
	Due       time.Time         `json:"due" jsonschema:"default=2026-01-01T00:00:00Z"`
	Body      string            `json:"body" detail:"full"`
	Note      *string           `json:"note" detail:"full"`
	Omitted   string            `json:"omitted,omitempty"`
	Author    person            `json:"author"`
	Assignees []*person         `json:"assignees"`
	ByRole    map[string]person `json:"by_role"`
	Votes     map[string]*int   `json:"votes"`
	Plain     *person           `json:"plain"`
}

func TestLevels(t *testing.T) {
	tests := []struct {
		name    string
		value   any
		full    string
		summary string
	}{{
		name:  "zero values",
		value: issue{},
		full: `{"number":0,"state":"","reason":null,"version":null,"priority":0,"comments":0,"score":0,"locked":false,"id":"0","labels":[],"colour":"",` +
			`"due":"0001-01-01T00:00:00Z","body":"","note":null,"author":{"login":"","email":null,"bio":""},"assignees":[],"by_role":{},"votes":{},"plain":null}`,
		summary: `{"number":0,"state":"","version":null,"priority":0,"score":0,"id":"0","colour":"","due":"0001-01-01T00:00:00Z","author":{"login":""},"assignees":[],"by_role":{},"votes":{}}`,
	}, {
		name: "defaults",
		value: issue{
			Number: 512, State: "open", Priority: 3, Score: 1.5, ID: 7, Labels: []string{}, Colour: "red,green",
			Due: time.Date(2026, 1, 1, 9, 0, 0, 0, time.FixedZone("JST", 9*3600)), Body: "b", Note: ptr("n"), Reason: ptr(""),
		},
		full: `{"number":512,"state":"open","reason":"","version":null,"priority":3,"comments":0,"score":1.5,"locked":false,"id":"7","labels":[],"colour":"red,green",` +
			`"due":"2026-01-01T00:00:00Z","body":"b","note":"n","author":{"login":"","email":null,"bio":""},"assignees":[],"by_role":{},"votes":{},"plain":null}`,
		summary: `{"number":512,"reason":"","version":null,"priority":3,"author":{"login":""},"assignees":[],"by_role":{},"votes":{}}`,
	}, {
		name: "other values, and rows at every depth",
		value: &issue{
			Number: 1, State: "closed", Reason: ptr("done"), Version: ptr("v1"), Priority: 1, Comments: 2, Score: 2, Locked: true, ID: 8, Labels: []string{"bug"}, Colour: "blue",
			Omitted: "o", Author: person{"a", ptr("e"), "x"}, Assignees: []*person{nil, {Login: "b", Bio: "y"}},
			ByRole: map[string]person{"r": {Bio: "z"}}, Votes: map[string]*int{"n": nil, "v": ptr(1)}, Plain: &person{},
		},
		full: `{"number":1,"state":"closed","reason":"done","version":"v1","priority":1,"comments":2,"score":2,"locked":true,"id":"8","labels":["bug"],"colour":"blue",` +
			`"due":"0001-01-01T00:00:00Z","body":"","note":null,"omitted":"o","author":{"login":"a","email":"e","bio":"x"},"assignees":[null,{"login":"b","email":null,"bio":"y"}],` +
			`"by_role":{"r":{"login":"","email":null,"bio":"z"}},"votes":{"n":null,"v":1},"plain":{"login":"","email":null,"bio":""}}`,
		summary: `{"number":1,"state":"closed","reason":"done","version":"v1","priority":1,"comments":2,"score":2,"locked":true,"id":"8","labels":["bug"],"colour":"blue",` +
			`"due":"0001-01-01T00:00:00Z","omitted":"o","author":{"login":"a","email":"e"},"assignees":[null,{"login":"b"}],` +
			`"by_role":{"r":{"login":""}},"votes":{"n":null,"v":1},"plain":{"login":""}}`,
	}, {
		name:    "nothing left",
		value:   struct{ A, B *int }{},
		full:    `{"A":null,"B":null}`,
		summary: `{}`,
	}, {
		name:    "rows of nothing",
		value:   []struct{ A *int }{{}, {}, {}},
		full:    `[{"A":null},{"A":null},{"A":null}]`,
		summary: `[{},{},{}]`,
	}, {
		name:    "first field left out",
		value:   struct{ A, B, C *int }{B: ptr(1)},
		full:    `{"A":null,"B":1,"C":null}`,
		summary: `{"B":1}`,
	}, {
		name: "default of a pointer",
		value: struct {
			A *int `jsonschema:"default=3"`
			B *int `jsonschema:"default=3"`
			C *int `jsonschema:"default=3"`
		}{ptr(3), ptr(4), nil},
		full:    `{"A":3,"B":4,"C":null}`,
		summary: `{"B":4}`,
	}, {
		name: "default of a list",
		value: struct {
			A []int `json:"a" jsonschema:"default=[1\\, 2]"`
			B []int `json:"b" jsonschema:"default=[1\\, 2]"`
		}{[]int{1, 2}, []int{2, 1}},
		full:    `{"a":[1,2],"b":[2,1]}`,
		summary: `{"b":[2,1]}`,
	}, {
		name: "default that reads like null",
		value: struct {
			A string `json:"a" jsonschema:"default=null"`
			B string `json:"b"`
		}{"null", "null"},
		full:    `{"a":"null","b":"null"}`,
		summary: `{"b":"null"}`,
	}, {
		name: "values in interfaces",
		value: struct {
			A, B, C, D any
			E          []any
		}{A: nil, B: person{Bio: "x"}, C: (*person)(nil), D: map[string]any{"n": nil}, E: []any{nil, &person{}}},
		full:    `{"A":null,"B":{"login":"","email":null,"bio":"x"},"C":null,"D":{"n":null},"E":[null,{"login":"","email":null,"bio":""}]}`,
		summary: `{"B":{"login":""},"D":{"n":null},"E":[null,{"login":""}]}`,
	}, {
		name:    "null from a method",
		value:   struct{ A, B json.RawMessage }{json.RawMessage("null"), json.RawMessage(` null `)},
		full:    `{"A":null,"B":null}`,
		summary: `{}`,
	}, {
		name: "recursive type",
		value: struct {
			Root node `json:"root"`
		}{node{Text: "a", Children: []node{{Text: "b"}}}},
		full:    `{"root":{"text":"a","parent":null,"children":[{"text":"b","parent":null,"children":[]}]}}`,
		summary: `{"root":{"children":[{"children":[]}]}}`,
	}, {
		name: "embedded struct",
		value: struct {
			person
			Login int `json:"login"`
		}{person{Login: "hidden", Bio: "x"}, 5},
		full:    `{"email":null,"bio":"x","login":5}`,
		summary: `{"login":5}`,
	}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := encode(t, tt.value, detail.Full); got != tt.full {
				t.Errorf("full\ngot  %s\nwant %s", got, tt.full)
			}
			if got := encode(t, tt.value, detail.Summary); got != tt.summary {
				t.Errorf("summary\ngot  %s\nwant %s", got, tt.summary)
			}
		})
	}
}

type node struct {
	Text     string `json:"text" detail:"full"`
	Parent   *node  `json:"parent"`
	Children []node `json:"children"`
}

// What the schema of a type promises is what its encoder writes.
func TestConformsToSchema(t *testing.T) {
	described, err := schema.For(reflect.TypeFor[issue](), schema.Output, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]issue{
		"zero":     {State: "open", Version: ptr("v")},
		"defaults": {State: "open", Priority: 3, Score: 1.5, ID: 7, Colour: "red,green"},
		"rows":     {State: "closed", Assignees: []*person{{}}, ByRole: map[string]person{"a": {}}, Plain: &person{}},
	} {
		for _, level := range []detail.Level{detail.Summary, detail.Full} {
			t.Run(name+" "+string(level), func(t *testing.T) {
				if _, violations := described.Document().Read([]byte(encode(t, v, level))); len(violations) > 0 {
					t.Errorf("%+v", violations)
				}
			})
		}
	}
	// A summary leaves out what the schema has as optional, and no more.
	var left []string
	var summary map[string]any
	empty := issue{State: "open", Colour: "red,green", ID: 7, Score: 1.5, Due: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	if err := json.Unmarshal([]byte(encode(t, empty, detail.Summary)), &summary); err != nil {
		t.Fatal(err)
	}
	for _, f := range described.Fields() {
		if _, present := summary[f.Name]; present != f.Required {
			left = append(left, f.Name)
		}
	}
	if len(left) > 0 {
		t.Errorf("present and required differ for %q", left)
	}
}

func TestDiffers(t *testing.T) {
	for _, tt := range []struct {
		value any
		want  bool
	}{
		{issue{}, true}, {[]issue{}, true}, {map[string]*node{}, true}, {struct{ P []person }{}, true},
		{inner{}, false}, {struct{ A *int }{}, false}, {"", false}, {struct{ A any }{issue{}}, false},
	} {
		enc, err := detail.Compile(reflect.TypeOf(tt.value))
		if err != nil {
			t.Fatal(err)
		}
		if enc.Differs() != tt.want {
			t.Errorf("%T: %t, want %t", tt.value, enc.Differs(), tt.want)
		}
	}
}

func TestCompileFaults(t *testing.T) {
	type bad struct {
		Chan    chan int        `json:"chan"`
		Func    func()          `json:"func,omitempty"`
		Complex []complex128    `json:"complex"`
		Keys    map[inner]int   `json:"keys"`
		Floats  map[float64]int `json:"floats"`
		Level   string          `json:"level" detail:"sometimes"`
		Empty   string          `json:"empty" detail:""`
		Default int             `json:"default" jsonschema:"default=many"`
		Range   int8            `json:"range" jsonschema:"default=300"`
		Nested  struct {
			Bad []map[string]chan int `json:"bad"`
		} `json:"nested"`
		Gone     string `json:"-" detail:"full"`
		private  string `detail:"full"`
		Embedded `detail:"full"`
	}
	_ = bad{private: ""}
	tests := []struct {
		name string
		typ  reflect.Type
		want []string
	}{
		{"nothing", nil, []string{"detail: nil: there is no type"}},
		{"root", reflect.TypeFor[chan int](), []string{"detail: chan int: a chan has no JSON"}},
		{"struct", reflect.TypeFor[bad](), []string{
			"detail: detail_test.bad: the detail tag of Embedded has no JSON field to apply to",
			"detail: detail_test.bad: the detail tag of Gone has no JSON field to apply to",
			"detail: detail_test.bad: the detail tag of private has no JSON field to apply to",
			`detail: chan int: field "chan": a chan has no JSON`,
			`detail: complex128: field "complex": a complex128 has no JSON`,
			`detail: detail_test.bad: field "default": DEFAULT`,
			`detail: map[float64]int: field "floats": a float64 cannot be the key of a JSON object`,
			`detail: func(): field "func": a func has no JSON`,
			`detail: map[detail_test.inner]int: field "keys": a detail_test.inner cannot be the key of a JSON object`,
			`detail: detail_test.bad: field "level": detail is "sometimes"; it may be full or always`,
			`detail: chan int: field "nested.bad": a chan has no JSON`,
			`detail: detail_test.bad: field "range": DEFAULT`,
		}},
		{"nested", reflect.TypeFor[struct {
			A struct{ B []map[string]chan int }
		}](), []string{
			`detail: chan int: field "A.B": a chan has no JSON`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := detail.Compile(tt.typ)
			if err == nil {
				t.Fatal("no error")
			}
			got := strings.Split(err.Error(), "\n")
			for i := range min(len(got), len(tt.want)) { // the words about defaults are schema's
				if prefix, ok := strings.CutSuffix(tt.want[i], "DEFAULT"); ok && strings.HasPrefix(got[i], prefix) && strings.Contains(got[i], "default") {
					got[i] = tt.want[i]
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Two runs of Compile and Append give the same bytes.
func TestDeterministic(t *testing.T) {
	v := map[string]any{"a": sample(), "b": map[int]any{3: 1, 1: 2, 2: issue{}}}
	first := encode(t, v, detail.Summary)
	for range 20 {
		if encode(t, v, detail.Summary) != first {
			t.Fatal("the bytes differ between runs")
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	enc, err := detail.Compile(reflect.TypeFor[[]any]())
	if err != nil {
		t.Fatal(err)
	}
	v := []any{sample(), issue{}, []person{{}}, map[string]any{"x": inner{}}}
	want, err := enc.Append(nil, v, detail.Full)
	if err != nil {
		t.Fatal(err)
	}
	results := make(chan []byte)
	for range 8 {
		go func() {
			out, _ := enc.Append(nil, v, detail.Full)
			results <- out
		}()
	}
	for range 8 {
		if out := <-results; !slices.Equal(out, want) {
			t.Error("concurrent results differ")
		}
	}
}

// An encoder that is made for a type in one place serves it in all places.
func TestFaultsOfASharedTypeAreReportedOnce(t *testing.T) {
	type shared struct{ C chan int }
	type outer struct{ A, B shared }
	_, err := detail.Compile(reflect.TypeFor[outer]())
	if err == nil || strings.Count(err.Error(), "\n") != 0 || !strings.Contains(err.Error(), `"A.C"`) {
		t.Errorf("error is %v", err)
	}
}
