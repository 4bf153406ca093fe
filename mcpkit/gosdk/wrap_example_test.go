package gosdk_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/mcpkit-go/agentmcp/mcpkit/gosdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func ExampleWrap() {
	type in struct {
		City string `json:"city"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "weather", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "forecast", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, func(_ context.Context, _ *mcp.CallToolRequest, in in) (*mcp.CallToolResult, any, error) {
		return nil, "Rain in " + in.City, nil
	})
	gosdk.Wrap(server, &gosdk.WrapOptions{Logger: slog.New(slog.DiscardHandler)})

	ctx := context.Background()
	near, far := mcp.NewInMemoryTransports()
	session, err := server.Connect(ctx, far, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1.0.0"}, nil).Connect(ctx, near, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	result, err := client.CallTool(ctx, &mcp.CallToolParams{Name: "forecast", Arguments: map[string]any{"town": "Graz", "citty": "Graz"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	sentence, _, _ := strings.Cut(result.Content[0].(*mcp.TextContent).Text, "\n")
	fmt.Println(sentence)
	// Output:
	// Invalid arguments: citty, town. Next: call forecast with {"city":"Graz"} (retry_with_corrected_arguments).
}
