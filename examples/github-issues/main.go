// Command github-issues is a complete MCP server for issue tracking, and the
// code to copy from. With no flags it serves stdio; its data are an embedded
// tracker that starts from a fixed seed and forgets everything at exit.
//
//	go run ./examples/github-issues
//	go run ./examples/github-issues -http 127.0.0.1:8080   # streamable HTTP at /mcp
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/mcpkit-go/agentmcp/cursor"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/tracker"
	"github.com/mcpkit-go/agentmcp/mcpkit/gosdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// Under stdio, stdout belongs to the protocol; everything else goes here.
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	err := run(ctx, os.Args[1:], logger)
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage): // the flag package has said it
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "github-issues:", err)
		os.Exit(2)
	}
}

var errUsage = errors.New("usage")

func run(ctx context.Context, args []string, logger *slog.Logger) error {
	flags := flag.NewFlagSet("github-issues", flag.ContinueOnError)
	address := flags.String("http", "", "serve streamable HTTP at /mcp of this loopback `address` instead of stdio")
	cursorTTL := flags.Duration("cursor-ttl", 15*time.Minute, "lifetime of list cursors")
	window := flags.Duration("idempotency-window", 10*time.Minute, "how long a repeated idempotency key is answered with the first result")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return err
	} else if err != nil {
		return errUsage
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if *cursorTTL < time.Second {
		return errors.New("-cursor-ttl: must be at least 1s")
	}
	if *window < time.Second {
		return errors.New("-idempotency-window: must be at least 1s")
	}
	if *address != "" {
		if err := loopback(*address); err != nil {
			return err
		}
	}

	// One process, so a fresh key will do. Replicas need a common key, kept
	// like any other secret, or cursors do not survive a change of replica.
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return err
	}
	keys, err := cursor.NewKeyring(key)
	if err != nil {
		return err
	}
	kit, err := newKit(config{
		backend: tracker.New(nil), keys: keys,
		cursorTTL: *cursorTTL, window: *window, logger: logger,
	})
	if err != nil {
		return err
	}
	if *address == "" {
		server := gosdk.NewServer(kit, nil)
		err := server.Run(ctx, &mcp.StdioTransport{})
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	// Whoever can reach a loopback address is one party.
	server := gosdk.NewServer(kit, &gosdk.Options{Anonymous: "loopback"})
	return serveHTTP(ctx, *address, gosdk.Handler(server, nil), logger)
}

// loopback refuses addresses that others can reach: this server does not
// authenticate yet.
func loopback(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("-http: %w", err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("-http: %s is not a loopback address; this server has no authentication, so it serves 127.0.0.1, [::1] or localhost only", address)
	}
	return nil
}

func serveHTTP(ctx context.Context, address string, handler http.Handler, logger *slog.Logger) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	logger.Info("serving", "url", "http://"+listener.Addr().String()+"/mcp")
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			return server.Close() // whoever is still sending has had its time
		}
		return nil
	}
}
