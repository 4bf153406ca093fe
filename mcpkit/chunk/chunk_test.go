package chunk_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/mcpkit/chunk"
	"github.com/mcpkit-go/agentmcp/versioning"
)

func joined(d *chunk.Document) string {
	var b strings.Builder
	for c := range d.All() {
		b.WriteString(c.Content)
	}
	return b.String()
}

// Whatever the parts are, the source comes out.
func TestNewIsExact(t *testing.T) {
	for _, c := range []struct {
		name, source string
		sizes        []int
		want         []string
	}{
		{"tiles", "abcdef", []int{2, 4}, []string{"ab", "cdef"}},
		{"rest", "abcdef", []int{2}, []string{"ab", "cdef"}},
		{"no parts", "abc", nil, []string{"abc"}},
		{"beyond the end", "abc", []int{2, 5, 1}, []string{"ab", "c"}},
		{"zero and negative", "abc", []int{0, 1, -3, 2}, []string{"a", "bc"}},
		{"empty", "", nil, []string{""}},
		{"empty with parts", "", []int{3}, []string{""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var parts []chunk.Part
			for _, n := range c.sizes {
				parts = append(parts, chunk.Part{Size: n})
			}
			d := chunk.New(c.source, parts)
			var got []string
			for x := range d.All() {
				got = append(got, x.Content)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if d.Source() != c.source || d.Len() != len(c.want) || d.First().Content != c.want[0] {
				t.Errorf("source %q, len %d, first %q", d.Source(), d.Len(), d.First().Content)
			}
		})
	}
}

func FuzzNew(f *testing.F) {
	f.Add("abcdef", 2, 3, "Heading")
	f.Add("", -1, 1<<62, "")
	f.Add("日本", 1, 1, "日本 \x80")
	f.Fuzz(func(t *testing.T, source string, a, b int, heading string) {
		d := chunk.New(source, []chunk.Part{{Size: a, Heading: heading}, {Size: b, Heading: heading, Sections: []string{heading}}})
		if got := joined(d); got != source {
			t.Errorf("%q became %q", source, got)
		}
		for _, e := range d.Catalog(nil) {
			if c, err := d.Chunk(e.ID); err != nil || len(c.Content) != e.Size {
				t.Errorf("%s: %+v, %v", e.ID, c, err)
			}
			if strings.Trim(e.ID, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || len(e.ID) > 60 {
				t.Errorf("id %q", e.ID)
			}
		}
		_, _ = d.Chunk(heading)
	})
}

func TestIDs(t *testing.T) {
	for heading, want := range map[string]string{
		"Paging paths":                "s01-paging-paths",
		"  API: v2.0 — what's new?":   "s01-api-v2-0-whats-new",
		"don’t":                       "s01-dont",
		"Größe & Übersicht":           "s01-groesse-uebersicht",
		"Ça va, e\u0301te\u0301":      "s01-ca-va-ete",
		"Łódź":                        "s01-lodz",
		"概要":                          "s01",
		"概要 overview":                 "s01-overview",
		"":                            "s01",
		"---":                         "s01",
		"../../etc/passwd%2F?#":       "s01-etc-passwd-2f",
		"a\x00b\x80c\nd":              "s01-a-bc-d",
		strings.Repeat("word ", 50):   "s01-word-word-word-word-word-word-word-word",
		strings.Repeat("x", 100):      "s01-" + strings.Repeat("x", 40),
		"x" + strings.Repeat("日", 99): "s01-x",
	} {
		d := chunk.New("a", []chunk.Part{{Size: 1, Heading: heading}})
		if got := d.First().ID; got != want {
			t.Errorf("%q has the id %q, want %q", heading, got, want)
		}
	}
}

func parts(n int, heading string) (list []chunk.Part) {
	for range n {
		list = append(list, chunk.Part{Size: 1, Heading: heading})
	}
	return list
}

// Places have as many digits as the last one, so ids sort.
func TestIDsOfMany(t *testing.T) {
	d := chunk.New(strings.Repeat("x", 1200), parts(1200, "Same"))
	if got := d.First(); got.ID != "s0001-same" || got.NextID != "s0002-same" {
		t.Errorf("%+v", got)
	}
	c, err := d.Chunk("s1200-same")
	if err != nil || c.NextID != "" {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestHeadingsAreOneLine(t *testing.T) {
	d := chunk.New("ab", []chunk.Part{
		{Size: 1, Heading: " a\r\n\tb\x00c \x80", Sections: []string{"\n", "x\ny"}},
		{Size: 1, Heading: strings.Repeat("日", 300)},
	})
	e := d.Catalog(nil)
	if e[0].Heading != "a b c" || !cmp.Equal(e[0].Sections, []string{"x y"}) {
		t.Errorf("%+v", e[0])
	}
	if want := strings.Repeat("日", 65) + "…"; e[1].Heading != want {
		t.Errorf("%q, want %q", e[1].Heading, want)
	}
}

func TestErrors(t *testing.T) {
	old := chunk.New("abc", []chunk.Part{{Size: 1, Heading: "A"}, {Size: 1, Heading: "B"}, {Size: 1, Heading: "C"}})
	doc := chunk.New("abd", []chunk.Part{{Size: 1, Heading: "A"}, {Size: 2, Heading: "D"}}).Replacing(old)
	for _, c := range []struct {
		name, version, id string
		want              error
	}{
		{"present", "", "s01-a", nil},
		{"present in the named version", doc.Version(), "s01-a", nil},
		{"present, but of another version", old.Version(), "s01-a", chunk.ErrStale},
		{"of an earlier version", "", "s02-b", chunk.ErrStale},
		{"of an earlier version, place beyond the end", "", "s03-c", chunk.ErrStale},
		{"of an earlier version, which is named", old.Version(), "s02-b", chunk.ErrStale},
		{"of an earlier version, but this is named", doc.Version(), "s02-b", chunk.ErrStale},
		{"never seen", "", "s02-x", chunk.ErrNotFound},
		{"beyond the end", "", "s99", chunk.ErrNotFound},
		{"place zero", "", "s00-a", chunk.ErrNotFound},
		{"name alone", "", "d", chunk.ErrNotFound},
		{"place alone", "", "s01", chunk.ErrNotFound},
		{"other digits", "", "s001-a", chunk.ErrNotFound},
		{"sign", "", "s+1-a", chunk.ErrNotFound},
		{"minus", "", "s-1-a", chunk.ErrNotFound},
		{"huge place", "", "s99999999999999999999-a", chunk.ErrNotFound},
		{"other case", "", "S01-A", chunk.ErrNotFound},
		{"padded", "", "s01-a ", chunk.ErrNotFound},
		{"empty", "", "", chunk.ErrNotFound},
		{"unknown version", "v1:sha256:00000000000000000000000000000000", "s01-a", chunk.ErrStale},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := doc.ChunkOf(c.version, c.id)
			if !errors.Is(err, c.want) || err == nil && got.ID != c.id {
				t.Errorf("%+v, %v; want %v", got, err, c.want)
			}
			if c.version == "" {
				if _, same := doc.Chunk(c.id); !errors.Is(same, c.want) {
					t.Errorf("Chunk says %v, want %v", same, c.want)
				}
			}
		})
	}
	if errors.Is(chunk.ErrStale, chunk.ErrNotFound) || errors.Is(chunk.ErrNotFound, chunk.ErrStale) {
		t.Error("the errors are not distinct")
	}
	if chunk.ErrStale.Error() != "chunk: stale" || chunk.ErrNotFound.Error() != "chunk: not found" {
		t.Error(chunk.ErrStale, chunk.ErrNotFound)
	}
}

// Old ids are remembered over several versions, but not without bound, and what
// comes back is no longer stale.
func TestReplacing(t *testing.T) {
	doc := chunk.New("a", parts(1, "A0"))
	for i := 1; i <= 1100; i++ {
		doc = chunk.New("a", parts(1, fmt.Sprint("A", i))).Replacing(doc)
	}
	for id, want := range map[string]error{"s01-a1100": nil, "s01-a1099": chunk.ErrStale, "s01-a76": chunk.ErrStale, "s01-a75": chunk.ErrNotFound} {
		if _, err := doc.Chunk(id); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", id, err, want)
		}
	}
	back := chunk.New("a", parts(1, "A1099")).Replacing(doc)
	if _, err := back.Chunk("s01-a1099"); err != nil {
		t.Error(err)
	}
	if _, err := back.Chunk("s01-a1100"); !errors.Is(err, chunk.ErrStale) {
		t.Error(err)
	}
	if same := back.Replacing(nil); same.Version() != back.Version() || same == back {
		t.Error("Replacing(nil) is no plain copy")
	}
}

func TestVersion(t *testing.T) {
	base := []chunk.Part{{Size: 1, Heading: "A"}, {Size: 2, Heading: "B"}}
	version := func(source string, change func([]chunk.Part)) string {
		p := append([]chunk.Part(nil), base...)
		if change != nil {
			change(p)
		}
		return chunk.New(source, p).Version()
	}
	seen := map[string]string{}
	for name, v := range map[string]string{
		"base":         version("abc", nil),
		"source":       version("abd", nil),
		"cut":          version("abc", func(p []chunk.Part) { p[0].Size, p[1].Size = 2, 1 }),
		"id":           version("abc", func(p []chunk.Part) { p[1].Heading = "C" }),
		"continuation": version("abc", func(p []chunk.Part) { p[1].Continuation = "x" }),
	} {
		if seen[v] != "" {
			t.Errorf("%s and %s have one version", name, seen[v])
		}
		seen[v] = name
		if err := versioning.Match(v, v); err != nil {
			t.Errorf("%q: %v", v, err)
		}
	}
	if again := version("abc", nil); seen[again] != "base" {
		t.Error("the version changes by itself")
	}
	d := chunk.New("abc", base)
	named := d.WithVersion("rev-8842")
	if named.First().Version != "rev-8842" || d.First().Version == "rev-8842" {
		t.Errorf("%q, %q", named.First().Version, d.First().Version)
	}
}

// The fields of the seed, in its order.
func TestJSON(t *testing.T) {
	uri := chunk.Under("wiki://spaces/eng/pages/oncall-runbook")
	d := chunk.New("# A\n| b |", []chunk.Part{{Size: 4, Heading: "A"}, {Size: 5, Heading: "B", Continuation: "| h |\n|---|\n", Oversize: true, Sections: []string{"C"}}}).WithVersion("rev-1")
	second, err := d.Chunk("s02-b")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		value any
		want  string
	}{
		{d.First().Linked(uri), `{"chunk_id":"s01-a","version":"rev-1","heading":"A","content":"# A\n","next_chunk_id":"s02-b","next_chunk_uri":"wiki://spaces/eng/pages/oncall-runbook/chunks/s02-b"}`},
		{second.Linked(uri), `{"chunk_id":"s02-b","version":"rev-1","heading":"B","content":"| b |","continuation":"| h |\n|---|\n","oversize":true}`},
		{d.Catalog(uri), `[{"id":"s01-a","uri":"wiki://spaces/eng/pages/oncall-runbook/chunks/s01-a","size":4,"heading":"A"},{"id":"s02-b","uri":"wiki://spaces/eng/pages/oncall-runbook/chunks/s02-b","size":5,"heading":"B","sections":["C"]}]`},
		{d.First().Linked(nil), `{"chunk_id":"s01-a","version":"rev-1","heading":"A","content":"# A\n","next_chunk_id":"s02-b"}`},
	} {
		got, err := json.Marshal(c.value)
		if err != nil || string(got) != c.want {
			t.Errorf("\n got %s, %v\nwant %s", got, err, c.want)
		}
	}
}

// What a caller does to a catalog stays there.
func TestCatalogIsACopy(t *testing.T) {
	d := chunk.New("a", []chunk.Part{{Size: 1, Heading: "A", Sections: []string{"B"}}})
	d.Catalog(nil)[0].Sections[0] = "changed"
	if got := d.Catalog(nil)[0].Sections[0]; got != "B" {
		t.Error(got)
	}
}

func TestAllStops(t *testing.T) {
	for c := range chunk.New("abc", parts(3, "A")).All() {
		if c.Content != "a" {
			t.Error(c)
		}
		break
	}
	for r := range chunk.NewList("A", 100, 30, "v").All() {
		if r.From != 0 {
			t.Error(r)
		}
		break
	}
}

func TestLimits(t *testing.T) {
	const most = 1 << 30
	for _, c := range []struct{ in, want chunk.Limits }{
		{chunk.Limits{}, chunk.Limits{Target: 16 << 10, Max: 64 << 10}},
		{chunk.Limits{Target: 1000}, chunk.Limits{Target: 1000, Max: 4000}},
		{chunk.Limits{Target: 1000, Max: 1500}, chunk.Limits{Target: 1000, Max: 1500}},
		{chunk.Limits{Target: 1000, Max: 10}, chunk.Limits{Target: 1000, Max: 1000}},
		{chunk.Limits{Target: -1, Max: -1}, chunk.Limits{Target: 16 << 10, Max: 64 << 10}},
		{chunk.Limits{Target: 1, Max: 1}, chunk.Limits{Target: 1, Max: 4}},
		{chunk.Limits{Target: 1<<63 - 1, Max: 1<<63 - 1}, chunk.Limits{Target: most, Max: most}},
		{chunk.Limits{Target: 1 << 29}, chunk.Limits{Target: 1 << 29, Max: most}},
	} {
		if got := c.in.Resolved(); got != c.want || got.Resolved() != got {
			t.Errorf("%+v resolves to %+v, want %+v", c.in, got, c.want)
		}
	}
}
