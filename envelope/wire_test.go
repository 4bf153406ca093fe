package envelope_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/envelope"
)

// compact removes the white space that the expectations have for readability;
// key order and every other byte stay.
func compact(t *testing.T, pretty string) string {
	t.Helper()
	var buf bytes.Buffer
	if err := json.Compact(&buf, []byte(pretty)); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// The envelopes that the two reference servers document, byte for byte.
func TestDocumentedEnvelopes(t *testing.T) {
	const github = "github-issues-mcp@1.0.0+c3f9a12"
	tests := []struct {
		name  string
		err   *envelope.Error
		rpc   bool
		stamp envelope.Stamp
		want  string
	}{
		{
			name: "unknown label",
			err: envelope.NotFound("label", "A label in add_labels does not exist in this repository; nothing was applied.").
				At("add_labels", "Element at index 1 matches no label observed in acme/api (value omitted per the disclosed free-form echo policy).").
				Repair(envelope.Repair{
					NextStep:  "lookup_labels_then_retry",
					Tool:      "github_list_labels",
					Arguments: json.RawMessage(`{"owner": "acme", "repo": "api"}`),
				}.Or("If the label was defined but never used, it will not appear in the derived list; re-call github_update_issue with the exact name confirmed in the GitHub UI.")),
			stamp: envelope.Stamp{RequestID: "req_01JGH7Q2M4", Fingerprint: github},
			want: `{
				"code": "label_not_found",
				"message": "A label in add_labels does not exist in this repository; nothing was applied.",
				"details": {
					"field": "add_labels",
					"reason": "Element at index 1 matches no label observed in acme/api (value omitted per the disclosed free-form echo policy)."
				},
				"temporary": false,
				"retry_after_ms": null,
				"repair": {
					"next_step": "lookup_labels_then_retry",
					"tool": "github_list_labels",
					"arguments": {"owner": "acme", "repo": "api"},
					"alternative": "If the label was defined but never used, it will not appear in the derived list; re-call github_update_issue with the exact name confirmed in the GitHub UI."
				},
				"request_id": "req_01JGH7Q2M4",
				"fingerprint": "github-issues-mcp@1.0.0+c3f9a12"
			}`,
		},
		{
			name: "rate limited",
			err: envelope.RateLimited(42 * time.Second).
				Saying("Upstream GitHub rate limit exhausted for the configured token.").
				RateLimitRemaining(0).
				Repair(envelope.Repair{
					NextStep:    "wait_then_retry_same_call",
					Tool:        "github_search_issues",
					Arguments:   json.RawMessage(`{"owner": "acme", "repo": "api", "labels": ["bug"], "state": "open"}`),
					Alternative: "Narrow with updated_after= to spend fewer upstream calls per page once the window resets.",
				}),
			stamp: envelope.Stamp{RequestID: "req_01JGH7Q9ZC", Fingerprint: github},
			want: `{
				"code": "rate_limited",
				"message": "Upstream GitHub rate limit exhausted for the configured token.",
				"temporary": true,
				"retry_after_ms": 42000,
				"rate_limit_remaining": 0,
				"repair": {
					"next_step": "wait_then_retry_same_call",
					"tool": "github_search_issues",
					"arguments": {"owner": "acme", "repo": "api", "labels": ["bug"], "state": "open"},
					"alternative": "Narrow with updated_after= to spend fewer upstream calls per page once the window resets."
				},
				"request_id": "req_01JGH7Q9ZC",
				"fingerprint": "github-issues-mcp@1.0.0+c3f9a12"
			}`,
		},
		{
			name: "version conflict",
			err: envelope.Conflict("expected_version", "v1:sha256:9c41f0", "expected_version does not match the issue's current content.").
				With(envelope.Field("expected_version", "The issue was modified after this token was minted.").Minted("v1:sha256:9c41f0")).
				Repair(envelope.Repair{
					NextStep:    "reread_then_reapply",
					Tool:        "github_get_issue",
					Arguments:   json.RawMessage(`{"owner": "acme", "repo": "api", "issue_number": 512}`),
					Alternative: "If clobbering is acceptable for this field, re-call github_update_issue without expected_version.",
				}),
			stamp: envelope.Stamp{RequestID: "req_01JGH7QF88", Fingerprint: github},
			want: `{
				"code": "conflict",
				"message": "expected_version does not match the issue's current content.",
				"details": {
					"field": "expected_version",
					"value": "v1:sha256:9c41f0",
					"reason": "The issue was modified after this token was minted."
				},
				"temporary": false,
				"retry_after_ms": null,
				"repair": {
					"next_step": "reread_then_reapply",
					"tool": "github_get_issue",
					"arguments": {"owner": "acme", "repo": "api", "issue_number": 512},
					"alternative": "If clobbering is acceptable for this field, re-call github_update_issue without expected_version."
				},
				"request_id": "req_01JGH7QF88",
				"fingerprint": "github-issues-mcp@1.0.0+c3f9a12"
			}`,
		},
		{
			name: "issue resource not found",
			rpc:  true,
			err: envelope.NotFound("issue", "No issue #9999 is visible in acme/api; it may be deleted, transferred, or private to this token.").
				With(envelope.Field("uri", "Upstream returned 404 for this issue number.").Minted("ghissues://repos/acme/api/issues/9999")).
				Repair(envelope.Repair{
					NextStep:    "search_then_read",
					Tool:        "github_search_issues",
					Arguments:   json.RawMessage(`{"owner": "acme", "repo": "api", "query": "in:title <expected topic>"}`),
					Alternative: "If the repo was renamed or transferred, browse ghissues://repos/{owner}/{repo}/issues under the new owner.",
				}),
			stamp: envelope.Stamp{RequestID: "req_01JGH7QKA0", Fingerprint: github, ResourceURI: "ghissues://repos/acme/api/issues/9999"},
			want: `{
				"machine_code": "issue_not_found",
				"human_message": "No issue #9999 is visible in acme/api; it may be deleted, transferred, or private to this token.",
				"details": {
					"field": "uri",
					"value": "ghissues://repos/acme/api/issues/9999",
					"reason": "Upstream returned 404 for this issue number."
				},
				"temporary": false,
				"retry_after_ms": null,
				"repair": {
					"next_step": "search_then_read",
					"tool": "github_search_issues",
					"arguments": {"owner": "acme", "repo": "api", "query": "in:title <expected topic>"},
					"alternative": "If the repo was renamed or transferred, browse ghissues://repos/{owner}/{repo}/issues under the new owner."
				},
				"resource_uri": "ghissues://repos/acme/api/issues/9999",
				"request_id": "req_01JGH7QKA0",
				"fingerprint": "github-issues-mcp@1.0.0+c3f9a12"
			}`,
		},
		{
			name: "wiki page gone",
			rpc:  true,
			err: envelope.New("page_gone", "Page eng/oncall-runbook-old was deleted or moved.").
				With(envelope.Field("uri", "Page deleted on 2026-07-10T22:00:00Z.").Minted("wiki://spaces/eng/pages/oncall-runbook-old")).
				Repair(envelope.Repair{
					NextStep:    "search_then_read",
					Tool:        "wiki_list_pages",
					Arguments:   json.RawMessage(`{ "space": "eng", "query": "oncall runbook" }`),
					Alternative: "Browse the wiki://spaces/eng/pages index and pick a current slug.",
				}),
			stamp: envelope.Stamp{RequestID: "req_01HW…", Fingerprint: "acme-wiki@1.0.0+3fb91c2", ResourceURI: "wiki://spaces/eng/pages/oncall-runbook-old"},
			want: `{
				"machine_code": "page_gone",
				"human_message": "Page eng/oncall-runbook-old was deleted or moved.",
				"details": { "field": "uri", "value": "wiki://spaces/eng/pages/oncall-runbook-old",
				             "reason": "Page deleted on 2026-07-10T22:00:00Z." },
				"temporary": false,
				"retry_after_ms": null,
				"repair": {
					"next_step": "search_then_read",
					"tool": "wiki_list_pages",
					"arguments": { "space": "eng", "query": "oncall runbook" },
					"alternative": "Browse the wiki://spaces/eng/pages index and pick a current slug."
				},
				"resource_uri": "wiki://spaces/eng/pages/oncall-runbook-old",
				"request_id": "req_01HW…",
				"fingerprint": "acme-wiki@1.0.0+3fb91c2"
			}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.err.ToolJSON(tt.stamp)
			if tt.rpc {
				got = tt.err.RPCJSON(tt.stamp)
			}
			if diff := cmp.Diff(compact(t, tt.want), string(got)); diff != "" {
				t.Errorf("envelope (-want +got):\n%s", diff)
			}
		})
	}
}

// The carriers differ in two key names and nothing else.
func TestCarriersDifferInTwoNames(t *testing.T) {
	e := envelope.RateLimited(time.Second).At("code", "message").RateLimitRemaining(3)
	s := envelope.Stamp{RequestID: "r", Fingerprint: "f", ResourceURI: "u"}
	want := strings.Replace(string(e.ToolJSON(s)), `{"code":`, `{"machine_code":`, 1)
	want = strings.Replace(want, `,"message":`, `,"human_message":`, 1)
	if diff := cmp.Diff(want, string(e.RPCJSON(s))); diff != "" {
		t.Errorf("RPCJSON (-want +got):\n%s", diff)
	}
}

func TestRenderedShapes(t *testing.T) {
	call := envelope.Repair{NextStep: "retry_corrected", Tool: "t"}
	tests := []struct {
		name string
		err  *envelope.Error
		want string
	}{
		{
			"nothing optional", envelope.New("gone", "It is gone."),
			`{"code":"gone","message":"It is gone.","temporary":false,"retry_after_ms":null}`,
		},
		{
			"zero Error", &envelope.Error{},
			`{"code":"internal","message":"The server failed in a way that the call cannot repair; request_id identifies the failure.","temporary":false,"retry_after_ms":null}`,
		},
		{
			"temporary, delay unknown", envelope.New("busy", "Busy.").Retryable(),
			`{"code":"busy","message":"Busy.","temporary":true,"retry_after_ms":null}`,
		},
		{
			"temporary, no delay", envelope.New("busy", "Busy.").RetryAfter(-time.Second),
			`{"code":"busy","message":"Busy.","temporary":true,"retry_after_ms":0}`,
		},
		{
			"delay rounded up", envelope.New("busy", "Busy.").RetryAfter(time.Millisecond + 1),
			`{"code":"busy","message":"Busy.","temporary":true,"retry_after_ms":2}`,
		},
		{
			"delay unknown again", envelope.New("busy", "Busy.").RetryAfter(time.Second).Retryable(),
			`{"code":"busy","message":"Busy.","temporary":true,"retry_after_ms":null}`,
		},
		{
			"longest delay", envelope.New("busy", "Busy.").RetryAfter(1<<63 - 1),
			`{"code":"busy","message":"Busy.","temporary":true,"retry_after_ms":9223372036854}`,
		},
		{
			"several fields", envelope.InvalidFields("Give at least one.", "query", "owner", "repo", "owner"),
			`{"code":"invalid_field","message":"Invalid arguments query, owner, repo: Give at least one.","details":{"fields":["query","owner","repo"],"reason":"Give at least one."},"temporary":false,"retry_after_ms":null}`,
		},
		{
			"several that are one", envelope.New("x", "y").With(envelope.Fields("", "a", "a", "a")),
			`{"code":"x","message":"y","details":{"field":"a"},"temporary":false,"retry_after_ms":null}`,
		},
		{
			"details removed", envelope.InvalidField("a", "b").Saying("c").With(envelope.Details{}),
			`{"code":"invalid_field","message":"c","temporary":false,"retry_after_ms":null}`,
		},
		{
			"all of details", envelope.New("x", "y").With(envelope.Field("state", "No.").Allowed([]string{"a<b", "c"}).Minted("d").RequiredScopes("s", "", "s", "t")),
			`{"code":"x","message":"y","details":{"field":"state","value":"d","reason":"No.","allowed":["a<b","c"],"required_scopes":["s","t"]},"temporary":false,"retry_after_ms":null}`,
		},
		{
			"allowed that says nothing", envelope.New("x", "y").With(envelope.Field("a", "b").Allowed([]string{}).RequiredScopes("")),
			`{"code":"x","message":"y","details":{"field":"a","reason":"b"},"temporary":false,"retry_after_ms":null}`,
		},
		{
			"allowed that does not encode", envelope.New("x", "y").With(envelope.Field("a", "b").Allowed(func() {})),
			`{"code":"x","message":"y","details":{"field":"a","reason":"b"},"temporary":false,"retry_after_ms":null}`,
		},
		{
			"allowed bounds", envelope.New("x", "y").With(envelope.Field("a", "b").Allowed(map[string]any{"minimum": 1, "maximum": uint64(1<<63 + 1)})),
			`{"code":"x","message":"y","details":{"field":"a","reason":"b","allowed":{"maximum":9223372036854775809,"minimum":1}},"temporary":false,"retry_after_ms":null}`,
		},
		{
			"repair without arguments", envelope.New("x", "y").Repair(call),
			`{"code":"x","message":"y","temporary":false,"retry_after_ms":null,"repair":{"next_step":"retry_corrected","tool":"t","arguments":{}}}`,
		},
		{
			"repair removed", envelope.New("x", "y").Repair(call).Repair(envelope.Repair{}),
			`{"code":"x","message":"y","temporary":false,"retry_after_ms":null}`,
		},
		{
			"negative budget", envelope.New("x", "y").RateLimitRemaining(-1),
			`{"code":"x","message":"y","temporary":false,"retry_after_ms":null,"rate_limit_remaining":0}`,
		},
		{
			// Hosts decode arguments: the values must survive, exactly.
			"arguments keep every value",
			envelope.New("x", "y").Repair(envelope.Repair{NextStep: "a", Tool: "t", Arguments: json.RawMessage("{ \"id\" : 9007199254740993, \"q\": \"a\u202e\u2028\U000e0041 \\u00e9<&>\u00e9\\\"\" , \"f\": 1.50 }")}),
			`{"code":"x","message":"y","temporary":false,"retry_after_ms":null,"repair":{"next_step":"a","tool":"t","arguments":{"id":9007199254740993,"q":"a\u202e\u2028\udb40\udc41 \u00e9<&>é\"","f":1.50}}}`,
		},
		{
			// The name of an unknown argument comes from the caller.
			"hostile field name", envelope.New("x", "y").At("a\x1b[2J\u202e\xff\"", "Unknown."),
			`{"code":"x","message":"y","details":{"field":"a\u001b[2J\u202e` + "\uFFFD" + `\"","reason":"Unknown."},"temporary":false,"retry_after_ms":null}`,
		},
		{
			"nameless field", envelope.New("x", "y").At("", "Must be an object."),
			`{"code":"x","message":"y","details":{"field":"arguments","reason":"Must be an object."},"temporary":false,"retry_after_ms":null}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, string(tt.err.ToolJSON(envelope.Stamp{}))); diff != "" {
				t.Errorf("ToolJSON (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStamp(t *testing.T) {
	e := envelope.New("x", "y")
	tests := []struct {
		name  string
		stamp envelope.Stamp
		want  string
	}{
		{"all", envelope.Stamp{RequestID: "r", Fingerprint: "f", ResourceURI: "u"}, `,"resource_uri":"u","request_id":"r","fingerprint":"f"}`},
		{"none", envelope.Stamp{}, `null}`},
		{"control characters", envelope.Stamp{RequestID: "r", ResourceURI: "wiki://a\nb"}, `null,"request_id":"r"}`},
		{"too long", envelope.Stamp{RequestID: "r", ResourceURI: "wiki://" + strings.Repeat("a", 2048)}, `null,"request_id":"r"}`},
		{"credentials in the URI", envelope.Stamp{ResourceURI: "https://u:12345@h/x"}, `null,"resource_uri":"https://[redacted]@h/x"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(e.ToolJSON(tt.stamp)); !strings.HasSuffix(got, tt.want) {
				t.Errorf("ToolJSON = %s, want the end %s", got, tt.want)
			}
		})
	}
}

func TestSentence(t *testing.T) {
	long := `{"body":"` + strings.Repeat("a", 600) + `"}`
	tests := []struct {
		name string
		err  *envelope.Error
		want string
	}{
		{"message alone", envelope.New("x", "It broke"), "It broke."},
		{"temporary", envelope.New("x", "It broke!").Retryable(), "It broke! The same call may succeed later."},
		{"delay", envelope.New("x", "Wait.").RetryAfter(42 * time.Second), "Wait. The same call may succeed after 42 s."},
		{
			"repair", envelope.New("x", "No.").Repair(envelope.Repair{NextStep: "look_up", Tool: "list_x", Arguments: json.RawMessage(`{"a": 1}`)}),
			`No. Next: call list_x with {"a":1} (look_up).`,
		},
		{
			"alternative", envelope.New("x", "No.").Repair(envelope.Repair{NextStep: "look_up", Tool: "list_x"}.Or("ask the\nuser")),
			`No. Next: call list_x with {} (look_up). Otherwise: ask the\nuser.`,
		},
		{
			"long arguments", envelope.New("x", "No.").Repair(envelope.Repair{NextStep: "retry", Tool: "t", Arguments: json.RawMessage(long)}),
			`No. Next: call t with ` + long[:509] + `… [cut; whole in repair.arguments] (retry).`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.err.Sentence()
			if got != tt.want {
				t.Errorf("Sentence = %q, want %q", got, tt.want)
			}
			s := envelope.Stamp{RequestID: "r"}
			if text := tt.err.Text(s); text != got+"\n"+string(tt.err.ToolJSON(s)) {
				t.Errorf("Text = %q, want the sentence, a newline and the envelope", text)
			}
		})
	}
}
