module github.com/mcpkit-go/agentmcp/mcpkit/gosdk

go 1.26.0

require (
	github.com/mcpkit-go/agentmcp v0.0.0
	github.com/modelcontextprotocol/go-sdk v1.8.0
)

replace github.com/mcpkit-go/agentmcp => ../..
