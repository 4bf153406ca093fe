package tracker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
)

// Options are the settings of a Tracker.
type Options struct {
	// Login is who acts: the author of new issues and comments, and @me in
	// searches. Default "agent".
	Login string

	// Maintainer lets the user comment on locked issues. Default false.
	Maintainer bool

	// Now is the clock, read in whole seconds. Default time.Now. A time before
	// the last update of an issue counts as that time.
	Now func() time.Time
}

// Tracker is an issue tracker in memory. All methods may be called at the same
// time, and each of them happens at once or not at all.
type Tracker struct {
	login      string
	maintainer bool
	now        func() time.Time

	mu          sync.RWMutex // protects all below and what the repos hold
	repos       []*repo      // in order of definition
	lastComment int64
}

var _ backend.Backend = (*Tracker)(nil)

// repo is one repository. Records are never changed, only replaced.
type repo struct {
	rank       int // its index in Tracker.repos
	name       backend.Repo
	private    bool
	labels     []backend.Label
	assignable []string
	milestones []backend.Milestone

	lastNumber int
	issues     []*record     // by number
	others     map[int]error // why a number that was given out is no issue
}

// record is an issue with its comments and what of it can be searched.
type record struct {
	rank     int // of the repo
	issue    backend.Issue
	title    []string
	body     []string
	comments []comment // by ID
}

type comment struct {
	backend.Comment
	words []string
}

// New returns a tracker with the seed that the package comment describes. Nil
// options mean the defaults.
func New(opts *Options) *Tracker {
	t := Empty(opts)
	t.seed()
	return t
}

// Empty returns a tracker without repositories. Nil options mean the defaults.
func Empty(opts *Options) *Tracker {
	t := &Tracker{login: "agent", now: time.Now}
	if opts != nil {
		t.maintainer = opts.Maintainer
		if opts.Login != "" {
			t.login = opts.Login
		}
		if opts.Now != nil {
			t.now = opts.Now
		}
	}
	return t
}

// Setup defines a repository.
type Setup struct {
	Repo       backend.Repo
	Private    bool // nobody can see it
	Labels     []backend.Label
	Assignable []string // logins
	Milestones []backend.Milestone
}

// AddRepo adds a repository without issues. It fails if its name is incomplete
// or taken, or if a label, login or milestone number occurs twice.
func (t *Tracker) AddRepo(s Setup) error {
	if s.Repo.Owner == "" || s.Repo.Name == "" {
		return errors.New("tracker: a repository needs an owner and a name")
	}
	labels := make([]string, len(s.Labels))
	for i, l := range s.Labels {
		labels[i] = l.Name
	}
	milestones := make([]string, len(s.Milestones))
	for i, m := range s.Milestones {
		milestones[i] = fmt.Sprint(m.Number)
	}
	switch {
	case len(dedupe(labels)) != len(labels):
		return fmt.Errorf("tracker: a label of %s occurs twice", s.Repo)
	case len(dedupe(s.Assignable)) != len(s.Assignable):
		return fmt.Errorf("tracker: a login of %s occurs twice", s.Repo)
	case len(dedupe(milestones)) != len(milestones):
		return fmt.Errorf("tracker: a milestone number of %s occurs twice", s.Repo)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.repos {
		if r.name.Equal(s.Repo) {
			return fmt.Errorf("tracker: %s exists", r.name)
		}
	}
	t.repos = append(t.repos, &repo{
		rank:       len(t.repos),
		name:       s.Repo,
		private:    s.Private,
		labels:     slices.Clone(s.Labels),
		assignable: slices.Clone(s.Assignable),
		milestones: slices.Clone(s.Milestones),
		others:     map[int]error{},
	})
	return nil
}

// begin refuses work for a context that is done.
func begin(ctx context.Context) error {
	return backend.NotStarted(ctx.Err())
}

// repo finds a visible repository. The caller holds t.mu.
func (t *Tracker) repo(name backend.Repo) (*repo, error) {
	for _, r := range t.repos {
		if !r.private && r.name.Equal(name) {
			return r, nil
		}
	}
	return nil, backend.ErrRepoNotFound
}

// issue finds a visible issue and its index. The caller holds t.mu.
func (t *Tracker) issue(name backend.Repo, number int) (*repo, int, error) {
	r, err := t.repo(name)
	if err != nil {
		return nil, 0, err
	}
	at, ok := r.find(number)
	if ok {
		return r, at, nil
	}
	if err := r.others[number]; err != nil {
		return nil, 0, err
	}
	return nil, 0, backend.ErrIssueNotFound
}

func (r *repo) find(number int) (int, bool) {
	return slices.BinarySearchFunc(r.issues, number, func(rec *record, n int) int { return rec.issue.Number - n })
}

// clock returns the time of an event that comes after last.
func (t *Tracker) clock(last time.Time) time.Time {
	now := t.now().UTC().Truncate(time.Second)
	if now.Before(last) {
		return last
	}
	return now
}

func newRecord(rank int, issue backend.Issue, comments []comment) *record {
	return &record{
		rank:     rank,
		issue:    issue,
		title:    words(issue.Title),
		body:     words(issue.Body),
		comments: comments,
	}
}

func issueURL(r backend.Repo, number int) string {
	return fmt.Sprintf("https://github.example/%s/issues/%d", r, number)
}

func commentURL(issue string, id int64) string {
	return fmt.Sprintf("%s#issuecomment-%d", issue, id)
}

// dedupe returns names without repetitions, letter case aside.
func dedupe(names []string) []string {
	unique := make([]string, 0, len(names))
	for _, name := range names {
		if !containsFold(unique, name) {
			unique = append(unique, name)
		}
	}
	return unique
}

func containsFold(set []string, name string) bool {
	return slices.ContainsFunc(set, func(have string) bool { return strings.EqualFold(have, name) })
}
