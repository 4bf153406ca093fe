// Package chunk delivers what is too large for one answer in pieces that a
// client can cite, fetch in any order, and join again.
//
//	doc := markdown.Split(source, chunk.Limits{Target: 16 << 10}) // or New, for another format
//	uri := chunk.Under("wiki://spaces/eng/pages/oncall-runbook")
//
//	first := doc.First().Linked(uri)   // content, version, next_chunk_id, next_chunk_uri
//	catalog := doc.Catalog(uri)        // id, uri, size and heading of every chunk
//	c, err := doc.Chunk("s02-paging-paths")
//
// # Exactness
//
// The contents of a document's chunks, joined in order, are the source byte for
// byte, whatever the splitter says: [New] makes the last chunk take what is left
// over. What a chunk needs so that it can be read alone, such as the header of a
// table that was cut, is in [Chunk.Continuation] and never in the content.
//
// # Ids and versions
//
// An id is the chunk's place and a name from its heading, "s02-paging-paths". It
// holds only a to z, digits and hyphens, so that it is the same in a URI, in an
// argument and in a citation. The place makes ids distinct where headings repeat,
// and it finds the chunk: reading chunk N costs the same for every N.
//
// Ids hold for one version. The version is computed from the source and its
// cuts, so it changes whenever an id could mean something else; it travels on
// every chunk. A server that has its own revision names uses WithVersion and then
// vouches for that itself.
//
// # Stale ids
//
// Two errors tell what happened to an id, for a server to map to its codes:
//
//   - [ErrStale], chunk_stale: the document changed. The client named the version
//     from which it has the id, and that is not the current one (ChunkOf), or an
//     earlier version that the document replaces had the id and this one has not
//     (Replacing).
//   - [ErrNotFound], chunk_not_found: there is no such chunk, and as far as is
//     known there was none.
//
// The repair of both is to read the first chunk and the catalog again.
//
// # Lists
//
// A list of items, such as the comments of an issue, is chunked by [NewList]. It
// works on numbers alone, so that a server may fetch just the items of one chunk:
//
//	list := chunk.NewList("Comments", len(comments), 30, version)
//	r, err := list.Chunk("s02-comments-31")
//	part := comments[r.From:r.To]
//
// Documents and lists do not change; all methods may be called concurrently.
package chunk
