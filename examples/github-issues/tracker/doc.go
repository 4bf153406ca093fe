// Package tracker is an issue tracker in memory that implements
// backend.Backend, for trying things out and for tests.
//
//	t := tracker.New(nil)
//	issue, err := t.Issue(ctx, backend.Repo{Owner: "acme", Name: "api"}, 512)
//
// # The seed
//
// New starts from the same data every time; nothing in it is random and all of
// it lies before July 2026:
//
//   - acme/api has several hundred issues, most of them open, with pull
//     requests in between (511 is one). Many share their time of update.
//   - acme/api#512 is open, carries the label bug and has 75 comments.
//   - acme/api#431 is locked.
//   - acme/api#377 was deleted and acme/api#289 is now acme/web#9.
//   - acme/api#466 holds hostile text: terminal escape sequences, characters
//     that turn or hide text, and instructions that must not be followed.
//   - The label breaking-change is defined and on no issue.
//   - acme/web is small. acme/payroll is private, which is to say that it is
//     not found.
//
// Empty starts without repositories; AddRepo defines them.
//
// # Search texts
//
// Words match the beginning of words of the title, the body or a comment,
// letter case aside; what is in quotes must match whole words in that order.
// Punctuation only separates words. These qualifiers are understood:
//
//	label:NAME  milestone:TITLE  no:label|assignee|milestone
//	state:open|closed  is:open|closed|issue|locked|unlocked|public  type:issue
//	reason:completed|not_planned|duplicate|reopened  archived:true|false
//	author:LOGIN  assignee:LOGIN  commenter:LOGIN  involves:LOGIN  mentions:LOGIN
//	repo:OWNER/NAME  user:OWNER  org:OWNER  in:title|body|comments
//	created:WHEN  updated:WHEN  closed:WHEN  comments:COUNT
//
// LOGIN may be @me. WHEN is a date or an RFC 3339 time, COUNT a number; both
// take >, >=, <, <= in front and A..B ranges in which * is no bound. Several
// values separated by commas mean any of them. Different terms must all hold,
// except that several repo, user and org terms mean any of these.
//
// A value that a qualifier cannot take, a qualifier of GitHub's that is not in
// the list, and the operator OR give a *backend.InvalidQueryError, since
// finding nothing would be taken for an answer. As on GitHub, a qualifier that
// nobody knows is searched for as text.
package tracker
