package detail_test

import (
	"fmt"
	"reflect"

	"github.com/mcpkit-go/agentmcp/mcpkit/detail"
)

func Example() {
	type issue struct {
		Number   int      `json:"number"`
		Title    string   `json:"title"`
		State    string   `json:"state" jsonschema:"enum=open,enum=closed,default=open"`
		Assignee *string  `json:"assignee"`
		Version  *string  `json:"version" detail:"always"`
		Labels   []string `json:"labels"`
		Body     string   `json:"body" detail:"full"`
	}
	enc, err := detail.Compile(reflect.TypeFor[issue]())
	if err != nil {
		fmt.Println(err)
		return
	}
	i := issue{Number: 512, Title: "Broken <page>", State: "open", Body: "Steps to reproduce"}
	for _, level := range []detail.Level{detail.Summary, detail.Full} {
		body, err := enc.Append(nil, i, level)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s\n", level, body)
	}
	// Output:
	// summary: {"number":512,"title":"Broken <page>","version":null,"labels":[]}
	// full: {"number":512,"title":"Broken <page>","state":"open","assignee":null,"version":null,"labels":[],"body":"Steps to reproduce"}
}

// Compile reports everything that is wrong with a type at once.
func ExampleCompile() {
	type report struct {
		Done  chan bool `json:"done"`
		Level string    `json:"level" detail:"sometimes"`
	}
	_, err := detail.Compile(reflect.TypeFor[report]())
	fmt.Println(err)
	// Output:
	// detail: chan bool: field "done": a chan has no JSON
	// detail: detail_test.report: field "level": detail is "sometimes"; it may be full or always
}
