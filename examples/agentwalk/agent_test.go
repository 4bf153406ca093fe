package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Carriers of an envelope, as a server chooses them.
type carrier int

const (
	structured carrier = iota
	inText
	rpc
)

// scripted is a server whose tools answer from a script, in order, whatever
// their arguments.
type scripted struct {
	answers []string // results, or envelopes if they have a code
	carrier carrier
	got     []string // "tool arguments" of each call, as received
}

// prose is what an agent must not act on: it names other calls, and its first
// line looks like an envelope.
const prose = `{"code":"decoy","temporary":false,"retry_after_ms":null,"repair":{"next_step":"x","tool":"decoy","arguments":{}}} call decoy`

func (s *scripted) handle(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	s.got = append(s.got, req.Params.Name+" "+string(req.Params.Arguments))
	if len(s.answers) == 0 {
		return nil, errors.New("the script has ended")
	}
	next := s.answers[0]
	s.answers = s.answers[1:]
	failed := strings.HasPrefix(next, `{"code"`)
	switch {
	case failed && s.carrier == rpc:
		data := strings.Replace(strings.Replace(next, `"code"`, `"machine_code"`, 1), `"message"`, `"human_message"`, 1)
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: prose, Data: json.RawMessage(data)}
	case failed && s.carrier == inText:
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{
			&mcp.TextContent{Text: prose + "\n" + next},
			&mcp.TextContent{Text: prose},
		}}, nil
	}
	return &mcp.CallToolResult{
		IsError: failed, StructuredContent: json.RawMessage(next),
		Content: []mcp.Content{&mcp.TextContent{Text: prose}},
	}, nil
}

// start connects an agent to a server with these tools over a pipe in memory.
func (s *scripted) start(t *testing.T, tools ...string) (*agent, *[]step) {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "scripted", Version: "1.0.0"}, nil)
	for _, name := range tools {
		server.AddTool(&mcp.Tool{Name: name, Description: prose, InputSchema: json.RawMessage(`{"type":"object"}`)}, s.handle)
	}
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	c, err := connect(t.Context(), here, revisions[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.close() })
	var steps []step
	return &agent{server: c, tools: c.tools, notice: func(s step) { steps = append(steps, s) }}, &steps
}

// refusal is an envelope; repair is its JSON, "" for none.
func refusal(code, field, repair string) string {
	if repair != "" {
		repair = `,"repair":` + repair
	}
	return fmt.Sprintf(`{"code":%q,"message":"call decoy","details":{"field":%q,"reason":"call decoy"},"temporary":false,"retry_after_ms":null%s}`, code, field, repair)
}

func to(tool, arguments string) string {
	return fmt.Sprintf(`{"next_step":"call_decoy","tool":%q,"arguments":%s,"alternative":"call decoy"}`, tool, arguments)
}

func temporary(delay string) string {
	return fmt.Sprintf(`{"code":"rate_limited","message":"m","temporary":true,"retry_after_ms":%s}`, delay)
}

func TestReach(t *testing.T) {
	choose := func(failed *failure, found json.RawMessage, original map[string]json.RawMessage) (map[string]any, error) {
		var f struct {
			Name string `json:"name"`
		}
		err := json.Unmarshal(found, &f)
		return map[string]any{failed.Fields[0]: f.Name}, err
	}
	tests := []struct {
		name    string
		goal    string // "tool arguments"; default `work {"a":1,"b":2}`
		answers []string
		choose  chooser
		calls   []string // what the server must get
		result  string   // "" if the goal must be given up
		reason  string   // of giving up
		figures figures
	}{
		{
			name:    "succeeds at once",
			answers: []string{`{"ok":1}`},
			calls:   []string{`work {"a":1,"b":2}`},
			result:  `{"ok":1}`,
			figures: figures{Calls: 1},
		},
		{
			name:    "calls the repair with its bytes as they are",
			answers: []string{refusal("invalid_field", "a", to("work", `{"z":9007199254740993,"a":1.0,"m":{"y":null,"x":"é"}}`)), `{"ok":1}`},
			calls:   []string{`work {"a":1,"b":2}`, `work {"z":9007199254740993,"a":1.0,"m":{"y":null,"x":"é"}}`},
			result:  `{"ok":1}`,
			figures: figures{Calls: 2, Errors: 1, OneHop: 1},
		},
		{
			name: "follows a repair of a repair",
			answers: []string{
				refusal("invalid_field", "a", to("work", `{"a":2}`)),
				refusal("invalid_field", "b", to("work", `{"a":2,"b":3}`)),
				`{"ok":1}`,
			},
			calls:   []string{`work {"a":1,"b":2}`, `work {"a":2}`, `work {"a":2,"b":3}`},
			result:  `{"ok":1}`,
			figures: figures{Calls: 3, Errors: 2, MoreHops: 1},
		},
		{
			name: "stops at the hop bound",
			answers: []string{
				refusal("invalid_field", "a", to("work", `{"a":1}`)), refusal("invalid_field", "a", to("work", `{"a":2}`)),
				refusal("invalid_field", "a", to("work", `{"a":3}`)), refusal("invalid_field", "a", to("work", `{"a":4}`)), `{"ok":1}`,
			},
			calls:   []string{`work {"a":1,"b":2}`, `work {"a":1}`, `work {"a":2}`, `work {"a":3}`},
			reason:  "3 repairs did not help",
			figures: figures{Calls: 4, Errors: 4, NotRepaired: 1},
		},
		{
			name:    "looks a value up and replaces that field alone",
			goal:    `work {"b":9007199254740993,"a":"wrong"}`,
			answers: []string{refusal("not_found", "a", to("lookup", `{"of":"a"}`)), `{"name":"right"}`, `{"ok":1}`},
			choose:  choose,
			calls:   []string{`work {"b":9007199254740993,"a":"wrong"}`, `lookup {"of":"a"}`, `work {"a":"right","b":9007199254740993}`},
			result:  `{"ok":1}`,
			figures: figures{Calls: 3, Errors: 1, OneHop: 1},
		},
		{
			name: "looks up again if the new value is refused too",
			answers: []string{
				refusal("not_found", "a", to("lookup", `{}`)), `{"name":"old"}`,
				refusal("not_found", "a", to("lookup", `{"page":2}`)), `{"name":"new"}`, `{"ok":1}`,
			},
			choose:  choose,
			calls:   []string{`work {"a":1,"b":2}`, `lookup {}`, `work {"a":"old","b":2}`, `lookup {"page":2}`, `work {"a":"new","b":2}`},
			result:  `{"ok":1}`,
			figures: figures{Calls: 5, Errors: 2, MoreHops: 1},
		},
		{
			name: "repairs the look-up first if that fails",
			answers: []string{
				refusal("not_found", "a", to("lookup", `{"page":9}`)),
				refusal("invalid_field", "page", to("lookup", `{"page":1}`)), `{"name":"right"}`, `{"ok":1}`,
			},
			choose:  choose, // for a, which the goal's failure names, not page
			calls:   []string{`work {"a":1,"b":2}`, `lookup {"page":9}`, `lookup {"page":1}`, `work {"a":"right","b":2}`},
			result:  `{"ok":1}`,
			figures: figures{Calls: 4, Errors: 2, MoreHops: 1},
		},
		{
			name:    "repeats a look-up that fails temporarily",
			answers: []string{refusal("not_found", "a", to("lookup", `{"page":1}`)), temporary("0"), `{"name":"right"}`, `{"ok":1}`},
			choose:  choose,
			calls:   []string{`work {"a":1,"b":2}`, `lookup {"page":1}`, `lookup {"page":1}`, `work {"a":"right","b":2}`},
			result:  `{"ok":1}`,
			figures: figures{Calls: 4, Errors: 2, MoreHops: 1},
		},
		{
			name:    "does not replace a field that the failure does not name",
			answers: []string{refusal("not_found", "a", to("lookup", `{}`)), `{"name":"right"}`},
			choose: func(*failure, json.RawMessage, map[string]json.RawMessage) (map[string]any, error) {
				return map[string]any{"b": 3}, nil
			},
			calls:   []string{`work {"a":1,"b":2}`, `lookup {}`},
			reason:  "the failure does not name b",
			figures: figures{Calls: 2, Errors: 1, NotRepaired: 1},
		},
		{
			name:    "sends the same call again when a repair removed the obstacle",
			answers: []string{refusal("locked", "a", to("unlock", `{"it":true}`)), `{"ok":0}`, `{"ok":1}`},
			calls:   []string{`work {"a":1,"b":2}`, `unlock {"it":true}`, `work {"a":1,"b":2}`},
			result:  `{"ok":1}`,
			figures: figures{Calls: 3, Errors: 1, OneHop: 1},
		},
		{
			name:    "takes the repair of an unlisted tool for the goal",
			goal:    `wrok {"a":1}`,
			answers: []string{`{"ok":1}`},
			calls:   []string{`work {"a":1}`},
			result:  `{"ok":1}`,
			figures: figures{Calls: 2, Errors: 1, OneHop: 1},
		},
		{
			name:    "does not call a tool that is not listed",
			answers: []string{refusal("invalid_field", "a", to("decoy", `{}`))},
			calls:   []string{`work {"a":1,"b":2}`},
			reason:  "its repair names a tool that is not listed",
			figures: figures{Calls: 1, Errors: 1, NotRepaired: 1},
		},
		{
			name:    "gives up without a repair",
			answers: []string{refusal("invalid_field", "a", "")},
			calls:   []string{`work {"a":1,"b":2}`},
			reason:  "it has no repair",
			figures: figures{Calls: 1, Errors: 1, NotRepaired: 1},
		},
		{
			name:    "repeats a temporary failure without repair",
			answers: []string{temporary("1"), temporary("null"), `{"ok":1}`},
			calls:   []string{`work {"a":1,"b":2}`, `work {"a":1,"b":2}`, `work {"a":1,"b":2}`},
			result:  `{"ok":1}`,
			figures: figures{Calls: 3, Errors: 2, MoreHops: 1},
		},
		{
			name:    "does not wait for long",
			answers: []string{temporary("3600000")},
			calls:   []string{`work {"a":1,"b":2}`},
			reason:  "it asks to wait for 1h0m0s",
			figures: figures{Calls: 1, Errors: 1, NotRepaired: 1},
		},
	}
	carriers := map[string]carrier{"structuredContent": structured, "text": inText, "error.data": rpc}
	for _, test := range tests {
		for name, carrier := range carriers {
			t.Run(test.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				s := &scripted{answers: append([]string{}, test.answers...), carrier: carrier}
				a, steps := s.start(t, "work", "lookup", "unlock")
				goal := test.goal
				if goal == "" {
					goal = `work {"a":1,"b":2}`
				}
				tool, arguments, _ := strings.Cut(goal, " ")
				if !a.tools[tool] { // the SDK's own error has no envelope
					a.server = nearest{a.server, tool}
				}
				result, _, err := a.reach(t.Context(), call{tool, json.RawMessage(arguments)}, test.choose)
				var reason string
				if g := (*giveUp)(nil); errors.As(err, &g) {
					reason = g.reason
				} else if err != nil {
					t.Fatal(err)
				}
				if string(result) != test.result || reason != test.reason {
					t.Errorf("result %s, reason %q; want %s, %q", result, reason, test.result, test.reason)
				}
				if diff := cmp.Diff(test.calls, s.got); diff != "" {
					t.Errorf("calls (-want +got):\n%s", diff)
				}
				if a.figures != test.figures {
					t.Errorf("figures %+v, want %+v", a.figures, test.figures)
				}
				if len(*steps) != a.Calls {
					t.Errorf("%d steps for %d calls", len(*steps), a.Calls)
				}
				for _, s := range *steps {
					if s.failed != nil && s.Number > 1 && s.failed.Carrier != name {
						t.Errorf("call %d: carrier %s, want %s", s.Number, s.failed.Carrier, name)
					}
				}
			})
		}
	}
}

// nearest answers calls of one unknown tool as the kit would.
type nearest struct {
	caller
	unknown string
}

func (n nearest) call(ctx context.Context, tool string, arguments json.RawMessage) (reply, error) {
	if tool != n.unknown {
		return n.caller.call(ctx, tool, arguments)
	}
	data := strings.Replace(refusal("unknown_tool", "name", to("work", string(arguments))), `"code"`, `"machine_code"`, 1)
	return reply{fault: &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Data: json.RawMessage(data)}}, nil
}

func TestRefused(t *testing.T) {
	tests := []struct {
		name, answer string
		err          string
		figures      figures
	}{
		{"without repair", refusal("invalid_field", "a", ""), "", figures{Calls: 1, Errors: 1, NoneExpected: 1}},
		{"with repair", refusal("invalid_field", "a", to("work", `{}`)), "invalid_field at a: no repair was expected, but one was given", figures{Calls: 1, Errors: 1, NotRepaired: 1}},
		{"accepted", `{"ok":1}`, "the call was to fail and did not", figures{Calls: 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &scripted{answers: []string{test.answer}}
			a, _ := s.start(t, "work")
			_, err := a.refused(t.Context(), call{"work", json.RawMessage(`{}`)})
			if got := fmt.Sprint(err); err != nil && got != test.err || err == nil && test.err != "" {
				t.Errorf("error %v, want %q", err, test.err)
			}
			if a.figures != test.figures {
				t.Errorf("figures %+v, want %+v", a.figures, test.figures)
			}
		})
	}
}

func TestMistake(t *testing.T) {
	wrong := mistake{prepare: literal("work", `{"a":1}`), code: "invalid_field", fields: []string{"b", "a"}}
	both := `{"code":"invalid_field","message":"m","details":{"fields":["a","b"],"reason":"r"},"temporary":false,"retry_after_ms":null,"repair":` + to("work", `{"a":2}`) + `}`
	tests := []struct {
		name    string
		mistake mistake
		answers []string
		note    string
		err     string
	}{
		{"repaired", wrong, []string{both, `{"ok":1}`}, "repaired in one hop", ""},
		{"repaired later", wrong, []string{both, both, `{"ok":1}`}, "repaired in more than one hop", ""},
		{"accepted", wrong, []string{`{"ok":1}`}, "", "the call was to fail and did not"},
		{"another code", wrong, []string{strings.Replace(both, "invalid_field", "internal", 1), `{"ok":1}`}, "", "the code is internal, not invalid_field"},
		{"another field", wrong, []string{refusal("invalid_field", "c", to("work", `{}`)), `{"ok":1}`}, "", "the failure names c, not a, b"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := &scripted{answers: test.answers}
			a, _ := s.start(t, "work")
			note, err := test.mistake.task().run(t.Context(), a)
			if note != test.note || err != nil && err.Error() != test.err || err == nil && test.err != "" {
				t.Errorf("%q, %v; want %q, %q", note, err, test.note, test.err)
			}
		})
	}
}

func TestNoAnswer(t *testing.T) {
	for _, answer := range []string{
		`{"code":"x","message":"m","temporary":false}`,
		`{"code":"x","message":"m","retry_after_ms":null}`,
		`{"code":"","message":"m","temporary":false,"retry_after_ms":null}`,
		`{"code":"x","message":"m","temporary":false,"retry_after_ms":null,"details":{"reason":"r"}}`,
		`{"code":"x","message":"m","temporary":false,"retry_after_ms":null,"details":{"field":"a","fields":["a","b"]}}`,
		`{"code":"x","message":"m","temporary":false,"retry_after_ms":null,"repair":{"next_step":"s","tool":"work"}}`,
		`{"code":"x","message":"m","temporary":false,"retry_after_ms":null,"repair":{"next_step":"s","tool":"work","arguments":"{}"}}`,
		`{"code":"x","message":"m","temporary":false,"retry_after_ms":"soon"}`,
	} {
		s := &scripted{answers: []string{answer}}
		a, _ := s.start(t, "work")
		_, _, err := a.reach(t.Context(), call{"work", json.RawMessage(`{}`)}, nil)
		if g := (*giveUp)(nil); err == nil || errors.As(err, &g) {
			t.Errorf("%s: error %v, want one that says what is wrong with the envelope", answer, err)
		}
	}

	s := &scripted{answers: []string{`{"ok":1}`}}
	a, _ := s.start(t, "work")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := a.reach(ctx, call{"work", json.RawMessage(`{}`)}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: error %v", err)
	}
}

func TestWaitEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	delay := int64(9000)
	if err := wait(ctx, &failure{Retry: true, Delay: &delay}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func FuzzReadEnvelope(f *testing.F) {
	f.Add(refusal("conflict", "a", to("work", `{"a":1}`)))
	f.Add(temporary("5"))
	f.Add(`{"code":1}`)
	f.Add(`null`)
	f.Fuzz(func(t *testing.T, data string) {
		e, err := readEnvelope(json.RawMessage(data), "code", "text")
		if err == nil && (e.Code == "" || e.Repair != nil && e.Repair.Tool == "") || err != nil && e != nil {
			t.Errorf("%q: %+v, %v", data, e, err)
		}
	})
}
