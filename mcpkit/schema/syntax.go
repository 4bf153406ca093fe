package schema

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Bounds of the strict reader. Each protects what comes after it: recursion,
// exact arithmetic on numbers, and a validator that reports every fault.
const (
	maxBytes      = 4 << 20
	maxDepth      = 64
	maxValues     = 1 << 17
	maxViolations = 256

	maxNumberBytes = 400
	maxExponent    = 400
)

// Rules that the strict reader adds to the keywords of JSON Schema.
const (
	ruleSyntax    = "syntax"
	ruleSize      = "size"
	ruleDepth     = "depth"
	ruleUnicode   = "unicode"
	ruleNumber    = "number"
	ruleDuplicate = "duplicate"
	ruleRepeated  = "repeated"
)

// What those rules say in several places.
var (
	tooManyValues = "must have at most " + strconv.Itoa(maxValues) + " values"
	badNumber     = "must be a number of at most " + strconv.Itoa(maxNumberBytes) + " characters within the range of a 64-bit float"
)

func tooDeep(levels int) string {
	return "must not be nested deeper than " + strconv.Itoa(levels) + " levels"
}

// A step is one token of a path into a value: a property name, or an index.
type step struct {
	name  string
	index int // -1 for a name
}

// A syntaxReader reads one JSON text into a tree of map[string]any, []any,
// string, json.Number, bool and nil. It goes on after faults that leave the
// structure clear, and stops at the first that does not.
type syntaxReader struct {
	s        string
	pos      int
	values   int
	maxDepth int
	valid    bool // s is valid UTF-8 as a whole
	hint     int  // expected number of properties of the outermost object
	path     []step
	faults   []Violation
	damaged  []string
}

// A reading is what became of a JSON text.
type reading struct {
	value   any         // as far as it was read
	whole   bool        // it was read to its end
	faults  []Violation // if there are none, value is exactly what the text says
	damaged []string    // properties of the outermost object with a fault other than repetition
}

// clean reports whether nothing was wrong.
func (r reading) clean() bool { return r.whole && len(r.faults) == 0 }

// readTree reads data, which it does not retain.
func readTree(data []byte, depth, hint int) reading {
	if len(data) > maxBytes {
		return reading{faults: []Violation{predicate(nil, ruleSize, "must have at most "+strconv.Itoa(maxBytes)+" bytes", nil)}}
	}
	r := syntaxReader{s: string(data), maxDepth: depth, hint: hint, path: make([]step, 0, 8)}
	r.valid = utf8.ValidString(r.s)
	value, ok := r.value()
	if ok {
		if r.space(); r.pos < len(r.s) {
			r.stop("nothing may follow the value")
			ok = false
		}
	}
	return reading{value: value, whole: ok, faults: r.faults, damaged: r.damaged}
}

func (r *syntaxReader) space() {
	for r.pos < len(r.s) {
		switch r.s[r.pos] {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return
		}
	}
}

// peek skips space and returns the byte that follows, 0 at the end. A NUL in
// the text is no start of anything, so the two need no telling apart.
func (r *syntaxReader) peek() byte {
	r.space()
	if r.pos < len(r.s) {
		return r.s[r.pos]
	}
	return 0
}

// stop records the fault that ends the reading.
func (r *syntaxReader) stop(what string) (any, bool) {
	r.faults = append(r.faults, predicate(nil, ruleSyntax, "must be valid JSON: at byte "+strconv.Itoa(r.pos)+", "+what, nil))
	return nil, false
}

// fault records a fault at the current path.
func (r *syntaxReader) fault(rule, what string) {
	if rule != ruleRepeated && len(r.path) > 0 && r.path[0].index < 0 {
		r.damaged = append(r.damaged, r.path[0].name)
	}
	if len(r.faults) < maxViolations {
		r.faults = append(r.faults, predicate(r.path, rule, what, nil))
	}
}

func (r *syntaxReader) value() (any, bool) {
	r.values++
	if r.values > maxValues {
		r.faults = append(r.faults, predicate(nil, ruleSize, tooManyValues, nil))
		return nil, false
	}
	switch c := r.peek(); {
	case c == '"':
		s, flaw, ok := r.text()
		if !ok {
			return nil, false
		}
		if flaw != "" {
			r.fault(ruleUnicode, flaw)
		}
		return s, true
	case c == '{', c == '[':
		if len(r.path) >= r.maxDepth {
			r.faults = append(r.faults, predicate(nil, ruleDepth, tooDeep(r.maxDepth), nil))
			return nil, false
		}
		if c == '{' {
			return r.object()
		}
		return r.array()
	case c == '-' || '0' <= c && c <= '9':
		return r.number()
	case strings.HasPrefix(r.s[r.pos:], "true"):
		r.pos += 4
		return true, true
	case strings.HasPrefix(r.s[r.pos:], "false"):
		r.pos += 5
		return false, true
	case strings.HasPrefix(r.s[r.pos:], "null"):
		r.pos += 4
		return nil, true
	}
	return r.stop("a value is expected")
}

func (r *syntaxReader) object() (any, bool) {
	hint := 0
	if len(r.path) == 0 {
		hint = r.hint
	}
	m := make(map[string]any, hint)
	r.pos++
	if r.peek() == '}' {
		r.pos++
		return m, true
	}
	for {
		if r.peek() != '"' {
			r.stop("a property name in quotes is expected")
			return m, false
		}
		r.path = append(r.path, step{index: -1})
		name, flaw, ok := r.text()
		if !ok {
			return m, false
		}
		r.path[len(r.path)-1].name = name
		if flaw != "" {
			r.fault(ruleUnicode, flaw)
		}
		if r.peek() != ':' {
			r.stop("a colon is expected")
			return m, false
		}
		r.pos++
		v, ok := r.value()
		if !ok {
			if partial, isMap := v.(map[string]any); isMap {
				m[name] = partial
			}
			return m, false
		}
		if first, again := m[name]; !again {
			m[name] = v
		} else if sameTree(first, v) {
			r.fault(ruleRepeated, "is given more than once, each time with the same value; give it once")
		} else {
			r.fault(ruleDuplicate, "is given more than once with different values; give it once")
		}
		r.path = r.path[:len(r.path)-1]
		switch r.peek() {
		case ',':
			r.pos++
		case '}':
			r.pos++
			return m, true
		default:
			r.stop("a comma or a closing brace is expected")
			return m, false
		}
	}
}

func (r *syntaxReader) array() (any, bool) {
	list := []any{}
	r.pos++
	if r.peek() == ']' {
		r.pos++
		return list, true
	}
	for {
		r.path = append(r.path, step{index: len(list)})
		v, ok := r.value()
		if !ok {
			return nil, false
		}
		list = append(list, v)
		r.path = r.path[:len(r.path)-1]
		switch r.peek() {
		case ',':
			r.pos++
		case ']':
			r.pos++
			return list, true
		default:
			return r.stop("a comma or a closing bracket is expected")
		}
	}
}

// number reads a number of the grammar of RFC 8259 section 6.
func (r *syntaxReader) number() (any, bool) {
	start := r.pos
	if r.s[r.pos] == '-' {
		r.pos++
	}
	whole := r.pos
	if !r.digits() {
		return r.stop("a digit is expected")
	}
	if r.s[whole] == '0' && r.pos > whole+1 {
		r.pos = whole
		return r.stop("a number must not start with 0")
	}
	if r.pos < len(r.s) && r.s[r.pos] == '.' {
		r.pos++
		if !r.digits() {
			return r.stop("a digit is expected")
		}
	}
	if r.pos < len(r.s) && r.s[r.pos]|0x20 == 'e' {
		r.pos++
		if r.pos < len(r.s) && (r.s[r.pos] == '+' || r.s[r.pos] == '-') {
			r.pos++
		}
		if !r.digits() {
			return r.stop("a digit is expected")
		}
	}
	n := r.s[start:r.pos]
	if !moderate(n) {
		r.fault(ruleNumber, badNumber)
		return json.Number("0"), true
	}
	return json.Number(n), true
}

func (r *syntaxReader) digits() bool {
	start := r.pos
	for r.pos < len(r.s) && '0' <= r.s[r.pos] && r.s[r.pos] <= '9' {
		r.pos++
	}
	return r.pos > start
}

// isJSONNumber reports whether n is a JSON number.
func isJSONNumber(n string) bool {
	r := syntaxReader{s: n}
	if n == "" || n[0] != '-' && (n[0] < '0' || n[0] > '9') {
		return false
	}
	_, ok := r.number()
	return ok && r.pos == len(n)
}

// moderate reports whether exact arithmetic on the JSON number n stays cheap
// and a float64 can hold it, if not exactly.
func moderate(n string) bool {
	if len(n) > maxNumberBytes {
		return false
	}
	if e := strings.IndexAny(n, "eE"); e >= 0 {
		exponent, err := strconv.Atoi(n[e+1:])
		if err != nil || exponent > maxExponent || exponent < -maxExponent {
			return false
		}
	} else if len(n) < 300 {
		return true
	}
	_, err := strconv.ParseFloat(n, 64)
	return err == nil
}

// text reads a string. The result shares the memory of the whole text unless
// it had escapes. flaw says what is wrong with characters that were replaced.
func (r *syntaxReader) text() (s, flaw string, ok bool) {
	r.pos++
	start := r.pos
	for r.pos < len(r.s) {
		switch c := r.s[r.pos]; {
		case c == '"':
			s = r.s[start:r.pos]
			r.pos++
			s, flaw = r.checked(s, false)
			return s, flaw, true
		case c == '\\':
			return r.escaped(start)
		case c < 0x20:
			r.stop("a control character in a string must be escaped")
			return "", "", false
		}
		r.pos++
	}
	r.stop("the string has no end")
	return "", "", false
}

func (r *syntaxReader) checked(s string, lone bool) (valid, flaw string) {
	if !r.valid && !utf8.ValidString(s) {
		return strings.ToValidUTF8(s, "\uFFFD"), "must be valid UTF-8"
	}
	if lone {
		return s, "must not contain half of a surrogate pair"
	}
	return s, ""
}

// escaped reads on from the first backslash of a string.
func (r *syntaxReader) escaped(start int) (s, flaw string, ok bool) {
	b := []byte(r.s[start:r.pos])
	lone := false
	for r.pos < len(r.s) {
		c := r.s[r.pos]
		r.pos++
		switch {
		case c == '"':
			s, flaw = r.checked(string(b), lone)
			return s, flaw, true
		case c < 0x20:
			r.pos--
			r.stop("a control character in a string must be escaped")
			return "", "", false
		case c != '\\':
			b = append(b, c)
			continue
		}
		if r.pos == len(r.s) {
			break
		}
		c = r.s[r.pos]
		r.pos++
		if plain := strings.IndexByte(`"\/bfnrt`, c); plain >= 0 {
			b = append(b, "\"\\/\b\f\n\r\t"[plain])
			continue
		}
		if c != 'u' {
			r.pos -= 2
			r.stop("an unknown escape")
			return "", "", false
		}
		char, ok := r.hex()
		if !ok {
			r.stop("four hexadecimal digits are expected")
			return "", "", false
		}
		if utf16.IsSurrogate(char) {
			char = r.pair(char)
			lone = lone || char == utf8.RuneError
		}
		b = utf8.AppendRune(b, char)
	}
	r.stop("the string has no end")
	return "", "", false
}

// hex reads the four digits of a \u escape.
func (r *syntaxReader) hex() (rune, bool) {
	if len(r.s)-r.pos < 4 {
		return 0, false
	}
	var n rune
	for _, c := range []byte(r.s[r.pos : r.pos+4]) {
		switch {
		case '0' <= c && c <= '9':
			n = n<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			n = n<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	r.pos += 4
	return n, true
}

// pair reads the second half of a surrogate pair, if it is there, and returns
// the character, utf8.RuneError if there is none.
func (r *syntaxReader) pair(first rune) rune {
	if !strings.HasPrefix(r.s[r.pos:], `\u`) {
		return utf8.RuneError
	}
	r.pos += 2
	second, ok := r.hex()
	char := utf16.DecodeRune(first, second)
	if !ok || char == utf8.RuneError {
		r.pos -= 2
		if ok {
			r.pos -= 4
		}
		return utf8.RuneError
	}
	return char
}

// sameTree reports whether two trees are equal; numbers are if they are spelled
// alike.
func sameTree(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			other, ok := b[name]
			if !ok || !sameTree(v, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i, v := range a {
			if !sameTree(v, b[i]) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

// cloneTree copies maps and lists, so that neither side sees changes of the
// other.
func cloneTree(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for name, e := range v {
			m[name] = cloneTree(e)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = cloneTree(e)
		}
		return list
	}
	return v
}
