package uri

import (
	"strings"
	"unicode/utf8"
)

// A form is a set of places where a byte may stand as it is.
type form uint8

const (
	unreserved   form = 1 << iota // RFC 3986 §2.3; what {name} and {?name} expand to
	inVariable                    // pchar, §3.3
	inReserved                    // {+name}: reserved and unreserved but ? and #
	inQuery                       // query, §3.4, but &
	inLiteral                     // a template's literal text but %
	inName                        // RFC 6570 §2.3 varchar
	endsVariable                  // reserved: never in an expanded {name}
)

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
)

var forms = func() (table [256]form) {
	add := func(f form, bytes string) {
		for i := range len(bytes) {
			table[bytes[i]] |= f
		}
	}
	const subDelims = "!$&'()*+,;="
	add(unreserved|inVariable|inReserved|inQuery|inLiteral, lower+upper+digits+"-._~")
	add(inName, lower+upper+digits+"_.")
	add(inVariable|inReserved|inLiteral|endsVariable, subDelims+":@")
	add(inReserved|inLiteral|endsVariable, "/[]")
	add(inQuery, "!$'()*+,;=:@/?")
	return table
}()

// decode resolves the escapes of raw once. Without any it does not allocate.
func decode(raw string, allowed form) (value, fault string) {
	escapes := 0
	ascii := true
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '%':
			if i+2 >= len(raw) || unhex(raw[i+1]) < 0 || unhex(raw[i+2]) < 0 {
				return "", "has a percent sign without two hex digits"
			}
			escapes++
			i += 2
		case c >= utf8.RuneSelf:
			ascii = false
		case forms[c]&allowed == 0:
			return "", "has a character that must be percent-encoded"
		}
	}
	if escapes > 0 {
		var b strings.Builder
		b.Grow(len(raw) - 2*escapes)
		for i := 0; i < len(raw); i++ {
			if raw[i] != '%' {
				b.WriteByte(raw[i])
				continue
			}
			b.WriteByte(byte(unhex(raw[i+1])<<4 | unhex(raw[i+2])))
			i += 2
		}
		raw = b.String()
	}
	if (escapes > 0 || !ascii) && !utf8.ValidString(raw) {
		return "", "is not UTF-8"
	}
	return raw, ""
}

func appendEncoded(dst []byte, value string, keep form) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(value) {
		if c := value[i]; forms[c]&keep != 0 {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
