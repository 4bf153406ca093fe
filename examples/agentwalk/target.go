package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// defaultServer is started if no other server is named.
const defaultServer = "github.com/mcpkit-go/agentmcp/examples/github-issues"

// A target is the server to walk, and how to come by it.
type target struct {
	config
	stderr *tail
	dir    string // of the built default server, "" if none was built
}

func newTarget(c config) *target { return &target{config: c, stderr: new(tail)} }

// dial opens a session; more are flags for a server that is started.
func (t *target) dial(ctx context.Context, more ...string) (*client, error) {
	if t.url != "" {
		return connect(ctx, overHTTP(t.url, t.revision), t.revision)
	}
	command := strings.Fields(t.command)
	if len(command) == 0 {
		built, err := t.build(ctx)
		if err != nil {
			return nil, err
		}
		command = append([]string{built}, more...)
	}
	return connect(ctx, overStdio(command, t.stderr), t.revision)
}

// build builds the default server, once, so that the subprocess is the server
// itself: one that runs under "go run" would survive a signal.
func (t *target) build(ctx context.Context) (string, error) {
	name := func() string { return filepath.Join(t.dir, "github-issues") }
	if t.dir != "" {
		return name(), nil
	}
	dir, err := os.MkdirTemp("", "agentwalk-")
	if err != nil {
		return "", err
	}
	t.dir = dir
	cmd := exec.CommandContext(ctx, "go", "build", "-o", name(), defaultServer)
	cmd.Stderr = t.stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("building %s: %w; run agentwalk in a clone of the repository, or name a server with -server or -url", defaultServer, err)
	}
	return name(), nil
}

// perform runs a task, on a server of its own if it needs one.
func (t *target) perform(ctx context.Context, a *agent, k task) outcome {
	if len(k.flags) > 0 {
		if t.url != "" || t.command != "" {
			return outcome{Skipped: "it needs a server started with " + strings.Join(k.flags, " ")}
		}
		own, err := t.dial(ctx, k.flags...)
		if err != nil {
			return outcome{Failed: err}
		}
		defer own.close()
		shared := a.server
		a.server = own
		defer func() { a.server = shared }()
	}
	note, err := k.run(ctx, a)
	if err != nil && len(k.flags) > 0 && errors.Is(err, mcp.ErrConnectionClosed) {
		err = errors.New("the task's own server closed the connection")
	}
	return outcome{Note: note, Failed: err}
}

func (t *target) close() {
	if t.dir != "" {
		os.RemoveAll(t.dir)
	}
}
