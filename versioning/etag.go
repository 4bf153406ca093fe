package versioning

import (
	"fmt"
	"strings"
)

// ETag returns the strong entity tag of a version, as the ETag header carries
// it: the token in quotes (RFC 9110 section 8.8.3). A token of this package
// always has one; for any other string that holds a byte which no entity tag
// may hold (a quote, white space, a control character) ETag returns "".
//
// A strong tag promises that the bytes of the representation are the same too.
// If one version has several, for example a summary and a full view, use
// [WeakETag].
func ETag(token string) string {
	for _, c := range []byte(token) {
		if !isTagByte(c) {
			return ""
		}
	}
	return `"` + token + `"`
}

// WeakETag returns the weak entity tag of a version: equal for representations
// that mean the same, whatever their bytes. It never satisfies If-Match. It
// returns "" where [ETag] does.
func WeakETag(token string) string {
	tag := ETag(token)
	if tag == "" {
		return ""
	}
	return "W/" + tag
}

// isTagByte is etagc of RFC 9110.
func isTagByte(c byte) bool { return c == 0x21 || 0x23 <= c && c <= 0x7E || c >= 0x80 }

// IfMatch reports whether the precondition of an If-Match header holds (RFC
// 9110 section 13.1.1); if not, answer 412 and do nothing. header is the value,
// several lines of it joined by commas, and "" if the request has none, which
// always holds. current is the entity tag that a read would answer with now, as
// [ETag] writes it, or "" if there is none. exists says whether there is a
// current representation at all; current counts only if there is.
//
// "*" holds for whatever exists. A list holds if one of its tags equals current
// and both are strong. A header that is not of the grammar, such as a tag
// without quotes, is an error that wraps [ErrMalformed]; so is a current tag
// that is none.
func IfMatch(header, current string, exists bool) (bool, error) {
	if header == "" {
		return true, nil
	}
	c, err := evaluate("If-Match", header, current, exists)
	return c.any && exists || c.strong, err
}

// IfNoneMatch reports whether the precondition of an If-None-Match header holds
// (RFC 9110 section 13.1.2); if not, answer 304 to GET and HEAD and 412 to all
// other methods. Parameters and errors are those of [IfMatch].
//
// "*" holds if nothing exists. A list holds if none of its tags equals current,
// weak or strong.
func IfNoneMatch(header, current string, exists bool) (bool, error) {
	if header == "" {
		return true, nil
	}
	c, err := evaluate("If-None-Match", header, current, exists)
	return err == nil && !(c.any && exists) && !c.weak, err
}

// A comparison is how a header's list relates to the current tag.
type comparison struct {
	any    bool // the list is *
	strong bool // equal by strong comparison, RFC 9110 section 8.8.3.2
	weak   bool // equal by weak comparison
}

func evaluate(name, header, current string, exists bool) (comparison, error) {
	if strings.Trim(header, " \t") == "*" {
		return comparison{any: true}, nil
	}
	now, rest, ok := cutTag(current)
	known := exists && current != ""
	if known && (!ok || rest != "") {
		return comparison{}, fmt.Errorf("%w current entity tag", ErrMalformed)
	}
	var c comparison
	members := 0
	for rest := header; ; {
		rest = strings.TrimLeft(rest, " \t,") // empty members are ignored, section 5.6.1.2
		if rest == "" {
			break
		}
		var tag entityTag
		if tag, rest, ok = cutTag(rest); !ok {
			return comparison{}, fmt.Errorf("%w %s header", ErrMalformed, name)
		}
		if rest = strings.TrimLeft(rest, " \t"); rest != "" && rest[0] != ',' {
			return comparison{}, fmt.Errorf("%w %s header", ErrMalformed, name)
		}
		members++
		if known && tag.opaque == now.opaque {
			c.weak = true
			c.strong = c.strong || !tag.weak && !now.weak
		}
	}
	if members == 0 {
		return comparison{}, fmt.Errorf("%w %s header", ErrMalformed, name)
	}
	return c, nil
}

type entityTag struct {
	opaque string // without its quotes
	weak   bool
}

// cutTag reads the entity tag at the start of s.
func cutTag(s string) (tag entityTag, rest string, ok bool) {
	s, tag.weak = strings.CutPrefix(s, "W/")
	if s, ok = strings.CutPrefix(s, `"`); !ok {
		return entityTag{}, "", false
	}
	for i := range len(s) {
		if s[i] == '"' {
			tag.opaque = s[:i]
			return tag, s[i+1:], true
		}
		if !isTagByte(s[i]) {
			break
		}
	}
	return entityTag{}, "", false
}
