package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A task is a script for an agent. It succeeds if run returns nil; note says in
// a few words what came out.
type task struct {
	name  string
	about string
	run   func(ctx context.Context, a *agent) (note string, err error)
	flags []string // if any, the task needs a server of its own, started with them
}

// tasksOf has the tasks for each server, by the name that the server gives
// itself.
var tasksOf = map[string][]task{
	"github-issues-mcp": githubTasks(),
}

// A mistake is a wrong call and what must come of it.
type mistake struct {
	name  string
	about string
	// prepare returns the wrong call, and makes others first if the mistake
	// needs them.
	prepare func(ctx context.Context, a *agent) (call, error)
	code    string   // the failure that it must meet
	fields  []string // the fields that the failure must name
	choose  chooser  // for repairs that look something up
	flags   []string // as of task
	none    bool     // nothing can be proven to repair it
	check   func(result json.RawMessage) error
}

// task makes the mistake, follows the repair and checks the outcome.
func (m mistake) task() task {
	return task{name: m.name, about: m.about, flags: m.flags, run: func(ctx context.Context, a *agent) (string, error) {
		wrong, err := m.prepare(ctx, a)
		if err != nil {
			return "", err
		}
		if m.none {
			failed, err := a.refused(ctx, wrong)
			if err != nil {
				return "", err
			}
			return "nothing to repair it with, and none offered", m.met(failed)
		}
		before := a.figures
		result, failed, err := a.reach(ctx, wrong, m.choose)
		if err := errors.Join(err, m.met(failed)); err != nil {
			return "", err
		}
		if m.check != nil {
			if err := m.check(result); err != nil {
				return "", err
			}
		}
		if a.OneHop > before.OneHop {
			return "repaired in one hop", nil
		}
		return "repaired in more than one hop", nil
	}}
}

// met compares the first failure with the expected one.
func (m mistake) met(failed *failure) error {
	if failed == nil {
		return errors.New("the call was to fail and did not")
	}
	if failed.Code != m.code {
		return fmt.Errorf("the code is %s, not %s", failed.Code, m.code)
	}
	got, want := slices.Sorted(slices.Values(failed.Fields)), slices.Sorted(slices.Values(m.fields))
	if !slices.Equal(got, want) {
		return fmt.Errorf("the failure names %s, not %s", list(got), list(want))
	}
	return nil
}

func list(names []string) string {
	if len(names) == 0 {
		return "no field"
	}
	return strings.Join(names, ", ")
}

// literal is a call with these bytes as arguments.
func literal(tool, arguments string) func(context.Context, *agent) (call, error) {
	return func(context.Context, *agent) (call, error) {
		return call{tool, json.RawMessage(arguments)}, nil
	}
}

// with is a call with an encoded value as arguments.
func with(tool string, arguments map[string]any) (call, error) {
	data, err := json.Marshal(arguments)
	return call{tool, data}, err
}
