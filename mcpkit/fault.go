package mcpkit

import (
	"cmp"
	"errors"
	"slices"
)

// A Fault is one mistake in a declaration, found by [New] at start-up.
type Fault struct {
	Tool   string // the tool's name, or "#2" for the second declaration if that has none; empty for a fault of the server itself
	Field  string // the JSON path of the parameter or output field, or the Go name of the declaration's field
	Reason string // what is wrong and what would be right
}

// Error returns the fault as one line: `tool "x": field: reason`.
func (f *Fault) Error() string {
	where := "server"
	if f.Tool != "" {
		where = "tool " + f.Tool
	}
	if f.Field != "" {
		where += ": " + f.Field
	}
	return where + ": " + f.Reason
}

// faults collects all mistakes of a registration so that they can be reported
// together.
type faults struct {
	tool string
	all  *[]*Fault
}

func (f faults) add(field, reason string) {
	*f.all = append(*f.all, &Fault{Tool: f.tool, Field: field, Reason: reason})
}

func (f faults) forTool(name string) faults { return faults{tool: name, all: f.all} }

// err joins what was collected, in a fixed order; nil if there is nothing.
func (f faults) err() error {
	list := slices.Clone(*f.all)
	slices.SortStableFunc(list, func(a, b *Fault) int {
		return cmp.Or(cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Reason, b.Reason))
	})
	errs := make([]error, 0, len(list))
	for i, x := range list {
		if i > 0 && *x == *list[i-1] {
			continue
		}
		errs = append(errs, x)
	}
	return errors.Join(errs...)
}
