package jsonfields_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/mcpkit-go/agentmcp/mcpkit/internal/jsonfields"
)

type inner struct {
	C string `json:"c"`
	I int
}

type Exported struct {
	E int `json:"e"`
}

type left struct {
	Same int
	L    int
}

type right struct {
	Same int
	R    int
}

type tagged struct {
	Name int `json:"Name"`
}

type untagged struct{ Name int }

type twice struct{ X int }

type viaA struct{ twice }

type viaB struct{ twice }

type text string

// Public faults 7 and 9: the fields are those that encoding/json writes, in its
// order.
func TestOfAgreesWithEncodingJSON(t *testing.T) {
	tests := []any{
		struct{}{},
		inner{},
		struct {
			inner
			M string `json:"m"`
		}{},
		struct {
			inner `json:"meta"`
			M     string `json:"m"`
		}{},
		struct {
			inner
			C int `json:"c"`
		}{},
		struct {
			*Exported
			C int `json:"c"`
		}{Exported: &Exported{}},
		struct {
			left
			right
		}{},
		struct {
			tagged
			untagged
		}{},
		struct {
			viaA
			viaB
		}{},
		struct {
			text
			hidden int
			Shown  int
			Out    int `json:"-"`
			Two    int `json:"Shown"`
		}{},
		oddTags(),
	}
	for _, v := range tests {
		typ := reflect.TypeOf(v)
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		d := json.NewDecoder(bytes.NewReader(raw))
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, name.(string))
			var skip json.RawMessage
			if err := d.Decode(&skip); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, f := range jsonfields.Of(typ) {
			got = append(got, f.Name)
			if f.Type != typ.FieldByIndex(f.Index).Type {
				t.Errorf("%v: %s has index %v", typ, f.Name, f.Index)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v:\n got  %v\n want %v", typ, got, want)
		}
	}
}

// oddTags is a struct whose tags linters rightly refuse in source.
func oddTags() any {
	field := func(name, tag string) reflect.StructField {
		return reflect.StructField{Name: name, Type: reflect.TypeFor[string](), Tag: reflect.StructTag(tag)}
	}
	return reflect.New(reflect.StructOf([]reflect.StructField{
		field("Dash", `json:"-,"`), field("Odd", `json:"not\"valid"`), field("Empty", `json:","`), field("Text", `json:"text,string"`),
	})).Elem().Interface()
}

func TestOptions(t *testing.T) {
	type options struct {
		A int  `json:"a,omitempty"`
		B int  `json:"b,omitzero"`
		C int  `json:"c,string"`
		D *int `json:",string"`
		F bool `json:"f,omitempty,string"`
	}
	want := []jsonfields.Field{
		{Name: "a", OmitEmpty: true, Tagged: true},
		{Name: "b", OmitZero: true, Tagged: true},
		{Name: "c", Quoted: true, Tagged: true},
		{Name: "D", Quoted: true},
		{Name: "f", OmitEmpty: true, Quoted: true, Tagged: true},
	}
	got := jsonfields.Of(reflect.TypeFor[options]())
	if len(got) != len(want) {
		t.Fatalf("%d fields", len(got))
	}
	for i, w := range want {
		g := got[i]
		if g.Name != w.Name || g.OmitEmpty != w.OmitEmpty || g.OmitZero != w.OmitZero || g.Quoted != w.Quoted || g.Tagged != w.Tagged ||
			g.Optional() != (w.OmitEmpty || w.OmitZero) {
			t.Errorf("field %d: %+v", i, g)
		}
	}
}

// Recursive types end, since only embedded structs are entered.
func TestRecursiveTypes(t *testing.T) {
	type node struct {
		Kids []*node `json:"kids"`
		Next *node   `json:"next"`
	}
	if got := jsonfields.Of(reflect.TypeFor[node]()); len(got) != 2 {
		t.Errorf("%+v", got)
	}
	type loop struct {
		//lint:ignore U1000 it is there to be entered
		*loop
		X int
	}
	if got := jsonfields.Of(reflect.TypeFor[loop]()); len(got) != 1 || got[0].Name != "X" {
		t.Errorf("%+v", got)
	}
}
