package markdown_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/text"

	"github.com/mcpkit-go/agentmcp/mcpkit/chunk"
	"github.com/mcpkit-go/agentmcp/mcpkit/chunk/markdown"
)

// large is a document of 1 MB with everything that a wiki page has.
func large() string {
	var b strings.Builder
	b.WriteString("---\ntitle: Large\n---\n\n# Large\n\n")
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, "## Section %d\n\n", i)
		for range 3 {
			b.WriteString("The primary takes the page, *acknowledges* it within [five minutes](/policy#ack) and\n" +
				"writes into `#incidents` what was seen, what was done, and **what comes next**.\n\n")
		}
		fmt.Fprintf(&b, "### Steps %d\n\n", i)
		for j := range 6 {
			fmt.Fprintf(&b, "%d. Check `systemctl status svc-%d`\n   - then the dashboard\n", j+1, j)
		}
		b.WriteString("\n```sh\nfor h in $(hosts); do\n  ssh $h uptime\ndone\n```\n\n| host | role | since |\n|------|:----:|------:|\n")
		for j := range 8 {
			fmt.Fprintf(&b, "| host-%d | primary | 2026-0%d-01 |\n", j, j+1)
		}
		b.WriteString("\n> Quoted from the *postmortem*.\n\n")
	}
	return b.String()
}

// Split beside what parsing alone takes: goldmark as it comes.
func BenchmarkSplit(b *testing.B) {
	source := large()
	data := []byte(source)
	parser := goldmark.DefaultParser()
	b.Run("floor=goldmark", func(b *testing.B) {
		b.SetBytes(int64(len(source)))
		b.ReportAllocs()
		for b.Loop() {
			parser.Parse(text.NewReader(data))
		}
	})
	b.Run("floor=goldmark+tables", func(b *testing.B) {
		b.SetBytes(int64(len(source)))
		b.ReportAllocs()
		for b.Loop() {
			whole.Parse(text.NewReader(data))
		}
	})
	// Both in turn, so that a busy machine slows both.
	b.Run("ratio", func(b *testing.B) {
		var floor, ours time.Duration
		for b.Loop() {
			begin := time.Now()
			parser.Parse(text.NewReader(data))
			between := time.Now()
			markdown.Split(source, chunk.Limits{Target: 16 << 10})
			floor, ours = floor+between.Sub(begin), ours+time.Since(between)
		}
		b.ReportMetric(float64(ours)/float64(floor), "×floor")
	})
	for _, target := range []int{16 << 10, 1 << 10} {
		b.Run(fmt.Sprint("ours/target=", target), func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			b.ReportAllocs()
			for b.Loop() {
				markdown.Split(source, chunk.Limits{Target: target})
			}
		})
	}
}

// A page in cache: any chunk of it.
func BenchmarkChunk(b *testing.B) {
	doc := markdown.Split(large(), chunk.Limits{Target: 4 << 10})
	list := doc.Catalog(nil)
	for _, n := range []int{0, len(list) / 2, len(list) - 1} {
		b.Run(fmt.Sprint("n=", n+1), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := doc.Chunk(list[n].ID); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
