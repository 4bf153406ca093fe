package main

import (
	"fmt"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/mcpkit/gosdk"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/requestid"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/oklog/ulid/v2"
)

func requestIDRows() []row {
	return []row{{"request id", atMost(1), func() (contest, error) {
		floor := each("ulid.Make", func() error { ulid.Make(); return nil })
		id := new(string) // keeps what is made
		return contest{
			subject: each("requestid.New", func() error { *id = requestid.New(); return nil }),
			floor:   &floor,
			peers: []op{
				each(`"req_" + ulid.Make().String()`, func() error { *id = "req_" + ulid.Make().String(); return nil }),
			},
		}, nil
	}}}
}

const startTools = 100

func startRows() []row {
	limit := 100 * time.Millisecond
	return []row{{
		"start-up: register 100 tools",
		goal{"under " + limit.String(), func(r result) bool { return r.nanos < float64(limit) }},
		func() (contest, error) {
			return contest{
				subject: each("mcpkit.New + gosdk.NewServer", func() error {
					var tools []mcpkit.Declaration
					for i := range startTools {
						tools = append(tools, kitTool(fmt.Sprintf("%s_%d", callName, i)))
					}
					kit, err := mcpkit.New(trackerServer, tools...)
					if err == nil {
						gosdk.NewServer(kit, nil)
					}
					return err
				}),
				peers: []op{each("SDK: AddTool 100 times", func() error {
					s := mcp.NewServer(plainImplementation, nil)
					for i := range startTools {
						mcp.AddTool(s, &mcp.Tool{Name: fmt.Sprintf("%s_%d", callName, i)}, typedHandler)
					}
					return nil
				})},
			}, nil
		},
	}}
}
