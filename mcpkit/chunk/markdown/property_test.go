package markdown_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/mcpkit-go/agentmcp/mcpkit/chunk"
)

var corpus = flag.String("corpus", "", "directory of Markdown files to split, such as a module cache")

// whole is the parser of a reader who has tables.
var whole = goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()

// checkStructure compares the cuts with a full parse of source.
func checkStructure(t testing.TB, source string, limits chunk.Limits) *chunk.Document {
	t.Helper()
	doc := check(t, source, limits)
	starts := make([]int, 0, doc.Len())
	at := 0
	for c := range doc.All() {
		starts = append(starts, at)
		at += len(c.Content)
	}
	// Bare carriage returns end lines for CommonMark, not for goldmark.
	source = normal(source)
	if rest := strings.TrimPrefix(source, "\ufeff"); strings.HasPrefix(rest, "---") || strings.HasPrefix(rest, "+++") {
		source = "" // front matter, which the full parse would read
	}
	err := ast.Walk(whole.Parse(text.NewReader([]byte(source))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Pos() < 0 {
			return ast.WalkContinue, nil
		}
		switch n.(type) {
		case *tables.TableHeader, *tables.TableRow:
			// goldmark takes hyphens alone for a delimiter row where they
			// cannot be an underline, GitHub does not.
			_, below, _ := strings.Cut(source[n.Parent().FirstChild().Pos():], "\n")
			if delimiter, _, _ := strings.Cut(below, "\n"); !strings.ContainsAny(delimiter, "|:") {
				return ast.WalkSkipChildren, nil
			}
			// From the first byte of the row, which the parser gives
			// without indentation, to the end of its line.
			end := n.Pos() + max(strings.IndexByte(source[n.Pos():], '\n'), 0)
			if i, _ := slices.BinarySearch(starts, n.Pos()+1); i < len(starts) && starts[i] < end {
				t.Errorf("a cut at %d is inside the row at %d: %.80q", starts[i], n.Pos(), source[n.Pos():end])
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for c := range doc.All() {
		if c.Continuation != "" {
			checkAlone(t, c)
		}
	}
	return doc
}

// checkAlone checks that a chunk is with its continuation what it is in place.
func checkAlone(t testing.TB, c chunk.Chunk) {
	t.Helper()
	if c.Content == "" || strings.Trim(c.Continuation, "\r\n") == "" {
		t.Errorf("%s continues %q with %q", c.ID, c.Continuation, c.Content)
	}
	n := whole.Parse(text.NewReader([]byte(normal(c.Continuation + c.Content))))
	for n != nil {
		switch n := n.(type) {
		case *tables.Table, *ast.FencedCodeBlock:
			return
		case *ast.Paragraph: // the upper ones of several header rows
			if isTable(n.NextSibling()) {
				return
			}
		}
		n = n.FirstChild()
	}
	// A header of one cell without a pipe, indented in a paragraph, may be
	// anything where it stands alone.
	if first, _, _ := strings.Cut(normal(c.Continuation), "\n"); !strings.ContainsAny(first, "|`~") {
		return
	}
	t.Errorf("%s with continuation is neither table nor fence: %.200q", c.ID, c.Continuation+c.Content)
}

func isTable(n ast.Node) bool { return n != nil && n.Kind() == tables.KindTable }

func normal(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", " \n"), "\r", "\n"), "\xff", "?")
}

var somewhere = []chunk.Limits{{}, {Target: 16 << 10, Max: 16 << 10}, {Target: 4 << 10}, {Target: 1000, Max: 1500}, {Target: 100, Max: 120}}

// building are the blocks of generated documents.
var building = []string{
	"# A\n", "## B b\n", "### C\n\n", "Title\n===\n", "Part\n---\n", "text\n", "more text, with words\n", "\n", "\n\n",
	"```go\n", "```\n", "~~~\n", "````\n", "code()\n", "    indented\n", "\tindented\n", "- item\n", "  - nested\n", "1. one\n", "10. ten\n\n",
	"> quoted\n", "> # quoted\n", "> ", "- ", "  ", "    ", "| a | b |\n", "|---|---|\n", "| 1 | 2 |\n", "a | b\n", "-|-\n", "| \\| `|` | long cell, long cell |\n",
	"<div>\n", "</div>\n", "<!-- c\n", "-->\n", "<pre>\n", "</pre>\n", "---\n", "***\n", "[a]: /b\n", "[x](/y) *e* `c`\n",
	"\r\n", "text\r\n", "\r", "日本語", "é", "🚀\n", "\ufeff", "---\nkey: value\n---\n", "+++\n", "\x00", "#", "##\n", "|", "`", "\\", "\u00a0", "\t",
}

func generated(rng *rand.Rand) string {
	var b strings.Builder
	for range 1 + rng.IntN(60) {
		s := building[rng.IntN(len(building))]
		for range 1 + rng.IntN(2)*rng.IntN(6) {
			b.WriteString(s)
		}
	}
	return b.String()
}

func TestGenerated(t *testing.T) {
	for seed := range uint64(4000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		source := generated(rng)
		limits := chunk.Limits{Target: 1 + rng.IntN(120)}
		if rng.IntN(2) == 0 {
			limits.Max = limits.Target + rng.IntN(40)
		}
		if checkStructure(t, source, limits); t.Failed() {
			t.Fatalf("seed %d, %+v: %q", seed, limits, source)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(generated(rand.New(rand.NewPCG(seed, 9))), int(seed)*3, int(seed)*5)
	}
	f.Add("---\nname: x\n---\n# A\n", 5, 9)
	f.Add(strings.Repeat("日", 100), 4, 4)
	f.Add("| a |\n|---|\n| 1 |\n| 2 |\n", 3, 14)
	f.Add("1.  x\n\n    ```go\n    a\n    b\n    ```\n", 10, 20)
	f.Add("\xff\xfe\x80", 1, 1)
	f.Fuzz(func(t *testing.T, source string, target, most int) {
		check(t, source, chunk.Limits{Target: target % 300, Max: most % 600})
	})
}

// TestCorpus splits real documents: those of testdata, and with -corpus DIR all
// below that directory.
func TestCorpus(t *testing.T) {
	dir := "testdata"
	if *corpus != "" {
		dir = *corpus
	}
	var files, size, chunks, oversize, continued, invalid, largest int
	var spent time.Duration
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		ext := strings.ToLower(filepath.Ext(path))
		if err != nil || !e.Type().IsRegular() || ext != ".md" && ext != ".markdown" && ext != ".mdx" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		source := string(data)
		files++
		size += len(source)
		if !utf8.ValidString(source) {
			invalid++
		}
		for i, limits := range somewhere {
			begin := time.Now()
			doc := checkStructure(t, source, limits)
			if i == 0 {
				spent += time.Since(begin)
			}
			for c := range doc.All() {
				chunks++
				largest = max(largest, len(c.Content))
				if c.Oversize {
					oversize++
				}
				if c.Continuation != "" {
					continued++
				}
			}
			if t.Failed() {
				return fmt.Errorf("%s with %+v", path, limits)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Fatalf("no Markdown below %s", dir)
	}
	t.Logf("%d files, %d bytes, %d not UTF-8; under %d limits %d chunks, largest %d bytes, %d continued, %d oversize rows; one pass with checks %v",
		files, size, invalid, len(somewhere), chunks, largest, continued, oversize, spent.Round(time.Millisecond))
}

// What nests must not take the time of its square, nor the stack.
func TestHostile(t *testing.T) {
	for name, source := range map[string]string{
		"quotations":        strings.Repeat(">", 200_000),
		"quotations, lines": strings.Repeat(strings.Repeat("> ", 200)+"a\n", 200),
		"lists":             strings.Repeat("- ", 100_000) + "a",
		"lists, lines":      listsWithin(200),
		"numbered lists":    strings.Repeat("1. ", 50_000) + "a",
		"brackets":          strings.Repeat("[", 50_000),
		"definitions":       strings.Repeat("[a]: /b\n", 50_000),
		"backticks":         strings.Repeat("`a", 50_000),
		"pipes":             strings.Repeat("|", 20_000) + "\n" + strings.Repeat("|-", 20_000) + "\n" + strings.Repeat("|a", 20_000),
		"headings":          strings.Repeat("# a\n", 50_000),
		"descending levels": strings.Repeat("# a\n## a\n### a\n#### a\n##### a\n###### a\n", 8_000),
		"ascending levels":  strings.Repeat("###### a\n##### a\n#### a\n### a\n## a\n# a\n", 8_000),
		"comments":          strings.Repeat("<!-- ", 50_000),
		"fences":            strings.Repeat("```\n", 50_001),
		"marked-up heading": "# " + strings.Repeat("*a _b ", 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			check(t, source, chunk.Limits{Target: 1000})
			if spent := time.Since(begin); spent > 20*time.Second {
				t.Errorf("%d bytes take %v", len(source), spent)
			}
		})
	}
}

func listsWithin(n int) string {
	var b bytes.Buffer
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	return b.String()
}
