// Command agentwalk is an agent without a model: it completes tasks against an
// MCP server, makes wrong calls on purpose, and repairs each by doing what the
// error says.
//
//	go run ./examples/agentwalk                              # starts github-issues over stdio
//	go run ./examples/agentwalk -url http://127.0.0.1:8080/mcp
//	go run ./examples/agentwalk -server "path/to/server -flag"
//	go run ./examples/agentwalk -task unknown_label
//
// It knows MCP and its task scripts. From the server it reads server/discover
// (initialize on revisions before 2026-07-28), tools/list, and structured
// fields; the text that a server writes for people is never read, so it cannot
// mislead. After a failure it calls repair.tool with repair.arguments as they
// are. If that is another tool, it looked something up: the script takes a value
// from the structured result, and the first call is sent again with that field
// replaced. Each repair that is followed is one hop.
//
// The transcript goes to standard output and ends with figures. Whatever comes
// from the server is escaped there. Colours appear only on a terminal, and not
// if NO_COLOR is set. The width is that of COLUMNS, else 100 characters.
//
// The exit status is 0 if all tasks succeeded, 1 if one failed or the server
// could not be used, 2 for wrong usage, 130 after an interrupt.
//
// # The JSON document
//
// With -json standard output is one JSON document instead:
//
//	{
//	  "server":     {"name", "version", "revision", "tools"},  // tools: how many
//	  "tools_list": {"bytes", "o200k_tokens"},                 // of the results of tools/list, as sent
//	  "ok":         true,                                      // no task failed
//	  "tasks": [{
//	    "name", "about",
//	    "status": "ok",                                        // or "failed", "skipped"
//	    "note",                                                // the outcome or the reason in words
//	    "calls": [{
//	      "number", "kind",                                    // "call", "repair", "resend", "retry"
//	      "tool", "arguments",                                 // arguments as sent, duplicate keys included
//	      "replaced": ["add_labels"],                          // resend: arguments that a look-up changed
//	      "result_bytes",                                      // success: size of structuredContent
//	      "error": {"code", "fields", "carrier", "repair"}     // failure; carrier: "structuredContent", "text", "error.data"
//	    }]
//	  }],
//	  "figures": {"calls", "errors", "repaired_in_one_hop", "repaired_in_more_hops", "not_repaired", "none_expected"}
//	}
//
// Members of calls that do not apply are absent. calls counts tools/call
// requests and errors those that failed; the other figures count goals, that is
// first calls that failed. none_expected counts failures that no call can
// repair, such as a value that only the caller knows.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second interrupt ends the program at once.
	context.AfterFunc(ctx, stop)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

type config struct {
	url, command   string
	revision, task string
	list, json     bool
}

var revisions = []string{"2026-07-28", "2025-11-25"}

func parse(args []string, stderr io.Writer) (config, error) {
	var c config
	flags := flag.NewFlagSet("agentwalk", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&c.url, "url", "", "connect to the server at this `URL` (streamable HTTP) instead of starting one")
	flags.StringVar(&c.command, "server", "", "start this `command` over stdio instead of github-issues; it is split at spaces")
	flags.StringVar(&c.revision, "revision", revisions[0], "protocol `revision` to ask for, "+strings.Join(revisions, " or "))
	flags.StringVar(&c.task, "task", "", "run the task of this `name` only")
	flags.BoolVar(&c.list, "list", false, "list the tasks and exit")
	flags.BoolVar(&c.json, "json", false, "print one JSON document instead of the transcript")
	if err := flags.Parse(args); err != nil {
		return c, err
	}
	var err error
	switch {
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case c.url != "" && c.command != "":
		err = errors.New("-url and -server exclude each other")
	case c.url != "" && !strings.HasPrefix(c.url, "http://") && !strings.HasPrefix(c.url, "https://"):
		err = errors.New("-url must begin with http:// or https://")
	case c.command != "" && len(strings.Fields(c.command)) == 0:
		err = errors.New("-server is blank")
	case !slices.Contains(revisions, c.revision):
		err = fmt.Errorf("-revision must be %s", strings.Join(revisions, " or "))
	case c.task != "" && !known(c.task):
		err = fmt.Errorf("no task is named %q; -list shows them", c.task)
	}
	if err != nil {
		fmt.Fprintln(stderr, "agentwalk:", err)
	}
	return c, err
}

func known(name string) bool {
	for _, tasks := range tasksOf {
		if slices.ContainsFunc(tasks, func(t task) bool { return t.name == name }) {
			return true
		}
	}
	return false
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	case c.list:
		listTasks(stdout)
		return exitOK
	}
	var out report = &text{out: stdout, colour: colourful(stdout), width: width()}
	if c.json {
		out = &document{out: stdout, Tasks: []entry{}}
	}
	target := newTarget(c)
	defer target.close()
	ok, err := walk(ctx, c.task, target, out)
	if err != nil || !ok {
		showStderr(stderr, target)
	}
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "agentwalk: interrupted")
		return exitInterrupted
	case err != nil:
		fmt.Fprintln(stderr, "agentwalk:", envelope.Escape(err.Error()))
		return exitFailed
	case !ok:
		return exitFailed
	}
	return exitOK
}

// walk runs the tasks for the target's server, or the one that is named only,
// and reports whether none of them failed. The error means that the server
// could not be used.
func walk(ctx context.Context, only string, target *target, out report) (bool, error) {
	c, err := target.dial(ctx)
	if err != nil {
		return false, err
	}
	defer c.close()
	tasks := tasksOf[c.name]
	if len(tasks) == 0 {
		return false, fmt.Errorf("there are no tasks for the server %s, only for %s",
			envelope.Quote(c.name, 80), strings.Join(slices.Sorted(maps.Keys(tasksOf)), ", "))
	}
	if only != "" {
		tasks = slices.DeleteFunc(slices.Clone(tasks), func(t task) bool { return t.name != only })
		if len(tasks) == 0 {
			return false, fmt.Errorf("the server %s has no task %s", c.name, only)
		}
	}
	size, err := measure(c.list)
	if err != nil {
		return false, err
	}
	out.server(served{Name: c.name, Version: c.version, Revision: c.revision, Tools: len(c.tools)})

	a := &agent{server: c, tools: c.tools, notice: out.step}
	var end summary
	for _, t := range tasks {
		out.begin(t)
		o := target.perform(ctx, a, t)
		out.end(o)
		end.Tasks++
		if o.Failed != nil {
			end.Failed = append(end.Failed, t.name)
		}
		if o.Skipped != "" {
			end.Skipped++
		}
		if ctx.Err() != nil || errors.Is(o.Failed, mcp.ErrConnectionClosed) {
			break
		}
	}
	end.Figures, end.List = a.figures, size
	out.finish(end)
	return len(end.Failed) == 0, nil
}

func listTasks(out io.Writer) {
	for _, server := range slices.Sorted(maps.Keys(tasksOf)) {
		fmt.Fprintf(out, "%s\n", server)
		for _, t := range tasksOf[server] {
			fmt.Fprintf(out, "  %-24s %s\n", t.name, t.about)
		}
	}
}

// showStderr shows what a server that was started wrote to standard error.
func showStderr(stderr io.Writer, target *target) {
	said := strings.TrimRight(target.stderr.String(), "\n")
	if said == "" {
		return
	}
	fmt.Fprintln(stderr, "agentwalk: the server's standard error ends with:")
	for line := range strings.SplitSeq(said, "\n") {
		fmt.Fprintln(stderr, "  "+envelope.Escape(line))
	}
}

// colourful reports whether out is a terminal whose user wants colours, see
// https://no-color.org.
func colourful(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func width() int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n >= 40 {
		return n
	}
	return 100
}
