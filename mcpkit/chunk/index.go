package chunk

import "errors"

// The errors of a chunk that cannot be given. They are distinct: neither matches
// the other with errors.Is.
var (
	// ErrNotFound says that there is no chunk with the id.
	ErrNotFound = errors.New("chunk: not found")
	// ErrStale says that the id belongs to another version.
	ErrStale = errors.New("chunk: stale")
)

// maxFormer bounds the ids of earlier versions that are remembered.
const maxFormer = 1024

// An index finds chunks by id.
type index struct {
	version string
	ids     []string
	former  []string // ids that earlier versions had and this one has not, latest first
}

func (x *index) find(id string) (int, error) {
	if n, ok := place(id); ok && n < len(x.ids) && x.ids[n] == id {
		return n, nil
	}
	for _, old := range x.former {
		if old == id {
			return 0, ErrStale
		}
	}
	return 0, ErrNotFound
}

func (x *index) findOf(version, id string) (int, error) {
	if version != "" && version != x.version {
		return 0, ErrStale
	}
	return x.find(id)
}

// next returns the id after chunk n, "" after the last.
func (x *index) next(n int) string {
	if n+1 < len(x.ids) {
		return x.ids[n+1]
	}
	return ""
}

// replacing returns x with the memory of old.
func (x index) replacing(old *index) index {
	seen := make(map[string]bool, len(x.ids))
	for _, id := range x.ids {
		seen[id] = true
	}
	var former []string
	for _, list := range [][]string{x.former, old.ids, old.former} {
		for _, id := range list {
			if len(former) < maxFormer && !seen[id] {
				seen[id] = true
				former = append(former, id)
			}
		}
	}
	x.former = former
	return x
}

// A URI returns the URI of the chunk with an id.
type URI func(id string) string

// Under returns the URIs of chunks under that of their document, which has
// neither query nor fragment: "{document}/chunks/{id}". An id needs no
// percent-encoding.
func Under(document string) URI {
	return func(id string) string { return document + "/chunks/" + id }
}

// An Entry is the line of a catalog for one chunk.
type Entry struct {
	ID  string `json:"id" jsonschema_description:"Id of the chunk, valid for one version."`
	URI string `json:"uri,omitempty" jsonschema_description:"Where the chunk can be read."`
	// Size is the length of the content in bytes, or the number of items in a
	// list.
	Size    int    `json:"size" jsonschema_description:"Size of the chunk, in bytes or items."`
	Heading string `json:"heading" jsonschema_description:"Heading of the section; empty if it has none."`
	// Sections are the headings of further sections in the chunk.
	Sections []string `json:"sections,omitempty" jsonschema_description:"Headings of further sections in the chunk."`
}

func (u URI) of(id string) string {
	if u == nil || id == "" {
		return ""
	}
	return u(id)
}
