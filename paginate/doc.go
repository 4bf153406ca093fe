// Package paginate walks lists page by page and fills in the fields that tell a
// client how to go on.
//
//	walk := paginate.Walk{Size: 30, Budget: 300}
//	r, err := paginate.Keyset(ctx, walk, pos, issueKey, nil, store.IssuesAfter)
//	page, err := r.Page(seal, "Narrow the search with labels or updated_after.")
//	return searchOut{Issues: r.Rows, Page: page}, nil
//
// # Positions
//
// A walk remembers one [Position]: the key of the last row that it has passed.
// The next page holds what comes after that key, whether or not its row still
// exists. So rows that are inserted or deleted between two pages neither repeat
// nor hide a row that is there all the time, as they would with offsets. For
// this the key must be unique: rows that may share a sort value need a second
// part in their key, such as the id. [Keyset] and [Slice] refuse neighbours with
// equal keys rather than lose one of them.
//
// The position travels in a cursor. This package does not make cursors: seal
// in [Result.Page] does, and the caller opens the one that comes back. A
// position from outside must be authenticated, or a client can choose its own.
//
// # Which walk
//
// [Keyset] reads from a source that can be asked for the rows after a key: a
// database index, an API with since parameters, or, through [Numbered], an API
// that pages by number. If the source mixes in rows that are not wanted, a
// keep function drops them and Keyset fetches more, within a bound.
//
// [Slice] walks a sorted list in memory, which may be another state of the list
// for each page.
//
// # The end
//
// Both look one row ahead, so the last page has no cursor even when the row
// count divides evenly, and an empty list is one page without a cursor. A page
// can be short, even empty, and still have a next one; only has_more says
// whether the walk is over.
//
// # The budget
//
// [Walk.Budget] caps the rows of a whole walk; the position carries the count.
// The page that reaches the cap has truncated set and no cursor if there would
// be more rows. That is another thing than has_more: what is truncated cannot
// be reached by paging, only by a narrower call, which the hint names.
//
// # The fields
//
// [Page] and [Continuation] embed into an output struct. Where one output has
// several lists, [Prefixed] fills fields such as comments_has_more. The names
// are a house convention for the results of tools; the list methods of MCP
// itself have nextCursor only.
package paginate
