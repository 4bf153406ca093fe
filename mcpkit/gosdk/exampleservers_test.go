package gosdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpkit-go/agentmcp/mcpkit/gosdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The servers below register what the example servers of the SDK register:
// the same names, types, schemas and ways of failing. They are the ones that
// the transcripts in testdata/wrap are of, with and without Wrap.
var exampleServers = map[string]func() *mcp.Server{
	"everything":  everythingServer,
	"memory":      memoryServer,
	"toolschemas": toolSchemasServer,
	"faulty":      faultyServer,
}

// exampleOptions are given to Wrap where a transcript shows an option.
var exampleOptions = map[string]func() *gosdk.WrapOptions{
	"memory": func() *gosdk.WrapOptions {
		return &gosdk.WrapOptions{Tools: map[string]gosdk.ToolOptions{
			"read_graph":      {MaxResultBytes: 400},
			"open_nodes":      {MaxResultBytes: 150, Narrow: []string{"names"}, Stringified: []string{"names"}},
			"create_entities": {Stringified: []string{"entities"}},
		}}
	},
	"faulty": func() *gosdk.WrapOptions {
		return &gosdk.WrapOptions{
			Errors:    []gosdk.ErrorCode{{Err: errQuota, Code: "quota_exceeded", Message: "The quota of this month is used up."}},
			Tools:     map[string]gosdk.ToolOptions{"count": {IdempotencyKey: "key"}},
			Anonymous: "loopback",
		}
	},
}

func exampleServer(name string, wrapped bool) (*mcp.Server, *gosdk.Wrapped) {
	server := exampleServers[name]()
	if !wrapped {
		return server, nil
	}
	var o gosdk.WrapOptions
	if options, ok := exampleOptions[name]; ok {
		o = *options()
	}
	o.Logger = slog.New(slog.DiscardHandler)
	return server, gosdk.Wrap(server, &o)
}

type personIn struct {
	Name string `json:"name" jsonschema:"the name to say hi to"`
}

type messageOut struct {
	Message string `json:"message" jsonschema:"the message to convey"`
}

func everythingServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "everything", WebsiteURL: "https://example.com"}, &mcp.ServerOptions{
		CompletionHandler: func(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			if req.Params.Ref.Type != "ref/prompt" && req.Params.Ref.Type != "ref/resource" {
				return nil, fmt.Errorf("unrecognized content type %s", req.Params.Ref.Type)
			}
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Total: 1, Values: []string{req.Params.Argument.Value + "x"}}}, nil
		},
	})
	mcp.AddTool(server, &mcp.Tool{Name: "greet", Description: "say hi"},
		func(_ context.Context, _ *mcp.CallToolRequest, in personIn) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hi " + in.Name}}}, nil, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "greet (structured)"},
		func(_ context.Context, _ *mcp.CallToolRequest, in *personIn) (*mcp.CallToolResult, *messageOut, error) {
			return nil, &messageOut{Message: "Hi " + in.Name}, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "ping"},
		func(ctx context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
			if err := req.Session.Ping(ctx, nil); err != nil {
				return nil, nil, errors.New("ping failed")
			}
			return nil, nil, nil
		})
	server.AddPrompt(&mcp.Prompt{Name: "greet"}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Description: "Hi prompt", Messages: []*mcp.PromptMessage{
			{Role: "user", Content: &mcp.TextContent{Text: "Say hi to " + req.Params.Arguments["name"]}},
		}}, nil
	})
	read := func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		u, err := url.Parse(req.Params.URI)
		if err != nil {
			return nil, err
		}
		if u.Scheme != "embedded" {
			return nil, fmt.Errorf("wrong scheme: %q", u.Scheme)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
			{URI: req.Params.URI, MIMEType: "text/plain", Text: "An example server that says hello."},
		}}, nil
	}
	server.AddResource(&mcp.Resource{Name: "info", MIMEType: "text/plain", URI: "embedded:info"}, read)
	server.AddResourceTemplate(&mcp.ResourceTemplate{Name: "user page", MIMEType: "text/plain", URITemplate: "http://example.com/~{resource_name}/"}, read)
	return server
}

type entity struct {
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
}

type relation struct {
	From         string `json:"from"`
	To           string `json:"to"`
	RelationType string `json:"relationType"`
}

type graph struct {
	Entities  []entity   `json:"entities"`
	Relations []relation `json:"relations"`
}

type entitiesIn struct {
	Entities []entity `json:"entities"`
}

type namesIn struct {
	Names []string `json:"names"`
}

type queryIn struct {
	Query string `json:"query"`
}

func memoryServer() *mcp.Server {
	var mu sync.Mutex
	all := graph{Entities: []entity{}, Relations: []relation{}}
	for i := range 12 {
		all.Entities = append(all.Entities, entity{fmt.Sprintf("node-%02d", i), "example", []string{"seen once"}})
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "memory"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "create_entities", Description: "Create multiple new entities in the knowledge graph"},
		func(_ context.Context, _ *mcp.CallToolRequest, in entitiesIn) (*mcp.CallToolResult, entitiesIn, error) {
			mu.Lock()
			defer mu.Unlock()
			all.Entities = append(all.Entities, in.Entities...)
			return nil, in, nil
		})
	find := func(want func(entity) bool) graph {
		mu.Lock()
		defer mu.Unlock()
		found := graph{Entities: []entity{}, Relations: []relation{}}
		for _, e := range all.Entities {
			if want(e) {
				found.Entities = append(found.Entities, e)
			}
		}
		return found
	}
	mcp.AddTool(server, &mcp.Tool{Name: "read_graph", Description: "Read the entire knowledge graph"},
		func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, graph, error) {
			return nil, find(func(entity) bool { return true }), nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "search_nodes", Description: "Search for nodes based on query"},
		func(_ context.Context, _ *mcp.CallToolRequest, in queryIn) (*mcp.CallToolResult, graph, error) {
			return nil, find(func(e entity) bool { return strings.Contains(e.Name, in.Query) }), nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "open_nodes", Description: "Retrieve specific nodes by name"},
		func(_ context.Context, _ *mcp.CallToolRequest, in namesIn) (*mcp.CallToolResult, graph, error) {
			return nil, find(func(e entity) bool {
				for _, name := range in.Names {
					if name == e.Name {
						return true
					}
				}
				return false
			}), nil
		})
	return server
}

// toolSchemasServer has the ways in which a schema can be given.
func toolSchemasServer() *mcp.Server {
	type greetingOut struct {
		Greeting string `json:"greeting"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "greeter"}, nil)
	ten := 10
	input := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"name": {Type: "string", MaxLength: &ten}}}
	server.AddTool(&mcp.Tool{Name: "manual_greeting", InputSchema: input}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in personIn
		if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{
				&mcp.TextContent{Text: fmt.Sprintf("failed to unmarshal arguments: %v", err)},
			}}, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hi " + in.Name}}}, nil
	})
	server.AddTool(&mcp.Tool{Name: "unvalidated_greeting", InputSchema: json.RawMessage(`{"type":"object","properties":{"user":{"type":"string"}}}`)},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in struct{ User string }
			if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
				return nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hi " + in.User}}}, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "customized_greeting", InputSchema: input},
		func(_ context.Context, _ *mcp.CallToolRequest, in personIn) (*mcp.CallToolResult, greetingOut, error) {
			return nil, greetingOut{"Hi " + in.Name}, nil
		})
	return server
}

var errQuota = errors.New("quota: 0 of 1000 left for account 4711")

type retryError struct{}

func (retryError) Error() string             { return "dial tcp 10.1.2.3:443: refused" }
func (retryError) RetryAfter() time.Duration { return 3 * time.Second }

type statusError struct{ status int }

func (e statusError) Error() string   { return fmt.Sprintf("GET https://10.1.2.3/secret: %d", e.status) }
func (e statusError) StatusCode() int { return e.status }

// faultyServer fails in the ways in which handlers do. It follows no example.
func faultyServer() *mcp.Server {
	type failIn struct {
		How string `json:"how"`
	}
	type countIn struct {
		Key string `json:"key,omitempty"`
		By  int    `json:"by"`
	}
	type countOut struct {
		Total int `json:"total"`
	}
	failures := map[string]error{
		"unknown":   errors.New("pq: password authentication failed for user \"admin\""),
		"quota":     fmt.Errorf("insert: %w", errQuota),
		"deadline":  fmt.Errorf("query: %w", context.DeadlineExceeded),
		"missing":   &fs.PathError{Op: "open", Path: "/srv/secret/x", Err: fs.ErrNotExist},
		"url":       &url.Error{Op: "Get", URL: "https://user:pw@10.1.2.3/", Err: errors.New("refused")},
		"status429": statusError{429},
		"status404": statusError{404},
		"retry":     retryError{},
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "faulty", Version: "v1.2.3"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "fail", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in failIn) (*mcp.CallToolResult, countOut, error) {
			switch in.How {
			case "panic":
				panic("secret-7f3a")
			case "built":
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "The printer is out of paper."}},
					StructuredContent: map[string]string{"code": "no_paper"}}, countOut{}, nil
			}
			return nil, countOut{}, failures[in.How]
		})
	total := 0
	mcp.AddTool(server, &mcp.Tool{Name: "count"}, func(_ context.Context, _ *mcp.CallToolRequest, in countIn) (*mcp.CallToolResult, countOut, error) {
		total += in.By
		return nil, countOut{total}, nil
	})
	server.AddTool(&mcp.Tool{Name: "nothing", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
	server.AddTool(&mcp.Tool{Name: "untyped", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, failures["unknown"]
		})
	server.AddPrompt(&mcp.Prompt{Name: "broken"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return nil, failures["unknown"]
	})
	server.AddResource(&mcp.Resource{Name: "broken", URI: "file:///broken"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return nil, failures["missing"]
	})
	return server
}
