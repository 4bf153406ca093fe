package markdown_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/mcpkit/chunk"
	"github.com/mcpkit-go/agentmcp/mcpkit/chunk/markdown"
)

// check fails for whatever must hold of every source and limits.
func check(t testing.TB, source string, limits chunk.Limits) *chunk.Document {
	t.Helper()
	doc := markdown.Split(source, limits)
	limits = limits.Resolved()
	var joined strings.Builder
	ids := map[string]bool{}
	valid := utf8.ValidString(source)
	var last chunk.Chunk
	n := 0
	for c := range doc.All() {
		joined.WriteString(c.Content)
		if ids[c.ID] {
			t.Errorf("id %s twice", c.ID)
		}
		ids[c.ID] = true
		if n > 0 && last.NextID != c.ID {
			t.Errorf("next of %s is %q, want %s", last.ID, last.NextID, c.ID)
		}
		if c.Content == "" && source != "" {
			t.Errorf("%s is empty", c.ID)
		}
		if valid && (!utf8.ValidString(c.Content) || !utf8.ValidString(c.Continuation)) {
			t.Errorf("%s is not UTF-8", c.ID)
		}
		if !utf8.ValidString(c.Heading) || strings.ContainsAny(c.Heading, "\r\n") {
			t.Errorf("%s has the heading %q", c.ID, c.Heading)
		}
		if over := len(c.Content) > limits.Max; over != c.Oversize {
			t.Errorf("%s has %d bytes of %d, Oversize is %v", c.ID, len(c.Content), limits.Max, c.Oversize)
		}
		if c.Oversize && strings.Count(strings.TrimSpace(c.Content), "\n") > 1 && !strings.Contains(c.Content, "|") {
			t.Errorf("%s is oversize and no row: %.80q", c.ID, c.Content)
		}
		if got, err := doc.Chunk(c.ID); err != nil || got != c {
			t.Errorf("Chunk(%s) = %+v, %v", c.ID, got, err)
		}
		last = c
		n++
	}
	if joined.String() != source {
		t.Errorf("the chunks of %.80q do not join to it", source)
	}
	if last.NextID != "" || n != doc.Len() {
		t.Errorf("%d of %d chunks, then %q", n, doc.Len(), last.NextID)
	}
	if again := markdown.Split(source, limits); again.Version() != doc.Version() || cmp.Diff(doc.Catalog(nil), again.Catalog(nil)) != "" {
		t.Error("split again, the document differs")
	}
	return doc
}

// headings lists the sections that Split finds: each heading is a chunk, as
// nothing fits a target of one byte together with anything else.
func headings(t *testing.T, source string) []string {
	t.Helper()
	doc := check(t, source, chunk.Limits{Target: 1, Max: 1 << 20})
	var list []string
	for _, e := range doc.Catalog(nil) {
		for _, h := range append([]string{e.Heading}, e.Sections...) {
			if h != "" {
				list = append(list, h)
			}
		}
	}
	return list
}

func TestHeadings(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		// public fault 94: fences of every kind
		{"backtick fence", "# A\n```\n# x\n```\n# B\n", "A,B"},
		{"longer fence holds a shorter one", "# A\n````md\n```\n# x\n```\n````\n# B\n", "A,B"},
		{"tilde fence holds backticks", "# A\n~~~\n```\n# x\n~~~\n# B\n", "A,B"},
		{"backtick fence holds tildes", "# A\n```\n~~~\n# x\n```\n# B\n", "A,B"},
		{"unclosed", "# A\n```\n## B\n", "A"},
		{"closed by nothing shorter", "# A\n`````\n````\n# x\n`````\n# B\n", "A,B"},
		{"closed by a longer one", "# A\n```\n# x\n`````\n# B\n", "A,B"},
		{"text after the closing fence does not close", "# A\n```\n``` x\n# x\n```\n# B\n", "A,B"},
		{"spaces after the closing fence close", "# A\n```\n# x\n```  \t\n# B\n", "A,B"},
		{"closing fence indented by 3", "# A\n```\n# x\n   ```\n# B\n", "A,B"},
		{"closing fence indented by 4 does not close", "# A\n```\n    ```\n# x\n```\n# B\n", "A,B"},
		{"opening fence indented by 3", "# A\n   ~~~\n# x\n~~~\n# B\n", "A,B"},
		{"opening fence indented by 4 is none", "# A\n\n    ```\n# B\n", "A,B"},
		{"backtick in the info string is no fence", "# A\n``` a`b\n# B\n", "A,B"},
		{"backtick in the info string of tildes is", "# A\n~~~ a`b\n# x\n~~~\n# B\n", "A,B"},
		{"two backticks are no fence", "# A\n``\n# B\n``\n", "A,B"},
		{"fence in a list ends with it", "# A\n- ```\n  # x\n\n# B\n", "A,B"},
		{"fence in a quotation ends with it", "# A\n> ```\n> # x\n# B\n", "A,B"},
		{"fence interrupts a paragraph", "# A\ntext\n```\n# x\n```\n# B\n", "A,B"},
		{"CRLF fence", "# A\r\n```\r\n# x\r\n```\r\n# B\r\n", "A,B"},

		// public fault 95: front matter
		{"front matter", "---\nname: x\n---\n# A\n", "A"},
		{"front matter closed by dots", "---\nname: x\n...\n# A\n", "A"},
		{"TOML front matter", "+++\nname = 1\n+++\n# A\n", "A"},
		{"comment in front matter", "---\n# x\nname: x\n---\n# A\n", "A"},
		{"front matter after a byte order mark", "\ufeff---\nname: x\n---\n# A\n", "A"},
		{"CRLF front matter", "---\r\nname: x\r\n---\r\n# A\r\n", "A"},
		{"rule without a close", "---\n# A\ntext\n", "A"},
		{"rule, then text that is underlined", "---\n\nname: x\n---\n# A\n", "name: x,A"},
		{"TOML fence without a close", "+++\n# A\n", "A"},
		{"not at the start", "\n---\nname: x\n---\n# A\n", "name: x,A"},
		{"four hyphens", "----\nname: x\n---\n# A\n", "name: x,A"},

		// public fault 97: what is a heading
		{"hashtag", "#tag\n", ""},
		{"escaped", "\\# x\n", ""},
		{"indented code", "    # code\n", ""},
		{"tab is indented code", "\t# code\n", ""},
		{"seven", "####### x\n", ""},
		{"closing hashes", "## B ##\n", "B"},
		{"closing hashes of another number", "## B #####  \n", "B"},
		{"hash at the end of a word", "## C#\n", "C#"},
		{"escaped closing hash", "## B \\##\n", "B ##"},
		{"quotation", "> # q\n", ""},
		{"quotation underlined", "> q\n> ===\n", ""},
		{"list item", "- # q\n", ""},
		{"indented by 3", "   # A\n", "A"},
		{"all levels", "# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6\n", "1,2,3,4,5,6"},
		{"tab after the hash", "#\tA\n", "A"},
		{"empty", "#\n## \n### ###\n", ""},
		{"no line ending", "# A", "A"},
		{"hash alone at the end", "text\n\n#", ""},
		{"interrupts a paragraph", "text\n# A\n", "A"},
		{"byte order mark", "\ufeff# A\n", "A"},
		{"carriage returns alone", "# A\rtext\r## B\r", "A,B"},
		{"mixed line ends", "# A\r\ntext\n# B\r# C\n", "A,B,C"},

		// underlined
		{"underlined", "A\n===\n\nB\n---\n", "A,B"},
		{"underlined by one", "A\n=\nB\n-\n", "A,B"},
		{"underlined on two lines", "A\nb\n===\n", "A b"},
		{"underlined, CRLF", "A\r\n===\r\n\r\nB\r\n---\r\n", "A,B"},
		{"underline indented by 4 is none", "A\n    ===\n", ""},
		{"blank line before is a rule", "A\n\n---\n", ""},
		{"hyphens after a list are a rule", "- A\n---\n", ""},
		{"hyphens after a quotation are a rule", "> A\n---\n", ""},
		{"hyphens after a table are none", "| a |\n|---|\n| 1 |\n\n---\n", ""},
		{"spaces in the underline are a rule", "A\n- - -\n", ""},
		{"many link definitions are no text to underline", strings.Repeat("[a]: /b\n", 500) + "===\n", ""},
		{"many link definitions, then text to underline", strings.Repeat("[a]:\n/b\n'c\nd'\n", 500) + "A\nb\n===\n", "A b"},
		{"link definition is no text to underline", "[a]: /b\n===\n", ""},

		// blocks that hold what looks like one
		{"deep quotations", strings.Repeat(">", 1000) + " # x\n# A\n", "A"},
		{"long rules", strings.Repeat("-", 1000) + "\n# A\nB\n" + strings.Repeat("-", 1000) + "\n", "A,B"},
		{"HTML comment", "<!--\n# x\n\n# y\n-->\n# A\n", "A"},
		{"HTML div ends at a blank line", "<div>\n# x\n</div>\n\n# A\n", "A"},
		{"pre", "<pre>\n\n# x\n</pre>\n# A\n", "A"},
		{"script", "<script>\n\n# x\n</script>\n# A\n", "A"},
		{"CDATA", "<![CDATA[\n\n# x\n]]>\n# A\n", "A"},
		{"processing instruction", "<?php\n\n# x\n?>\n# A\n", "A"},
		{"code span does not span headings", "`a\n# A\n`\n", "A"},

		// how they are shown
		{"markup", "# The `a*b` **bold _i_** [link](/u) ![alt](/i) <b>x</b> &amp; \\*\n", "The a*b bold i link alt x & *"},
		{"no markup in code", "# `&amp; \\*`\n", "&amp; \\*"},
		{"address", "# <https://a.example>\n", "https://a.example"},
		{"duplicate", "# A\n# A\n# A\n", "A,A,A"},
		{"non-Latin", "# 概要\n# Übersicht\n# Обзор\n# 🚀\n", "概要,Übersicht,Обзор,🚀"},
		{"no heading", "text\n\nmore\n", ""},
		{"nothing", "", ""},
		{"blank", "\n\n  \n", ""},
		{"table", "| # a |\n|---|\n| # b |\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(headings(t, c.source), ","); got != c.want {
				t.Errorf("%q has the sections %q, want %q", c.source, got, c.want)
			}
		})
	}
}

func ids(doc *chunk.Document) (list []string) {
	for _, e := range doc.Catalog(nil) {
		list = append(list, fmt.Sprintf("%s %d", e.ID, e.Size))
	}
	return list
}

// prose is a section's body of n bytes: paragraphs of 101 bytes with the blank line.
func prose(n int) string {
	line := strings.Repeat("word ", 19) + "end.\n"
	return strings.Repeat(line+"\n", n/len(line)+1)[:n-1] + "\n"
}

func TestSections(t *testing.T) {
	limits := chunk.Limits{Target: 1000, Max: 4000}
	for _, c := range []struct {
		name, source string
		want         []string
	}{
		{"small document, one chunk", "# T\n\n## A\n\n## B\n", []string{"s01-t 16"}},
		{"the seed's page", "# On-call Runbook\n\n" + prose(100) + "## Overview\n" + prose(200) + "## Paging paths\n" + prose(3000) +
			"## Escalation policy\n" + prose(3500) + "## Appendix\n" + prose(1900),
			[]string{"s01-overview 331", "s02-paging-paths 3016", "s03-escalation-policy 3521", "s04-appendix 1912"}},
		{"small neighbours share", "# T\n" + prose(400) + "## A\n" + prose(400) + "## B\n" + prose(400) + "## C\n" + prose(400) + "## D\n" + prose(400),
			[]string{"s01-a 809", "s02-b 810", "s03-d 405"}},
		{"a large section is cut at the headings below", "# T\n" + prose(700) + "## A\n" + prose(400) + "### A1\n" + prose(900) + "### A2\n" + prose(900) + "## B\n" + prose(900),
			[]string{"s01-t 704", "s02-a 405", "s03-a1 907", "s04-a2 907", "s05-b 905"}},
		{"a heading is not left alone", "# T\n## A\n### A1\n" + prose(900) + "### A2\n" + prose(900) + "## B\n### B1\n" + prose(2000),
			[]string{"s01-a 916", "s02-a2 907", "s03-b 2012"}},
		{"skipped and rising levels", "#### A\n" + prose(900) + "## B\n" + prose(900) + "# C\n" + prose(900),
			[]string{"s01-a 907", "s02-b 905", "s03-c 904"}},
		{"duplicates", "# A\n" + prose(900) + "# A\n" + prose(900), []string{"s01-a 904", "s02-a 904"}},
		{"beyond the limit a section is cut to the target", "# A\n" + prose(5000),
			[]string{"s01-a 913", "s02-a 909", "s03-a 909", "s04-a 909", "s05-a 909", "s06-a 455"}},
		{"no heading", prose(5000), []string{"s01 909", "s02 909", "s03 909", "s04 909", "s05 909", "s06 455"}},
		{"other scripts", "# 概要\n" + prose(900) + "# Übersicht\n" + prose(900), []string{"s01 909", "s02-uebersicht 913"}},
		{"comments and definitions have no chunk of their own", "<!-- c -->\n\n[a]: /b\n\n***\n\n# A\n" + prose(3000) + "# B\n" + prose(900),
			[]string{"s01-a 3030", "s02-b 904"}},
		{"text before the first heading has", "Text\n\n# A\n" + prose(3000) + "# B\n" + prose(900),
			[]string{"s01 6", "s02-a 3004", "s03-b 904"}},
		{"headings alone", strings.Repeat("# A\n", 600), []string{"s01-a 1000", "s02-a 1000", "s03-a 400"}},
		{"front matter stays with what follows", "---\na: b\n---\n# A\n" + prose(990) + "# B\n" + prose(900), []string{"s01-a 1007", "s02-b 904"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ids(check(t, c.source, limits))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCatalogNamesWhatSharesAChunk(t *testing.T) {
	doc := check(t, "# T\n\nIntro\n\n## A\n### A1\n## B `x`\n", chunk.Limits{})
	want := []chunk.Entry{{ID: "s01-t", Size: 33, Heading: "T", Sections: []string{"A", "B x"}}}
	if diff := cmp.Diff(want, doc.Catalog(nil)); diff != "" {
		t.Error(diff)
	}
}

type pieces [][2]string // continuation, content

func split(t *testing.T, source string, limits chunk.Limits) (list pieces) {
	t.Helper()
	for c := range check(t, source, limits).All() {
		list = append(list, [2]string{c.Continuation, c.Content})
	}
	return list
}

// public fault 98 and its kind: what is needed to read a piece alone is with it.
func TestContinuation(t *testing.T) {
	for _, c := range []struct {
		name, source string
		limit        int
		want         pieces
	}{
		{"table", "| a | b |\n|---|---|\n| 1 | 1 |\n| 2 | 2 |\n| 3 | 3 |\n", 30, pieces{
			{"", "| a | b |\n|---|---|\n| 1 | 1 |\n"},
			{"| a | b |\n|---|---|\n", "| 2 | 2 |\n| 3 | 3 |\n"},
		}},
		{"two header rows", "| A | A |\n| a | b |\n|---|---|\n| 1 | 1 |\n| 2 | 2 |\n", 40, pieces{
			{"", "| A | A |\n| a | b |\n|---|---|\n| 1 | 1 |\n"},
			{"| A | A |\n| a | b |\n|---|---|\n", "| 2 | 2 |\n"},
		}},
		{"text above is no header row", "Some text\n| a | b |\n|---|---|\n| 1 | 1 |\n| 2 | 2 |\n", 30, pieces{
			{"", "Some text\n"},
			{"", "| a | b |\n|---|---|\n| 1 | 1 |\n"},
			{"| a | b |\n|---|---|\n", "| 2 | 2 |\n"},
		}},
		{"no outer pipes, CRLF", "a | b\r\n--|--\r\n1 | 1\r\n2 | 2\r\n3 | 3\r\n", 21, pieces{
			{"", "a | b\r\n--|--\r\n1 | 1\r\n"},
			{"a | b\r\n--|--\r\n", "2 | 2\r\n3 | 3\r\n"},
		}},
		{"table in a quotation", "> | a |\n> |---|\n> | 1 |\n> | 2 |\n", 24, pieces{
			{"", "> | a |\n> |---|\n> | 1 |\n"},
			{"> | a |\n> |---|\n", "> | 2 |\n"},
		}},
		{"table in a list item", "1.  x\n\n    | a |\n    |---|\n    | 1 |\n    | 2 |\n", 30, pieces{
			{"", "1.  x\n\n"},
			{"", "    | a |\n    |---|\n    | 1 |\n"},
			{"1.  | a |\n    |---|\n", "    | 2 |\n"},
		}},
		{"after the table none", "| a |\n|---|\n| 1 |\n| 2 |\n\n\n\n\n\n\n\nText, more text\n", 20, pieces{
			{"", "| a |\n|---|\n| 1 |\n"},
			{"| a |\n|---|\n", "| 2 |\n\n\n\n\n\n\n\n"},
			{"", "Text, more text\n"},
		}},
		{"fence", "```go\na()\nb()\nc()\nd()\n```\n", 16, pieces{
			{"", "```go\na()\nb()\n"},
			{"```go\n", "c()\nd()\n```\n"},
		}},
		{"longer fence with a shorter one", "~~~~ md\naaaa\n~~~\nbbbb\n~~~\ncccc\n~~~~\n", 17, pieces{
			{"", "~~~~ md\naaaa\n~~~\n"},
			{"~~~~ md\n", "bbbb\n~~~\n"},
			{"~~~~ md\n", "cccc\n~~~~\n"},
		}},
		{"unclosed fence", "```\naaaa\nbbbb\ncccc", 9, pieces{
			{"", "```\naaaa\n"},
			{"```\n", "bbbb\ncccc"},
		}},
		{"fence with one long line", "```\naaaaaaaaaaaaaaaaaaaa\n```\n", 12, pieces{
			{"", "```\naaaaaaaa"},
			{"```\n", "aaaaaaaaaaaa"},
			{"```\n", "\n```\n"},
		}},
		{"after the fence none", "```\naaaa\nbbbb\n```\n[a]: /b\n[c]: /d\n", 14, pieces{
			{"", "```\naaaa\n"},
			{"```\n", "bbbb\n```\n"},
			{"", "[a]: /b\n"},
			{"", "[c]: /d\n"},
		}},
		{"fence in a list item", "10. x\n\n    ```go\n    a\n    b\n    c\n    ```\n", 21, pieces{
			{"", "10. x\n\n"},
			{"", "    ```go\n    a\n"},
			{"10. ```go\n", "    b\n    c\n    ```\n"},
		}},
		{"fence on the line of its item", "- ```go\n  a\n  b\n  ```\n", 12, pieces{
			{"", "- ```go\n  a\n"},
			{"- ```go\n", "  b\n  ```\n"},
		}},
		{"fence without a line ending after its opening", "```", 100, pieces{{"", "```"}}},
		{"list items, no continuation", "- aaaa\n- bbbb\n  - cc\n- dddd\n", 14, pieces{
			{"", "- aaaa\n"},
			{"", "- bbbb\n  - cc\n"},
			{"", "- dddd\n"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := split(t, c.source, chunk.Limits{Target: c.limit, Max: c.limit})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// public fault 98: seventy rows.
func TestLongTable(t *testing.T) {
	header := "| name | amount |\n|:-----|-------:|\n"
	var b strings.Builder
	b.WriteString("# Prices\n\n" + header)
	for i := range 70 {
		fmt.Fprintf(&b, "| row %d | 5,%03d |\n", i, i)
	}
	rows := 0
	for c := range check(t, b.String(), chunk.Limits{Target: 200, Max: 200}).All() {
		if alone := c.Continuation + c.Content; strings.Count(alone, header) != 1 {
			t.Errorf("%s has not one header: %q", c.ID, alone)
		}
		for line := range strings.Lines(c.Content) {
			if strings.HasPrefix(line, "| row") {
				rows++
				if !strings.HasSuffix(line, "|\n") {
					t.Errorf("row is cut: %q", line)
				}
			}
		}
	}
	if rows != 70 {
		t.Errorf("%d rows, want 70", rows)
	}
}

// public fault 99: a row beyond the limit stays whole and is marked.
func TestOversizeRow(t *testing.T) {
	row := "| 5,120 | " + strings.Repeat("x", 100) + " | 7,680 |\n"
	source := "| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n" + row + "| 4 | 5 | 6 |\n"
	var got []string
	for c := range check(t, source, chunk.Limits{Target: 50, Max: 50}).All() {
		got = append(got, fmt.Sprintf("%v %q %q", c.Oversize, c.Continuation, c.Content))
	}
	header := `"| a | b | c |\n|---|---|---|\n"`
	want := []string{
		`false "" "| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n"`,
		fmt.Sprintf("true %s %q", header, row),
		"false " + header + ` "| 4 | 5 | 6 |\n"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// public fault 102 and its kind.
func TestHugeLines(t *testing.T) {
	for _, c := range []struct{ name, source string }{
		{"runes of three bytes", strings.Repeat("日", 200_000/3)},
		{"runes of four bytes", strings.Repeat("🚀", 50_000)},
		{"words", strings.Repeat("word ", 40_000)},
		{"wide spaces", strings.Repeat("語　", 30_000)},
		{"not UTF-8", strings.Repeat("\x80", 200_000)},
		{"the end-of-text byte", strings.Repeat("\xff# x\n", 40_000)},
		{"heading", "# " + strings.Repeat("日", 60_000) + "\n"},
		{"quotation", "> " + strings.Repeat("日", 60_000)},
		{"list item", "- " + strings.Repeat("日", 60_000)},
		{"code", "```\n" + strings.Repeat("日", 60_000) + "\n```\n"},
		{"info string", "```" + strings.Repeat("日", 60_000) + "\ncode\n```\n"},
		{"HTML", "<div>" + strings.Repeat("日", 60_000) + "</div>"},
		{"CRLF", strings.Repeat("日本語\r\n", 20_000)},
		{"carriage returns", strings.Repeat("日本語\r", 20_000)},
		{"blank lines", strings.Repeat("\r\n", 100_000)},
		{"under a heading", "# A\n\n" + strings.Repeat("日", 60_000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, limits := range []chunk.Limits{{}, {Target: 1000, Max: 1000}, {Target: 1000, Max: 1001}} {
				doc := check(t, c.source, limits)
				if limits = limits.Resolved(); doc.Len() < len(c.source)/limits.Max || doc.Len() > 3*len(c.source)/limits.Target {
					t.Errorf("%d chunks of %d bytes", doc.Len(), len(c.source))
				}
			}
		})
	}
}

func TestCutBetweenWords(t *testing.T) {
	got := split(t, "alpha beta gamma delta epsilon", chunk.Limits{Target: 12, Max: 12})
	want := pieces{{"", "alpha beta "}, {"", "gamma delta "}, {"", "epsilon"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A version holds for one way of cutting.
func TestVersion(t *testing.T) {
	source := "# A\n" + prose(900) + "# B\n" + prose(900)
	version := func(s string, l chunk.Limits) string { return markdown.Split(s, l).Version() }
	base := version(source, chunk.Limits{Target: 1000})
	if base != version(source, chunk.Limits{Target: 1000}) {
		t.Error("the version changes by itself")
	}
	if base == version(source, chunk.Limits{Target: 3000}) {
		t.Error("other cuts have the same version")
	}
	if base == version(source+"\n", chunk.Limits{Target: 1000}) {
		t.Error("another source has the same version")
	}
	// Limits that make no difference make none.
	if base != version(source, chunk.Limits{Target: 1001}) {
		t.Error("the version depends on more than source and cuts")
	}
}
