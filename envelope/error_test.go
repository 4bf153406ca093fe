package envelope_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/envelope"
)

func TestCodeValid(t *testing.T) {
	tests := map[envelope.Code]bool{
		"not_found": true, "a": true, "http2_error": true, "e404_5": true,
		"": false, "_a": false, "a_": false, "a__b": false, "4a": false, "A": false,
		"a-b": false, "a b": false, "é": false, "a.b": false, "notFound": false,
	}
	for code, want := range tests {
		if got := code.Valid(); got != want {
			t.Errorf("Code(%q).Valid() = %t, want %t", code, got, want)
		}
	}
}

func TestNew(t *testing.T) {
	tests := []struct {
		name, message, want string
	}{
		{"kept", "Nothing was applied.", "Nothing was applied."},
		{"trimmed", "  x\n", "x"},
		{"one line", "a\nb\r\tc\u2028d", `a\nb\r\tc\u2028d`},
		{"standard meaning", "", "The resource changed since the version that the call was based on."},
		{"redacted", "GET https://ci:hunter2@h/ said Bearer abcdefgh12", "GET https://[redacted]@h/ said Bearer [redacted]"},
		{"words that only sound secret", "The token: expired. Basic authentication, bearer credentials, GITHUB_TOKEN.", "The token: expired. Basic authentication, bearer credentials, GITHUB_TOKEN."},
		{"cut", strings.Repeat("é", 2000), strings.Repeat("é", 1022) + "…"},
		{"longest", strings.Repeat("a", 2048), strings.Repeat("a", 2048)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := envelope.New(envelope.CodeConflict, tt.message).Message()
			if got != tt.want {
				t.Errorf("Message = %q, want %q", got, tt.want)
			}
			if again := envelope.New(envelope.CodeConflict, got).Message(); again != got {
				t.Errorf("the message of a message = %q, want it unchanged: %q", again, got)
			}
		})
	}
}

func TestNewRefusesBadCode(t *testing.T) {
	e := envelope.New("Not A Code", "Said.")
	if e.Code() != envelope.CodeInternal || e.Message() != "Said." || e.Unwrap() == nil {
		t.Errorf("New with a bad code = %v, cause %v; want internal with the fault as cause", e, e.Unwrap())
	}
}

// Builders copy, so an error can serve as a template.
func TestBuildersDoNotChangeTheirReceiver(t *testing.T) {
	template := envelope.New("x", "y")
	before := string(template.ToolJSON(envelope.Stamp{}))
	args := json.RawMessage(`{"a":1}`)
	built := template.Saying("z").At("f", "r").Because(errors.New("c")).RetryAfter(time.Second).
		RateLimitRemaining(1).NothingApplied().Repair(envelope.Repair{NextStep: "n", Tool: "t", Arguments: args})
	if after := string(template.ToolJSON(envelope.Stamp{})); after != before || template.SafeToRetry() || template.Unwrap() != nil {
		t.Errorf("the template became %s", after)
	}

	want := string(built.ToolJSON(envelope.Stamp{}))
	copy(args, `{"b":2}`)
	repair, _ := built.Suggested()
	copy(repair.Arguments, `{"c":3}`)
	details, _ := built.Details()
	details.Fields()[0] = "changed"
	if got := string(built.ToolJSON(envelope.Stamp{})); got != want {
		t.Errorf("memory is shared: %s, want %s", got, want)
	}
}

func TestGetters(t *testing.T) {
	e := envelope.New("x", "y").
		With(envelope.Fields("r", "a", "b").Allowed([]int{1}).Minted("v").RequiredScopes("s")).
		Repair(envelope.Repair{NextStep: "n", Tool: "t"}.Or("alt")).
		RetryAfter(time.Second).RateLimitRemaining(7)
	d, ok := e.Details()
	type details struct {
		Fields          []string
		Reason, Value   string
		Allowed, Scopes string
	}
	got := details{d.Fields(), d.Reason(), d.Value(), string(d.AllowedJSON()), strings.Join(d.Scopes(), " ")}
	if diff := cmp.Diff(details{[]string{"a", "b"}, "r", "v", "[1]", "s"}, got); diff != "" || !ok {
		t.Errorf("Details (-want +got), %t:\n%s", ok, diff)
	}
	r, ok := e.Suggested()
	if diff := cmp.Diff(envelope.Repair{NextStep: "n", Tool: "t", Arguments: json.RawMessage("{}"), Alternative: "alt"}, r); diff != "" || !ok {
		t.Errorf("Suggested (-want +got), %t:\n%s", ok, diff)
	}
	if delay, ok := e.Delay(); delay != time.Second || !ok || !e.Temporary() {
		t.Errorf("Delay = %v, %t, Temporary = %t", delay, ok, e.Temporary())
	}
	if n, ok := e.Remaining(); n != 7 || !ok {
		t.Errorf("Remaining = %d, %t", n, ok)
	}
}

// A nil *Error inside a non-nil error is a common slip; it must not panic.
func TestNilError(t *testing.T) {
	var e *envelope.Error
	if e.Code() != envelope.CodeInternal || e.Temporary() || e.SafeToRetry() || e.Unwrap() != nil || e.Message() == "" {
		t.Error("a nil *Error does not behave as Internal(nil)")
	}
	want := string(envelope.Internal(nil).ToolJSON(envelope.Stamp{}))
	for name, got := range map[string]*envelope.Error{
		"itself": e, "built on": e.NothingApplied(), "found": envelope.From(fmt.Errorf("wrapped: %w", e)), "given": envelope.From(e),
	} {
		if got := string(got.ToolJSON(envelope.Stamp{})); got != want {
			t.Errorf("%s: ToolJSON = %s, want %s", name, got, want)
		}
	}
	if !errors.Is(envelope.From(e), envelope.CodeInternal) {
		t.Error("errors.Is does not find internal")
	}
}

func TestCauseStaysInside(t *testing.T) {
	cause := errors.New("pq: password authentication failed for user acme")
	e := envelope.Internal(cause)
	if !errors.Is(e, cause) {
		t.Error("errors.Is does not find the cause")
	}
	s := envelope.Stamp{RequestID: "r"}
	for name, out := range map[string]string{
		"Error": e.Error(), "Sentence": e.Sentence(), "Text": e.Text(s), "ToolJSON": string(e.ToolJSON(s)), "RPCJSON": string(e.RPCJSON(s)),
		"%+v": fmt.Sprintf("%+v", e),
	} {
		if strings.Contains(out, "acme") {
			t.Errorf("%s leaks the cause: %s", name, out)
		}
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Error("call failed", "err", e)
	if !strings.Contains(log.String(), `"err":{"code":"internal",`) || !strings.Contains(log.String(), `"cause":"pq: password authentication failed for user acme"`) {
		t.Errorf("log = %s, want code and cause", log.String())
	}
}

func TestIsByCode(t *testing.T) {
	err := fmt.Errorf("a: %w", errors.Join(errors.New("b"), envelope.NotFound("issue", "")))
	if !errors.Is(err, envelope.Code("issue_not_found")) || errors.Is(err, envelope.CodeNotFound) {
		t.Error("errors.Is does not go by the code")
	}
}

type sent struct{ error }

func (sent) SafeToRetry() bool { return true }

func TestFrom(t *testing.T) {
	own := envelope.Conflict("v", "", "Changed.").MaybeApplied()
	tests := []struct {
		name string
		err  error
		code envelope.Code
		safe bool
	}{
		{"itself", own, envelope.CodeConflict, false},
		{"wrapped", fmt.Errorf("a: %w", own), envelope.CodeConflict, false},
		{"joined", errors.Join(context.Canceled, own), envelope.CodeConflict, false},
		{"bare code", fmt.Errorf("a: %w", envelope.CodeCursorExpired), envelope.CodeCursorExpired, false},
		{"bad bare code", envelope.Code("No Code"), envelope.CodeInternal, false},
		{"deadline", fmt.Errorf("a: %w", context.DeadlineExceeded), envelope.CodeDeadlineExceeded, false},
		{"canceled", context.Canceled, envelope.CodeCanceled, false},
		{"anything else", errors.New("boom"), envelope.CodeInternal, false},
		{"proven not sent", sent{errors.New("refused")}, envelope.CodeInternal, true},
		{"cancelled before sending", sent{context.Canceled}, envelope.CodeInternal, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := envelope.From(tt.err)
			if e.Code() != tt.code || e.SafeToRetry() != tt.safe || e.Temporary() {
				t.Errorf("From = %s, safe %t, temporary %t; want %s, safe %t", e.Code(), e.SafeToRetry(), e.Temporary(), tt.code, tt.safe)
			}
			if tt.code != envelope.CodeConflict && !errors.Is(e, tt.err) {
				t.Error("the cause is lost")
			}
		})
	}
	if e := envelope.From(nil); e != nil {
		t.Errorf("From(nil) = %v, want nil", e)
	}
}

func TestKinds(t *testing.T) {
	cause := errors.New("cause")
	tests := []struct {
		name      string
		err       *envelope.Error
		code      envelope.Code
		safe      bool
		temporary bool
		details   string // as rendered, empty if none
	}{
		{"InvalidField", envelope.InvalidField("limit", "Must be at most 100."), "invalid_field", true, false, `{"field":"limit","reason":"Must be at most 100."}`},
		{"InvalidFields", envelope.InvalidFields("Give one.", "a", "b"), "invalid_field", true, false, `{"fields":["a","b"],"reason":"Give one."}`},
		{"NotFound", envelope.NotFound("issue", "m"), "issue_not_found", true, false, ""},
		{"NotFound of no kind", envelope.NotFound("", "m"), "not_found", true, false, ""},
		{"NotFound of a bad kind", envelope.NotFound("Pull Request", "m"), "not_found", true, false, ""},
		{"Conflict", envelope.Conflict("if_match", "v1:sha256:00", "m"), "conflict", true, false, `{"field":"if_match","value":"v1:sha256:00","reason":"The resource was modified after this token was minted."}`},
		{"Conflict without token", envelope.Conflict("if_match", "", "m"), "conflict", true, false, `{"field":"if_match","reason":"The resource was modified after this token was minted."}`},
		{"Conflict with a forged token", envelope.Conflict("if_match", "v1\nIgnore", "m"), "conflict", true, false, `{"field":"if_match","reason":"The resource was modified after this token was minted."}`},
		{"Conflict with a secret", envelope.Conflict("if_match", "ghp_0123456789abcdefABCD", "m"), "conflict", true, false, `{"field":"if_match","reason":"The resource was modified after this token was minted."}`},
		{"RateLimited", envelope.RateLimited(0), "rate_limited", true, true, ""},
		{"RateLimited halfway", envelope.RateLimited(0).MaybeApplied(), "rate_limited", false, true, ""},
		{"MissingCredential", envelope.MissingCredential("m"), "missing_credential", true, false, ""},
		{"InvalidCredential", envelope.InvalidCredential("m"), "invalid_credential", true, false, ""},
		{"InsufficientScope", envelope.InsufficientScope("m", "repo", "issues:write"), "insufficient_scope", true, false, `{"field":"authorization","reason":"The credential lacks a scope that this call requires.","required_scopes":["repo","issues:write"]}`},
		{"UpstreamUnavailable", envelope.UpstreamUnavailable(cause), "upstream_unavailable", false, true, ""},
		{"Internal", envelope.Internal(cause), "internal", false, false, ""},
		{"OutcomeUnknown", envelope.OutcomeUnknown(cause), "outcome_unknown", false, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.err.Code() != tt.code || tt.err.SafeToRetry() != tt.safe || tt.err.Temporary() != tt.temporary {
				t.Errorf("code %s, safe %t, temporary %t; want %s, %t, %t",
					tt.err.Code(), tt.err.SafeToRetry(), tt.err.Temporary(), tt.code, tt.safe, tt.temporary)
			}
			if diff := cmp.Diff(tt.details, member(t, tt.err, "details")); diff != "" {
				t.Errorf("details (-want +got):\n%s", diff)
			}
		})
	}
	for _, e := range []*envelope.Error{envelope.UpstreamUnavailable(cause), envelope.Internal(cause), envelope.OutcomeUnknown(cause)} {
		if !errors.Is(e, cause) {
			t.Errorf("%s: the cause is lost", e.Code())
		}
	}
}

// member returns one member of the rendered envelope, empty if it is absent.
func member(t *testing.T, e *envelope.Error, key string) string {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal(e.ToolJSON(envelope.Stamp{}), &m); err != nil {
		t.Fatal(err)
	}
	return string(m[key])
}

func TestRepairValidate(t *testing.T) {
	tests := []struct {
		name   string
		repair envelope.Repair
		want   string // empty: valid
	}{
		{"complete", envelope.Repair{NextStep: "a_b", Tool: "list_x", Arguments: json.RawMessage(`{"a":{"a":[1]}}`)}, ""},
		{"no arguments", envelope.Repair{NextStep: "a", Tool: "Other.server/tool-1"}, ""},
		{"nothing", envelope.Repair{}, "envelope: repair.next_step is not snake_case\nenvelope: repair.tool is not a tool name"},
		{"prose step", envelope.Repair{NextStep: "Try again", Tool: "t"}, "envelope: repair.next_step is not snake_case"},
		{"tool of several words", envelope.Repair{NextStep: "a", Tool: "call this"}, "envelope: repair.tool is not a tool name"},
		{"tool too long", envelope.Repair{NextStep: "a", Tool: strings.Repeat("t", 129)}, "envelope: repair.tool is not a tool name"},
		{"list", envelope.Repair{NextStep: "a", Tool: "t", Arguments: json.RawMessage(`[1]`)}, "envelope: repair.arguments is not a JSON object"},
		{"null", envelope.Repair{NextStep: "a", Tool: "t", Arguments: json.RawMessage(`null`)}, "envelope: repair.arguments is not a JSON object"},
		{"broken", envelope.Repair{NextStep: "a", Tool: "t", Arguments: json.RawMessage(`{"a":`)}, "envelope: repair.arguments is not a JSON object"},
		{"two objects", envelope.Repair{NextStep: "a", Tool: "t", Arguments: json.RawMessage(`{}{}`)}, "envelope: repair.arguments is not a JSON object"},
		{"duplicate", envelope.Repair{NextStep: "a", Tool: "t", Arguments: json.RawMessage(`{"l":[{"a":1,"a":2}]}`)}, "envelope: repair.arguments has a key twice"},
		{"duplicate by escape", envelope.Repair{NextStep: "a", Tool: "t", Arguments: json.RawMessage(`{"a":1,"\u0061":2}`)}, "envelope: repair.arguments has a key twice"},
		{"not UTF-8", envelope.Repair{NextStep: "a", Tool: "t", Arguments: json.RawMessage("{\"a\":\"\xff\"}")}, "envelope: repair.arguments is not UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := tt.repair.Validate(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("Validate = %q, want %q", got, tt.want)
			}
			if _, ok := envelope.New("x", "y").Repair(tt.repair).Suggested(); ok != (tt.want == "") {
				t.Errorf("suggested = %t for a repair whose faults are %q", ok, tt.want)
			}
		})
	}
}
