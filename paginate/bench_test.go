package paginate_test

import (
	"testing"

	"github.com/mcpkit-go/agentmcp/paginate"
)

var middle = paginate.Position[key]{After: key{0, 5000}, Seen: 5000, Started: true}

func BenchmarkKeyset(b *testing.B) {
	tab := ids(1, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		tab.asked = tab.asked[:0]
		if r, err := paginate.Keyset(b.Context(), paginate.Walk{Size: 30}, middle, keyOf, nil, tab.after); err != nil || len(r.Rows) != 30 {
			b.Fatal(r, err)
		}
	}
}

func BenchmarkSlice(b *testing.B) {
	rows := ids(1, 10_000).rows
	b.ReportAllocs()
	for b.Loop() {
		if r, err := paginate.Slice(paginate.Walk{Size: 30}, rows, middle, keyOf, compare); err != nil || len(r.Rows) != 30 {
			b.Fatal(r, err)
		}
	}
}

func BenchmarkPrefixed(b *testing.B) {
	setter, err := paginate.Prefixed[fullFields]("x_")
	if err != nil {
		b.Fatal(err)
	}
	var out fullFields
	b.ReportAllocs()
	for b.Loop() {
		setter(&out, paginate.Page{HasMore: true, NextCursor: "t"})
	}
}
