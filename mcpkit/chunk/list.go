package chunk

import (
	"iter"
	"strconv"
)

// DefaultPer is how many items of a list are in a chunk if not said otherwise.
const DefaultPer = 30

// A List is a list of items in chunks. It knows their numbers only; the items stay
// with the caller. [NewList] makes it.
type List struct {
	index
	label      string
	total, per int
}

// A Range says which items a chunk of a list holds. Its JSON fields are those of
// the answer to a read, which adds the items.
type Range struct {
	ID      string `json:"chunk_id" jsonschema_description:"Id of this chunk, valid for one version."`
	Version string `json:"version" jsonschema_description:"Version of the whole list."`
	Heading string `json:"heading,omitempty" jsonschema_description:"Which items are in this chunk."`
	From    int    `json:"-"` // index of the first item, from 0
	To      int    `json:"-"` // index after the last item
	NextID  string `json:"next_chunk_id,omitempty" jsonschema_description:"Present unless this is the last chunk."`
	NextURI string `json:"next_chunk_uri,omitempty" jsonschema_description:"Present unless this is the last chunk."`
}

// Linked returns r with NextURI, if there is a next chunk.
func (r Range) Linked(uri URI) Range {
	r.NextURI = uri.of(r.NextID)
	return r
}

// NewList returns a list of total items in chunks of per items each, the last of
// which may have fewer. A total below 0 is 0, a per below 1 is [DefaultPer]. An
// empty list has one empty chunk.
//
// Label names the items, as in "Comments". Ids hold the number of the chunk's
// first item, "s02-comments-31", so they stay while a list only grows at its end.
// Version must change whenever the items do.
func NewList(label string, total, per int, version string) *List {
	if per < 1 {
		per = DefaultPer
	}
	l := &List{label: line(label), total: max(total, 0), per: per}
	l.version = version
	count := 1
	if l.total > 0 {
		count = (l.total-1)/per + 1
	}
	l.ids = make([]string, count)
	for n := range l.ids {
		// Two digits for all, however many chunks there are: a growing list
		// must not rename its first ones.
		l.ids[n] = mint(n, 1, l.label+" "+strconv.Itoa(n*per+1))
	}
	return l
}

// Version returns the version that is on every chunk.
func (l *List) Version() string { return l.version }

// Replacing returns a copy of l that answers [ErrStale] for the ids which old had
// or remembered and l has not. The latest 1024 are remembered. An old of nil
// changes nothing.
func (l *List) Replacing(old *List) *List {
	c := *l
	if old != nil {
		c.index = l.replacing(&old.index)
	}
	return &c
}

// Len returns the number of chunks, at least 1.
func (l *List) Len() int { return len(l.ids) }

// First returns the first chunk.
func (l *List) First() Range { return l.at(0) }

// Chunk returns the chunk with an id, or [ErrNotFound] or [ErrStale]. It takes
// the same time for each.
func (l *List) Chunk(id string) (Range, error) {
	n, err := l.find(id)
	if err != nil {
		return Range{}, err
	}
	return l.at(n), nil
}

// ChunkOf is Chunk for a client that names the version from which it has the id.
// If that is neither empty nor the current one, the error is [ErrStale].
func (l *List) ChunkOf(version, id string) (Range, error) {
	n, err := l.findOf(version, id)
	if err != nil {
		return Range{}, err
	}
	return l.at(n), nil
}

// All iterates over the chunks in order.
func (l *List) All() iter.Seq[Range] {
	return func(yield func(Range) bool) {
		for n := range l.ids {
			if !yield(l.at(n)) {
				return
			}
		}
	}
}

// Catalog lists the chunks in order; sizes are numbers of items. A nil uri leaves
// the URIs out.
func (l *List) Catalog(uri URI) []Entry {
	list := make([]Entry, 0, len(l.ids))
	for r := range l.All() {
		list = append(list, Entry{ID: r.ID, URI: uri.of(r.ID), Size: r.To - r.From, Heading: r.Heading})
	}
	return list
}

func (l *List) at(n int) Range {
	from := n * l.per
	to := min(from+l.per, l.total)
	heading := l.label
	switch {
	case to-from > 1:
		heading += " " + strconv.Itoa(from+1) + " to " + strconv.Itoa(to)
	case to-from == 1:
		heading += " " + strconv.Itoa(to)
	}
	return Range{ID: l.ids[n], Version: l.version, Heading: line(heading), From: from, To: to, NextID: l.next(n)}
}
