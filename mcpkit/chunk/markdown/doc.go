// Package markdown splits Markdown into chunks at its sections.
//
//	doc := markdown.Split(source, chunk.Limits{Target: 16 << 10})
//	for c := range doc.All() {
//		fmt.Println(c.ID, c.Heading, len(c.Content)) // s02-paging-paths Paging paths 12034
//	}
//
// # Where it cuts
//
// The source is parsed as CommonMark with the tables of GitHub Flavored Markdown,
// so a # in a fence, in front matter, in an HTML block, in an indented code block
// or in a quotation starts no section, and a heading underlined with = or - does.
//
// A document up to the target is one chunk. A larger one is cut at its highest
// headings, a section that is still larger than the target at the headings below,
// and so on. Neighbouring sections of one level that fit into the target together
// share a chunk, whose catalog entry then names them too. A section without further
// headings stays whole up to the hard limit, so sizes between target and limit are
// normal. Only beyond that is it cut, close to the target and at the best place
// there is: between blocks, between list items or nested blocks, between lines,
// after white space, between runes. A heading is not left alone at the end of a
// chunk if what follows can be cut, and neither are front matter and comments at the
// start.
//
// # What it keeps
//
// The contents joined are the source byte for byte, of whatever encoding and with
// whatever line ends. If the source is valid UTF-8, so is each chunk.
//
// A row of a table is never cut. A row larger than the hard limit is a chunk of its
// own with Oversize set; nothing else exceeds the limit.
//
// Where a cut is inside a table, the next chunk has the header and delimiter rows as
// its continuation, and where it is inside a fenced code block, the fence's opening
// line. Rows directly above the header that are part of the same paragraph count as
// header rows. Inside a list item, whose indentation would make an indented code
// block of it when shown alone, the continuation has the item's marker too. A
// continuation larger than the hard limit is left out.
//
// Front matter, between lines of --- or +++ at the very start, stays in the first
// chunk and is not parsed. It needs its closing line and no blank first line;
// otherwise --- is what it is in CommonMark.
//
// # Hostile input
//
// Where the parser is known to take time by the square of the length, it is kept from
// that: more than 100 containers that open on one line, as in a row of >, are taken for
// text, and long runs of link definitions are read some at a time.
//
// # Names
//
// A chunk has the heading of its first section, or of the section that it continues.
// Of the further headings in it, those of the highest level are its Sections.
// The title of a document, the one heading that stands above all others, names a chunk
// only where no other heading is in it. Headings are shown as plain text, without
// markup. See package chunk for how an id is made of a heading.
package markdown
