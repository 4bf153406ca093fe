package jcs

import (
	"bytes"
	"math"
	"strconv"
)

// Integers of up to this many digits are spelled without exponent by ECMAScript
// too, so each is canonical as it stands.
const maxPlainDigits = 21

// number reads a number.
func (w *writer) number() error {
	start := w.pos
	if w.src[start] == '-' {
		w.pos++
	}
	whole := w.pos
	w.skipDigits()
	length := w.pos - whole
	zero := length > 0 && w.src[whole] == '0'
	switch {
	case length == 0:
		return w.wanted("no digit in a number")
	case zero && length > 1:
		return w.fail(whole, "leading zero in a number")
	}
	canonical := length <= maxPlainDigits && !(zero && whole > start) // all but -0
	if w.next() == '.' {
		w.pos++
		point := w.pos
		w.skipDigits()
		if w.pos == point {
			return w.wanted("no digit in a number")
		}
		canonical = w.pos-point+length <= exactDigits && w.src[w.pos-1] != '0' && !(zero && w.src[point] == '0')
	}
	if c := w.next(); c == 'e' || c == 'E' {
		w.pos++
		if c := w.next(); c == '+' || c == '-' {
			w.pos++
		}
		exponent := w.pos
		w.skipDigits()
		if w.pos == exponent {
			return w.wanted("no digit in a number")
		}
		canonical = false
	}
	if canonical {
		return nil
	}
	return w.respell(start)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (w *writer) skipDigits() {
	i := w.pos
	for i < len(w.src) && isDigit(w.src[i]) {
		i++
	}
	w.pos = i
}

// respell replaces the number that starts at start and ends here.
func (w *writer) respell(start int) error {
	text := w.src[start:w.pos]
	var d decimal
	d, w.digits = parseDecimal(text, w.digits[:0])
	var reason string
	w.spelling, reason = d.append(w.spelling[:0])
	if reason != "" {
		return w.fail(start, reason)
	}
	if !bytes.Equal(w.spelling, text) {
		w.cut(start)
		w.out = append(w.out, w.spelling...)
		w.run = w.pos
	}
	return nil
}

// AppendFloat appends the canonical spelling of f. It reports false, and
// returns dst as it was, if f is infinite or not a number.
func AppendFloat(dst []byte, f float64) ([]byte, bool) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return dst, false
	}
	if whole := int64(f); float64(whole) == f && -1<<53 <= whole && whole <= 1<<53 {
		return strconv.AppendInt(dst, whole, 10), true
	}
	var buffer [32]byte
	return shortest(f, buffer[:0]).appendECMAScript(dst), true
}

// AppendNumber appends the canonical spelling of one number in JSON's grammar.
// On error it returns dst as it was.
func AppendNumber(dst []byte, text string) ([]byte, error) {
	w := get([]byte(text))
	defer w.put()
	if c := w.next(); c != '-' && !isDigit(c) {
		return dst, w.fail(0, "not a JSON number")
	}
	if err := w.number(); err != nil {
		return dst, err
	}
	if w.pos < len(w.src) {
		return dst, w.fail(w.pos, "not a JSON number")
	}
	w.cut(w.pos)
	return append(dst, w.out...), nil
}

// A decimal is the number ±0.digits × 10^point. digits starts and ends with a
// digit other than 0; it is empty for zero.
type decimal struct {
	negative bool
	digits   []byte
	point    int64
}

// Beyond these positions of the decimal point everything overflows, or is
// nearer to zero than to the smallest double.
const maxPoint, minPoint = 309, -323

// Decimals of up to 15 digits differ from each other as doubles too, so that
// each is the shortest one that stands for its double. This holds for normal
// doubles; the bounds stay clear of the others.
const exactDigits, exactPoint = 15, 300

// parseDecimal reads a number of JSON's grammar. It puts the digits into
// buffer, which it also returns, perhaps grown.
func parseDecimal(text, buffer []byte) (decimal, []byte) {
	var d decimal
	if text[0] == '-' {
		d.negative = true
		text = text[1:]
	}
	fraction := false
	var exponent int64
	for i, c := range text {
		switch {
		case c == '.':
			fraction = true
			continue
		case c == 'e' || c == 'E':
			exponent = parseExponent(text[i+1:])
		case c == '0' && len(buffer) == 0:
			if fraction {
				d.point--
			}
			continue
		default:
			buffer = append(buffer, c)
			if !fraction {
				d.point++
			}
			continue
		}
		break
	}
	d.point += exponent
	d.digits = bytes.TrimRight(buffer, "0")
	if len(d.digits) == 0 {
		return decimal{}, buffer
	}
	return d, buffer
}

// parseExponent reads an exponent. The bound on what it returns is larger than
// any text is long, so that no run of zeros makes up for what it cuts off.
func parseExponent(text []byte) int64 {
	const bound = math.MaxInt64 / 64
	sign := int64(1)
	switch text[0] {
	case '-':
		sign = -1
		text = text[1:]
	case '+':
		text = text[1:]
	}
	var n int64
	for _, c := range text {
		if n = n*10 + int64(c-'0'); n > bound {
			n = bound
		}
	}
	return sign * n
}

// append appends the canonical spelling, or says why there is none.
func (d decimal) append(dst []byte) (spelling []byte, reason string) {
	switch {
	case len(d.digits) == 0:
		return append(dst, '0'), ""
	case d.point > maxPoint:
		return dst, "number too large"
	case d.point < minPoint:
		return dst, "number too close to zero"
	case len(d.digits) <= exactDigits && -exactPoint < d.point && d.point < exactPoint:
		return d.appendECMAScript(dst), ""
	}
	f := d.nearest()
	switch {
	case math.IsInf(f, 0):
		return dst, "number too large"
	case f == 0:
		return dst, "number too close to zero"
	}
	var buffer [32]byte
	double := shortest(f, buffer[:0])
	double.negative = d.negative
	if !d.isInteger() || double.point == d.point && bytes.Equal(double.digits, d.digits) {
		return double.appendECMAScript(dst), ""
	}
	return d.appendInteger(dst), ""
}

func (d decimal) isInteger() bool { return d.point >= int64(len(d.digits)) }

// nearest is the double nearest to the decimal without its sign.
func (d decimal) nearest() float64 {
	// No double and no middle of two has more digits than this, so that of what
	// follows only its being there counts.
	const enough = 800
	digits, more := d.digits, false
	if len(digits) > enough {
		digits, more = digits[:enough], true
	}
	var buffer [64]byte
	text := append(buffer[:0], '.')
	text = append(text, digits...)
	if more {
		text = append(text, '1')
	}
	text = append(text, 'e')
	text = strconv.AppendInt(text, d.point, 10)
	f, _ := strconv.ParseFloat(string(text), 64) // an error goes with ±Inf
	return f
}

// shortest is the shortest decimal that reads back as f, the one of ECMAScript's
// Number::toString.
func shortest(f float64, buffer []byte) decimal {
	text := strconv.AppendFloat(buffer, f, 'e', -1, 64)
	d := decimal{negative: text[0] == '-'}
	if d.negative {
		text = text[1:]
	}
	mark := bytes.IndexByte(text, 'e')
	d.point = 1 + parseExponent(text[mark+1:])
	if mark > 1 { // d.ddd: close the gap of the point
		copy(text[1:], text[2:mark])
		mark--
	}
	d.digits = bytes.TrimRight(text[:mark], "0")
	if len(d.digits) == 0 {
		return decimal{}
	}
	return d
}

// appendInteger appends all digits of an integer.
func (d decimal) appendInteger(dst []byte) []byte {
	if d.negative {
		dst = append(dst, '-')
	}
	return appendZeros(append(dst, d.digits...), int(d.point)-len(d.digits))
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

// appendECMAScript appends the decimal as ECMA-262 Number::toString writes the
// double whose shortest decimal it is (RFC 8785 section 3.2.2.3).
func (d decimal) appendECMAScript(dst []byte) []byte {
	k, n := len(d.digits), int(d.point)
	if k == 0 {
		return append(dst, '0')
	}
	if d.negative {
		dst = append(dst, '-')
	}
	switch {
	case k <= n && n <= maxPlainDigits:
		dst = append(dst, d.digits...)
		return appendZeros(dst, n-k)
	case 0 < n && n <= maxPlainDigits:
		dst = append(dst, d.digits[:n]...)
		dst = append(dst, '.')
		return append(dst, d.digits[n:]...)
	case -6 < n && n <= 0:
		dst = append(dst, '0', '.')
		dst = appendZeros(dst, -n)
		return append(dst, d.digits...)
	}
	dst = append(dst, d.digits[0])
	if k > 1 {
		dst = append(dst, '.')
		dst = append(dst, d.digits[1:]...)
	}
	dst = append(dst, 'e')
	if n > 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, int64(n-1), 10)
}
