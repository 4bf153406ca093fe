package envelope

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxProse = 2 << 10 // bytes of a message, reason or alternative
	maxName  = 256     // bytes of a field name
	minQuote = 8       // the least limit of Quote that leaves room for text
	ellipsis = "…"
)

// Quote makes text from outside safe to put into a message: redacted as by
// [Redact], in double quotes, on one line, every character that does not show
// (control and C1 characters, terminal escapes, bidi marks, zero-width and
// other invisible characters, line and paragraph separators) and every invalid
// byte written as an escape like those of a Go string. A quote or backslash of
// the text is escaped, so the text cannot end the quotation.
//
// The result has at most limit bytes, quotes included; if text had to go, it
// ends in … and was cut on a rune border, never inside an escape and never
// before redaction. A limit below 8 counts as 8.
func Quote(s string, limit int) string {
	limit = max(limit, minQuote) - 2
	s = redactHead(s, limit, func(s string) string { return Redact(s) })
	return `"` + escape(s, true, limit) + `"`
}

// Escape writes whatever does not show on one line (see [Quote]) as a visible
// escape, and invalid UTF-8 as \xNN. Printable text, backslashes included,
// stays as it is, so Escape(Escape(s)) equals Escape(s); the result cannot be
// decoded.
func Escape(s string) string { return escape(s, false, 0) }

// escape escapes s; if quoted, it also escapes quotes and backslashes. With a
// limit other than 0 it cuts what exceeds so many bytes.
func escape(s string, quoted bool, limit int) string {
	out := make([]byte, 0, min(len(s), max(limit, 64))+16)
	cut := 0 // where an ellipsis still fits
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			out = appendHex(append(out, `\x`...), rune(s[i]), 2)
		case quoted && (r == '"' || r == '\\'):
			out = append(out, '\\', byte(r))
		case shows(r):
			out = append(out, s[i:i+size]...)
		default:
			out = appendEscape(out, r)
		}
		if limit > 0 && len(out) > limit {
			return string(out[:cut]) + ellipsis
		}
		if len(out) <= limit-len(ellipsis) {
			cut = len(out)
		}
		i += size
	}
	return string(out)
}

func appendEscape(dst []byte, r rune) []byte {
	switch {
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r < utf8.RuneSelf:
		return appendHex(append(dst, `\x`...), r, 2)
	case r <= 0xffff:
		return appendHex(append(dst, `\u`...), r, 4)
	}
	return appendHex(append(dst, `\U`...), r, 8)
}

func appendHex(dst []byte, r rune, digits int) []byte {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[r>>shift&15])
	}
	return dst
}

// shows reports whether r is visible, or a space, and leaves the order and the
// line of its neighbours alone. Emoji presentation selectors pass; the other
// variation selectors and ignorable characters can carry hidden text.
func shows(r rune) bool {
	if r < utf8.RuneSelf {
		return ' ' <= r && r < 0x7f
	}
	if r == 0xfe0e || r == 0xfe0f {
		return true
	}
	return (unicode.IsPrint(r) || unicode.Is(unicode.Zs, r)) &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// prose makes a sentence ready for the wire: no credentials, one line, at most
// maxProse bytes. Credentials are looked for again after escaping, which may
// have joined what a line break parted.
func prose(s string) string {
	s = Escape(redactHead(strings.TrimSpace(s), maxProse, redactTokens))
	return escape(redactTokens(s), false, maxProse)
}

// redactHead redacts the head of a text of which limit bytes will be shown, so
// that megabytes from outside cost no more than their beginning. A secret that
// the end of the head parts cannot be recognized; it is dropped with the margin
// that it lies in.
func redactHead(s string, limit int, redact func(string) string) string {
	const margin = 8 << 10
	if len(s)-limit <= 2*margin {
		return redact(s)
	}
	s = redact(s[:limit+2*margin])
	cut := max(len(s)-margin, 0)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + ellipsis
}

// label makes a name ready for the wire. It may hold any character, which the
// JSON encoder escapes, but no credential and at most limit bytes.
func label(s string, limit int) string {
	s = redactHead(strings.ToValidUTF8(s, "\uFFFD"), limit, redactTokens)
	if len(s) <= limit {
		return s
	}
	cut := limit - len(ellipsis)
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + ellipsis
}

// plain returns s if it is printable and at most maxProse bytes long, else "".
func plain(s string) string {
	if len(s) > maxProse || Escape(s) != s {
		return ""
	}
	return s
}

// fullStop ends a sentence that has no end yet.
func fullStop(s string) string {
	if s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") || strings.HasSuffix(s, ellipsis) {
		return s
	}
	return s + "."
}
