// Command bench measures this module against the least that each job costs and
// against other libraries that do it, and prints one table.
//
//	go run ./mcpkit/internal/bench -rounds 21 -markdown
//
// Every row is measured in one run: its contestants take turns, round by round,
// and a ratio is the median of the ratios of the rounds, with the quartiles
// beside it. Times differ from machine to machine; the ratios are what the
// goals are about.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
)

func main() {
	run := flag.String("run", "", "measure only rows that match this `regexp`")
	rounds := flag.Int("rounds", 11, "rounds of each row")
	markdown := flag.Bool("markdown", false, "print a Markdown table")
	flag.Parse()
	if err := bench(*run, *rounds, *markdown); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(run string, rounds int, markdown bool) error {
	match, err := regexp.Compile(run)
	if err != nil {
		return err
	}
	if rounds < 1 {
		return fmt.Errorf("-rounds is %d, want at least 1", rounds)
	}
	p := printer{out: os.Stdout, markdown: markdown}
	p.head(fmt.Sprintf("%s %s/%s, GOMAXPROCS %d, %d rounds", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), rounds))
	for _, r := range rows() {
		if !match.MatchString(r.name) {
			continue
		}
		c, err := r.setup()
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		samples, err := measure(c.ops(), c.batch, rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		p.row(r, c, samples)
	}
	return nil
}
