package jcs

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// plain returns how many bytes at the start of b stand for themselves in a JSON
// string (no quote, no backslash, no control character) and whether some of
// them may be outside ASCII.
func plain[T []byte | string](b T) (n int, wide bool) {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	var seen uint64
	for ; len(b)-n >= 8; n += 8 {
		x := load(b, n)
		quote, slash := x^'"'*ones, x^'\\'*ones
		// Below the lowest match no byte borrows, so that one is right.
		stop := ((x-' '*ones)&^x | (quote-ones)&^quote | (slash-ones)&^slash) & high
		if stop != 0 {
			k := bits.TrailingZeros64(stop) / 8
			seen |= x & (1<<(8*k) - 1)
			return n + k, seen&high != 0
		}
		seen |= x
	}
	wide = seen&high != 0
	for ; n < len(b); n++ {
		c := b[n]
		if c < ' ' || c == '"' || c == '\\' {
			break
		}
		wide = wide || c >= utf8.RuneSelf
	}
	return n, wide
}

func load[T []byte | string](b T, n int) uint64 {
	var word [8]byte
	copy(word[:], b[n:n+8])
	return binary.LittleEndian.Uint64(word[:])
}

// string reads a string and reports whether it holds an escape.
func (w *writer) string() (escaped bool, err error) {
	i := w.pos + 1
	for {
		n, wide := plain(w.src[i:])
		if wide && !utf8.Valid(w.src[i:i+n]) {
			return false, w.fail(i+invalidAt(w.src[i:i+n]), "invalid UTF-8")
		}
		i += n
		if i >= len(w.src) {
			return false, w.fail(i, "unexpected end")
		}
		switch w.src[i] {
		case '"':
			w.pos = i + 1
			return escaped, nil
		case '\\':
			escaped = true
			if i, err = w.escape(i); err != nil {
				return false, err
			}
		default:
			return false, w.fail(i, "control character in a string")
		}
	}
}

func invalidAt(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// escape reads the escape at i and returns where it ends.
func (w *writer) escape(i int) (int, error) {
	if i+1 >= len(w.src) {
		return 0, w.fail(i+1, "unexpected end")
	}
	switch w.src[i+1] {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		return i + 2, nil // canonical
	case '/':
		w.cut(i)
		w.run = i + 1 // the slash stands for itself
		return i + 2, nil
	case 'u':
	default:
		return 0, w.fail(i, "unknown escape")
	}
	r, ok := hex4(w.src[i+2:])
	if !ok {
		return 0, w.fail(i, "incomplete escape")
	}
	end := i + 6
	if utf16.IsSurrogate(r) {
		low := rune(-1)
		if len(w.src)-end >= 6 && w.src[end] == '\\' && w.src[end+1] == 'u' {
			low, _ = hex4(w.src[end+2:])
		}
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			return 0, w.fail(i, "lone surrogate")
		}
		end += 6
	}
	w.cut(i)
	w.out = appendRune(w.out, r)
	w.run = end
	return end, nil
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return -1, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return -1, false
		}
	}
	return r, true
}

// appendRune appends the canonical spelling of r inside a string, RFC 8785
// section 3.2.2.2.
func appendRune(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, `\b`...)
	case '\t':
		return append(dst, `\t`...)
	case '\n':
		return append(dst, `\n`...)
	case '\f':
		return append(dst, `\f`...)
	case '\r':
		return append(dst, `\r`...)
	}
	if r < ' ' {
		const digits = "0123456789abcdef"
		return append(dst, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
	}
	return utf8.AppendRune(dst, r)
}

// unescape appends the meaning of text, the inside of a string that has been
// read without error.
func unescape(dst, text []byte) []byte {
	for {
		n, _ := plain(text)
		dst = append(dst, text[:n]...)
		if n == len(text) {
			return dst
		}
		c := text[n+1]
		text = text[n+2:]
		switch c {
		case 'b':
			dst = append(dst, '\b')
		case 't':
			dst = append(dst, '\t')
		case 'n':
			dst = append(dst, '\n')
		case 'f':
			dst = append(dst, '\f')
		case 'r':
			dst = append(dst, '\r')
		case 'u':
			r, _ := hex4(text)
			text = text[4:]
			if utf16.IsSurrogate(r) {
				low, _ := hex4(text[2:])
				r = utf16.DecodeRune(r, low)
				text = text[6:]
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
	}
}

// AppendString appends the canonical JSON string of s. It reports false, and
// returns dst as it was, if s is not valid UTF-8.
func AppendString(dst []byte, s string) ([]byte, bool) {
	start := len(dst)
	dst = append(dst, '"')
	for {
		n, wide := plain(s)
		if wide && !utf8.ValidString(s[:n]) {
			return dst[:start], false
		}
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return append(dst, '"'), true
		}
		dst = appendRune(dst, rune(s[n]))
		s = s[n+1:]
	}
}

// Compare orders keys as RFC 8785 section 3.2.3 does, by their UTF-16 code
// units. Both must be valid UTF-8.
func Compare[T []byte | string](a, b T) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return weight(a[i]) - weight(b[i])
		}
	}
	return len(a) - len(b)
}

// weight orders the first bytes of characters. UTF-8 and UTF-16 agree on the
// order of characters but for those beyond U+FFFF (F0 to F4), which in UTF-16
// stand before U+E000 to U+FFFF (EE and EF).
func weight(c byte) int {
	switch {
	case c >= 0xF0:
		return int(c)
	case c >= 0xEE:
		return int(c) + 0x100
	}
	return int(c)
}
