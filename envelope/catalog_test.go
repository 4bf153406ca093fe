package envelope_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/envelope"
)

func TestNewCatalog(t *testing.T) {
	c, err := envelope.NewCatalog(
		envelope.Entry{Code: "b", Meaning: "B."}, envelope.Entry{Code: "a", Meaning: "A."}, envelope.Entry{Code: "b", Meaning: "B."})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]envelope.Code{"a", "b"}, c.Codes()); diff != "" {
		t.Errorf("Codes (-want +got):\n%s", diff)
	}
	if m, ok := c.Meaning("b"); m != "B." || !ok {
		t.Errorf("Meaning(b) = %q, %t", m, ok)
	}
	if m, ok := c.Meaning("c"); m != "" || ok {
		t.Errorf("Meaning(c) = %q, %t", m, ok)
	}
	raw, err := json.Marshal(c.Entries())
	if want := `[{"code":"a","meaning":"A."},{"code":"b","meaning":"B."}]`; err != nil || string(raw) != want {
		t.Errorf("entries = %s, %v, want %s", raw, err, want)
	}
	c.Entries()[0].Meaning = "changed"
	if m, _ := c.Meaning("a"); m != "A." {
		t.Errorf("a caller changed the catalog: %q", m)
	}
}

func TestNewCatalogReportsAllFaults(t *testing.T) {
	_, err := envelope.NewCatalog(
		envelope.Entry{Code: "z", Meaning: ""},
		envelope.Entry{Code: "Bad", Meaning: "x"},
		envelope.Entry{Code: "y", Meaning: "two\nlines"},
		envelope.Entry{Code: "x", Meaning: "one"},
		envelope.Entry{Code: "x", Meaning: "other"},
	)
	want := `envelope: code "Bad" is not snake_case
envelope: code "x" has two meanings
envelope: code "y": meaning is not one line of text
envelope: code "z": meaning is not one line of text`
	if err == nil || err.Error() != want {
		t.Errorf("NewCatalog = %v, want %s", err, want)
	}
}

func TestCatalogMerge(t *testing.T) {
	var zero envelope.Catalog
	if got := zero.Entries(); got == nil || len(got) != 0 {
		t.Errorf("entries of the zero catalog = %v, want an empty list", got)
	}
	all, err := zero.Merge(envelope.Standard(), envelope.Standard())
	if diff := cmp.Diff(envelope.Standard().Entries(), all.Entries()); diff != "" || err != nil {
		t.Errorf("Merge (-want +got), %v:\n%s", err, diff)
	}
	other, err := envelope.NewCatalog(envelope.Entry{Code: envelope.CodeConflict, Meaning: "Something else."})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := envelope.Standard().Merge(other); err == nil {
		t.Error("a code with two meanings was merged")
	}
}

// The standard catalog must itself pass the rules, be sorted for the binary
// search, and have every constant.
func TestStandard(t *testing.T) {
	std := envelope.Standard()
	if _, err := envelope.NewCatalog(std.Entries()...); err != nil {
		t.Error(err)
	}
	if !slices.IsSorted(std.Codes()) {
		t.Errorf("not sorted: %v", std.Codes())
	}
	for _, code := range []envelope.Code{
		envelope.CodeInvalidField, envelope.CodeNotFound, envelope.CodeConflict, envelope.CodeCursorExpired,
		envelope.CodeRateLimited, envelope.CodeMissingCredential, envelope.CodeInvalidCredential, envelope.CodeInsufficientScope,
		envelope.CodeUpstreamUnavailable, envelope.CodeInternal, envelope.CodeOutcomeUnknown, envelope.CodeIdempotencyKeyReused,
		envelope.CodeIdempotencyInProgress, envelope.CodeIdempotencyKeyExpired, envelope.CodeUnknownTool,
		envelope.CodeDeadlineExceeded, envelope.CodeCanceled,
	} {
		if _, ok := std.Meaning(code); !ok {
			t.Errorf("Standard lacks %s", code)
		}
	}
}
