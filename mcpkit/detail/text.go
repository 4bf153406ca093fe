package detail

import (
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const hex = "0123456789abcdef"

// plain has the ASCII characters that stand for themselves.
var plain = func() (set [256]bool) {
	for b := ' '; b < 0x7f; b++ {
		set[b] = b != '"' && b != '\\'
	}
	return set
}()

// appendString appends text as a JSON string. What could act on a terminal, a
// log or the order of a display is escaped; invalid UTF-8 becomes U+FFFD.
func appendString(dst []byte, text string) []byte {
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(text); {
		b := text[i]
		if plain[b] {
			i++
			continue
		}
		if b < utf8.RuneSelf {
			dst = appendASCII(append(dst, text[done:i]...), b)
			i++
			done = i
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 || hidden(r) {
			dst = appendEscape(append(dst, text[done:i]...), r)
			done = i + size
		}
		i += size
	}
	dst = append(dst, text[done:]...)
	return append(dst, '"')
}

func appendASCII(dst []byte, b byte) []byte {
	switch b {
	case '"', '\\':
		return append(dst, '\\', b)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return appendEscape(dst, rune(b))
}

func appendEscape(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		return appendUnit(appendUnit(dst, high), low)
	}
	return appendUnit(dst, r)
}

func appendUnit(dst []byte, u rune) []byte {
	return append(dst, '\\', 'u', hex[u>>12&0xf], hex[u>>8&0xf], hex[u>>4&0xf], hex[u&0xf])
}

// hidden reports whether r, which is not ASCII, is a control or format
// character or a line or paragraph separator.
func hidden(r rune) bool {
	if r < 0x600 {
		return r < 0xa0 || r == 0xad
	}
	return r == 0x2028 || r == 0x2029 || unicode.Is(unicode.Cf, r)
}

// raw appends valid JSON without its spaces, its strings escaped as ours are.
func (s *state) raw(text []byte) error {
	depth := s.depth
	for i := 0; i < len(text); {
		switch b := text[i]; b {
		case ' ', '\t', '\n', '\r':
			i++
		case '"':
			i = s.rawString(text, i)
		default:
			switch b {
			case '{', '[':
				if depth++; depth > maxDepth {
					return errDepth
				}
			case '}', ']':
				depth--
			}
			s.dst = append(s.dst, b)
			i++
		}
	}
	return nil
}

// rawString appends the string that starts at text[i], keeping its escapes, and
// returns the index after it.
func (s *state) rawString(text []byte, i int) int {
	done := i
	for i++; text[i] != '"'; {
		switch b := text[i]; {
		case b == '\\':
			i += 2 // the digits of \u are plain characters
		case b == 0x7f:
			s.dst = appendEscape(append(s.dst, text[done:i]...), rune(b))
			i++
			done = i
		case b < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && size == 1 || hidden(r) {
				s.dst = appendEscape(append(s.dst, text[done:i]...), r)
				done = i + size
			}
			i += size
		}
	}
	s.dst = append(s.dst, text[done:i+1]...)
	return i + 1
}
