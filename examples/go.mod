module github.com/mcpkit-go/agentmcp/examples

go 1.26

require (
	github.com/mcpkit-go/agentmcp v0.0.0
	github.com/mcpkit-go/agentmcp/mcpkit/gosdk v0.0.0
	github.com/modelcontextprotocol/go-sdk v1.8.0
)

replace (
	github.com/mcpkit-go/agentmcp => ..
	github.com/mcpkit-go/agentmcp/mcpkit/gosdk => ../mcpkit/gosdk
)
