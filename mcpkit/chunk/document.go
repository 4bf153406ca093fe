package chunk

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpkit-go/agentmcp/versioning"
)

// A Part is one piece of a source, as a splitter cuts it.
type Part struct {
	// Size is the length of the piece in bytes.
	Size int
	// Heading names the piece: that of the section in which it begins. Id and
	// catalog show it, on one line and cut to 200 bytes.
	Heading string
	// Sections are the headings of further sections that begin in the piece. At
	// most 32 are kept.
	Sections []string
	// Continuation is what the piece needs before it to be read alone.
	Continuation string
	// Oversize says that the piece is larger than the hard limit, as it is one
	// thing that must not be cut.
	Oversize bool
}

// A Document is a source in chunks. [New] makes it.
type Document struct {
	index
	source string
	parts  []placed
}

type placed struct {
	Part
	start int
}

// A Chunk is one piece of a document. It has the fields of the answer to a read
// and may be embedded there.
type Chunk struct {
	ID      string `json:"chunk_id" jsonschema_description:"Id of this chunk, valid for one version."`
	Version string `json:"version" jsonschema_description:"Version of the whole document."`
	Heading string `json:"heading,omitempty" jsonschema_description:"Heading of the section."`
	// Content is the exact slice of the source.
	Content string `json:"content" jsonschema_description:"Exact slice of the source."`
	// Continuation is text to put before Content when it is shown alone, as it
	// begins inside a construct such as a table. It is not part of the document
	// at this place.
	Continuation string `json:"continuation,omitempty" jsonschema_description:"Context to put before content when it is shown alone; not part of it."`
	// Oversize says that Content exceeds the hard limit.
	Oversize bool   `json:"oversize,omitempty" jsonschema_description:"True if the chunk exceeds the size limit, as it cannot be cut."`
	NextID   string `json:"next_chunk_id,omitempty" jsonschema_description:"Present unless this is the last chunk."`
	NextURI  string `json:"next_chunk_uri,omitempty" jsonschema_description:"Present unless this is the last chunk."`
}

// Linked returns c with NextURI, if there is a next chunk.
func (c Chunk) Linked(uri URI) Chunk {
	c.NextURI = uri.of(c.NextID)
	return c
}

// New returns source in chunks of the given parts, in order. Every byte of source
// is in exactly one chunk: parts without size are dropped, a part that reaches
// beyond the end is cut, and what the parts leave over is one more chunk. An
// empty source has one empty chunk.
func New(source string, parts []Part) *Document {
	d := &Document{source: source}
	start := 0
	for _, p := range parts {
		if p.Size = min(p.Size, len(source)-start); p.Size > 0 {
			d.parts = append(d.parts, placed{tidy(p), start})
			start += p.Size
		}
	}
	if start < len(source) || len(d.parts) == 0 {
		d.parts = append(d.parts, placed{Part{Size: len(source) - start}, start})
	}
	d.ids = make([]string, len(d.parts))
	for i, p := range d.parts {
		d.ids[i] = mint(i, len(d.parts), p.Heading)
	}
	d.version = d.digest()
	return d
}

// tidy makes the parts of p that are shown fit to be shown.
func tidy(p Part) Part {
	p.Heading = line(p.Heading)
	sections := p.Sections
	p.Sections = nil
	for _, s := range sections {
		if s = line(s); s != "" && len(p.Sections) < 32 {
			p.Sections = append(p.Sections, s)
		}
	}
	return p
}

// line returns s on one line of at most 200 bytes.
func line(s string) string {
	const limit = 200
	if len(s) > 4*limit {
		s = s[:4*limit]
	}
	s = strings.ToValidUTF8(s, "")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if len(s) <= limit {
		return s
	}
	end := limit - len("…")
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// digest hashes the source and where and how it is cut, so that a version that
// stays means that every id means what it did.
func (d *Document) digest() string {
	h := sha256.New()
	var size [8]byte
	number := func(n int) {
		binary.BigEndian.PutUint64(size[:], uint64(n))
		h.Write(size[:])
	}
	number(len(d.parts))
	for i, p := range d.parts {
		number(p.Size)
		for _, s := range []string{d.ids[i], p.Continuation} {
			number(len(s))
			h.Write([]byte(s))
		}
	}
	h.Write([]byte(d.source))
	token, _ := versioning.Of(hex.EncodeToString(h.Sum(nil))) // a string of hexadecimal digits has a token
	return token
}

// Version returns the version that is on every chunk.
func (d *Document) Version() string { return d.version }

// WithVersion returns a copy of d with another version, such as a revision name.
// It must change whenever the source or the way it is split does.
func (d *Document) WithVersion(version string) *Document {
	c := *d
	c.version = version
	return &c
}

// Replacing returns a copy of d that answers [ErrStale] for the ids which old had
// or remembered and d has not. The latest 1024 are remembered. An old of nil
// changes nothing.
func (d *Document) Replacing(old *Document) *Document {
	c := *d
	if old != nil {
		c.index = d.replacing(&old.index)
	}
	return &c
}

// Source returns the whole source.
func (d *Document) Source() string { return d.source }

// Len returns the number of chunks, at least 1.
func (d *Document) Len() int { return len(d.parts) }

// First returns the first chunk.
func (d *Document) First() Chunk { return d.at(0) }

// Chunk returns the chunk with an id, or [ErrNotFound] or [ErrStale]. It takes
// the same time for each and allocates nothing.
func (d *Document) Chunk(id string) (Chunk, error) {
	n, err := d.find(id)
	if err != nil {
		return Chunk{}, err
	}
	return d.at(n), nil
}

// ChunkOf is Chunk for a client that names the version from which it has the id.
// If that is neither empty nor the current one, the error is [ErrStale], also
// where the id exists, since it may mean another section now.
func (d *Document) ChunkOf(version, id string) (Chunk, error) {
	n, err := d.findOf(version, id)
	if err != nil {
		return Chunk{}, err
	}
	return d.at(n), nil
}

// All iterates over the chunks in order.
func (d *Document) All() iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		for n := range d.parts {
			if !yield(d.at(n)) {
				return
			}
		}
	}
}

// Catalog lists the chunks in order. A nil uri leaves the URIs out.
func (d *Document) Catalog(uri URI) []Entry {
	list := make([]Entry, len(d.parts))
	for n, p := range d.parts {
		list[n] = Entry{ID: d.ids[n], URI: uri.of(d.ids[n]), Size: p.Size, Heading: p.Heading, Sections: slices.Clone(p.Sections)}
	}
	return list
}

func (d *Document) at(n int) Chunk {
	p := &d.parts[n]
	return Chunk{
		ID: d.ids[n], Version: d.version, Heading: p.Heading,
		Content: d.source[p.start : p.start+p.Size], Continuation: p.Continuation, Oversize: p.Oversize,
		NextID: d.next(n),
	}
}
