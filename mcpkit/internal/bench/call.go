package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/mcpkit/gosdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type callIn struct {
	Owner  string   `json:"owner" jsonschema_description:"Owner of the repository."`
	Repo   string   `json:"repo" jsonschema_description:"Name of the repository."`
	State  string   `json:"state" jsonschema_description:"State of the issues."`
	Labels []string `json:"labels" jsonschema_description:"Names of labels that the issues have."`
	Number int64    `json:"issue_number" jsonschema_description:"Number of the issue."`
	Locked bool     `json:"locked" jsonschema_description:"Whether the issue is locked."`
}

type callOut struct {
	Title  string   `json:"title" jsonschema_description:"Title."`
	State  string   `json:"state" jsonschema_description:"State."`
	Labels []string `json:"labels" jsonschema_description:"Names of labels."`
	Number int32    `json:"issue_number" jsonschema_description:"Number."`
	Locked bool     `json:"locked" jsonschema_description:"Whether it is locked."`
	Score  float64  `json:"score" jsonschema_description:"Rank."`
}

func answer(_ context.Context, in callIn) (callOut, error) {
	return callOut{
		Title: in.Owner + "/" + in.Repo, State: in.State, Labels: in.Labels,
		Number: int32(in.Number), Locked: in.Locked, Score: 0.5,
	}, nil
}

const callName = "tracker_get_issue"

const callArguments = `{"owner":"acme","repo":"api","state":"open","labels":["bug","needs triage"],"issue_number":4711,"locked":false}`

func kitTool(name string) mcpkit.Tool[callIn, callOut] {
	return mcpkit.Tool[callIn, callOut]{
		Name: name, Title: "Get an issue", Description: "Returns one issue.", Effect: mcpkit.Reads,
		Example: callIn{Owner: "acme", Repo: "api", State: "open", Labels: []string{"bug"}, Number: 1},
		Handle:  answer,
	}
}

var trackerServer = mcpkit.Server{
	Name: "issue-tracker", Version: "1.0.0", Summary: "Serves issues.",
	Does: []string{"Read issues."}, DoesNot: []string{"Delete issues."},
	Logger: slog.New(slog.DiscardHandler),
}

func kitServer() (*mcp.Server, error) {
	kit, err := mcpkit.New(trackerServer, kitTool(callName))
	if err != nil {
		return nil, err
	}
	return gosdk.NewServer(kit, nil), nil
}

var plainImplementation = &mcp.Implementation{Name: "issue-tracker", Version: "1.0.0"}

func typedServer() (*mcp.Server, error) {
	s := mcp.NewServer(plainImplementation, nil)
	mcp.AddTool(s, &mcp.Tool{Name: callName, Description: "Returns one issue."}, typedHandler)
	return s, nil
}

func typedHandler(ctx context.Context, _ *mcp.CallToolRequest, in callIn) (*mcp.CallToolResult, callOut, error) {
	out, err := answer(ctx, in)
	return nil, out, err
}

// untypedServer does what an author writes who leaves schemas to the client:
// the same wire content, nothing checked.
func untypedServer() (*mcp.Server, error) {
	s := mcp.NewServer(plainImplementation, nil)
	s.AddTool(&mcp.Tool{Name: callName, Description: "Returns one issue.", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in callIn
			if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
				return nil, err
			}
			out, err := answer(ctx, in)
			if err != nil {
				return nil, err
			}
			raw, err := json.Marshal(out)
			if err != nil {
				return nil, err
			}
			return &mcp.CallToolResult{
				StructuredContent: json.RawMessage(raw),
				Content:           []mcp.Content{&mcp.TextContent{Text: string(raw)}},
			}, nil
		})
	return s, nil
}

// roundTrip connects a client to the server in memory; an operation is one
// call and its answer.
func roundTrip(name string, server func() (*mcp.Server, error)) (op, error) {
	s, err := server()
	if err != nil {
		return op{}, err
	}
	ctx := context.Background()
	near, far := mcp.NewInMemoryTransports()
	if _, err := s.Connect(ctx, far, nil); err != nil {
		return op{}, err
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1.0.0"}, nil).Connect(ctx, near, nil)
	if err != nil {
		return op{}, err
	}
	params := &mcp.CallToolParams{Name: callName, Arguments: json.RawMessage(callArguments)}
	return each(name, func() error {
		r, err := session.CallTool(ctx, params)
		if err == nil && r.IsError {
			err = fmt.Errorf("refused: %v", r.Content[0])
		}
		return err
	}), nil
}

func callContest(floorName string, floor func() (*mcp.Server, error)) func() (contest, error) {
	return func() (contest, error) {
		ours, err := roundTrip("kit tool", kitServer)
		if err != nil {
			return contest{}, err
		}
		f, err := roundTrip(floorName, floor)
		return contest{subject: ours, floor: &f}, err
	}
}

// wrapContest is about what Wrap adds to a server that someone else wrote, in
// which the SDK validates as well.
func wrapContest() (contest, error) {
	wrapped, err := roundTrip("SDK typed tool through Wrap", func() (*mcp.Server, error) {
		s, err := typedServer()
		if err == nil {
			gosdk.Wrap(s, &gosdk.WrapOptions{Logger: slog.New(slog.DiscardHandler)})
		}
		return s, err
	})
	if err != nil {
		return contest{}, err
	}
	alone, err := roundTrip("SDK typed tool", typedServer)
	return contest{subject: wrapped, floor: &alone}, err
}

func callRows() []row {
	return []row{
		{"tools/call round trip in memory, 6 fields in and out", atMost(1.15), callContest("SDK untyped tool, no validation", untypedServer)},
		{"the same, against the SDK's typed tool", fasterAndSmaller, callContest("SDK typed tool, same structs", typedServer)},
		{"the same through Wrap", atMost(1.1), wrapContest},
	}
}
