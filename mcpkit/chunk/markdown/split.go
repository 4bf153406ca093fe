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

// maxSections bounds the further headings of a piece, as package chunk does.
const maxSections = 32

// A piece is what becomes a chunk.
type piece struct {
	start, end   int
	continuation string
	oversize     bool
	thin         bool // nothing but headings and what else says nothing alone
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
		out.Sections = d.further(inside[1:])
	case first > 0:
		out.Heading = d.plain(d.headings[first-1])
	}
	return out
}

// further returns the headings of the highest level among those that follow the first
// in a piece. Lower ones would make the catalog long and say less.
func (d *document) further(headings []block) (list []string) {
	level := 7
	for _, h := range headings {
		level = min(level, h.level)
	}
	for _, h := range headings {
		if h.level == level && len(list) < maxSections {
			list = append(list, d.plain(h))
		}
	}
	return list
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
