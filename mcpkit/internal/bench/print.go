package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

type printer struct {
	out      io.Writer
	markdown bool
}

func (p printer) head(machine string) {
	if !p.markdown {
		fmt.Fprintf(p.out, "%s\n\n", machine)
		return
	}
	fmt.Fprintf(p.out, "%s.\n\n", machine)
	p.line("what", "contestant", "time", "B/op", "allocs/op", "ours ÷ theirs", "goal", "met")
	p.line("---", "---", "--:", "--:", "--:", "---", "---", "---")
}

func (p printer) line(cells ...string) {
	if p.markdown {
		fmt.Fprintf(p.out, "| %s |\n", strings.Join(cells, " | "))
		return
	}
	fmt.Fprintf(p.out, "%-53s %-50s %10s %10s %10s  %-18s  %-36s %s\n",
		cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7])
}

func (p printer) row(r row, c contest, samples [][]sample) {
	ours := samples[0]
	result := result{
		nanos:  median(ours, func(s sample) float64 { return s.nanos }),
		bytes:  median(ours, func(s sample) float64 { return s.bytes }),
		allocs: median(ours, func(s sample) float64 { return s.allocs }),
	}
	if c.floor != nil {
		floor := samples[1]
		result.ratio = ratios(ours, floor).median
		result.floorBytes = median(floor, func(s sample) float64 { return s.bytes })
		result.floorAllocs = median(floor, func(s sample) float64 { return s.allocs })
	}
	met := "no"
	switch {
	case r.goal.met == nil:
		met = "–"
	case r.goal.met(result):
		met = "yes"
	}
	for i, o := range c.ops() {
		s := samples[i]
		cells := []string{"", o.name,
			duration(median(s, func(s sample) float64 { return s.nanos })),
			fmt.Sprintf("%.0f", median(s, func(s sample) float64 { return s.bytes })),
			fmt.Sprintf("%.1f", median(s, func(s sample) float64 { return s.allocs })),
			"", "", "",
		}
		switch {
		case i == 0:
			cells[0], cells[6], cells[7] = r.name, r.goal.text, met
		default:
			x := ratios(ours, s)
			cells[5] = fmt.Sprintf("%.2f (%.2f–%.2f)", x.median, x.low, x.high)
			if i == 1 && c.floor != nil {
				cells[1] = "floor: " + o.name
			}
		}
		p.line(cells...)
	}
	if !p.markdown {
		fmt.Fprintln(p.out)
	}
}

func duration(nanos float64) string {
	d := time.Duration(nanos)
	switch {
	case d < time.Microsecond:
		return fmt.Sprintf("%.0f ns", nanos)
	case d < time.Millisecond:
		return fmt.Sprintf("%.2f µs", nanos/1e3)
	}
	return fmt.Sprintf("%.2f ms", nanos/1e6)
}
