package main

import (
	"bytes"
	"strings"
	"testing"
)

// Every row runs, once and untimed: contestants agree on what they are asked
// to do, or report an error.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rows() {
		t.Run(r.name, func(t *testing.T) {
			if seen[r.name] {
				t.Error("two rows have this name")
			}
			seen[r.name] = true
			c, err := r.setup()
			if err != nil {
				t.Fatal(err)
			}
			samples := make([][]sample, len(c.ops()))
			for i, o := range c.ops() {
				s, err := batch(o, 1, false)
				if err != nil {
					t.Fatal(err)
				}
				samples[i] = []sample{s}
			}
			var out bytes.Buffer
			printer{out: &out, markdown: true}.row(r, c, samples)
			if lines := strings.Count(out.String(), "\n"); lines != len(c.ops()) || !strings.Contains(out.String(), r.goal.text) {
				t.Errorf("%d contestants print %d lines:\n%s", len(c.ops()), lines, &out)
			}
		})
	}
}

func TestSpread(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   spread
	}{
		{[]float64{3}, spread{3, 3, 3}},
		{[]float64{4, 2}, spread{2.5, 3, 3.5}},
		{[]float64{5, 1, 4, 2, 3}, spread{2, 3, 4}},
	} {
		if got := spreadOf(tt.values); got != tt.want {
			t.Errorf("spread of %v is %v, want %v", tt.values, got, tt.want)
		}
	}
}

// A round's ratio is of that round: a slow round slows both sides.
func TestRatios(t *testing.T) {
	ours := []sample{{nanos: 2}, {nanos: 200}, {nanos: 20}}
	theirs := []sample{{nanos: 1}, {nanos: 100}, {nanos: 10}}
	if got, want := ratios(ours, theirs), (spread{2, 2, 2}); got != want {
		t.Errorf("ratios are %v, want %v", got, want)
	}
}

func TestGoals(t *testing.T) {
	for _, tt := range []struct {
		name string
		goal goal
		r    result
		want bool
	}{
		{"at the limit", atMost(1.5), result{ratio: 1.5}, true},
		{"over the limit", atMost(1.5), result{ratio: 1.51}, false},
		{"allocates too often", allocating(2, 1), result{ratio: 1, allocs: 2}, false},
		{"now and then an allocation", allocating(2, 1), result{ratio: 1, allocs: 1.05}, true},
		{"faster but larger", fasterAndSmaller, result{ratio: 0.5, bytes: 2, floorBytes: 1, floorAllocs: 1}, false},
		{"faster and smaller", fasterAndSmaller, result{ratio: 0.5, bytes: 1, floorBytes: 2, floorAllocs: 1}, true},
		{"not faster", faster, result{ratio: 1}, false},
	} {
		if got := tt.goal.met(tt.r); got != tt.want {
			t.Errorf("%s: met is %t", tt.name, got)
		}
	}
}

func TestArguments(t *testing.T) {
	if err := bench("(", 1, false); err == nil {
		t.Error("accepted a broken pattern")
	}
	if err := bench("", 0, false); err == nil {
		t.Error("accepted no round")
	}
}
