package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// block adds a block, whole if that is possible.
func (f *filler) block(b block) {
	if f.fits(span{start: b.start, end: b.end, thin: b.thin}) {
		return
	}
	switch n := b.node.(type) {
	case *table:
		f.table(n, b)
		return
	case *ast.FencedCodeBlock:
		f.fence(n, b)
		return
	case *ast.List, *ast.ListItem, *ast.Blockquote:
		if list := f.children(n, b.start, b.end); list[0].node != nil {
			for _, c := range list {
				f.block(c)
			}
			return
		}
	}
	f.lines(b.start, b.end, b.thin)
}

// lines adds lines that need nothing around them.
func (f *filler) lines(start, end int, thin bool) {
	for start < end {
		next := min(f.lineEnd(start), end)
		f.line(span{start: start, end: next, thin: thin})
		start = next
	}
}

// headerRows returns where a table begins whose header row is at start of line at.
// Lines right above that hold cells are header rows as well, though they count as a
// paragraph; that paragraph, the last in list, gets shorter or goes. Nothing before
// from belongs to it.
func (d *document) headerRows(at, from int, list *[]block) int {
	n := len(*list) - 1
	if n < 0 {
		return at
	}
	p, ok := (*list)[n].node.(*ast.Paragraph)
	if !ok || p.Lines().Len() == 0 {
		return at
	}
	// The paragraph was cut off one byte before the header.
	if last := p.Lines().At(p.Lines().Len() - 1); d.lineEnd(max(last.Stop-1, 0)) < at {
		return at
	}
	at = d.rowsAbove(at, max(from, (*list)[n].start))
	if at == (*list)[n].start {
		*list = (*list)[:n]
	}
	return at
}

// table adds the rows of a table.
func (f *filler) table(n *table, b block) {
	body := min(f.lineEnd(n.body-1), b.end)
	above := f.rowsAbove(n.header, b.start)
	head := span{start: b.start, end: body, row: true}
	if strings.TrimSpace(f.text[b.start:above]) != "" { // more than blank lines
		f.lines(b.start, above, false)
		head.start = above
	}
	continuation := f.context(n, above, body)
	var rows []span
	at := body
	for _, r := range n.rows {
		end := min(f.lineEnd(r), b.end)
		rows = append(rows, span{start: at, end: end, row: true, continuation: continuation})
		at = end
	}
	if len(rows) > 0 && rows[0].end-head.start <= f.max {
		head.end = rows[0].end // a header is nothing without a row
		rows = rows[1:]
	}
	f.line(head)
	for _, r := range rows {
		f.line(r)
	}
	f.lines(at, b.end, false)
}

// rowsAbove returns the start of the first of the header rows, the last of which is
// at offset at.
func (d *document) rowsAbove(at, from int) int {
	end := d.lineEnd(at)
	at = d.lineStart(at)
	for at > from && strings.Contains(d.text[at:end], "|") {
		above := d.lineStart(at - 1)
		if above < from || !strings.Contains(d.text[above:at], "|") {
			break
		}
		at = above
	}
	return max(at, from)
}

// fence adds the lines of a fenced code block.
func (f *filler) fence(n *ast.FencedCodeBlock, b block) {
	if n.Pos() < b.start || n.Pos() >= b.end {
		f.lines(b.start, b.end, false)
		return
	}
	opened := min(f.lineEnd(n.Pos()), b.end)
	end := opened
	if l := n.Lines().Len(); l > 0 {
		end = min(f.lineEnd(max(n.Lines().At(l-1).Stop-1, opened)), b.end)
	}
	if end < b.end && closes(f.text[end:f.lineEnd(end)], f.text[n.Pos()]) {
		end = min(f.lineEnd(end), b.end)
	}
	inside := f.context(n, f.lineStart(n.Pos()), opened)
	var lines []span
	for at := b.start; at < end; {
		next := min(f.lineEnd(at), end)
		if at < opened {
			next = opened
		}
		l := span{start: at, end: next, inner: inside}
		if at >= opened {
			l.continuation = inside
		} else {
			l.inner = "" // the opening line itself does not fit
		}
		lines = append(lines, l)
		at = next
	}
	lines = f.glued(lines, 0)
	lines = f.glued(lines, len(lines)-2)
	for _, l := range lines {
		f.line(l)
	}
	f.lines(end, b.end, false)
}

// glued joins lines i and i+1 where they fit into a chunk.
func (f *filler) glued(lines []span, i int) []span {
	if i < 0 || i+1 >= len(lines) || lines[i+1].end-lines[i].start > f.max {
		return lines
	}
	lines[i].end = lines[i+1].end
	return append(lines[:i+1], lines[i+2:]...)
}

// closes says whether a line is a closing fence of the kind of c.
func closes(line string, c byte) bool {
	line = strings.TrimLeft(line, " \t>")
	return strings.HasPrefix(line, strings.Repeat(string(c), 3))
}

// context returns the lines from start to end, the beginning of n, as they can stand
// before a later piece of n. It is empty if they exceed the limit.
func (f *filler) context(n ast.Node, start, end int) string {
	if end-start > f.max {
		return ""
	}
	s := f.source[start:end]
	if start == 0 {
		s = strings.TrimPrefix(s, "\ufeff")
	}
	// In a list item the indentation stands for the marker. Put that in its place
	// where the marker is on an earlier line.
	indent := 0 // where the indentation begins that is left
	for p := n.Parent(); p != nil; p = p.Parent() {
		item, ok := p.(*ast.ListItem)
		if !ok || item.Pos() < 0 || item.Pos() >= start {
			continue
		}
		from := item.Pos() - f.lineStart(item.Pos())
		marker := f.text[item.Pos():f.lineEnd(item.Pos())]
		if i := strings.IndexAny(marker, " \t\n"); i >= 0 {
			marker = marker[:i]
		}
		to := from + len(marker)
		if to < len(s) && strings.Trim(s[from:to+1], " ") == "" {
			s = s[:from] + marker + s[to:]
			indent = max(indent, to)
		}
	}
	// Beyond three columns it would make indented code of the line.
	rest := strings.TrimLeft(s[indent:], " \t")
	if gap := s[indent : len(s)-len(rest)]; indent == 0 && (len(gap) > 3 || strings.Contains(gap, "\t")) {
		s = rest
	} else if indent > 0 && (len(gap) > 4 || strings.Contains(gap, "\t")) {
		s = s[:indent] + " " + rest
	}
	if s != "" && s[len(s)-1] != '\n' && s[len(s)-1] != '\r' {
		s += "\n"
	}
	return s
}
