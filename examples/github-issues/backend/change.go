package backend

import (
	"slices"
	"strings"
)

// Field names a part of a request in errors and in Changed. The names are those
// of the parameters that the tools publish.
type Field string

// The fields.
const (
	FieldTitle        Field = "title"
	FieldBody         Field = "body"
	FieldState        Field = "state"
	FieldStateReason  Field = "state_reason"
	FieldLabels       Field = "labels"
	FieldAddLabels    Field = "add_labels"
	FieldRemoveLabels Field = "remove_labels"
	FieldAssignees    Field = "assignee_logins"
	FieldMilestone    Field = "milestone_number"
	FieldLocked       Field = "locked"
	FieldLockReason   Field = "lock_reason"
)

// NewIssue is an issue to create. Title must hold 1 to 256 characters, Body at
// most 65536. Labels, assignees and the milestone must exist in the repository;
// a name given twice counts once.
type NewIssue struct {
	Title     string
	Body      string
	Labels    []string
	Assignees []string // at most 10
	Milestone int      // number, 0 for none
}

// Change is a partial update. The zero Change changes nothing; a nil field
// leaves that part alone. Bounds are those of NewIssue.
type Change struct {
	Title *string
	Body  *string // a pointer to "" empties the body

	// State closes or reopens. StateReason is refused without State, and must
	// fit it: Reopened with Open, any other with Closed. Closing without a
	// reason means Completed, also when the issue is closed already. Opening a
	// closed issue always records Reopened; opening an open one changes nothing.
	State       *State
	StateReason StateReason

	// AddLabels keeps what is there and RemoveLabels takes away; a name in both
	// is refused. Each name must be defined in the repository, as far as the
	// source can tell; a defined one that the issue has already, or does not
	// have, is no error.
	AddLabels    []string
	RemoveLabels []string

	// Assignees replaces the whole set; a pointer to an empty slice removes all.
	Assignees *[]string

	// Milestone points to the new milestone's number, or to 0 for none.
	Milestone *int

	// Locked locks or unlocks. LockReason is used only when Locked points to
	// true; empty then means a lock with no recorded reason.
	Locked     *bool
	LockReason LockReason
}

// Changed returns the fields in which after differs from before, in the order
// of the Field constants. It compares what is stored, not what was asked for:
// closing an issue with no reason given changes both state and state_reason.
// Order of labels and assignees is no difference.
func Changed(before, after Issue) []Field {
	fields := []Field{}
	note := func(changed bool, f Field) {
		if changed {
			fields = append(fields, f)
		}
	}
	note(before.Title != after.Title, FieldTitle)
	note(before.Body != after.Body, FieldBody)
	note(before.State != after.State, FieldState)
	note(before.StateReason != after.StateReason, FieldStateReason)
	note(!covers(before.Labels, after.Labels), FieldAddLabels)
	note(!covers(after.Labels, before.Labels), FieldRemoveLabels)
	note(!covers(before.Assignees, after.Assignees) || !covers(after.Assignees, before.Assignees), FieldAssignees)
	note(number(before.Milestone) != number(after.Milestone), FieldMilestone)
	note(before.Locked != after.Locked, FieldLocked)
	note(before.LockReason != after.LockReason, FieldLockReason)
	return fields
}

// covers reports whether every name in names is in set, letter case aside.
func covers(set, names []string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(set, func(have string) bool { return strings.EqualFold(have, name) }) {
			return false
		}
	}
	return true
}

func number(m *Milestone) int {
	if m == nil {
		return 0
	}
	return m.Number
}
