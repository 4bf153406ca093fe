package versioning_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/mcpkit-go/agentmcp/versioning"
)

func indent(t testing.TB, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The benchmarks would mislead if they did not hash the same content.
func TestBenchmarksHashTheSame(t *testing.T) {
	value := issuesOf(4 << 10)
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	canonical, err := versioning.Canonical(raw)
	if err != nil {
		t.Fatal(err)
	}
	fromText, err := versioning.OfJSON(indent(t, canonical))
	if err != nil {
		t.Fatal(err)
	}
	sorted := issuesOf(4 << 10)
	for _, issue := range sorted.Issues {
		issue.Labels[0], issue.Labels[1], issue.Labels[2] = "area/api", "bug", "resolved"
	}
	if of(t, value) != of(t, sorted) || of(t, value) == fromText {
		t.Error("labels are no set")
	}
	raw, err = json.Marshal(sorted)
	if err != nil {
		t.Fatal(err)
	}
	if fromText, err = versioning.OfJSON(raw); err != nil || fromText != of(t, value) {
		t.Errorf("of text %s, %v; of value %s", fromText, err, of(t, value))
	}
	for _, s := range benchSizes {
		if n := len(benchCanonical(t, s.size)); n < s.size*3/4 || n > s.size*5/4 {
			t.Errorf("%s has %d bytes", s.name, n)
		}
	}
}
