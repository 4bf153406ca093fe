package markdown

import (
	"strings"

	"github.com/mcpkit-go/agentmcp/mcpkit/chunk"
)

// Split returns source in chunks. It never fails: what is not Markdown is text.
// Equal sources and limits give equal ids, cuts and versions.
//
// It takes about as long as parsing the blocks does, and keeps source alive as long
// as the document.
func Split(source string, limits chunk.Limits) *chunk.Document {
	limits = limits.Resolved()
	d := parse(source)
	parts := make([]chunk.Part, 0, len(source)/limits.Target+1)
	for _, p := range sections(d, limits) {
		parts = append(parts, d.part(p, len(source)))
	}
	return chunk.New(source, parts)
}

// A piece is what becomes a chunk.
type piece struct {
	start, end   int
	continuation string
	oversize     bool
	thin         bool // nothing but headings and front matter
}

func (p piece) size() int { return p.end - p.start }

// part names a piece.
func (d *document) part(p piece, total int) chunk.Part {
	out := chunk.Part{Size: p.size(), Continuation: p.continuation, Oversize: p.oversize}
	for d.named < len(d.headings) && d.headings[d.named].start < p.start {
		d.named++ // pieces come in order
	}
	first := d.named
	last := first
	for last < len(d.headings) && d.headings[last].start < p.end {
		last++
	}
	inside := d.headings[first:last]
	if len(inside) > 1 && first == 0 && d.title && p.size() < total {
		inside = inside[1:]
	}
	switch {
	case len(inside) > 0:
		out.Heading = d.plain(inside[0])
		for _, h := range inside[1:min(len(inside), 33)] {
			out.Sections = append(out.Sections, d.plain(h))
		}
	case first > 0:
		out.Heading = d.plain(d.headings[first-1])
	}
	return out
}

// lineStart returns the start of the line that holds offset at.
func (d *document) lineStart(at int) int {
	return strings.LastIndexByte(d.text[:at], '\n') + 1
}

// lineEnd returns the end, after the line ending, of the line that holds offset at.
func (d *document) lineEnd(at int) int {
	if n := strings.IndexByte(d.text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(d.text)
}
