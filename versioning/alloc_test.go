//go:build !race

package versioning_test

import (
	"testing"

	"github.com/mcpkit-go/agentmcp/versioning"
)

// The race detector makes sync.Pool forget at random, hence the build tag.
func TestAllocations(t *testing.T) {
	for _, s := range benchSizes {
		canonical := benchCanonical(t, s.size)
		indented := indent(t, canonical)
		token := make([]byte, 0, 64)
		for name, raw := range map[string][]byte{"canonical": canonical, "indented": indented} {
			run := func() {
				if _, err := versioning.AppendOfJSON(token, raw); err != nil {
					t.Fatal(err)
				}
			}
			run() // grows the buffers
			if n := testing.AllocsPerRun(20, run); n != 0 {
				t.Errorf("AppendOfJSON of %s %s allocates %v times", s.name, name, n)
			}
		}
	}
	value := issuesOf(1 << 10)
	if n := testing.AllocsPerRun(100, func() { versioning.Of(&value) }); n > 1 {
		t.Errorf("Of allocates %v times, want at most 1 for the token", n)
	}
}
