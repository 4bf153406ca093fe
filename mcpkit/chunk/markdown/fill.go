package markdown

import (
	"unicode"
	"unicode/utf8"
)

// A filler cuts blocks without regard to sections. It fills one piece after the
// other up to the target.
type filler struct {
	splitter
	out  []piece
	cur  piece
	open bool
}

// fill cuts blocks that are larger than the limit together.
func (s splitter) fill(blocks []block) []piece {
	f := &filler{splitter: s}
	for _, b := range blocks {
		f.block(b)
	}
	f.flush()
	return f.out
}

// flush ends the current piece.
func (f *filler) flush() {
	if f.open {
		f.out = append(f.out, f.cur)
		f.open = false
	}
}

// take adds a span to the current piece, or begins one with it.
func (f *filler) take(s span) {
	if !f.open {
		f.cur = piece{start: s.start, continuation: s.continuation, thin: s.thin}
		f.open = true
	}
	f.cur.end = s.end
	f.cur.thin = f.cur.thin && s.thin
}

// A span is a run of bytes, such as a line, that is better not cut.
type span struct {
	start, end   int
	thin         bool
	row          bool   // must not be cut
	continuation string // if a piece begins here
	inner        string // if a piece begins within
}

func (s span) size() int { return s.end - s.start }

// fits adds s if it can stay whole, and says whether it did.
func (f *filler) fits(s span) bool {
	heads := f.open && f.cur.thin && !s.thin // the current piece is the head of s
	switch {
	case f.open && f.cur.size()+s.size() <= f.target:
	case heads && f.cur.size()+s.size() <= f.max:
	case s.size() <= f.max && !heads:
		f.flush()
	default:
		return false
	}
	f.take(s)
	return true
}

// line adds a span of one line, or of lines that stay together.
func (f *filler) line(s span) {
	switch {
	case f.fits(s):
	case s.row:
		f.flush()
		f.take(s)
		f.cur.oversize = s.size() > f.max
		f.flush()
	default:
		f.cut(s)
	}
}

// cut spreads a line over pieces.
func (f *filler) cut(s span) {
	for s.start < s.end {
		room := f.target
		if f.open {
			room -= f.cur.size()
		}
		at := s.end
		if s.size() > room {
			at = f.border(s.start, s.start+room)
		}
		if at <= s.start {
			if f.open {
				f.flush()
				continue
			}
			at = f.border(s.start, min(s.start+max(f.max, utf8.UTFMax), s.end))
		}
		f.take(span{start: s.start, end: at, continuation: s.continuation})
		s.start, s.continuation = at, s.inner
		if s.start < s.end {
			f.flush()
		}
	}
}

// border returns the best place for a cut at or before limit and after start: after
// white space in the second half, otherwise between runes. It returns start if there
// is none.
func (f *filler) border(start, limit int) int {
	if limit <= start {
		return start
	}
	at := limit
	if at < len(f.source) {
		for back := 0; back < utf8.UTFMax-1 && at > start && !utf8.RuneStart(f.source[at]); back++ {
			at--
		}
		if !utf8.RuneStart(f.source[at]) {
			at = limit // not UTF-8
		}
	}
	for i := at; i > start+(limit-start)/2; {
		r, size := utf8.DecodeLastRuneInString(f.source[start:i])
		if unicode.IsSpace(r) && r != '\u00a0' && !f.insideCRLF(i) {
			return i
		}
		i -= size
	}
	if f.insideCRLF(at) {
		at--
	}
	return at
}

func (f *filler) insideCRLF(at int) bool {
	return at > 0 && at < len(f.source) && f.source[at-1] == '\r' && f.source[at] == '\n'
}
