package chunk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpkit-go/agentmcp/mcpkit/chunk"
)

// Chunk N of a page of 1 MB costs the same for every N.
func BenchmarkChunk(b *testing.B) {
	const size = 1 << 20
	var parts []chunk.Part
	for i := range 1 << 10 {
		parts = append(parts, chunk.Part{Size: 1 << 10, Heading: fmt.Sprint("Section ", i+1)})
	}
	doc := chunk.New(strings.Repeat("x", size), parts)
	uri := chunk.Under("wiki://spaces/eng/pages/large")
	for _, n := range []int{1, 2, 512, 1024} {
		id := fmt.Sprintf("s%04d-section-%d", n, n)
		b.Run(fmt.Sprint("n=", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if c, err := doc.Chunk(id); err != nil || len(c.Content) != 1<<10 {
					b.Fatal(c, err)
				}
			}
		})
		b.Run(fmt.Sprint("linked/n=", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if c, err := doc.Chunk(id); err != nil || len(c.Linked(uri).Content) != 1<<10 {
					b.Fatal(c, err)
				}
			}
		})
	}
}

// No chunk allocates, whatever its place.
func TestChunkDoesNotAllocate(t *testing.T) {
	doc := chunk.New(strings.Repeat("x", 1000), parts(1000, "Same"))
	for _, id := range []string{"s0001-same", "s0500-same", "s1000-same", "s2000-same", "nonsense"} {
		if n := testing.AllocsPerRun(100, func() { _, _ = doc.Chunk(id) }); n != 0 {
			t.Errorf("%s: %v allocations", id, n)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	source := strings.Repeat("x", 1<<20)
	var parts []chunk.Part
	for i := range 64 {
		parts = append(parts, chunk.Part{Size: 1 << 14, Heading: fmt.Sprint("Section ", i+1)})
	}
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		chunk.New(source, parts)
	}
}
