package markdown

import (
	"bytes"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A document is a source with its blocks.
type document struct {
	source   string
	text     string // of equal length, with every line ending in \n alone
	blocks   []block
	headings []block
	title    bool // the first heading stands above all others
	named    int  // headings before the current piece
}

// A block is a top-level block with the lines up to the next one.
type block struct {
	start, end int
	node       ast.Node // nil for text that was not parsed
	level      int      // of a heading, otherwise 0
	thin       bool     // nothing to read alone: a heading, front matter, a comment
}

// blockParser finds blocks only, since inline markup does not matter for cuts.
var blockParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(util.Prioritized(definitionTransformer{}, 100), util.Prioritized(tableTransformer{}, 200)),
	)
})

func parse(source string) *document {
	copied := []byte(source)
	d := &document{source: source, text: source}
	if normalize(copied) {
		d.text = string(copied)
	}
	skip, begin := 0, 0 // where Markdown and where its blocks begin
	if strings.HasPrefix(source, "\ufeff") {
		skip = len("\ufeff")
	}
	if end := frontMatter(d.text, skip); end > skip {
		d.blocks = append(d.blocks, block{start: 0, end: end, thin: true})
		skip, begin = end, end
	}
	bound(copied)
	// Offsets of nodes are those of the source: the parser sees a blank prefix.
	for i := range skip {
		if copied[i] != '\n' {
			copied[i] = ' '
		}
	}
	if skip > 0 {
		copied[skip-1] = '\n'
	}
	for _, n := range d.children(tree(copied), begin, len(source)) {
		switch node := n.node.(type) {
		case *ast.Heading:
			n.level, n.thin = node.Level, true
			d.headings = append(d.headings, n)
		case *ast.HTMLBlock:
			n.thin = node.HTMLBlockType == ast.HTMLBlockType2 // a comment
		case *ast.LinkReferenceDefinition, *ast.ThematicBreak:
			n.thin = true
		}
		d.blocks = append(d.blocks, n)
	}
	d.title = titled(d.headings)
	return d
}

// tree returns the blocks of source. Should the parser fail on it, there are none, so
// that a page is delivered by lines rather than not at all.
func tree(source []byte) (root ast.Node) {
	defer func() {
		if recover() != nil {
			root = ast.NewDocument()
		}
	}()
	return blockParser().Parse(text.NewReader(source))
}

// titled says whether the first of headings stands above all others.
func titled(headings []block) bool {
	for _, h := range headings[min(1, len(headings)):] {
		if h.level <= headings[0].level {
			return false
		}
	}
	return len(headings) > 0
}

// normalize makes every line of b end in \n alone, as CommonMark §2.1 knows three
// line endings and the parser one; no offset changes. The byte 0xFF, which is in no
// UTF-8 and which the parser takes for the end of the text, is replaced. It says
// whether there was anything to do.
func normalize(b []byte) bool {
	if bytes.IndexByte(b, '\r') < 0 && bytes.IndexByte(b, text.EOF) < 0 {
		return false
	}
	for i, c := range b {
		switch {
		case c == '\r' && i+1 < len(b) && b[i+1] == '\n':
			b[i] = ' '
		case c == '\r':
			b[i] = '\n'
		case c == text.EOF:
			b[i] = '?'
		}
	}
	return true
}

// frontMatter returns the end of the front matter that begins at start, or start if
// there is none.
func frontMatter(text string, start int) int {
	first, rest, ok := strings.Cut(text[start:], "\n")
	if !ok {
		return start
	}
	fence := strings.TrimRight(first, " \t")
	if fence != "---" && fence != "+++" {
		return start
	}
	at := start + len(first) + 1
	for line := range strings.Lines(rest) {
		trimmed := strings.TrimRight(line, " \t\n")
		if trimmed == "" && at == start+len(first)+1 {
			return start
		}
		at += len(line)
		if trimmed == fence || trimmed == "..." && fence == "---" {
			return at
		}
	}
	return start
}

// children returns the child blocks of n, which has the bytes from start to end, as
// blocks that follow each other without a gap. What comes before the first child
// belongs to it.
func (d *document) children(n ast.Node, start, end int) []block {
	var list []block
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() != ast.TypeBlock || c.Pos() < start || c.Pos() >= end {
			continue
		}
		at := max(d.lineStart(c.Pos()), start)
		if _, ok := c.(*table); ok {
			at = d.headerRows(at, start, &list)
		}
		if len(list) > 0 && at <= list[len(list)-1].start {
			continue // begins on the line of its neighbour
		}
		list = append(list, block{start: at, node: c})
	}
	if len(list) == 0 {
		if start < end {
			list = append(list, block{start: start})
		}
	} else {
		list[0].start = start
	}
	for i := range list {
		list[i].end = end
		if i+1 < len(list) {
			list[i].end = list[i+1].start
		}
	}
	return list
}
