package schema_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

const exampleSchema = `{
	"type": "object",
	"required": ["issue_number"],
	"properties": {
		"issue_number": {"type": "integer", "minimum": 1},
		"labels": {"type": "array", "items": {"type": "string"}},
		"state": {"type": "string", "enum": ["open", "closed"], "default": "open"}
	},
	"additionalProperties": false
}`

func ExampleCompile() {
	d, err := schema.Compile(json.RawMessage(exampleSchema))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Validate(map[string]any{"issue_number": json.Number("512")}) == nil)
	// Output: true
}

func ExampleDocument_Read() {
	d, err := schema.Compile(json.RawMessage(exampleSchema))
	if err != nil {
		log.Fatal(err)
	}
	args, violations := d.Read([]byte(`{"issue_number": 9007199254740993, "labels": null}`))
	fmt.Println(args, violations)

	_, violations = d.Read([]byte(`{"isue_number": 512, "state": "opened"}`))
	for _, v := range violations {
		fmt.Printf("%s (%s): %s\n", v.Field, v.Rule, v.Reason)
	}
	// Output:
	// map[issue_number:9007199254740993 state:open] []
	// issue_number (required): Is required and missing.
	// isue_number (additionalProperties): Is not a known name; the nearest is "issue_number".
	// state (enum): Must be one of "open", "closed".
}

func ExampleDocument_Validate() {
	d, err := schema.Compile(json.RawMessage(exampleSchema))
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range d.Validate(map[string]any{"issue_number": json.Number("0"), "labels": []any{"bug", true}}) {
		fmt.Println(v.Pointer, v.Rule, v.Reason)
	}
	// Output:
	// /issue_number minimum Must be at least 1.
	// /labels/1 type The element at index 1 must be a string.
}

func ExampleDocument_Correct() {
	d, err := schema.Compile(json.RawMessage(exampleSchema))
	if err != nil {
		log.Fatal(err)
	}
	for _, call := range []string{
		`{"isue_number": "512", "labels": "[\"bug\"]", "state": "opened"}`,
		`{"issue_number": 512, "labels": "[bug"}`,
		`{"labels": ["bug"]}`,
	} {
		args, violations := d.Read([]byte(call))
		if fixed, ok := d.Correct(args, violations); ok {
			raw, err := schema.Marshal(fixed)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(string(raw))
		} else {
			fmt.Println("nothing provable")
		}
	}
	// Output:
	// {"issue_number":512,"labels":["bug"],"state":"open"}
	// nothing provable
	// nothing provable
}

func ExampleDocument_Unchecked() {
	// Lookahead is known to ECMA-262, but not to package regexp.
	d, err := schema.Compile(json.RawMessage(`{"properties":{"slug":{"type":"string","pattern":"^(?!-)"}}}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Unchecked())
	// Output: [/properties/slug/pattern]
}

func ExampleDecode() {
	d, err := schema.Compile(json.RawMessage(exampleSchema))
	if err != nil {
		log.Fatal(err)
	}
	args, _ := d.Read([]byte(`{"issue_number": 9007199254740993}`))
	var in struct {
		Number int64    `json:"issue_number"`
		Labels []string `json:"labels,omitempty"`
		State  string   `json:"state,omitempty"`
	}
	if err := schema.Decode(args, &in); err != nil {
		log.Fatal(err)
	}
	fmt.Println(in.Number, in.State)
	// Output: 9007199254740993 open
}

func ExampleMarshal() {
	raw, err := schema.Marshal(map[string]any{"b": json.Number("9007199254740993"), "a": []any{"<", nil}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(raw))
	// Output: {"a":["<",null],"b":9007199254740993}
}
