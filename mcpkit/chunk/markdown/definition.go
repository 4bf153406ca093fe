package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A definitionTransformer takes link reference definitions off the start of a
// paragraph with goldmark's own transformer, some lines at a time: that one takes time
// by the square of their number.
type definitionTransformer struct{}

// definitionLines is how many lines are looked at together, at least.
const definitionLines = 64

// Transform implements parser.ParagraphTransformer.
func (definitionTransformer) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	parent, source := p.Parent(), reader.Source()
	lines := p.Lines().Sliced(0, p.Lines().Len())
	opens := func(i int) bool {
		return bytes.HasPrefix(bytes.TrimLeft(lines[i].Value(source), " "), []byte("["))
	}
	for len(lines) > 0 && opens(0) {
		n := min(definitionLines, len(lines))
		for n < len(lines) && !opens(n) {
			n++ // a definition may go on for some lines
		}
		some := ast.NewParagraph()
		some.Lines().AppendAll(lines[:n])
		parent.InsertBefore(parent, p, some)
		parser.LinkReferenceParagraphTransformer.Transform(some, reader, pc)
		if some.Parent() != nil { // text follows the definitions
			rest := some.Lines().Sliced(0, some.Lines().Len())
			parent.RemoveChild(parent, some)
			lines = append(rest[:len(rest):len(rest)], lines[n:]...)
			break
		}
		lines = lines[n:]
	}
	if len(lines) == 0 {
		parent.RemoveChild(parent, p)
		return
	}
	if len(lines) < p.Lines().Len() {
		left := text.NewSegments()
		left.AppendAll(lines)
		p.SetLines(left)
	}
}
