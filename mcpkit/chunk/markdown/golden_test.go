package markdown_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/mcpkit/chunk"
)

var update = flag.Bool("update", false, "rewrite testdata/golden/*.chunks")

// The documents in testdata/golden, with their chunks beside them.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			doc := checkStructure(t, string(source), chunk.Limits{Target: 512, Max: 768})
			fmt.Fprintf(&b, "%d bytes, version %s\n", len(source), doc.Version())
			for i, e := range doc.Catalog(nil) {
				fmt.Fprintf(&b, "\n== %s, %d bytes, heading %q", e.ID, e.Size, e.Heading)
				if len(e.Sections) > 0 {
					fmt.Fprintf(&b, ", sections %q", e.Sections)
				}
				c, err := doc.Chunk(e.ID)
				if err != nil {
					t.Fatal(i, err)
				}
				if c.Continuation != "" {
					fmt.Fprintf(&b, ", continues %q", c.Continuation)
				}
				b.WriteByte('\n')
				for line := range strings.Lines(c.Content) {
					fmt.Fprintf(&b, "%q\n", line)
				}
			}
			golden := strings.TrimSuffix(file, ".md") + ".chunks"
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("%s; -update rewrites it:\n%s", golden, diff)
			}
		})
	}
}
