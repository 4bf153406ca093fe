package tracker

import (
	"fmt"
	"slices"
	"time"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
)

var (
	seedAPI     = backend.Repo{Owner: "acme", Name: "api"}
	seedWeb     = backend.Repo{Owner: "acme", Name: "web"}
	seedPayroll = backend.Repo{Owner: "acme", Name: "payroll"}
)

// The seed lies between these two instants.
var (
	seedStart = time.Date(2024, 9, 2, 7, 30, 0, 0, time.UTC)
	seedEnd   = time.Date(2026, 6, 30, 17, 0, 0, 0, time.UTC)
)

// Numbers of acme/api, the last of which is seedLast, that are something
// special.
const (
	seedLast        = 623
	seedTransferred = 289
	seedDeleted     = 377
	seedLocked      = 431
	seedHostile     = 466
	seedPullRequest = 511
	seedPaging      = 512
)

// seed fills an empty tracker. Whatever varies in it is drawn from the number
// of the issue by roll.
func (t *Tracker) seed() {
	// Comment IDs are large, as they are on a site with many repositories.
	t.lastComment = 2_140_310_000
	api := &repo{rank: 0, name: seedAPI, labels: apiLabels, assignable: people[:9], milestones: apiMilestones, others: map[int]error{}}
	web := &repo{rank: 1, name: seedWeb, labels: webLabels, assignable: people[4:12], milestones: webMilestones, others: map[int]error{}}
	payroll := &repo{rank: 2, name: seedPayroll, private: true, others: map[int]error{}}
	t.repos = []*repo{api, web, payroll}

	drawn := map[string]int{} // how many issues of each kind there are
	for n := 1; n <= seedLast; n++ {
		api.lastNumber = n
		if n == seedPullRequest || !slices.Contains(seedSpecials, n) && roll(n, "pull request", 100) < 27 {
			api.others[n] = backend.ErrPullRequest
			continue
		}
		t.seedIssue(api, draftAPI(n, drawn))
	}
	for i, d := range webDrafts {
		d.number = i + 1
		d.created = time.Date(2025, 10, 6, 9, 12, 44, 0, time.UTC).AddDate(0, 0, 19*i).Add(time.Duration(roll(i, "web", 500)) * time.Minute)
		d.touched = d.created.Add(time.Duration(roll(i, "web touched", 400)) * time.Hour)
		switch {
		case d.number == 9:
			at, _ := api.find(seedTransferred)
			web.take(api, at, time.Date(2026, 3, 9, 10, 41, 7, 0, time.UTC))
		case d.title == "":
			web.others[d.number] = backend.ErrPullRequest
		default:
			t.seedIssue(web, d)
		}
		web.lastNumber = d.number
	}
	t.seedIssue(payroll, draft{number: 1, title: "Bonus run fails for part-time contracts", created: seedStart, author: people[3]})
	payroll.lastNumber = 1

	at, _ := api.find(seedDeleted)
	api.delete(at, time.Date(2026, 4, 17, 8, 5, 29, 0, time.UTC))
}

// seedSpecials are the numbers that must be issues.
var seedSpecials = []int{seedTransferred, seedDeleted, seedLocked, seedHostile, seedPaging}

// draft is an issue to put into the seed.
type draft struct {
	number      int
	title, body string
	author      string
	labels      []string
	assignees   []string
	milestone   int
	reason      backend.StateReason // any but none and reopened closes the issue
	locked      bool
	lockReason  backend.LockReason
	created     time.Time
	comments    []remark
	touched     time.Time // last change other than comments, zero for none
}

// remark is a comment to put into the seed.
type remark struct {
	author, body string
	at           time.Time
}

// seedIssue adds a draft to a repository.
func (t *Tracker) seedIssue(r *repo, d draft) {
	issue := backend.Issue{
		Repo: r.name, Number: d.number, Title: d.title, Body: d.body, Author: d.author,
		State: backend.Open, StateReason: d.reason, Labels: d.labels, Assignees: d.assignees,
		Locked: d.locked, LockReason: d.lockReason, CreatedAt: d.created, UpdatedAt: d.created,
		Comments: len(d.comments), URL: issueURL(r.name, d.number),
	}
	for _, m := range r.milestones {
		if m.Number == d.milestone {
			issue.Milestone = &m
		}
	}
	var comments []comment
	for _, c := range d.comments {
		t.lastComment += 1 + int64(roll(len(c.body), c.author, 90))
		comments = append(comments, comment{
			Comment: backend.Comment{ID: t.lastComment, Author: c.author, Body: c.body, CreatedAt: c.at, URL: commentURL(issue.URL, t.lastComment)},
			words:   words(c.body),
		})
		issue.UpdatedAt = c.at
	}
	if d.touched.After(issue.UpdatedAt) {
		issue.UpdatedAt = d.touched
	}
	if d.reason != backend.NoReason && d.reason != backend.Reopened {
		closed := issue.UpdatedAt
		issue.State, issue.ClosedAt = backend.Closed, &closed
	}
	r.issues = append(r.issues, newRecord(r.rank, issue, comments))
}

// draftAPI makes the issue of acme/api with a number.
func draftAPI(n int, drawn map[string]int) draft {
	kind := kindOf(n)
	nth := drawn[kind.label]
	drawn[kind.label]++

	d := draft{number: n, author: pick(n, "author", reporters), created: createdAt(n)}
	a, title, body := kind.write(n, nth)
	d.title, d.body = title, body
	d.labels = labelsFor(n, kind.label, a)
	if roll(n, "assigned", 100) < 55 {
		d.assignees = []string{pick(n, "assignee", people[:8])}
		if second := pick(n, "second assignee", people[:8]); roll(n, "pair", 100) < 14 && second != d.assignees[0] {
			d.assignees = append(d.assignees, second)
		}
	}
	if roll(n, "planned", 100) < 42 {
		d.milestone = 1 + min(4, (n+roll(n, "milestone", 180))/160)
	}
	d.comments = talk(n, kind, d)
	settle(n, &d)
	special(n, &d)
	return d
}

// settle closes some issues, and lets the fortnightly sweep touch others, which
// gives many of them the same time of update.
func settle(n int, d *draft) {
	last := d.created
	if len(d.comments) > 0 {
		last = d.comments[len(d.comments)-1].at
	}
	later := last.Add(time.Duration(1+roll(n, "later", 1900)) * 97 * time.Minute)
	switch closed := roll(n, "closed", 100); {
	case closed < 18:
		d.reason = backend.Completed
		if roll(n, "resolved", 100) < 60 {
			d.labels = append(d.labels, "resolved")
		}
	case closed < 23:
		d.reason = backend.NotPlanned
		d.labels = append(d.labels, "wontfix")
	case closed < 29:
		d.reason = backend.Reopened
	}
	switch {
	case roll(n, "swept", 100) < 45:
		d.touched = sweepAfter(later)
		if d.reason == backend.NoReason && d.touched.Sub(last) > 60*24*time.Hour {
			d.labels = append(d.labels, "stale")
		}
	case roll(n, "touched", 100) < 60 || d.reason != backend.NoReason:
		d.touched = later
	}
	if d.touched.After(seedEnd) {
		d.touched = time.Time{}
		if d.reason != backend.NoReason {
			d.touched = seedEnd.Add(-time.Duration(1+roll(n, "end", 4000)) * time.Minute)
		}
	}
	if d.touched.Before(last) {
		d.touched = time.Time{}
	}
}

// sweepAfter returns the next first or fifteenth of a month, three o'clock.
func sweepAfter(at time.Time) time.Time {
	for day := at.Truncate(24*time.Hour).AddDate(0, 0, 1); ; day = day.AddDate(0, 0, 1) {
		if day.Day() == 1 || day.Day() == 15 {
			return day.Add(3 * time.Hour)
		}
	}
}

// createdAt spreads the numbers over the time of the seed.
func createdAt(n int) time.Time {
	step := seedEnd.Sub(seedStart) / (seedLast + 8)
	at := seedStart.Add(time.Duration(n) * step)
	return at.Add(time.Duration(roll(n, "minute", 1400)) * time.Minute / 2).Add(time.Duration(roll(n, "second", 60)) * time.Second).Truncate(time.Second)
}

// kindOf draws the kind of an issue.
func kindOf(n int) kind {
	left := roll(n, "kind", 100)
	for _, k := range kinds {
		if left -= k.percent; left < 0 {
			return k
		}
	}
	return kinds[0]
}

// labelsFor draws the labels of an issue. Some have none.
func labelsFor(n int, kind string, a area) []string {
	if roll(n, "bare", 100) < 4 {
		return nil
	}
	labels := []string{kind}
	if roll(n, "area", 100) < 70 {
		labels = append(labels, a.label)
	}
	if kind == "bug" && roll(n, "regression", 100) < 12 {
		labels = append(labels, "regression")
	}
	switch p := roll(n, "priority", 100); {
	case p < 9:
		labels = append(labels, "priority/high")
	case p < 24:
		labels = append(labels, "priority/medium")
	case p < 34:
		labels = append(labels, "priority/low")
	}
	if roll(n, "sdk", 100) < 15 {
		labels = append(labels, pick(n, "which sdk", []string{"sdk/go", "sdk/java", "sdk/python", "sdk/typescript"}))
	}
	if roll(n, "status", 100) < 22 {
		labels = append(labels, pick(n, "which status", []string{"blocked", "good first issue", "help wanted", "needs-info", "needs-triage"}))
	}
	return labels
}

// talk draws the comments of an issue.
func talk(n int, k kind, d draft) []remark {
	count := [...]int{0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 8, 11}[roll(n, "comments", 12)]
	at := d.created
	var list []remark
	for i := range count {
		at = at.Add(time.Duration(17+roll(n*100+i, "gap", 9000)) * time.Minute)
		if at.After(seedEnd) {
			break
		}
		// The lines of a kind are in the order in which they make sense.
		line := k.lines[i*len(k.lines)/count]
		if count <= len(k.lines)/2 {
			line = k.lines[i*len(k.lines)/count+roll(n*100+i, "line", len(k.lines)/count)]
		}
		author := pick(n*100+i, "commenter", people)
		if i%3 == 1 {
			author = d.author
		}
		list = append(list, remark{author, line, at})
	}
	return list
}

// special replaces what the documentation promises about certain numbers.
func special(n int, d *draft) {
	switch n {
	case seedTransferred:
		*d = draft{number: n, created: d.created, author: "jonas-weber", labels: []string{"bug", "area/auth"},
			title: "Login page reloads for ever when third-party cookies are blocked",
			body:  "The sign-in form posts to `/oauth/token`, gets a 200, and loads itself again. Firefox with strict tracking protection, and Safari.\n\nThis is the web client, not the API: the token in the response is fine.",
			comments: []remark{
				{"priya-nair", "Confirmed, the cookie is set by the web client. Moving this there.", d.created.Add(26 * time.Hour)},
			}}
	case seedDeleted:
		*d = draft{number: n, created: d.created, author: "promo-deals-24", title: "Cheap followers, best price", body: "Visit our shop."}
	case seedLocked:
		*d = lockedDraft(d.created)
	case seedHostile:
		*d = hostileDraft(d.created)
	case seedPaging:
		*d = pagingDraft()
	}
}

// roll returns a number from 0 to below sides that depends on nothing but its
// arguments. It is FNV-1a with a final mix.
func roll(n int, what string, sides int) int {
	h := uint64(14695981039346656037)
	for _, b := range []byte(fmt.Sprint(n, what)) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	h ^= h >> 29
	return int(h % uint64(sides))
}

// pick draws one of a list.
func pick[T any](n int, what string, list []T) T { return list[roll(n, what, len(list))] }
