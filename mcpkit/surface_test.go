package mcpkit_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/versioning"
)

func mathKit(t *testing.T, declarations ...mcpkit.Declaration) *mcpkit.Kit {
	t.Helper()
	kit, err := mcpkit.New(mcpkit.Server{
		Name: "little-math", Version: "1.0.0", Summary: "Adds numbers.",
		Does: []string{"Add."}, DoesNot: []string{"Subtract."}, Logger: slog.New(slog.DiscardHandler),
	}, declarations...)
	if err != nil {
		t.Fatal(err)
	}
	return kit
}

func format(t *testing.T, kit *mcpkit.Kit) []byte {
	t.Helper()
	document, err := kit.Surface().Format()
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// public fault 111
func TestSurfaceIsTheSameInEveryOrder(t *testing.T) {
	multiply := add
	multiply.Name = "math_multiply_numbers"
	first := format(t, mathKit(t, add, multiply))
	if second := format(t, mathKit(t, multiply, add)); !bytes.Equal(first, second) {
		t.Errorf("got\n%s\nand\n%s", first, second)
	}
	if _, err := versioning.ParseSurface(first); err != nil {
		t.Error(err)
	}
}

func TestSurfaceHoldsMarkersAndCodes(t *testing.T) {
	before := mathKit(t, add).Surface()
	marked := add
	marked.Errors = []envelope.Code{envelope.CodeNotFound}
	marked.Lifecycle = versioning.Lifecycle{Stability: versioning.Preview}
	changes, err := versioning.Diff(before, mathKit(t, marked).Surface())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		got = append(got, string(c.Class)+" "+c.Path)
	}
	want := []string{
		"additive /tools/math_add_numbers/_meta/com.little-math~1errors",
		"breaking /tools/math_add_numbers/_meta/com.little-math~1lifecycle/stability",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, _ := envelope.Standard().Meaning(envelope.CodeNotFound); before.ErrorCodes["not_found"] != got || got == "" {
		t.Errorf("not_found means %q", before.ErrorCodes["not_found"])
	}
}

// What changed for clients since the last release?
func ExampleKit_Surface() {
	type addIn struct {
		Summands []int `json:"summands" jsonschema:"minItems=1,maxItems=5" jsonschema_description:"What to add."`
	}
	smaller := mcpkit.Tool[addIn, addOut]{
		Name: add.Name, Title: add.Title, Description: add.Description,
		Example: addIn{Summands: []int{1, 2}}, Effect: mcpkit.Reads,
		Handle: func(context.Context, addIn) (addOut, error) { return addOut{}, nil },
	}
	server := mcpkit.Server{
		Name: "little-math", Version: "1.0.0", Summary: "Adds numbers.",
		Does: []string{"Add."}, DoesNot: []string{"Subtract."},
	}
	released, err := mcpkit.New(server, add)
	if err != nil {
		fmt.Println(err)
		return
	}
	current, err := mcpkit.New(server, smaller)
	if err != nil {
		fmt.Println(err)
		return
	}
	changes, err := versioning.Diff(released.Surface(), current.Surface())
	for _, c := range changes {
		fmt.Println(c)
	}
	fmt.Println(err)
	// Output:
	// breaking /tools/math_add_numbers/inputSchema/properties/summands/maxItems: maxItems is tighter: calls that were valid can be refused (10 -> 5)
	// <nil>
}
