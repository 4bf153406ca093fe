package gosdk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/mcpkit/gosdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var update = flag.Bool("update", false, "rewrite the answers in README.md")

// TestReadmeShowsRealAnswers sends the README's wrong call to both servers that
// it shows, and compares what comes over the wire with what it prints.
func TestReadmeShowsRealAnswers(t *testing.T) {
	const path = "../../README.md"
	readme, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	plain := mcp.NewServer(&mcp.Implementation{Name: "ticket-desk", Version: "1.0.0"}, nil)
	type plainIn struct {
		TicketNumber int `json:"ticket_number"`
	}
	mcp.AddTool(plain, &mcp.Tool{Name: "tickets_get_ticket", Description: "Read one ticket."},
		func(ctx context.Context, _ *mcp.CallToolRequest, in plainIn) (*mcp.CallToolResult, ticket, error) {
			out, err := getTicket(ctx, getTicketIn(in))
			return nil, out, err
		})

	kit, err := mcpkit.New(mcpkit.Server{
		Name: "ticket-desk", Version: "1.0.0", Summary: "Read tickets.",
		Does: []string{"Read one ticket."}, DoesNot: []string{"Change tickets."},
	}, mcpkit.Tool[getTicketIn, ticket]{
		Name: "tickets_get_ticket", Title: "Get ticket",
		Description: "Read one ticket. Use it when the number is known.",
		Example:     getTicketIn{TicketNumber: 512},
		Effect:      mcpkit.Reads,
		Errors:      []envelope.Code{envelope.CodeNotFound},
		Handle:      getTicket,
	})
	if err != nil {
		t.Fatal(err)
	}

	got := readme
	for marker, server := range map[string]*mcp.Server{"before": plain, "after": gosdk.NewServer(kit, nil)} {
		got = setBlock(t, got, marker, wrongCall(t, server))
	}
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(readme), string(got)); diff != "" {
		t.Errorf("README.md shows other answers (run with -update): %s", diff)
	}
}

var (
	requestIDs = regexp.MustCompile(`req_[0-9A-Z]{26}`)
	hashes     = regexp.MustCompile(`@1\.0\.0\+[0-9a-f]{7}`)
)

// wrongCall returns the result of the misspelt call, as it is on the wire.
func wrongCall(t *testing.T, server *mcp.Server) string {
	t.Helper()
	s := httptest.NewServer(gosdk.Handler(server, nil))
	defer s.Close()
	result := call(t, s.URL, "2026-07-28", "tickets_get_ticket", `{"ticket_nmber":512}`, nil)
	shown := struct {
		IsError           json.RawMessage `json:"isError"`
		Content           json.RawMessage `json:"content"`
		StructuredContent json.RawMessage `json:"structuredContent,omitempty"`
	}{result["isError"], result["content"], result["structuredContent"]}
	if shown.StructuredContent != nil {
		shown.Content = json.RawMessage(`"one text block: a sentence, a newline, the same JSON"`)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(shown); err != nil {
		t.Fatal(err)
	}
	shownText := requestIDs.ReplaceAllString(out.String(), "req_01JGH7QF88ZY3V0M6T5N4K2C1B")
	return hashes.ReplaceAllString(shownText, "@1.0.0+c3f9a12")
}

func setBlock(t *testing.T, readme []byte, marker, content string) []byte {
	t.Helper()
	head := fmt.Sprintf("<!-- %s -->\n```json\n", marker)
	before, rest, ok := strings.Cut(string(readme), head)
	if !ok {
		t.Fatalf("README.md has no block %q", marker)
	}
	_, after, _ := strings.Cut(rest, "```\n")
	return []byte(before + head + content + "```\n" + after)
}
