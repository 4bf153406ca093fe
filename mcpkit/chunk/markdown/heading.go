package markdown

import (
	"html"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// inlineParser reads the text of a heading.
var inlineParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1)),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
	)
})

// maxHeading bounds what is read of a heading, in bytes; less than that is shown.
const maxHeading = 2048

// plain returns the text of a heading without markup.
func (d *document) plain(b block) string {
	var s strings.Builder
	lines := b.node.Lines()
	for i := range lines.Len() {
		l := lines.At(i)
		s.WriteString(d.source[l.Start:min(l.Stop, l.Start+maxHeading)])
		if s.Len() >= maxHeading {
			break
		}
		s.WriteByte(' ')
	}
	raw := strings.TrimSpace(s.String())
	if !strings.ContainsAny(raw, "\\`*_[]<>&") {
		return raw
	}
	source := []byte(raw)
	var out strings.Builder
	write(&out, inlineParser().Parse(text.NewReader(source)), source)
	return strings.TrimSpace(out.String())
}

// write appends the text below n.
func write(out *strings.Builder, n ast.Node, source []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			v := c.Value(source)
			if _, code := n.(*ast.CodeSpan); !code {
				v = []byte(html.UnescapeString(string(util.UnescapePunctuations(v))))
			}
			out.Write(v)
			if c.SoftLineBreak() || c.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.AutoLink:
			out.Write(c.Label(source))
		default:
			write(out, c, source) // raw HTML has no children
		}
	}
}
