package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A table is a table of GitHub Flavored Markdown. Only its rows matter here, so its
// cells are counted and not kept. With the nodes that goldmark's own extension makes of
// cells and their text, a document of tables takes half as long again.
type table struct {
	ast.BaseBlock
	header int   // start of the header row
	body   int   // start of the line after the delimiter row
	rows   []int // starts of the rows
}

// blanks are what may surround cells; other white space is text.
const blanks = " \t\n\v\f\r"

var kindTable = ast.NewNodeKind("ChunkTable")

// Kind implements ast.Node.
func (t *table) Kind() ast.NodeKind { return kindTable }

// IsRaw implements ast.Node: there is no inline markup to look for.
func (t *table) IsRaw() bool { return true }

// Dump implements ast.Node.
func (t *table) Dump(source []byte, level int) { ast.DumpHelper(t, source, level, nil, nil) }

// A tableTransformer makes a table of the end of a paragraph, from the line above the
// first delimiter row.
type tableTransformer struct{}

// Transform implements parser.ParagraphTransformer.
func (tableTransformer) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, source := p.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		delimiter := lines.At(i)
		n := delimiterCells(delimiter.Value(source))
		if n == 0 {
			continue
		}
		header := lines.At(i - 1)
		// As in goldmark, missing header cells are empty ones.
		if n < cells(header.Value(source)) {
			return
		}
		t := &table{header: header.Start, body: delimiter.Stop}
		for j := i + 1; j < lines.Len(); j++ {
			t.rows = append(t.rows, lines.At(j).Start)
		}
		t.SetPos(header.Start)
		p.Parent().InsertAfter(p.Parent(), p, t)
		lines.SetSliced(0, i-1)
		if lines.Len() == 0 {
			p.Parent().RemoveChild(p.Parent(), p)
		}
		return
	}
}

// delimiterCells returns the number of cells in a delimiter row, or 0 if line is none.
func delimiterCells(line []byte) int {
	if w, _ := util.IndentWidth(line, 0); w > 3 || !bytes.ContainsAny(line, "|:") {
		return 0
	}
	line = bytes.Trim(line, blanks)
	line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("|")), []byte("|"))
	n := 0
	for cell := range bytes.SplitSeq(line, []byte("|")) {
		cell = bytes.Trim(cell, blanks)
		cell = bytes.TrimSuffix(bytes.TrimPrefix(cell, []byte(":")), []byte(":"))
		if len(cell) == 0 || len(bytes.Trim(cell, "-")) > 0 {
			return 0
		}
		n++
	}
	return n
}

// cells returns the number of cells in a row. A pipe after a backslash is text.
func cells(line []byte) int {
	line = bytes.Trim(line, blanks)
	line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte("|")), []byte("|"))
	n := 1
	for i, c := range line {
		if c == '|' && (i == 0 || line[i-1] != '\\') {
			n++
		}
	}
	return n
}
