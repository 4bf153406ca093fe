package envelope

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// appendString appends s as a JSON string. What does not show is written as
// \uXXXX, so that neither a terminal nor a model meets it; the value is the
// same. Invalid UTF-8 becomes U+FFFD. Nothing is escaped for HTML.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r == utf8.RuneError && size == 1:
			dst = append(dst, `\ufffd`...)
		default:
			dst = appendRune(dst, r)
		}
		i += size
	}
	return append(dst, '"')
}

// appendRune appends r as it may stand inside a JSON string.
func appendRune(dst []byte, r rune) []byte {
	switch {
	case shows(r):
		return utf8.AppendRune(dst, r)
	case r <= 0xffff:
		return appendHex(append(dst, `\u`...), r, 4)
	}
	r -= 0x10000
	dst = appendHex(append(dst, `\u`...), 0xd800+r>>10, 4)
	return appendHex(append(dst, `\u`...), 0xdc00+r&0x3ff, 4)
}

// appendRaw appends valid JSON without white space, its strings escaped as by
// appendString. Numbers, key order and the escapes already there stay.
func appendRaw(dst, raw []byte) []byte {
	inString := false
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case !inString && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			i++
		case inString && c == '\\' && i+1 < len(raw):
			dst = append(dst, c, raw[i+1])
			i += 2
		case inString && (c >= utf8.RuneSelf || c == 0x7f):
			r, size := utf8.DecodeRune(raw[i:])
			dst = appendRune(dst, r)
			i += size
		default:
			inString = inString != (c == '"')
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// appendKey starts a member of the object that dst ends in.
func appendKey(dst []byte, key string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(append(dst, '"'), key...), '"', ':')
}

func appendStringMember(dst []byte, key, value string) []byte {
	return appendString(appendKey(dst, key), value)
}

// appendOptionalMember appends nothing for an empty value.
func appendOptionalMember(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return appendStringMember(dst, key, value)
}

func appendListMember(dst []byte, key string, values []string) []byte {
	dst = append(appendKey(dst, key), '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, v)
	}
	return append(dst, ']')
}

// members reads raw as exactly one JSON object: valid UTF-8, nothing after it,
// no key twice at any depth. Errors name the object by what.
func members(raw []byte, what string) (map[string]json.RawMessage, error) {
	if !utf8.Valid(raw) {
		return nil, fmt.Errorf("envelope: %s is not UTF-8", what)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil || object == nil {
		return nil, fmt.Errorf("envelope: %s is not a JSON object", what)
	}
	if hasDuplicateKeys(raw) {
		return nil, fmt.Errorf("envelope: %s has a key twice", what)
	}
	return object, nil
}

var errDuplicate = errors.New("duplicate")

func hasDuplicateKeys(raw []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return checkKeys(dec) != nil
}

// checkKeys reads one value. Its depth is bounded by encoding/json, which has
// accepted the whole text before.
func checkKeys(dec *json.Decoder) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('['):
		for dec.More() {
			if err := checkKeys(dec); err != nil {
				return err
			}
		}
	case json.Delim('{'):
		seen := map[string]bool{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return err
			}
			name, _ := key.(string)
			if seen[name] {
				return errDuplicate
			}
			seen[name] = true
			if err := checkKeys(dec); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	_, err = dec.Token() // the closing bracket
	return err
}
