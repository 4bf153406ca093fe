package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/mcpkit-go/agentmcp/versioning"
)

// The exit statuses.
const (
	compatible = 0
	breaks     = 1
	failed     = 2
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the command: its arguments, its streams, its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("surfacediff", flag.ContinueOnError)
	flags.SetOutput(stderr)
	asJSON := flags.Bool("json", false, "print one JSON object")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: surfacediff [-json] OLD NEW\nOLD and NEW are saved surface.json files; - is the standard input.")
		flags.PrintDefaults()
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return compatible
	case err != nil:
		return failed
	}
	if flags.NArg() != 2 || flags.Arg(0) == "-" && flags.Arg(1) == "-" {
		flags.Usage()
		return failed
	}
	report, err := compare(flags.Arg(0), flags.Arg(1), stdin)
	if err == nil {
		err = report.print(stdout, *asJSON)
	}
	if err != nil {
		fmt.Fprintln(stderr, "surfacediff:", err)
		return failed
	}
	if report.Breaking > 0 {
		return breaks
	}
	return compatible
}

// A report is what is printed.
type report struct {
	Breaking      int                 `json:"breaking"`
	Additive      int                 `json:"additive"`
	Documentation int                 `json:"documentation"`
	Changes       []versioning.Change `json:"changes"`
}

func compare(oldName, newName string, stdin io.Reader) (report, error) {
	old, errOld := read(oldName, stdin)
	new, errNew := read(newName, stdin)
	if err := errors.Join(errOld, errNew); err != nil {
		return report{}, err
	}
	changes, err := versioning.Diff(old, new)
	if err != nil {
		return report{}, err
	}
	r := report{Changes: append([]versioning.Change{}, changes...)}
	for _, c := range changes {
		switch c.Class {
		case versioning.Breaking:
			r.Breaking++
		case versioning.Additive:
			r.Additive++
		default:
			r.Documentation++
		}
	}
	return r, nil
}

func read(name string, stdin io.Reader) (versioning.Surface, error) {
	var raw []byte
	var err error
	if name == "-" {
		raw, err = io.ReadAll(stdin)
	} else {
		raw, err = os.ReadFile(name)
	}
	if err != nil {
		return versioning.Surface{}, err
	}
	s, err := versioning.ParseSurface(raw)
	if err != nil {
		return versioning.Surface{}, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

func (r report) print(w io.Writer, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	}
	for _, class := range []versioning.Class{versioning.Breaking, versioning.Additive, versioning.Documentation} {
		for _, c := range r.Changes {
			if c.Class != class {
				continue
			}
			if _, err := fmt.Fprintln(w, c); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(w, "%d breaking, %d additive, %d documentation\n", r.Breaking, r.Additive, r.Documentation)
	return err
}
