package versioning_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/mcpkit-go/agentmcp/versioning"
)

// A benchIssue has about 350 bytes of canonical JSON.
type benchIssue struct {
	Number    int      `json:"issue_number"`
	Title     string   `json:"title"`
	Body      string   `json:"body"`
	State     string   `json:"state"`
	Labels    []string `json:"labels" version:"set"`
	Assignees []string `json:"assignees"`
	Milestone *int     `json:"milestone"`
	Locked    bool     `json:"locked"`
	Score     float64  `json:"score"`
	CreatedAt string   `json:"created_at"`
	seen      int
}

type benchIssues struct {
	Issues []benchIssue `json:"issues"`
}

// issuesOf returns issues whose canonical JSON has about size bytes.
func issuesOf(size int) benchIssues {
	var list benchIssues
	for n := 0; n < size; n += 350 {
		list.Issues = append(list.Issues, benchIssue{
			Number: 500 + n, Title: fmt.Sprintf("Retries of request %d are not counted", n),
			Body:  "Open the page, then wait for the retry.\nThe counter stays at zero, and the log says \"done\".",
			State: "open", Labels: []string{"resolved", "bug", "area/api"}, Assignees: []string{"ada", "grace"},
			Score: float64(n) / 4, CreatedAt: "2026-07-28T12:00:00Z", seen: n,
		})
	}
	return list
}

var benchSizes = []struct {
	name string
	size int
}{{"1KB", 1 << 10}, {"64KB", 64 << 10}, {"1MB", 1 << 20}}

func benchCanonical(b testing.TB, size int) []byte {
	b.Helper()
	raw := []byte(`{"issues":[`)
	for n := 0; len(raw) < size-300; n += 350 {
		if n > 0 {
			raw = append(raw, ',')
		}
		raw = fmt.Appendf(raw, `{"assignees":["ada","grace"],"body":"Open the page, then wait for the retry.\nThe counter stays at zero, and the log says \"done\".",`+
			`"created_at":"2026-07-28T12:00:00Z","issue_number":%d,"labels":["area/api","bug","resolved"],"locked":false,"milestone":null,`+
			`"score":%v,"state":"open","title":"Retries of request %d are not counted"}`, 500+n, float64(n)/4, n)
	}
	canonical, err := versioning.Canonical(append(raw, `]}`...))
	if err != nil {
		b.Fatal(err)
	}
	return canonical
}

// BenchmarkToken compares with floor, the least that any token costs: SHA-256
// of the canonical bytes.
func BenchmarkToken(b *testing.B) {
	for _, s := range benchSizes {
		canonical := benchCanonical(b, s.size)
		value := issuesOf(s.size)
		for _, run := range []struct {
			name string
			op   func() error
		}{
			{"floor", func() error { sha256.Sum256(canonical); return nil }},
			{"canonical", func() error {
				var token [64]byte
				_, err := versioning.AppendOfJSON(token[:0], canonical)
				return err
			}},
			{"indented", func(indented []byte) func() error {
				return func() error { _, err := versioning.Digest(indented); return err }
			}(indent(b, canonical))},
			{"value", func() error { _, err := versioning.Of(&value); return err }},
		} {
			b.Run(s.name+"/"+run.name, func(b *testing.B) {
				b.SetBytes(int64(len(canonical)))
				b.ReportAllocs()
				for b.Loop() {
					if err := run.op(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkShapes shows which content costs most per byte: 64 KB of each.
func BenchmarkShapes(b *testing.B) {
	for _, shape := range []struct{ name, element string }{
		{"text", `"The quick brown fox jumps over the lazy dog. Zwölf Boxkämpfer jagen Viktor."`},
		{"escapes", `"\n\t\"\\"`},
		{"integers", `1234567`},
		{"short_members", `{"a":1,"b":true,"c":null}`},
		{"fractions", `0.25`},
		{"doubles", `0.30000000000000004`},
	} {
		raw := []byte("[" + shape.element)
		for len(raw) < 64<<10 {
			raw = append(raw, ","+shape.element...)
		}
		raw = append(raw, ']')
		b.Run(shape.name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := versioning.Digest(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
