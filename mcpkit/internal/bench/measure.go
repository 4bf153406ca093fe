package main

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

// An op is one contestant: run does n operations. A bench that keeps state
// gets it anew, outside the clock, from start.
type op struct {
	name  string
	start func() func(n int) error
}

// each makes an op of a function that is called once per operation.
func each(name string, f func() error) op {
	run := func(n int) error {
		for range n {
			if err := f(); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	}
	return op{name, func() func(int) error { return run }}
}

// concurrent splits the operations of a batch over g goroutines. Operations
// are numbered, so that each can have a key of its own.
func concurrent(name string, g int, start func() func(i int) error) op {
	return op{name, func() func(int) error {
		f := start()
		return func(n int) error {
			errs := make([]error, g)
			var wg sync.WaitGroup
			for worker := range g {
				wg.Go(func() {
					for i := worker; i < n; i += g {
						if err := f(i); err != nil {
							errs[worker] = fmt.Errorf("%s: %w", name, err)
							return
						}
					}
				})
			}
			wg.Wait()
			for _, err := range errs {
				if err != nil {
					return err
				}
			}
			return nil
		}
	}}
}

// A contest is what one row measures.
type contest struct {
	subject op
	floor   *op // what the goal refers to; nil if the goal is a time
	peers   []op
	batch   int // operations in a batch that starts anew; 0: as many as take batchTime
}

func (c contest) ops() []op {
	ops := []op{c.subject}
	if c.floor != nil {
		ops = append(ops, *c.floor)
	}
	return append(ops, c.peers...)
}

// A sample is one batch, per operation.
type sample struct {
	time   time.Duration
	nanos  float64
	bytes  float64
	allocs float64
}

const batchTime = 25 * time.Millisecond

// batch runs n operations. It begins with a collected heap; warm runs one
// operation off the clock, which fills the pools that the collection emptied.
func batch(o op, n int, warm bool) (sample, error) {
	run := o.start()
	runtime.GC()
	if warm {
		if err := run(1); err != nil {
			return sample{}, err
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	err := run(n)
	took := time.Since(begin)
	runtime.ReadMemStats(&after)
	per := float64(n)
	return sample{
		time: took, nanos: float64(took) / per,
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / per,
		allocs: float64(after.Mallocs-before.Mallocs) / per,
	}, err
}

// calibrate returns how many operations of o take about batchTime.
func calibrate(o op) (int, error) {
	for n := 1; ; {
		s, err := batch(o, n, true)
		if err != nil {
			return 0, err
		}
		if s.time >= batchTime/4 || n >= 1<<24 {
			return max(1, int(float64(batchTime)/max(s.nanos, 0.1))), nil
		}
		n *= 4
	}
}

// measure runs the contestants in turn, rounds times, each time beginning with
// another, so that what slows the machine down slows all of them. The result
// has one list of samples for each of ops.
func measure(ops []op, size, rounds int) ([][]sample, error) {
	sizes := make([]int, len(ops))
	for i, o := range ops {
		n, err := size, error(nil)
		if n == 0 {
			n, err = calibrate(o)
		}
		if err != nil {
			return nil, err
		}
		sizes[i] = n
	}
	samples := make([][]sample, len(ops))
	for round := range rounds {
		for k := range ops {
			i := (k + round) % len(ops)
			s, err := batch(ops[i], sizes[i], size == 0)
			if err != nil {
				return nil, err
			}
			samples[i] = append(samples[i], s)
		}
	}
	return samples, nil
}

// A spread is a median with the quartiles around it.
type spread struct{ low, median, high float64 }

func spreadOf(values []float64) spread {
	v := slices.Sorted(slices.Values(values))
	at := func(share float64) float64 {
		x := share * float64(len(v)-1)
		i := int(x)
		if i+1 >= len(v) {
			return v[len(v)-1]
		}
		return v[i] + (x-float64(i))*(v[i+1]-v[i])
	}
	return spread{at(0.25), at(0.5), at(0.75)}
}

// ratios divides round by round, so that both sides had the same machine.
func ratios(a, b []sample) spread {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i].nanos / b[i].nanos
	}
	return spreadOf(out)
}

func median(s []sample, of func(sample) float64) float64 {
	out := make([]float64, len(s))
	for i := range s {
		out[i] = of(s[i])
	}
	return spreadOf(out).median
}
