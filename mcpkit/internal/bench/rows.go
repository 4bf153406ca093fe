package main

import "fmt"

// A row is one line of the table of goals.
type row struct {
	name  string
	goal  goal
	setup func() (contest, error)
}

// A result is what a goal judges: medians per operation.
type result struct {
	ratio                   float64 // time, ours ÷ floor
	nanos, bytes, allocs    float64
	floorBytes, floorAllocs float64
}

type goal struct {
	text string
	met  func(result) bool
}

// atMost is a goal for the time as a multiple of the floor's.
func atMost(limit float64) goal {
	return goal{fmt.Sprintf("≤ %.2f×", limit), func(r result) bool { return r.ratio <= limit }}
}

// allocating is atMost with a bound for allocations. A tenth more is forgiven:
// the runtime allocates now and then too.
func allocating(limit, allocs float64) goal {
	return goal{
		fmt.Sprintf("≤ %.2f×, ≤ %.0f allocations", limit, allocs),
		func(r result) bool { return r.ratio <= limit && r.allocs <= allocs+0.1 },
	}
}

// noGoal is for rows that are shown only.
var noGoal = goal{text: "–"}

var faster = goal{"faster", func(r result) bool { return r.ratio < 1 }}

var fasterAndSmaller = goal{"faster, fewer bytes and allocations", func(r result) bool {
	return r.ratio < 1 && r.bytes < r.floorBytes && r.allocs < r.floorAllocs
}}

func rows() []row {
	var all []row
	for _, group := range []func() []row{
		callRows, cursorRows, tokenRows, argumentRows, summaryRows, idempotencyRows, requestIDRows, startRows,
	} {
		all = append(all, group()...)
	}
	return all
}
