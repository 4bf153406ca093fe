package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

func TestPatchStates(t *testing.T) {
	type update struct {
		Milestone schema.Patch[int]      `json:"milestone,omitzero"`
		Labels    schema.Patch[[]string] `json:"labels,omitzero"`
		ID        schema.Patch[uint64]   `json:"id,omitzero"`
	}
	tests := []struct {
		name, data   string
		null, absent bool
		value        int
		has          bool
		encoded      string
	}{
		{"absent", `{}`, false, true, 0, false, `{}`},
		{"null clears", `{"milestone":null}`, true, false, 0, false, `{"milestone":null}`},
		{"value", `{"milestone":7}`, false, false, 7, true, `{"milestone":7}`},
		{"zero is a value", `{"milestone":0}`, false, false, 0, true, `{"milestone":0}`},
		{"other fields", `{"labels":[],"id":18446744073709551615}`, false, true, 0, false, `{"labels":[],"id":18446744073709551615}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var u update
			if err := json.Unmarshal([]byte(test.data), &u); err != nil {
				t.Fatal(err)
			}
			p := u.Milestone
			if p.IsNull() != test.null || p.IsAbsent() != test.absent || p.IsZero() != test.absent {
				t.Errorf("null %t, absent %t, zero %t; want %t, %t, %[5]t", p.IsNull(), p.IsAbsent(), p.IsZero(), test.null, test.absent)
			}
			if v, ok := p.Get(); v != test.value || ok != test.has {
				t.Errorf("Get() = %d, %t; want %d, %t", v, ok, test.value, test.has)
			}
			if data, err := json.Marshal(u); err != nil || string(data) != test.encoded {
				t.Errorf("encoded as %s, %v; want %s", data, err, test.encoded)
			}
		})
	}
}

func TestPatchConstructors(t *testing.T) {
	if v, ok := schema.Set("a").Get(); v != "a" || !ok {
		t.Errorf(`Set("a").Get() = %q, %t`, v, ok)
	}
	if !schema.Clear[int]().IsNull() {
		t.Error("Clear is not null")
	}
	if schema.Set(0) == (schema.Patch[int]{}) {
		t.Error("the zero value of T is the absent Patch")
	}
}

func TestPatchKeepsStateOnError(t *testing.T) {
	p := schema.Set(7)
	if err := json.Unmarshal([]byte(`"x"`), &p); err == nil {
		t.Fatal("a string decoded into a Patch[int]")
	}
	if v, ok := p.Get(); v != 7 || !ok {
		t.Errorf("Get() = %d, %t; want 7, true", v, ok)
	}
}
