package backend

import "strings"

// Term is one part of a search text; a row must satisfy all of them.
type Term struct {
	Not       bool     // the row must not satisfy it
	Qualifier string   // lower case, such as "label"; empty for plain text
	Values    []string // any one of them satisfies a qualifier; a plain term has exactly one
	Quoted    bool     // plain text that was written in quotes
}

// ParseText splits a search text in GitHub's syntax into its terms. It knows the
// form, not the meaning: which qualifiers exist is up to the backend.
//
//	memory leak            two words
//	"memory leak"          a phrase
//	label:bug              a qualifier
//	label:"needs triage"   its value in quotes
//	label:bug,docs         any of several values
//	-label:bug  NOT leak   negations
//
// A qualifier is a run of letters and hyphens followed at once by a colon and a
// value; "Fix: crash" and "12:30" are words. The word AND says what is the case
// anyway and is dropped; OR comes back as a word. A quotation mark without a
// partner ends with the text. ParseText accepts every string.
func ParseText(text string) []Term {
	var terms []Term
	not := false
	s := scanner{text}
	for {
		s.spaces()
		if s.rest == "" {
			return terms
		}
		term, ok := s.term()
		if !ok {
			continue
		}
		if term.Qualifier == "" && !term.Quoted && !term.Not {
			switch term.Values[0] {
			case "AND":
				continue
			case "NOT":
				not = true
				continue
			}
		}
		if not {
			term.Not, not = !term.Not, false
		}
		terms = append(terms, term)
	}
}

// scanner holds what is still to be read.
type scanner struct{ rest string }

const space = " \t\r\n\v\f\u0085\u00a0\u2028\u2029\u3000"

func (s *scanner) spaces() { s.rest = strings.TrimLeft(s.rest, space) }

// term reads one term; it is not ok when there was nothing in it.
func (s *scanner) term() (Term, bool) {
	var t Term
	if len(s.rest) > 1 && s.rest[0] == '-' && !strings.ContainsRune(space, firstRune(s.rest[1:])) {
		t.Not = true
		s.rest = s.rest[1:]
	}
	if s.rest[0] == '"' {
		t.Quoted = true
		t.Values = []string{s.quoted()}
		return t, t.Values[0] != ""
	}
	if name, ok := s.qualifier(); ok {
		t.Qualifier = name
		t.Values = s.values()
		return t, len(t.Values) > 0
	}
	t.Values = []string{s.until(space)}
	return t, true
}

// qualifier reads a name and its colon if a value follows.
func (s *scanner) qualifier() (string, bool) {
	end := strings.IndexFunc(s.rest, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-'
	})
	if end < 1 || s.rest[end] != ':' || end+1 == len(s.rest) || strings.ContainsRune(space, firstRune(s.rest[end+1:])) {
		return "", false
	}
	name := strings.ToLower(s.rest[:end])
	s.rest = s.rest[end+1:]
	return name, true
}

// values reads a list of values, empty ones left out.
func (s *scanner) values() []string {
	var values []string
	for {
		var v string
		if strings.HasPrefix(s.rest, `"`) {
			v = s.quoted()
		} else {
			v = s.until(space + ",")
		}
		if v != "" {
			values = append(values, v)
		}
		if !strings.HasPrefix(s.rest, ",") {
			return values
		}
		s.rest = s.rest[1:]
	}
}

// quoted reads a text in quotes, or the rest if the closing one is missing.
func (s *scanner) quoted() string {
	v, rest, _ := strings.Cut(s.rest[1:], `"`)
	s.rest = rest
	return strings.Trim(v, space)
}

// until reads up to the first of the stops.
func (s *scanner) until(stops string) string {
	end := strings.IndexAny(s.rest, stops)
	if end < 0 {
		end = len(s.rest)
	}
	v := s.rest[:end]
	s.rest = s.rest[end:]
	return v
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}
