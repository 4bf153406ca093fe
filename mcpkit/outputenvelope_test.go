package mcpkit_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

// With the envelope in the output schema, clients that validate every result
// accept successes and errors alike (public fault 33).
func TestEnvelopeInOutputSchema(t *testing.T) {
	s := newShop(t, func(server *mcpkit.Server) { server.EnvelopeInOutput = true })
	schemas := map[string]*schema.Document{}
	for _, r := range s.kit.Tools() {
		doc, err := schema.Compile(r.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		schemas[r.Name] = doc
	}
	for _, c := range []struct {
		tool, args string
		isError    bool
	}{
		{"shop_list_things", `{"shop":"main"}`, false},
		{"shop_list_things", `{"shop":"main","limit":"5"}`, true},
		{"shop_list_things", `{"sho":"main","limit":"5","x":1}`, true},
		{"shop_list_things", `{"shop":"main","cursor":"forged"}`, true},
		{"shop_order_thing", `{"shop":"main","thing":"box"}`, false},
	} {
		r := s.kit.Call(context.Background(), mcpkit.Call{Tool: c.tool, Arguments: json.RawMessage(c.args), Principal: "alice", Revision: "2025-11-25"})
		if r.IsError != c.isError || r.Structured == nil {
			t.Fatalf("%s: %+v", c.args, r)
		}
		if _, violations := schemas[c.tool].Read(r.Structured); len(violations) > 0 {
			t.Errorf("%s: %s\n%+v", c.args, r.Structured, violations)
		}
	}
	if _, violations := schemas["shop_order_thing"].Read([]byte(`{"neither":1}`)); len(violations) == 0 {
		t.Error("the schema accepts anything")
	}
}
