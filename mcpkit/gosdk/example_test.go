package gosdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/mcpkit/gosdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type getTicketIn struct {
	TicketNumber int `json:"ticket_number" jsonschema:"minimum=1"`
}

type ticket struct {
	TicketNumber int    `json:"ticket_number"`
	Title        string `json:"title"`
}

func getTicket(_ context.Context, in getTicketIn) (ticket, error) {
	if in.TicketNumber != 512 {
		return ticket{}, envelope.NotFound("", fmt.Sprintf("There is no ticket #%d.", in.TicketNumber)).
			At("ticket_number", "Tickets are numbered from 512 to 512.")
	}
	return ticket{512, "Printer on fire"}, nil
}

// A server of one tool. The client's call has a misspelt parameter; following
// the repair as it stands succeeds.
func ExampleNewServer() {
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
		log.Fatal(err)
	}

	ctx := context.Background()
	clientSide, serverSide := mcp.NewInMemoryTransports()
	server := gosdk.NewServer(kit, nil)
	go server.Run(ctx, serverSide) // in a program: server.Run(ctx, &mcp.StdioTransport{})
	session, err := mcp.NewClient(&mcp.Implementation{Name: "example"}, nil).Connect(ctx, clientSide, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	result, err := session.CallTool(ctx, &mcp.CallToolParams{
		Name: "tickets_get_ticket", Arguments: map[string]any{"ticket_nmber": 512},
	})
	if err != nil {
		log.Fatal(err)
	}
	// Clients of older revisions find the same envelope in the text, behind the
	// first line.
	raw, err := json.Marshal(result.StructuredContent)
	if err != nil {
		log.Fatal(err)
	}
	e, _, err := envelope.Parse(raw)
	if err != nil {
		log.Fatal(err)
	}
	repair, _ := e.Suggested()
	fmt.Println(e.Code(), repair.Tool, string(repair.Arguments))

	result, err = session.CallTool(ctx, &mcp.CallToolParams{Name: repair.Tool, Arguments: repair.Arguments})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Content[0].(*mcp.TextContent).Text)
	// Output:
	// invalid_field tickets_get_ticket {"ticket_number":512}
	// {"ticket_number":512,"title":"Printer on fire"}
}
