package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/tracker"
)

// TestContract compares every schema, bound, default and annotation with the
// design in testdata/contract.json, which leaves out prose.
func TestContract(t *testing.T) {
	raw, err := os.ReadFile("testdata/contract.json")
	if err != nil {
		t.Fatal(err)
	}
	type record struct {
		Title        string `json:"title"`
		InputSchema  any    `json:"inputSchema"`
		OutputSchema any    `json:"outputSchema"`
		Annotations  any    `json:"annotations"`
	}
	want, got := map[string]record{}, map[string]record{}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	for _, r := range newTestKit(t, tracker.New(nil), time.Minute).Tools() {
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var x record
		if err := json.Unmarshal(raw, &x); err != nil {
			t.Fatal(err)
		}
		checkOmission(t, r.Name, x.InputSchema)
		x.InputSchema, x.OutputSchema = withoutProse(x.InputSchema), withoutProse(x.OutputSchema)
		got[r.Name] = x
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("surface (-design +got):\n%s", diff)
	}
}

// withoutProse removes the descriptions of schemas, not a property of that name.
func withoutProse(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			if _, prose := x.(string); prose && key == "description" {
				delete(v, key)
				continue
			}
			v[key] = withoutProse(x)
		}
	case []any:
		for i := range v {
			v[i] = withoutProse(v[i])
		}
	}
	return v
}

// Every optional parameter says what omission does.
func checkOmission(t *testing.T, tool string, schema any) {
	t.Helper()
	s := schema.(map[string]any)
	required := map[string]bool{}
	if list, ok := s["required"].([]any); ok {
		for _, name := range list {
			required[name.(string)] = true
		}
	}
	for name, p := range s["properties"].(map[string]any) {
		description, _ := p.(map[string]any)["description"].(string)
		if !required[name] && !strings.Contains(description, "Omitted ") {
			t.Errorf("%s.%s does not say what omission does: %q", tool, name, description)
		}
	}
}
