package backend

import (
	"context"
	"time"
)

// Backend is an issue tracker as one authenticated user sees it. All methods
// may be called at the same time from several goroutines, honour their context,
// and report failures with the errors of this package.
//
// What the user may not see does not exist: a private repository gives
// ErrRepoNotFound. Pull requests are not issues, even where they share the
// numbering.
type Backend interface {
	// Search returns up to n issues behind after that match q; n is at least 1
	// and the zero Position starts the walk. Fewer than n rows mean that the
	// walk has ended.
	//
	// A walk neither loses nor repeats an issue because others appear or vanish
	// meanwhile, where the source permits that. An issue whose own sort key
	// changes during the walk moves, and may be met twice or not at all.
	//
	// A position that this backend did not make gives ErrPosition, an
	// unreadable Query.Text gives *InvalidQueryError.
	Search(ctx context.Context, q Query, after Position, n int) (Page[Issue], error)

	// Issue returns one issue.
	Issue(ctx context.Context, repo Repo, number int) (Issue, error)

	// Comments returns up to n comments of an issue behind after, oldest first.
	Comments(ctx context.Context, repo Repo, number int, after Position, n int) (Page[Comment], error)

	// Create opens an issue.
	Create(ctx context.Context, repo Repo, issue NewIssue) (Issue, error)

	// Update changes one issue and returns it as it was before and as it is
	// now. It first calls precondition, unless that is nil, on the current
	// issue; an error from it ends the call unchanged with nothing applied, and
	// comes before any fault of the change itself. The precondition must be
	// quick and must not call the backend. Where the source has transactions no
	// other change comes between precondition and update.
	//
	// A change that leaves everything as it is succeeds and does not move
	// UpdatedAt.
	Update(ctx context.Context, repo Repo, number int, change Change, precondition func(Issue) error) (before, after Issue, err error)

	// AddComment appends a comment. It gives ErrIssueLocked when the
	// conversation is locked and the user may not write there.
	AddComment(ctx context.Context, repo Repo, number int, body string) (Comment, error)

	// Labels returns up to n labels behind after, by name, that at least one
	// issue of the repository carries. Labels that are defined but unused are
	// not listed, though they may be added to an issue.
	Labels(ctx context.Context, repo Repo, after Position, n int) (Page[Label], error)
}

// Query selects issues. All parts that are set must hold; the zero Query
// selects every issue that the user can read, latest update first.
type Query struct {
	Text         string // GitHub search syntax; see ParseText. Empty means no text filter
	Repo         *Repo  // nil means all repositories
	State        State  // empty means both
	Labels       []string
	Assignee     string    // login
	Creator      string    // login
	UpdatedAfter time.Time // inclusive; zero means no bound
	Sort         Sort
	Order        Order
}

// Sort is the key by which a search is sorted. Rows that are equal in it are
// sorted by repository and number, in the same direction.
type Sort string

// The sort keys. The zero Sort means ByUpdated.
const (
	ByCreated  Sort = "created"
	ByUpdated  Sort = "updated"
	ByComments Sort = "comments"
)

// Order is the direction of a sort.
type Order string

// The directions. The zero Order means Descending.
const (
	Ascending  Order = "asc"
	Descending Order = "desc"
)

// Position is a place in a walk: right behind some row. It is printable ASCII
// of at most 64 bytes, and means something only to the backend that made it,
// for the query that it was made for. The zero Position is the start.
type Position string

// Row is one row of a page and the place behind it.
type Row[T any] struct {
	Value T
	After Position
	Skip  bool // holds a place in the walk but is none of the wanted things, such as a pull request
}

// Page is one page of a walk.
type Page[T any] struct {
	Rows []Row[T]

	// EstimatedTotal is how many rows the source believes the whole walk to
	// have, nil if it does not say.
	EstimatedTotal *int64

	// Capped says that the source refuses to go on behind these rows although
	// there may be more, as GitHub's search does after 1000.
	Capped bool

	// Rate is the request budget after this call, nil if there is none or it is
	// unknown.
	Rate *Rate
}

// Rate is what is left of a request budget.
type Rate struct {
	Limit     int
	Remaining int
	Reset     time.Time // when Remaining is Limit again; zero if unknown
}

// Low reports whether less than a tenth of the budget is left.
func (r *Rate) Low() bool {
	return r != nil && int64(r.Remaining)*10 < int64(r.Limit)
}
