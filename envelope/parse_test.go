package envelope_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/envelope"
)

func TestParseRoundTrip(t *testing.T) {
	many := make([]envelope.Violation, 40)
	for i := range many {
		many[i] = envelope.Violation{Field: strings.Repeat("f", i+1), Rule: "type", Reason: "No.", Allowed: i}
	}
	full := envelope.Stamp{RequestID: "req_1", Fingerprint: "s@1.0.0+abc", ResourceURI: "wiki://a/b"}
	tests := []struct {
		name  string
		err   *envelope.Error
		stamp envelope.Stamp
	}{
		{"bare", envelope.New("gone", "It is gone."), envelope.Stamp{}},
		{"temporary", envelope.New("busy", "Busy.").Retryable(), full},
		{"delay", envelope.RateLimited(1500 * time.Microsecond).RateLimitRemaining(0), full},
		{"longest delay", envelope.RateLimited(1<<63 - 1), full},
		{"details", envelope.InsufficientScope("m", "repo"), full},
		{"value", envelope.Conflict("expected_version", "v1:sha256:00", "m"), full},
		{"fields", envelope.InvalidFields("r", "a", "b"), full},
		{"violations", envelope.Invalid(many[0], many[1:]...), full},
		{"repair", envelope.New("x", "y").Repair(envelope.Repair{NextStep: "a", Tool: "t", Arguments: json.RawMessage(`{"id":9007199254740993,"s":"<\u2028>"}`)}.Or("z")), full},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := string(tt.err.ToolJSON(tt.stamp))
			for carrier, raw := range map[string]json.RawMessage{"tool": tt.err.ToolJSON(tt.stamp), "rpc": tt.err.RPCJSON(tt.stamp)} {
				e, s, err := envelope.Parse(raw)
				if err != nil {
					t.Fatalf("%s: Parse: %v", carrier, err)
				}
				if diff := cmp.Diff(want, string(e.ToolJSON(s))); diff != "" || s != tt.stamp {
					t.Errorf("%s: again, with %v (-want +got):\n%s", carrier, s, diff)
				}
			}
		})
	}
}

func TestParseIsStrict(t *testing.T) {
	const tail = `,"temporary":false,"retry_after_ms":null}`
	with := func(members string) string { return `{"code":"x","message":"y",` + members + tail }
	tests := []struct {
		name, in, want string // want: the faults, one per line
	}{
		{"not JSON", `{`, "envelope is not a JSON object"},
		{"null", `null`, "envelope is not a JSON object"},
		{"list", `[]`, "envelope is not a JSON object"},
		{"trailing data", with(`"request_id":"r"`) + `{}`, "envelope is not a JSON object"},
		{"not UTF-8", "{\"code\":\"\xff\"}", "envelope is not UTF-8"},
		{"duplicate", with(`"code":"z"`), "envelope has a key twice"},
		{"nothing", `{}`, "code is missing\nmessage is missing\ntemporary is missing\nretry_after_ms is missing"},
		{"null code", `{"code":null,"message":"y"` + tail, "code is not a string"},
		{"empty message", `{"code":"x","message":""` + tail, "message is empty"},
		{"prose code", `{"code":"Not found","message":"y"` + tail, "code is not snake_case"},
		{"mixed carriers", `{"machine_code":"x","message":"y"` + tail, "human_message is missing\n\"message\" is not a known member"},
		{"both carriers", with(`"machine_code":"x","human_message":"y"`), "\"code\" is not a known member\n\"message\" is not a known member"},
		{"other case", `{"Code":"x","code":"x","message":"y"` + tail, `"Code" is not a known member`},
		{"unknown", with(`"recoverable":true`), `"recoverable" is not a known member`},
		{"temporary of another type", `{"code":"x","message":"y","temporary":"no","retry_after_ms":null}`, "temporary is not true or false"},
		{"null temporary", `{"code":"x","message":"y","temporary":null,"retry_after_ms":null}`, "temporary is not true or false"},
		{"delay without temporary", `{"code":"x","message":"y","temporary":false,"retry_after_ms":1}`, "retry_after_ms is set although temporary is false"},
		{"negative delay", `{"code":"x","message":"y","temporary":true,"retry_after_ms":-1}`, "retry_after_ms is out of range"},
		{"huge delay", `{"code":"x","message":"y","temporary":true,"retry_after_ms":9223372036855}`, "retry_after_ms is out of range"},
		{"fractional delay", `{"code":"x","message":"y","temporary":true,"retry_after_ms":1.5}`, "retry_after_ms is not an integer or null"},
		{"null budget", with(`"rate_limit_remaining":null`), "rate_limit_remaining is not an integer"},
		{"negative budget", with(`"rate_limit_remaining":-1`), "rate_limit_remaining is negative"},
		{"null details", with(`"details":null`), "details is not a JSON object"},
		{"no field", with(`"details":{"reason":"r"}`), "details has not exactly one of field and fields"},
		{"field and fields", with(`"details":{"field":"a","fields":["b"]}`), "details has not exactly one of field and fields"},
		{"no fields", with(`"details":{"fields":[]}`), "details.fields is empty"},
		{"null among fields", with(`"details":{"fields":["a",null]}`), "details.fields has an empty element"},
		{"fields twice", with(`"details":{"fields":["a","a"]}`), "details.fields has an element twice"},
		{"empty reason", with(`"details":{"field":"a","reason":""}`), "details.reason is empty"},
		{"value with control characters", with(`"details":{"field":"a","value":"\n"}`), "details.value is not printable text of at most 2 KiB"},
		{"null allowed", with(`"details":{"field":"a","allowed":null}`), "details.allowed is empty"},
		{"no scopes", with(`"details":{"field":"a","required_scopes":[]}`), "details.required_scopes is empty"},
		{"unknown detail", with(`"details":{"field":"a","Bad\nkey":1}`), `details."Bad\nkey" is not a known member`},
		{"no violations", with(`"details":{"field":"a","violations":[]}`), "details.violations has not 1 to 32 elements"},
		{"violation of another type", with(`"details":{"field":"a","violations":[1]}`), "details.violations[0] is not a JSON object"},
		{"incomplete violation", with(`"details":{"field":"a","violations":[{"rule":"r","x":1}]}`), "details.violations[0].field is missing\ndetails.violations[0].\"x\" is not a known member"},
		{"list of repairs", with(`"repair":[]`), "repair is not a JSON object"},
		{"empty repair", with(`"repair":{}`), "repair.next_step is missing\nrepair.tool is missing\nrepair.arguments is missing"},
		{"bad repair", with(`"repair":{"next_step":"Try","tool":"a b","arguments":[]}`), "repair.next_step is not snake_case\nrepair.tool is not a tool name\nrepair.arguments is not a JSON object"},
		{"empty alternative", with(`"repair":{"next_step":"a","tool":"t","arguments":{},"alternative":""}`), "repair.alternative is empty"},
		{"empty request id", with(`"request_id":""`), "request_id is empty"},
		{"null fingerprint", with(`"fingerprint":null`), "fingerprint is not a string"},
		{"several at once", `{"code":"X","message":"y","zz":1,"aa":1,"retry_after_ms":null}`, "code is not snake_case\ntemporary is missing\n\"aa\" is not a known member\n\"zz\" is not a known member"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, s, err := envelope.Parse([]byte(tt.in))
			if e != nil || s != (envelope.Stamp{}) || !errors.Is(err, envelope.ErrMalformed) {
				t.Fatalf("Parse = %v, %v, %v; want ErrMalformed", e, s, err)
			}
			got := strings.ReplaceAll(strings.TrimPrefix(err.Error(), "envelope: malformed\n"), "envelope: ", "")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

// What comes from another server is made safe, not refused, as long as its
// shape is right.
func TestParseCleansText(t *testing.T) {
	e, s, err := envelope.Parse([]byte(`{"fingerprint":"f","retry_after_ms":null,"temporary":true,
		"message":"a\nb \u001b[2J https://u:p@h/","code":"x","details":{"fields":["only"],"reason":"c\u202e"},
		"resource_uri":"https://u:12345@h/"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"code":"x","message":"a\\nb \\x1b[2J https://[redacted]@h/","details":{"field":"only","reason":"c\\u202e"},"temporary":true,"retry_after_ms":null,"resource_uri":"https://[redacted]@h/","fingerprint":"f"}`
	if diff := cmp.Diff(want, string(e.ToolJSON(s))); diff != "" {
		t.Errorf("ToolJSON (-want +got):\n%s", diff)
	}
	if s.ResourceURI != "https://[redacted]@h/" {
		t.Errorf("ResourceURI = %q", s.ResourceURI)
	}
}
