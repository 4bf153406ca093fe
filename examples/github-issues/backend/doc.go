// Package backend is what the github-issues server knows about issue trackers:
// the domain types, the Backend interface that the six tools are written
// against, and the errors that a backend reports.
//
//	hit, err := b.Issue(ctx, backend.Repo{Owner: "acme", Name: "api"}, 512)
//	switch {
//	case errors.Is(err, backend.ErrIssueNotFound): // also deleted and transferred
//	case err != nil:
//	}
//
// # Walks
//
// Search, Comments and Labels return one [Page] of a longer walk. Every [Row]
// carries the [Position] right behind it, so a caller may stop anywhere, keep
// the position of the last row that it used, and go on from there later. A
// position is a short printable string that only the backend that made it
// understands: a keyset for a database, a page number and an offset for a
// source that counts pages.
//
// A source that mixes other things into its listing marks such rows with
// Row.Skip instead of leaving them out; that way a page of nothing but pull
// requests is still a page with more behind it.
//
// # Writes
//
// Create, Update and AddComment either apply everything or nothing. A source
// without transactions cannot promise that and says what it did with a
// [PartialError]. [NothingApplied] tells whether an error proves that no
// effect started, which is what a caller must know before it tries again.
//
// # Texts
//
// Titles, bodies, names and logins come from strangers. A backend hands them
// on unchanged; whoever shows them escapes them.
package backend
