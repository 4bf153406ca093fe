package mcpkit_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit"
)

type addIn struct {
	Summands []int `json:"summands" jsonschema:"minItems=1,maxItems=10" jsonschema_description:"What to add."`
}

type addOut struct {
	Sum int `json:"sum"`
}

var add = mcpkit.Tool[addIn, addOut]{
	Name: "math_add_numbers", Title: "Add numbers", Description: "Adds up to ten integers.",
	Example: addIn{Summands: []int{1, 2}},
	Effect:  mcpkit.Reads,
	Handle: func(_ context.Context, in addIn) (addOut, error) {
		var out addOut
		for _, n := range in.Summands {
			out.Sum += n
		}
		return out, nil
	},
}

// A kit runs calls without any transport; an adapter does the rest.
func ExampleKit_Call() {
	kit, err := mcpkit.New(mcpkit.Server{
		Name: "little-math", Version: "1.0.0", Summary: "Adds numbers.",
		Does: []string{"Add."}, DoesNot: []string{"Subtract."},
	}, add)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	fmt.Println(kit.Call(ctx, mcpkit.Call{Tool: "math_add_numbers", Arguments: json.RawMessage(`{"summands":[1,2]}`)}).Text)

	// The list came as text. The repair is the call that works.
	wrong := kit.Call(ctx, mcpkit.Call{Tool: "math_add_numbers", Arguments: json.RawMessage(`{"summands":"[1,2]"}`), Revision: "2026-07-28"})
	e, _, err := envelope.Parse(wrong.Structured)
	if err != nil {
		fmt.Println(err)
		return
	}
	repair, _ := e.Suggested()
	fmt.Println(e.Message())
	fmt.Println(repair.Tool, string(repair.Arguments))
	// Output:
	// {"sum":3}
	// Invalid argument summands: Must be an array.
	// math_add_numbers {"summands":[1,2]}
}

// All mistakes of a declaration are reported together, at start-up.
func ExampleNew() {
	type in struct {
		Who string `json:"who,omitempty" jsonschema_description:"A name."`
	}
	_, err := mcpkit.New(mcpkit.Server{Name: "greeter", Version: "1.0.0", Summary: "Greets.", Does: []string{"Greet."}},
		mcpkit.Tool[in, addOut]{
			Name: "greeter_say_hello", Title: "Hello", Description: "Greets.",
			Errors: []envelope.Code{"nobody_there"},
			Handle: func(context.Context, in) (addOut, error) { return addOut{}, nil },
		})
	fmt.Println(err)
	// Output:
	// server: DoesNot: is empty; list tasks that one might expect and that are out of scope
	// tool greeter_say_hello: Effect: is not set; say what the tool changes (mcpkit.Reads if nothing)
	// tool greeter_say_hello: Errors: code nobody_there is in no catalog; add it to Server.Codes
	// tool greeter_say_hello: In.who: the description of an optional field must say what leaving it out does, with the word "omitted"; as in: Omitted means no filter.
}
