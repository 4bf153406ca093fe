package detail_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpkit-go/agentmcp/mcpkit/detail"
)

// BenchmarkAppend encodes a page of 30 issues. "tree" is what a summary costs
// that is made by encoding everything, reading it back and deleting from it.
func BenchmarkAppend(b *testing.B) {
	page := make([]issue, 30)
	for i := range page {
		page[i] = issue{
			Number: i, State: "open", Priority: 3, Labels: []string{"bug", "resolved"}, Author: person{Login: "octocat", Bio: strings.Repeat("bio ", 20)},
			Body: strings.Repeat("A paragraph of text, with \"quotes\" and é.\n", 30),
		}
	}
	enc, err := detail.Compile(reflect.TypeFor[[]issue]())
	if err != nil {
		b.Fatal(err)
	}
	for _, level := range []detail.Level{detail.Summary, detail.Full} {
		b.Run(string(level), func(b *testing.B) {
			var buf []byte
			b.ReportAllocs()
			for b.Loop() {
				if buf, err = enc.Append(buf[:0], &page, level); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(len(buf)))
		})
	}
	b.Run("encoding-json full", func(b *testing.B) {
		var buf bytes.Buffer
		e := json.NewEncoder(&buf)
		e.SetEscapeHTML(false)
		b.ReportAllocs()
		for b.Loop() {
			buf.Reset()
			if err := e.Encode(&page); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(buf.Len()))
	})
	b.Run("tree summary", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			raw, err := json.Marshal(&page)
			if err != nil {
				b.Fatal(err)
			}
			var rows []map[string]any
			if err := json.Unmarshal(raw, &rows); err != nil {
				b.Fatal(err)
			}
			for _, row := range rows {
				delete(row, "body")
				delete(row, "note")
			}
			if _, err := json.Marshal(rows); err != nil {
				b.Fatal(err)
			}
		}
	})
}
