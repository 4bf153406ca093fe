package jcs

import "slices"

// A writer reads one JSON text and writes its canonical form. What is canonical
// as it stands is not copied before something else has to be written: the
// canonical form so far is out followed by src[run:pos].
type writer struct {
	src   []byte
	pos   int
	run   int
	depth int

	out      []byte
	members  []member // of all objects that are open, outermost first
	keys     []byte   // decoded keys of members whose key holds an escape
	spare    []byte   // for putting members into order
	digits   []byte   // of the number being read
	spelling []byte   // of that number
}

// A member of an object. Its key is in writer.keys if it had to be decoded,
// else in the source.
type member struct {
	start, end  int // in the canonical form
	key, keyEnd int
	offset      int // of the key in the source
	decoded     bool
}

func (w *writer) fail(offset int, reason string) error {
	return &Error{Offset: offset, Reason: reason}
}

// written is the length of the canonical form so far.
func (w *writer) written() int { return len(w.out) + w.pos - w.run }

// cut ends the run of verbatim bytes at the offset to; the caller sets where
// the next one starts.
func (w *writer) cut(to int) {
	w.out = append(w.out, w.src[w.run:to]...)
}

// document returns the canonical form, which is valid until the writer is used
// again and may be a part of the source.
func (w *writer) document() ([]byte, error) {
	end := len(w.src)
	for end > 0 && isSpace(w.src[end-1]) {
		end--
	}
	w.src = w.src[:end]
	w.space()
	if err := w.value(); err != nil {
		return nil, err
	}
	w.space()
	if w.pos < len(w.src) {
		return nil, w.fail(w.pos, "data after the value")
	}
	if len(w.out) == 0 {
		return w.src[w.run:], nil
	}
	w.cut(w.pos)
	w.run = w.pos
	return w.out, nil
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// space skips white space, which the canonical form has none of.
func (w *writer) space() {
	if w.next() <= ' ' {
		w.skipSpace()
	}
}

// skipSpace is apart from space so that space is small enough to be inlined.
//
//go:noinline
func (w *writer) skipSpace() {
	start := w.pos
	for w.pos < len(w.src) && isSpace(w.src[w.pos]) {
		w.pos++
	}
	if w.pos > start {
		w.cut(start)
		w.run = w.pos
	}
}

func (w *writer) value() error {
	if w.pos >= len(w.src) {
		return w.fail(w.pos, "unexpected end")
	}
	switch c := w.src[w.pos]; c {
	case '"':
		_, err := w.string()
		return err
	case '{':
		return w.object()
	case '[':
		return w.array()
	case 't':
		return w.literal("true")
	case 'f':
		return w.literal("false")
	case 'n':
		return w.literal("null")
	default:
		if c == '-' || '0' <= c && c <= '9' {
			return w.number()
		}
		return w.fail(w.pos, "unexpected character")
	}
}

func (w *writer) literal(word string) error {
	if len(w.src)-w.pos < len(word) || string(w.src[w.pos:w.pos+len(word)]) != word {
		return w.fail(w.pos, "unexpected character")
	}
	w.pos += len(word)
	return nil
}

func (w *writer) enter() error {
	if w.depth == MaxDepth {
		return w.fail(w.pos, "nested too deeply")
	}
	w.depth++
	w.pos++
	w.space()
	return nil
}

func (w *writer) leave() {
	w.depth--
	w.pos++
}

// next is the byte at the current position, or 0 at the end of the text. A zero
// byte in the text itself is nowhere legal.
func (w *writer) next() byte {
	if w.pos < len(w.src) {
		return w.src[w.pos]
	}
	return 0
}

// wanted is the error for anything but what the grammar wants here.
func (w *writer) wanted(what string) error {
	if w.pos >= len(w.src) {
		return w.fail(w.pos, "unexpected end")
	}
	return w.fail(w.pos, what)
}

func (w *writer) array() error {
	if err := w.enter(); err != nil {
		return err
	}
	if w.next() == ']' {
		w.leave()
		return nil
	}
	for {
		if err := w.value(); err != nil {
			return err
		}
		w.space()
		switch w.next() {
		case ',':
			w.pos++
			w.space()
		case ']':
			w.leave()
			return nil
		default:
			return w.wanted("no comma or bracket after an element")
		}
	}
}

func (w *writer) object() error {
	if err := w.enter(); err != nil {
		return err
	}
	if w.next() == '}' {
		w.leave()
		return nil
	}
	first, firstKey := len(w.members), len(w.keys)
	sorted := true
	for {
		if err := w.name(); err != nil {
			return err
		}
		if last := len(w.members) - 1; sorted && last > first {
			m := &w.members[last]
			switch order := Compare(w.key(&w.members[last-1]), w.key(m)); {
			case order == 0:
				return w.fail(m.offset, "duplicate key")
			case order > 0:
				sorted = false
			}
		}
		if err := w.value(); err != nil {
			return err
		}
		w.space()
		w.members[len(w.members)-1].end = w.written()
		switch w.next() {
		case ',':
			w.pos++
			w.space()
			continue
		case '}':
		default:
			return w.wanted("no comma or brace after a member")
		}
		break
	}
	if !sorted {
		if err := w.sort(w.members[first:]); err != nil {
			return err
		}
	}
	w.members, w.keys = w.members[:first], w.keys[:firstKey]
	w.leave()
	return nil
}

// name reads a key and its colon, and appends to the members.
func (w *writer) name() error {
	if w.next() != '"' {
		return w.wanted("no key where one must be")
	}
	start, offset := w.written(), w.pos
	escaped, err := w.string()
	if err != nil {
		return err
	}
	w.members = append(w.members, member{start: start, offset: offset, key: offset + 1, keyEnd: w.pos - 1})
	if escaped {
		m := &w.members[len(w.members)-1]
		text := w.src[m.key:m.keyEnd]
		m.key, m.decoded = len(w.keys), true
		w.keys = unescape(w.keys, text)
		m.keyEnd = len(w.keys)
	}
	w.space()
	if w.next() != ':' {
		return w.wanted("no colon after a key")
	}
	w.pos++
	w.space()
	return nil
}

func (w *writer) key(m *member) []byte {
	if m.decoded {
		return w.keys[m.key:m.keyEnd]
	}
	return w.src[m.key:m.keyEnd]
}

// sort puts the members of an object, all of them written, into order.
func (w *writer) sort(members []member) error {
	w.cut(w.pos)
	w.run = w.pos
	start := members[0].start
	slices.SortFunc(members, func(a, b member) int { return Compare(w.key(&a), w.key(&b)) })
	w.spare = w.spare[:0]
	for i := range members {
		m := &members[i]
		if i > 0 {
			if previous := &members[i-1]; Compare(w.key(previous), w.key(m)) == 0 {
				return w.fail(max(previous.offset, m.offset), "duplicate key")
			}
			w.spare = append(w.spare, ',')
		}
		w.spare = append(w.spare, w.out[m.start:m.end]...)
	}
	copy(w.out[start:], w.spare)
	return nil
}
