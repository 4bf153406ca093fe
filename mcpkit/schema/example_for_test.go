package schema_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

func ExampleFor() {
	type searchIn struct {
		Query  string   `json:"query" jsonschema:"minLength=1,maxLength=256"`
		Labels []string `json:"labels,omitempty" jsonschema:"maxItems=10,items.minLength=1" jsonschema_description:"Omitted means no label filter."`
		State  string   `json:"state,omitempty" jsonschema:"enum=open,enum=closed,default=open" jsonschema_description:"Omitted means open."`
	}
	in, err := schema.For(reflect.TypeFor[searchIn](), schema.Input, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range in.Fields() {
		fmt.Printf("%s required=%t %s\n", f.Name, f.Required, f.Schema)
	}
	// Output:
	// query required=true {"type":"string","minLength":1,"maxLength":256}
	// labels required=false {"type":"array","items":{"type":"string","minLength":1},"maxItems":10,"description":"Omitted means no label filter."}
	// state required=false {"type":"string","enum":["open","closed"],"default":"open","description":"Omitted means open."}
}

// In an output, a pointer may be null, and what a summary leaves out is
// optional.
func ExampleFor_output() {
	type issue struct {
		Number int        `json:"issue_number"`
		Closed *time.Time `json:"closed_at" detail:"always"`
		Body   string     `json:"body" detail:"full"`
	}
	out, err := schema.For(reflect.TypeFor[issue](), schema.Output, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range out.Fields() {
		fmt.Printf("%s required=%t %s\n", f.Name, f.Required, f.Schema)
	}
	// Output:
	// issue_number required=true {"type":"integer"}
	// closed_at required=true {"type":["string","null"],"format":"date-time"}
	// body required=false {"type":"string"}
}

// All faults of a type come together, each with the field that has it.
func ExampleFaults() {
	type in struct {
		Limit int    `json:"limit,omitempty" jsonschema:"maximum=100,default=200" jsonschema_description:"Omitted means 200."`
		Extra any    `json:"extra"`
		State string `json:"state" jsonschema:"enum=open,closed"`
	}
	_, err := schema.For(reflect.TypeFor[in](), schema.Input, nil)
	for _, f := range schema.Faults(err) {
		fmt.Println(f.Field)
	}
	// Output:
	// extra
	// limit
	// state
}

func ExamplePatch() {
	type update struct {
		Title     schema.Patch[string] `json:"title,omitzero"`
		Milestone schema.Patch[int]    `json:"milestone_number,omitzero"`
	}
	var u update
	if err := json.Unmarshal([]byte(`{"milestone_number":null}`), &u); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("title absent:", u.Title.IsAbsent())
	fmt.Println("milestone cleared:", u.Milestone.IsNull())

	again, err := json.Marshal(update{Title: schema.Set("Crash"), Milestone: schema.Clear[int]()})
	fmt.Println(string(again), err)
	// Output:
	// title absent: true
	// milestone cleared: true
	// {"title":"Crash","milestone_number":null} <nil>
}

// A price is written by its own MarshalJSON, so it states its schema.
type price struct{ cents int64 }

func (p price) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `"%d.%02d EUR"`, p.cents/100, p.cents%100), nil
}

func (price) SchemaJSON() json.RawMessage {
	return json.RawMessage(`{"type": "string", "pattern": "^[0-9]+\\.[0-9]{2} EUR$"}`)
}

func ExampleProvider() {
	type offer struct {
		Price price `json:"price" jsonschema_description:"With tax."`
	}
	out, err := schema.For(reflect.TypeFor[offer](), schema.Output, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(out.Fields()[0].Schema))
	// Output:
	// {"type":"string","pattern":"^[0-9]+\\.[0-9]{2} EUR$","description":"With tax."}
}

func ExampleType_Warnings() {
	type out struct {
		ID uint64 `json:"id"`
	}
	s, err := schema.For(reflect.TypeFor[out](), schema.Output, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range s.Warnings() {
		fmt.Println(w)
	}
	// Output:
	// id: JavaScript clients round this 64-bit id beyond 2^53-1; send it as a string with the json option ",string", or bound it with minimum and maximum
}
