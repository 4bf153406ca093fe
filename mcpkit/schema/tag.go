package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// A keyword is one item of a jsonschema tag: name=value, or name alone.
type keyword struct {
	name  string // without the "items." prefix
	value string
	items bool // applies to the elements of the list
}

// spelling returns the name as it stands in the tag.
func (k keyword) spelling() string {
	if k.items {
		return itemsPrefix + k.name
	}
	return k.name
}

const itemsPrefix = "items."

// keywordTakesValue lists the keywords of the jsonschema tag, and whether each
// takes a value.
var keywordTakesValue = map[string]bool{
	"title": true, "default": true, "enum": true,
	"format": true, "pattern": true, "minLength": true, "maxLength": true,
	"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
	"minItems": true, "maxItems": true, "uniqueItems": false,
	"nullable": false,
}

// itemKeywords lists what may follow "items.".
var itemKeywords = []string{
	"enum", "format", "pattern", "minLength", "maxLength",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
}

func knownKeyword(spelling string) (takesValue, known bool) {
	if name, ok := strings.CutPrefix(spelling, itemsPrefix); ok {
		return true, slices.Contains(itemKeywords, name)
	}
	takesValue, known = keywordTakesValue[spelling]
	return takesValue, known
}

// parseKeywords parses the value of a jsonschema tag. A comma ends an item only
// where a known keyword follows, so that patterns and titles keep theirs; \,
// is a comma that never does. What looks like an unknown keyword after a comma
// is an error rather than a part of the value before it. All errors of the tag
// are returned, each one line; the keywords are those that were understood.
func parseKeywords(tag string) (list []keyword, faults []string) {
	if tag == "" {
		return nil, nil
	}
	if !utf8.ValidString(tag) {
		return nil, []string{"the jsonschema tag is not valid UTF-8"}
	}
	seen := map[string]bool{}
	for i, item := range splitKeywords(tag) {
		spelling, value, hasValue := strings.Cut(item, "=")
		takesValue, known := knownKeyword(spelling)
		switch {
		case !known && spelling == "description":
			faults = append(faults, "descriptions go into the jsonschema_description tag")
			continue
		case !known && spelling == "" && i == 0:
			faults = append(faults, "the jsonschema tag starts with an empty keyword")
			continue
		case !known:
			faults = append(faults, fmt.Sprintf("unknown keyword %q in the jsonschema tag", spelling))
			continue
		case takesValue && !hasValue:
			faults = append(faults, fmt.Sprintf("keyword %s needs a value", spelling))
			continue
		case !takesValue && hasValue:
			faults = append(faults, fmt.Sprintf("keyword %s takes no value", spelling))
			continue
		case seen[spelling] && spelling != "enum" && spelling != itemsPrefix+"enum":
			faults = append(faults, fmt.Sprintf("keyword %s stands twice", spelling))
			continue
		}
		seen[spelling] = true
		name, items := strings.CutPrefix(spelling, itemsPrefix)
		if rest, bad := leftover(value, name == "enum"); bad {
			faults = append(faults, fmt.Sprintf(`keyword %s: %q after a comma is no keyword; write \\, if the comma belongs to the value`, spelling, rest))
			continue
		}
		list = append(list, keyword{name: name, value: strings.ReplaceAll(value, `\,`, ","), items: items})
	}
	return list, faults
}

// splitKeywords cuts at each unescaped comma that a known keyword follows.
func splitKeywords(tag string) []string {
	var items []string
	start := 0
	for i := range unescapedCommas(tag) {
		word, whole := wordAt(tag[i+1:])
		if _, known := knownKeyword(word); known && whole {
			items = append(items, tag[start:i])
			start = i + 1
		}
	}
	return append(items, tag[start:])
}

// leftover finds an unescaped comma in value after which something stands that
// was meant as a keyword: a word up to an equals sign, another comma or the
// end, with a space before it only if the equals sign is there, or nothing at
// all. In an enum every such comma is one: a list is written enum=a,enum=b.
func leftover(value string, enum bool) (rest string, bad bool) {
	for i := range unescapedCommas(value) {
		rest = value[i+1:]
		word, whole := wordAt(rest)
		spaced, spacedWhole := wordAt(strings.TrimLeft(rest, " "))
		assigned := spacedWhole && strings.Contains(rest, spaced+"=")
		switch {
		case rest == "":
			return "", true
		case whole:
			return word, true
		case assigned:
			return spaced, true
		case enum:
			return rest, true
		}
	}
	return "", false
}

// wordAt returns the letters, digits, dots and underscores at the start of s,
// and whether there are some that end at an equals sign, a comma or the end.
func wordAt(s string) (word string, whole bool) {
	n := 0
	for n < len(s) && isWordByte(s[n], n == 0) {
		n++
	}
	return s[:n], n > 0 && (n == len(s) || s[n] == '=' || s[n] == ',')
}

func isWordByte(c byte, first bool) bool {
	return c == '.' || c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || !first && '0' <= c && c <= '9'
}

// unescapedCommas yields the positions of commas without a backslash before.
func unescapedCommas(s string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range len(s) {
			if s[i] == ',' && (i == 0 || s[i-1] != '\\') && !yield(i) {
				return
			}
		}
	}
}

// tagRoles is the content of an mcp tag.
type tagRoles struct {
	roles  []Role
	lookup string
}

var allRoles = []Role{
	RoleCursor, RoleDetail, RoleIdempotencyKey, RoleExpectedVersion, RoleScope, RoleSet, RoleFold, RoleSensitive,
}

// parseRoles parses the value of an mcp tag.
func parseRoles(tag string) (r tagRoles, faults []string) {
	if tag == "" {
		return r, nil
	}
	for item := range strings.SplitSeq(tag, ",") {
		tool, isLookup := strings.CutPrefix(item, "lookup=")
		switch {
		case isLookup && !isToolName(tool):
			faults = append(faults, fmt.Sprintf("the mcp tag's lookup=%q is not the name of a tool", tool))
		case isLookup && r.lookup != "":
			faults = append(faults, "the mcp tag has lookup twice")
		case isLookup:
			r.lookup = tool
		case !slices.Contains(allRoles, Role(item)):
			faults = append(faults, fmt.Sprintf("unknown role %q in the mcp tag", item))
		case slices.Contains(r.roles, Role(item)):
			faults = append(faults, fmt.Sprintf("the mcp tag has role %s twice", item))
		default:
			r.roles = append(r.roles, Role(item))
		}
	}
	return r, faults
}

// isToolName accepts what mcpkit registers: snake_case with a service prefix.
func isToolName(s string) bool {
	words := strings.Split(s, "_")
	for i, w := range words {
		if w == "" || i == 0 && (w[0] < 'a' || w[0] > 'z') {
			return false
		}
		for _, c := range []byte(w) {
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
				return false
			}
		}
	}
	return len(words) > 1
}

// fieldTags are the tags of one field as this package understands them.
type fieldTags struct {
	keywords    []keyword
	description string
	roles       tagRoles
	detail      string // "full", "always" or ""
}

func (t fieldTags) has(name string) bool {
	return slices.ContainsFunc(t.keywords, func(k keyword) bool { return !k.items && k.name == name })
}

// parseTags parses all tags of a field.
func parseTags(tag reflect.StructTag) (t fieldTags, faults []string) {
	t.keywords, faults = parseKeywords(tag.Get("jsonschema"))
	roles, more := parseRoles(tag.Get("mcp"))
	t.roles, faults = roles, append(faults, more...)
	t.description = tag.Get("jsonschema_description")
	if !utf8.ValidString(t.description) {
		faults = append(faults, "the description is not valid UTF-8")
	}
	t.detail = tag.Get("detail")
	if t.detail != "" && t.detail != "full" && t.detail != "always" {
		faults = append(faults, fmt.Sprintf("detail is %q; it may be full or always", t.detail))
	}
	return t, faults
}
