package main

import (
	"os"
	"strings"
)

// A new optional parameter is additive, so the exit status is 0.
func Example() {
	old, err := os.CreateTemp("", "surface")
	if err != nil {
		panic(err)
	}
	defer os.Remove(old.Name())
	if _, err := old.WriteString(`{"tools":[{"name":"wiki_get_page","inputSchema":{"properties":{"slug":{"type":"string"}}}}]}`); err != nil {
		panic(err)
	}
	changed := strings.NewReader(`{"tools":[{"name":"wiki_get_page","inputSchema":{"properties":{"slug":{"type":"string"},"space":{"type":"string"}}}}]}`)
	run([]string{old.Name(), "-"}, changed, os.Stdout, os.Stderr)
	// Output:
	// additive /tools/wiki_get_page/inputSchema/properties/space: a new optional input ({"type":"string"})
	// 0 breaking, 1 additive, 0 documentation
}
