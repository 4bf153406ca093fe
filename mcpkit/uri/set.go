package uri

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Set finds the template that a URI belongs to. It is immutable and safe for
// concurrent use; [NewSet] makes it.
//
// The order in which templates are given does not matter. They are compared
// segment by segment from the left: literal text goes before {name}, that before
// {+name}, and among segments of one sort the one with more literal text goes
// first. So issues/search goes before issues/{number}, and {name}.json before
// {name}. The first template whose path fits decides, also when it then refuses
// a value: a URI refused by one template never reaches a laxer one.
type Set struct {
	templates []*Template
}

// NewSet checks the templates against each other. Two that neither have an order
// nor are seen to exclude each other are a fault, as are two that differ only in
// the names of their variables or in their query. So is a nil template. The error
// joins all faults.
func NewSet(templates ...*Template) (*Set, error) {
	s := &Set{templates: slices.Clone(templates)}
	var faults []error
	for i, a := range templates {
		if a == nil {
			faults = append(faults, fmt.Errorf("uri: template %d of the set is nil", i))
			continue
		}
		for _, b := range templates[:i] {
			if b != nil && compare(a.rank, b.rank) == 0 && !disjoint(a.rank, b.rank) {
				faults = append(faults, fmt.Errorf("uri: templates %q and %q can match the same URI and neither is more specific", b, a))
			}
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	slices.SortFunc(s.templates, func(a, b *Template) int {
		if c := compare(a.rank, b.rank); c != 0 {
			return c
		}
		return strings.Compare(a.source, b.source)
	})
	return s, nil
}

// Templates returns the templates, the most specific first, in an order that
// depends on them alone. The slice is the caller's.
func (s *Set) Templates() []*Template { return slices.Clone(s.templates) }

// Match finds the template of a URI and takes the URI apart. With [ErrNoMatch]
// there is no template; with an [*Error] for a value or the query there is one,
// so that a server can tell which of its resources was meant.
func (s *Set) Match(uri string) (*Template, Values, error) {
	path, query, hasQuery, err := split(uri)
	if err != nil {
		return nil, nil, err
	}
	var spans [maxPath]string
	for _, t := range s.templates {
		if t.fits(path, &spans) {
			values, err := t.values(&spans, query, hasQuery)
			return t, values, err
		}
	}
	return nil, nil, ErrNoMatch
}

// A segment is what the order of templates depends on: the text between two
// slashes of a template or, from the segment of a {+name} on, all the rest.
type segment struct {
	sort           int    // 0 literal, 1 with {name}, 2 with {+name}
	prefix, suffix string // literal text before the first and after the last variable
	literal        int    // bytes of literal text
}

func rank(t *Template) []segment {
	list := []segment{{}}
	for i, text := range t.literals {
		last := &list[len(list)-1]
		for last.sort < 2 {
			part, rest, more := strings.Cut(text, "/")
			last.add(part)
			if text = rest; !more {
				break
			}
			list = append(list, segment{})
			last = &list[len(list)-1]
		}
		if last.sort == 2 {
			last.add(text)
		}
		if i < len(t.path) {
			last.variable(t.path[i].plus)
		}
	}
	return list
}

func (s *segment) add(text string) {
	if s.sort == 0 {
		s.prefix += text
	}
	s.suffix += text
	s.literal += len(text)
}

func (s *segment) variable(plus bool) {
	s.suffix = ""
	s.sort = max(s.sort, 1)
	if plus {
		s.sort = 2
	}
}

// compare is negative if a goes before b.
func compare(a, b []segment) int {
	for i := range min(len(a), len(b)) {
		if c := a[i].sort - b[i].sort; c != 0 {
			return c
		}
		if c := b[i].literal - a[i].literal; c != 0 {
			return c
		}
	}
	return len(a) - len(b) // only to be an order: no URI fits both
}

// disjoint reports whether no URI fits both; false means that none was excluded.
func disjoint(a, b []segment) bool {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x.sort == 0 && y.sort == 0 && x.prefix != y.prefix ||
			!strings.HasPrefix(x.prefix, y.prefix) && !strings.HasPrefix(y.prefix, x.prefix) ||
			x.sort < 2 && y.sort < 2 && !strings.HasSuffix(x.suffix, y.suffix) && !strings.HasSuffix(y.suffix, x.suffix) {
			return true
		}
		if x.sort == 2 || y.sort == 2 {
			return x.sort == 2 && y.sort == 2 && !strings.HasSuffix(x.suffix, y.suffix) && !strings.HasSuffix(y.suffix, x.suffix)
		}
	}
	return len(a) != len(b)
}
