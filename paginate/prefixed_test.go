package paginate_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/paginate"
)

type commentFields struct {
	HasMore    bool   `json:"comments_has_more"`
	NextCursor string `json:"comments_next_cursor,omitempty"`
}

type fullFields struct {
	More      bool   `json:"x_has_more"`
	Next      string `json:"x_next_cursor,omitzero"`
	Total     *int64 `json:"x_estimated_total,omitempty"`
	Truncated bool   `json:"x_truncated"`
	Hint      string `json:"x_truncation_hint,omitempty"`
}

type token string

func set[T any](t *testing.T, prefix string, p paginate.Page) string {
	t.Helper()
	setter, err := paginate.Prefixed[T](prefix)
	if err != nil {
		t.Fatal(err)
	}
	var out T
	setter(&out, p)
	b, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestPrefixed(t *testing.T) {
	total := int64(7)
	next := paginate.Page{HasMore: true, NextCursor: "t", EstimatedTotal: &total}
	cut := paginate.Page{Truncated: true, TruncationHint: "Narrow it."}
	for _, tt := range []struct{ name, got, want string }{
		{"two fields", set[commentFields](t, "comments_", next), `{"comments_has_more":true,"comments_next_cursor":"t"}`},
		{"public fault 67: last page", set[commentFields](t, "comments_", paginate.Page{}), `{"comments_has_more":false}`},
		{"all fields", set[fullFields](t, "x_", next), `{"x_has_more":true,"x_next_cursor":"t","x_estimated_total":7,"x_truncated":false}`},
		{"truncated", set[fullFields](t, "x_", cut), `{"x_has_more":false,"x_truncated":true,"x_truncation_hint":"Narrow it."}`},
		{"embedded, exported or not", set[struct {
			Name string `json:"name"`
			commentFields
			paginate.Page
		}](t, "comments_", next), `{"name":"","comments_has_more":true,"comments_next_cursor":"t","has_more":false,"truncated":false}`},
		{"no prefix", set[struct{ paginate.Page }](t, "", cut), `{"has_more":false,"truncated":true,"truncation_hint":"Narrow it."}`},
		{"a continuation", set[struct{ paginate.Continuation }](t, "", next), `{"has_more":true,"next_cursor":"t"}`},
		{"derived types", set[struct {
			A bool  `json:"p_has_more"`
			B token `json:"p_next_cursor,omitempty"`
		}](t, "p_", next), `{"p_has_more":true,"p_next_cursor":"t"}`},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, tt.got, tt.want)
		}
	}
}

func TestPrefixedOverwrites(t *testing.T) {
	setter, err := paginate.Prefixed[fullFields]("x_")
	if err != nil {
		t.Fatal(err)
	}
	total := int64(7)
	out := fullFields{More: true, Next: "old", Total: &total, Truncated: true, Hint: "old"}
	setter(&out, paginate.Page{})
	if out != (fullFields{}) {
		t.Errorf("left over: %+v", out)
	}
	setter(nil, paginate.Page{}) // does nothing
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var mine fullFields
			setter(&mine, paginate.Page{HasMore: true, NextCursor: "mine"})
			if mine.Next != "mine" {
				t.Errorf("%+v", mine)
			}
		})
	}
	wg.Wait()
}

func TestPrefixedFaults(t *testing.T) {
	type wrong struct {
		More  string `json:"p_has_more"`
		Next  int    `json:"p_next_cursor,omitempty"`
		Total int64  `json:"p_estimated_total,omitempty"`
		Hint  string `json:"p_truncation_hint,omitempty"`
	}
	type forms struct {
		More  bool   `json:"p_has_more,omitempty"`
		Next  string `json:"p_next_cursor"`
		Total *int64 `json:"p_estimated_total"`
		Cut   bool   `json:"p_truncated,omitzero"`
		Hint  string `json:"p_truncation_hint"`
	}
	type twice struct {
		commentFields
		Again bool `json:"comments_has_more"`
	}
	type hidden struct {
		more bool   //lint:ignore U1000 it is here to be passed over
		Next string `json:"-"`
		*commentFields
	}
	tests := []struct {
		name string
		err  error
		want []string
	}{
		{"not a struct", prefixedErr[*fullFields]("x_"), []string{"paginate: *paginate_test.fullFields is not a struct"}},
		{"another prefix", prefixedErr[fullFields]("y_"), []string{
			"paginate: paginate_test.fullFields has no field with the JSON name y_has_more",
			"paginate: paginate_test.fullFields has no field with the JSON name y_next_cursor",
		}},
		{"types", prefixedErr[wrong]("p_"), []string{
			"paginate: field p_has_more of paginate_test.wrong must be a bool",
			"paginate: field p_next_cursor of paginate_test.wrong must be a string",
			"paginate: field p_estimated_total of paginate_test.wrong must be an *int64",
			"paginate: paginate_test.wrong has one of p_truncated and p_truncation_hint, need both or neither",
		}},
		{"presence", prefixedErr[forms]("p_"), []string{
			"paginate: field p_has_more of paginate_test.forms must not have omitempty or omitzero, for it is always present",
			"paginate: field p_next_cursor of paginate_test.forms must have omitempty or omitzero, for it is absent when it does not apply",
			"paginate: field p_estimated_total of paginate_test.forms must have omitempty or omitzero, for it is absent when it does not apply",
			"paginate: field p_truncated of paginate_test.forms must not have omitempty or omitzero, for it is always present",
			"paginate: field p_truncation_hint of paginate_test.forms must have omitempty or omitzero, for it is absent when it does not apply",
		}},
		{"ambiguous", prefixedErr[twice]("comments_"), []string{"paginate: paginate_test.twice has 2 fields with the JSON name comments_has_more"}},
		{"unreachable", prefixedErr[hidden]("comments_"), []string{
			"paginate: paginate_test.hidden has no field with the JSON name comments_has_more",
			"paginate: paginate_test.hidden has no field with the JSON name comments_next_cursor",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			if tt.err != nil {
				got = strings.Split(tt.err.Error(), "\n")
			}
			if d := diff.Diff(tt.want, got); d != "" {
				t.Errorf("faults (-want +got):\n%s", d)
			}
		})
	}
}

func prefixedErr[T any](prefix string) error {
	_, err := paginate.Prefixed[T](prefix)
	return err
}
