package uri

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxLength is how many bytes a URI and a template have at most.
const MaxLength = 8192

// Values are decoded variables by name. [Template.Match] returns a new map, the
// caller's to keep.
type Values map[string]string

// Template is a compiled template. It is immutable and safe for concurrent use;
// [Parse] makes it. The zero Template matches nothing and expands to nothing.
type Template struct {
	source   string
	literals []string // one before each path variable and one after the last
	path     []variable
	plus     int // the path variable that takes what the others leave
	query    []string
	rank     []segment
}

type variable struct {
	name  string
	plus  bool // {+name}: slashes may stand raw
	slash bool // the value may have slashes
}

// A Variable describes one variable of a template.
type Variable struct {
	Name string
	// Required is true for path variables and false for those of the query.
	Required bool
}

// String returns the template as it was given to [Parse].
func (t *Template) String() string { return t.source }

// Variables returns the variables in the template's order. The slice is the
// caller's.
func (t *Template) Variables() []Variable {
	list := make([]Variable, 0, len(t.path)+len(t.query))
	for _, v := range t.path {
		list = append(list, Variable{Name: v.name, Required: true})
	}
	for _, name := range t.query {
		list = append(list, Variable{Name: name})
	}
	return list
}

func (t *Template) names() []string {
	list := make([]string, 0, len(t.path)+len(t.query))
	for _, v := range t.path {
		list = append(list, v.name)
	}
	return append(list, t.query...)
}

// AllowSlash returns a template whose variables of these names may contain
// slashes and backslashes, encoded in the URI: "area/api" is area%2Fapi. The
// rules about segments stay: none may be "", "." or "..". A name that is not of
// a path variable is an error; all such are listed.
func (t *Template) AllowSlash(names ...string) (*Template, error) {
	c := *t
	c.path = slices.Clone(t.path)
	var bad []string
	for _, name := range names {
		i := slices.IndexFunc(c.path, func(v variable) bool { return v.name == name })
		if i < 0 {
			bad = append(bad, fmt.Sprintf("%q", name))
			continue
		}
		c.path[i].slash = true
	}
	if bad != nil {
		return nil, fmt.Errorf("uri: template %q has no path variable %s", t.source, strings.Join(bad, ", "))
	}
	return &c, nil
}

// Match takes a URI apart. The error is [ErrNoMatch] if its path has not the
// template's shape, and an [*Error] if it has and is refused all the same, for
// the first fault from left to right. A URI that is too long or has a fragment
// is refused whatever its shape.
func (t *Template) Match(uri string) (Values, error) {
	path, query, hasQuery, err := split(uri)
	if err != nil {
		return nil, err
	}
	var spans [maxPath]string
	if !t.fits(path, &spans) {
		return nil, ErrNoMatch
	}
	return t.values(&spans, query, hasQuery)
}

func split(uri string) (path, query string, hasQuery bool, err error) {
	if len(uri) > MaxLength {
		return "", "", false, tooLong()
	}
	if strings.IndexByte(uri, '#') >= 0 {
		return "", "", false, &Error{Kind: Malformed, reason: "URI has a fragment"}
	}
	path, query, hasQuery = strings.Cut(uri, "?")
	return path, query, hasQuery, nil
}

// fits cuts path into the raw text of the variables. It never tries twice: a
// separator is the first one from the left before the variable t.plus, and the
// first one from the right after it.
func (t *Template) fits(path string, spans *[maxPath]string) bool {
	if len(t.literals) == 0 {
		return false
	}
	n := len(t.path)
	rest, ok := strings.CutPrefix(path, t.literals[0])
	if !ok || n == 0 {
		return ok && rest == ""
	}
	if rest, ok = strings.CutSuffix(rest, t.literals[n]); !ok {
		return false
	}
	for i := range t.plus {
		if spans[i], rest, ok = cutFirst(rest, t.literals[i+1]); !ok {
			return false
		}
	}
	for i := n - 1; i > t.plus; i-- {
		if rest, spans[i], ok = cutLast(rest, t.literals[i]); !ok {
			return false
		}
	}
	spans[t.plus] = rest
	for i, v := range t.path {
		if !v.plus && strings.IndexByte(spans[i], '/') >= 0 {
			return false
		}
	}
	return true
}

// cutFirst cuts s around separator, whose first reserved character is the first
// of its kind in s.
func cutFirst(s, separator string) (before, after string, ok bool) {
	at := 0
	for forms[separator[at]]&endsVariable == 0 {
		at++
	}
	begin := strings.IndexByte(s, separator[at]) - at
	if begin < 0 || !strings.HasPrefix(s[begin:], separator) {
		return "", "", false
	}
	return s[:begin], s[begin+len(separator):], true
}

// cutLast is cutFirst from the right.
func cutLast(s, separator string) (before, after string, ok bool) {
	at := len(separator) - 1
	for forms[separator[at]]&endsVariable == 0 {
		at--
	}
	begin := strings.LastIndexByte(s, separator[at]) - at
	if begin < 0 || !strings.HasPrefix(s[begin:], separator) {
		return "", "", false
	}
	return s[:begin], s[begin+len(separator):], true
}

func (t *Template) values(spans *[maxPath]string, query string, hasQuery bool) (Values, error) {
	values := make(Values, len(t.path)+len(t.query))
	for i, v := range t.path {
		allowed := inVariable
		if v.plus {
			allowed = inReserved
		}
		value, fault := decode(spans[i], allowed)
		if fault != "" {
			return nil, &Error{Kind: Malformed, Variable: v.name, reason: fault}
		}
		if err := v.check(value); err != nil {
			return nil, err
		}
		values[v.name] = value
	}
	if !hasQuery {
		return values, nil
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, raw, ok := strings.Cut(pair, "=")
		if !slices.Contains(t.query, name) && name != "" {
			return nil, unknown("query variable", t.query)
		}
		if !ok || name == "" {
			return nil, &Error{Kind: Malformed, reason: "query is not of the form name=value&name=value"}
		}
		if _, given := values[name]; given {
			return nil, &Error{Kind: Duplicate, Variable: name, reason: "is given twice"}
		}
		value, fault := decode(raw, inQuery)
		if fault != "" {
			return nil, &Error{Kind: Malformed, Variable: name, reason: fault}
		}
		values[name] = value
	}
	return values, nil
}

// check applies the rules for path variables to a decoded value.
func (v variable) check(value string) error {
	if value == "" {
		return &Error{Kind: Empty, Variable: v.name, reason: "is empty"}
	}
	segment := 0
	for i := 0; i <= len(value); i++ {
		if i < len(value) && value[i] != '/' && value[i] != '\\' {
			if value[i] < ' ' || value[i] == 0x7f {
				return &Error{Kind: Malformed, Variable: v.name, reason: "has a control character"}
			}
			continue
		}
		if i < len(value) && !v.slash {
			return &Error{Kind: Traversal, Variable: v.name, reason: "has a slash or backslash"}
		}
		if s := value[segment:i]; s == "" || s == "." || s == ".." {
			return &Error{Kind: Traversal, Variable: v.name, reason: "has an empty segment or one that is . or .."}
		}
		segment = i + 1
	}
	return nil
}

// Expand puts values together into a URI that [Template.Match] takes apart into
// the same. All path variables are needed. Query variables that values does not
// have are left out, and empty ones are written "name=". The error is an
// [*Error] for the first fault in the template's order; names that the template
// does not have come first.
func (t *Template) Expand(values Values) (string, error) {
	known := 0
	size := len(t.source)
	for _, v := range t.path {
		value, ok := values[v.name]
		if ok {
			known++
		}
		size += len(value)
	}
	for _, name := range t.query {
		if value, ok := values[name]; ok {
			known++
			size += len(value) + 2
		}
	}
	if known != len(values) {
		return "", unknown("variable", t.names())
	}
	if size > 2*MaxLength {
		return "", tooLong()
	}
	dst := make([]byte, 0, size+16)
	for i, v := range t.path {
		value := values[v.name]
		if err := v.check(value); err != nil {
			return "", err
		}
		if !utf8.ValidString(value) {
			return "", &Error{Kind: Malformed, Variable: v.name, reason: "is not UTF-8"}
		}
		keep := unreserved
		if v.plus {
			keep = inReserved
		}
		dst = append(dst, t.literals[i]...)
		dst = appendEncoded(dst, value, keep)
	}
	if len(t.literals) > 0 {
		dst = append(dst, t.literals[len(t.path)]...)
	}
	next := byte('?')
	for _, name := range t.query {
		value, ok := values[name]
		if !ok {
			continue
		}
		if !utf8.ValidString(value) {
			return "", &Error{Kind: Malformed, Variable: name, reason: "is not UTF-8"}
		}
		dst = append(append(append(dst, next), name...), '=')
		dst = appendEncoded(dst, value, unreserved)
		next = '&'
	}
	if len(dst) > MaxLength {
		return "", tooLong()
	}
	return string(dst), nil
}

func tooLong() error {
	return &Error{Kind: TooLong, reason: fmt.Sprintf("URI has more than %d bytes", MaxLength)}
}
