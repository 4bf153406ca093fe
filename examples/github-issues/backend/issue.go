package backend

import (
	"slices"
	"strings"
	"time"
)

// Repo names a repository. Lookups ignore letter case; a backend answers with
// the spelling that the repository was created with.
type Repo struct {
	Owner string
	Name  string
}

// String returns "owner/name".
func (r Repo) String() string { return r.Owner + "/" + r.Name }

// Equal reports whether both name the same repository, letter case aside.
func (r Repo) Equal(other Repo) bool {
	return strings.EqualFold(r.Owner, other.Owner) && strings.EqualFold(r.Name, other.Name)
}

// State is whether an issue is open or closed.
type State string

// The two states of an issue.
const (
	Open   State = "open"
	Closed State = "closed"
)

// StateReason says why an issue is in its state. A backend passes on reasons
// that are not listed here, since trackers add some from time to time.
type StateReason string

// The reasons known today. The empty reason belongs to an issue that has been
// open all its life.
const (
	NoReason   StateReason = ""
	Completed  StateReason = "completed"
	NotPlanned StateReason = "not_planned"
	Duplicate  StateReason = "duplicate"
	Reopened   StateReason = "reopened"
)

// LockReason says why a conversation was locked.
type LockReason string

// The lock reasons that GitHub defines. The empty reason belongs to an unlocked
// issue and to a lock with no recorded reason.
const (
	NoLockReason LockReason = ""
	OffTopic     LockReason = "off-topic"
	TooHeated    LockReason = "too heated"
	Resolved     LockReason = "resolved"
	Spam         LockReason = "spam"
)

// Milestone is a milestone as an issue refers to it.
type Milestone struct {
	Number int
	Title  string
}

// Issue is one issue without its comments. Times are UTC.
type Issue struct {
	Repo        Repo
	Number      int
	Title       string
	Body        string
	State       State
	StateReason StateReason
	Author      string   // login
	Labels      []string // in the order in which they were added
	Assignees   []string // logins
	Milestone   *Milestone
	Locked      bool
	LockReason  LockReason
	Comments    int // how many there are
	CreatedAt   time.Time
	UpdatedAt   time.Time  // also moved by a new comment
	ClosedAt    *time.Time // nil while open
	URL         string
}

// Clone returns a copy that shares no memory with i.
func (i Issue) Clone() Issue {
	i.Labels = slices.Clone(i.Labels)
	i.Assignees = slices.Clone(i.Assignees)
	if i.Milestone != nil {
		m := *i.Milestone
		i.Milestone = &m
	}
	if i.ClosedAt != nil {
		at := *i.ClosedAt
		i.ClosedAt = &at
	}
	return i
}

// Comment is one comment of an issue. IDs grow in the order of creation.
type Comment struct {
	ID        int64
	Author    string // login
	Body      string
	CreatedAt time.Time
	URL       string
}

// Label is a label that a repository defines. Names are compared without
// regard to letter case.
type Label struct {
	Name        string
	Color       string // six hexadecimal digits, may be empty
	Description string // may be empty
}
