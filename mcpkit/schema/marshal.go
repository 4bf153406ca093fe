package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Marshal encodes a tree of map[string]any, []any, string, bool, nil and
// [json.Number] as compact JSON, with the properties of each object sorted by
// name and numbers as they are spelled. A nil map is {} and a nil list [].
//
// Characters that do not show or that reorder or break lines (control, format
// and bidi characters, U+2028, U+2029) are written as \u escapes; <, > and &
// are not. The error names what is no part of such a tree: another Go type,
// invalid UTF-8, a json.Number that is no JSON number, or nesting deeper than
// 256 levels.
func Marshal(tree any) ([]byte, error) {
	return appendTree(make([]byte, 0, 256), tree, 0)
}

func appendTree(dst []byte, v any, depth int) (_ []byte, err error) {
	if depth > maxSchemaDepth {
		return nil, errors.New("schema: marshal: nested too deep")
	}
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		if v {
			return append(dst, "true"...), nil
		}
		return append(dst, "false"...), nil
	case json.Number:
		if !isJSONNumber(string(v)) {
			return nil, errors.New("schema: marshal: a json.Number is not a JSON number")
		}
		return append(dst, v...), nil
	case string:
		return appendText(dst, v)
	case []any:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendTree(dst, e, depth+1); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case map[string]any:
		dst = append(dst, '{')
		for i, name := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendText(dst, name); err != nil {
				return nil, err
			}
			if dst, err = appendTree(append(dst, ':'), v[name], depth+1); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	}
	return nil, fmt.Errorf("schema: marshal: a %T is not a JSON value", v)
}

func appendText(dst []byte, s string) ([]byte, error) {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
			i++
			continue
		case ' ' <= c && c < 0x7f:
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return nil, errors.New("schema: marshal: a string is not valid UTF-8")
		}
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			dst = appendUnicode(dst, r)
		} else {
			dst = append(dst, s[i:i+size]...)
		}
		i += size
	}
	return append(dst, '"'), nil
}

func appendUnicode(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return appendUnicode(appendUnicode(dst, high), low)
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
