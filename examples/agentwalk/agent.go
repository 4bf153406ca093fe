package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	maxHops     = 3                // repairs followed for one wrong call
	maxWait     = 10 * time.Second // that a repair may ask for
	callTimeout = 30 * time.Second
)

// A call is what tools/call takes. Arguments is a JSON object, sent as it is.
type call struct {
	Tool      string
	Arguments json.RawMessage
}

// A caller makes calls; client is one.
type caller interface {
	call(ctx context.Context, tool string, arguments json.RawMessage) (reply, error)
}

// An agent calls tools and repairs its own wrong calls. It decides by
// structured fields alone: what it does after a failure depends on the
// failure's code, fields and repair, and on nothing that is written for people.
type agent struct {
	server caller
	tools  map[string]bool // registered names
	notice func(step)      // told of each call when it is answered
	figures
}

// figures count what an agent did. Failures of one goal belong together: they
// begin with a call that failed and end when the goal is reached or given up.
type figures struct {
	Calls        int `json:"calls"`                 // tools/call requests
	Errors       int `json:"errors"`                // those that failed
	OneHop       int `json:"repaired_in_one_hop"`   // goals reached by following one repair
	MoreHops     int `json:"repaired_in_more_hops"` // goals reached by following several
	NotRepaired  int `json:"not_repaired"`          // goals given up
	NoneExpected int `json:"none_expected"`         // failures that no call can repair, as the task says
}

// Kinds of steps.
const (
	kindCall   = "call"   // the agent's own idea
	kindRepair = "repair" // repair.tool with repair.arguments, as they were
	kindResend = "resend" // the first call again, after a repair found a value or removed an obstacle
	kindRetry  = "retry"  // the same call after a temporary failure
)

// A step is one call and how it ended.
type step struct {
	Number int
	Kind   string
	call
	answer
	Changed []string // arguments that a resend replaced
}

// A giveUp is the error of a goal that was not reached: the last failure and
// why there was no way on.
type giveUp struct {
	failed *failure
	reason string
}

func (g *giveUp) Error() string {
	text := g.failed.Code
	if len(g.failed.Fields) > 0 {
		text += " at " + strings.Join(g.failed.Fields, ", ")
	}
	return text + ": " + g.reason
}

// do makes one call.
func (a *agent) do(ctx context.Context, kind string, c call, changed ...string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	a.Calls++
	reply, err := a.server.call(ctx, c.Tool, c.Arguments)
	if err != nil {
		return answer{}, fmt.Errorf("call of %s: %w", c.Tool, err)
	}
	got, err := reply.read()
	if err != nil {
		return answer{}, fmt.Errorf("call of %s: %w", c.Tool, err)
	}
	if got.failed != nil {
		a.Errors++
	}
	a.notice(step{Number: a.Calls, Kind: kind, call: c, answer: got, Changed: changed})
	return got, nil
}

// A chooser takes from the result of a repair that looked something up the new
// values for fields of the original arguments. It may use only fields that the
// failure names.
type chooser func(failed *failure, found json.RawMessage, original map[string]json.RawMessage) (map[string]any, error)

// reach makes a call and, while it fails, follows the repairs: each is called
// with its own arguments, as they are. A repair that calls another tool looks
// something up or removes an obstacle; then goal is sent again, with the fields
// that choose replaces, or unchanged if choose is nil. The error is a *giveUp
// when the goal was not reached, anything else when there was no usable answer.
// The second result is the first failure, nil if there was none.
func (a *agent) reach(ctx context.Context, goal call, choose chooser) (json.RawMessage, *failure, error) {
	got, err := a.do(ctx, kindCall, goal)
	if err != nil || got.failed == nil {
		return got.result, nil, err
	}
	first := got.failed
	result, hops, err := a.follow(ctx, goal, first, choose)
	switch {
	case err != nil:
		a.NotRepaired++
	case hops == 1:
		a.OneHop++
	default:
		a.MoreHops++
	}
	return result, first, err
}

// follow follows the repairs of a goal that failed, and says how many.
func (a *agent) follow(ctx context.Context, goal call, failed *failure, choose chooser) (json.RawMessage, int, error) {
	last, refusal := goal, failed // the call that failed last; the goal's own last failure
	for hop := 1; hop <= maxHops; hop++ {
		if err := wait(ctx, failed); err != nil {
			return nil, hop, err
		}
		kind := kindRetry
		switch {
		case failed.Repair != nil && !a.tools[failed.Repair.Tool]:
			return nil, hop, &giveUp{failed, "its repair names a tool that is not listed"}
		case failed.Repair != nil:
			last, kind = call{failed.Repair.Tool, failed.Repair.Arguments}, kindRepair
		case !failed.Retry:
			return nil, hop, &giveUp{failed, "it has no repair"}
		}
		got, err := a.do(ctx, kind, last)
		if err != nil {
			return nil, hop, err
		}
		// A goal that names no registered tool cannot be sent again: its repair
		// stands in for it.
		if got.failed == nil && last.Tool != goal.Tool && a.tools[goal.Tool] {
			resend, changed, err := replace(goal, refusal, got.result, choose)
			if err != nil {
				return nil, hop, &giveUp{refusal, err.Error()}
			}
			goal, last = resend, resend
			if got, err = a.do(ctx, kindResend, goal, changed...); err != nil {
				return nil, hop, err
			}
		}
		if got.failed == nil {
			return got.result, hop, nil
		}
		failed = got.failed
		if last.Tool == goal.Tool {
			refusal = failed
		}
	}
	return nil, maxHops, &giveUp{failed, fmt.Sprintf("%d repairs did not help", maxHops)}
}

// wait waits as long as a temporary failure asks.
func wait(ctx context.Context, failed *failure) error {
	if !failed.Retry || failed.Delay == nil {
		return nil
	}
	delay := time.Duration(*failed.Delay) * time.Millisecond
	if delay > maxWait {
		return &giveUp{failed, "it asks to wait for " + delay.String()}
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(delay):
		return nil
	}
}

// replace returns the goal with new values for the fields that choose takes
// from what was found, and their names. All other arguments stay as they were.
func replace(goal call, failed *failure, found json.RawMessage, choose chooser) (call, []string, error) {
	if choose == nil {
		return goal, nil, nil
	}
	var arguments map[string]json.RawMessage
	if err := json.Unmarshal(goal.Arguments, &arguments); err != nil {
		return call{}, nil, errors.New("the original arguments are no JSON object")
	}
	values, err := choose(failed, found, arguments)
	if err != nil {
		return call{}, nil, err
	}
	var changed []string
	for name, value := range values {
		if !slices.Contains(failed.Fields, name) {
			return call{}, nil, fmt.Errorf("the failure does not name %s", name)
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return call{}, nil, err
		}
		arguments[name] = raw
		changed = append(changed, name)
	}
	slices.Sort(changed)
	raw, err := json.Marshal(arguments)
	return call{goal.Tool, raw}, changed, err
}

// use reaches a goal that needs no choice and decodes its result.
func (a *agent) use(ctx context.Context, tool string, arguments, into any) error {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	result, _, err := a.reach(ctx, call{tool, raw}, nil)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(result, into); err != nil {
		return fmt.Errorf("result of %s: %w", tool, err)
	}
	return nil
}

// refused makes a call that must fail and that no call can repair.
func (a *agent) refused(ctx context.Context, c call) (*failure, error) {
	got, err := a.do(ctx, kindCall, c)
	switch {
	case err != nil:
		return nil, err
	case got.failed == nil:
		return nil, errors.New("the call was to fail and did not")
	case got.failed.Repair != nil:
		a.NotRepaired++
		return got.failed, &giveUp{got.failed, "no repair was expected, but one was given"}
	}
	a.NoneExpected++
	return got.failed, nil
}
