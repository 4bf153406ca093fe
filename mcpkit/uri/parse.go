package uri

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxPath bounds the path variables so that a match needs no heap for them.
const maxPath = 16

// Parse compiles a template; see the package documentation for what it may
// contain. The error joins all faults, each naming the template and the byte,
// counted from 0, where it is. A template without variables is good: it matches
// one URI.
func Parse(template string) (*Template, error) {
	p := parser{t: &Template{source: template}, names: map[string]bool{}}
	p.parse()
	if len(p.faults) > 0 {
		return nil, errors.Join(p.faults...)
	}
	return p.t, nil
}

type parser struct {
	t      *Template
	faults []error
	query  bool  // {?…} was seen
	begins []int // of t.literals
	names  map[string]bool
}

func (p *parser) fault(at int, format string, args ...any) {
	p.faults = append(p.faults, fmt.Errorf("uri: template %q, byte %d: %s", p.t.source, at, fmt.Sprintf(format, args...)))
}

func (p *parser) parse() {
	source := p.t.source
	if len(source) > MaxLength {
		p.faults = append(p.faults, fmt.Errorf("uri: template has %d bytes, at most %d are allowed", len(source), MaxLength))
		return
	}
	literal := 0 // where the literal text since the last expression begins
	for at := 0; at < len(source); {
		if source[at] != '{' {
			at++
			continue
		}
		p.literal(literal, at)
		length := strings.IndexAny(source[at+1:], "{}")
		if length < 0 || source[at+1+length] == '{' {
			p.fault(at, "the brace is not closed")
			return
		}
		p.expression(at, source[at+1:at+1+length])
		at += length + 2
		literal = at
	}
	p.literal(literal, len(source))
	p.shape()
}

func (p *parser) literal(from, to int) {
	text := p.t.source[from:to]
	bad := -1 // where the run of bad characters goes on; one fault for all of it
	for i, r := range text {
		switch {
		case r == '%':
			if i+2 >= len(text) || unhex(text[i+1]) < 0 || unhex(text[i+2]) < 0 {
				p.fault(from+i, "a percent sign needs two hex digits")
			}
		case r == '?':
			p.fault(from+i, "a query is written {?name}")
		case r >= utf8.RuneSelf || forms[r]&inLiteral == 0:
			if i != bad {
				p.fault(from+i, "literal text must be the characters of a URI, others percent-encoded")
			}
			_, size := utf8.DecodeRuneInString(text[i:])
			bad = i + size
		}
	}
	if p.query && text != "" {
		p.fault(from, "nothing may follow the query")
	}
	if !p.query {
		p.t.literals = append(p.t.literals, text)
		p.begins = append(p.begins, from)
	}
}

func (p *parser) expression(at int, body string) {
	if p.query {
		p.fault(at, "nothing may follow the query")
		return
	}
	operator := byte(0)
	if body != "" && strings.IndexByte("+#./;?&=,!@|", body[0]) >= 0 {
		operator = body[0]
		body = body[1:]
	}
	names := strings.Split(body, ",")
	switch operator {
	case 0, '+':
		if len(names) > 1 {
			p.fault(at, "a path expression has one variable")
		}
		if operator == '+' && slices.ContainsFunc(p.t.path, func(v variable) bool { return v.plus }) {
			p.fault(at, "a template has at most one {+name}")
		}
		if operator == '+' {
			p.t.plus = len(p.t.path)
		}
		if len(p.t.path) == maxPath {
			p.fault(at, "a template has at most %d path variables", maxPath)
		}
		p.check(at, body)
		p.t.path = append(p.t.path, variable{name: names[0], plus: operator == '+', slash: operator == '+'})
	case '?':
		p.query = true
		p.check(at, body)
		p.t.query = names
	default:
		p.fault(at, "operator %q is not supported; use {name}, {+name} or {?a,b}", operator)
		p.t.path = append(p.t.path, variable{}) // keeps the literals in step
	}
}

// check checks the names of one expression.
func (p *parser) check(at int, list string) {
	for name := range strings.SplitSeq(list, ",") {
		switch bad := strings.IndexFunc(name, func(r rune) bool { return r >= utf8.RuneSelf || forms[r]&inName == 0 }); {
		case name == "":
			p.fault(at, "a variable has no name")
		case bad >= 0 && (name[bad] == '*' || name[bad] == ':'):
			p.fault(at, "modifier %q is not supported", name[bad])
		case bad >= 0 || name[0] == '.' || name[len(name)-1] == '.' || strings.Contains(name, ".."):
			p.fault(at, "a variable's name has letters, digits and underscores, and single dots between them")
		case p.names[name]:
			p.fault(at, "variable %s occurs twice", name)
		}
		p.names[name] = true
	}
}

// shape checks the template as a whole once its parts are known.
func (p *parser) shape() {
	t := p.t
	scheme, _, found := strings.Cut(t.literals[0], ":")
	if !found || scheme == "" || strings.Trim(scheme, lower+digits+"+-.") != "" || !strings.Contains(lower, scheme[:1]) {
		p.fault(0, "a template begins with a scheme in lower case and a colon")
	}
	path, _, _ := strings.Cut(t.source, "{?")
	begin := 0
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "." || segment == ".." {
			p.fault(begin, "a segment may not be . or ..")
		}
		begin += len(segment) + 1
	}
	for i := 1; i < len(t.path); i++ {
		if !strings.ContainsFunc(t.literals[i], func(r rune) bool { return r < utf8.RuneSelf && forms[r]&endsVariable != 0 }) {
			p.fault(p.begins[i], "two variables need a character between them that neither can contain, such as /")
		}
	}
	if !slices.ContainsFunc(t.path, func(v variable) bool { return v.plus }) {
		t.plus = max(0, len(t.path)-1)
	}
	if len(p.faults) == 0 {
		t.rank = rank(t)
	}
}
