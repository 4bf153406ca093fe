package schema

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Bounds of the work of Correct.
const (
	maxRounds = 8
	maxEdits  = 64
)

// Correct proposes arguments that the schema accepts in place of args, which it
// refused with violations, both as [Document.Read] returned them. It makes the
// smallest correction that keeps what was meant:
//
//   - A name that is unknown is renamed if exactly one known name, which is not
//     taken, is nearest: spelled alike but for case and separators, a slip or
//     two away, or abbreviated by the unknown one and missing. It is dropped if
//     no name is near, or if that is given too with the same value.
//   - A text that is the JSON of a wanted number, true or false becomes that,
//     also in Python's spelling; likewise a list or object that is wanted. A
//     number becomes text where text is wanted.
//   - A lone value where a list is wanted becomes a list of one, unless it is a
//     text that might be meant as several: one with a comma, a semicolon or a
//     line break, or one that starts as JSON of a list, object or string.
//   - A member of an enum is taken if it is the only one nearest to the text, as
//     with names, but for abbreviations.
//   - A number above its bounds is clamped where it tunes the call rather than
//     says what it is about: as an optional property that may not be null. One
//     below them is, if the property also has a default.
//   - An element that is repeated where it may not be is dropped, and a property
//     given twice with the same value is given once.
//
// Nothing else is provable: a missing value is never invented, text never
// shortened, and a name that stands for two is not chosen. ok is false if
// anything is left that has no correction; fixed is nil then. If ok is true,
// fixed validates, every property of args that had no violation is in it
// unchanged, and no default is inserted.
//
// The result depends on the arguments alone. The work is bounded to 8 rounds of
// validation and 64 corrections. args is not changed and shares nothing with
// fixed.
func (d *Document) Correct(args map[string]any, violations []Violation) (fixed map[string]any, ok bool) {
	for _, v := range violations {
		switch v.Rule {
		case ruleSyntax, ruleDuplicate, ruleUnicode, ruleNumber, ruleDepth, ruleSize:
			return nil, false
		}
		if v.Pointer == "" && v.Rule == "type" {
			return nil, false // args is not what was sent
		}
	}
	if args == nil || len(checkTree(args)) > 0 {
		return nil, false
	}
	c := corrector{doc: d, tree: cloneTree(args).(map[string]any)}
	d.plan.normalize(c.tree)
	before := cloneTree(c.tree).(map[string]any)
	broken := map[string]bool{}
	for round := range maxRounds {
		d.plan.normalize(c.tree)
		if d.plan.quick && d.plan.accepts(c.tree) {
			break
		}
		list := d.findings(c.tree)
		if len(list) == 0 {
			break
		}
		if round == 0 {
			for _, f := range list {
				if place := f.place(); len(place) > 0 {
					broken[place[0]] = true
				}
			}
		}
		if round == maxRounds-1 || !c.apply(list) {
			return nil, false
		}
	}
	for name, v := range before {
		if now, ok := c.tree[name]; !broken[name] && (!ok || !sameTree(v, now)) {
			return nil, false
		}
	}
	if len(d.Validate(c.tree)) > 0 {
		return nil, false
	}
	return c.tree, true
}

// A corrector holds the arguments under correction.
type corrector struct {
	doc   *Document
	tree  map[string]any
	edits int
}

// apply corrects what list finds, and reports whether all of it could be, as
// far as one round goes: names come first, since a name that is put right may
// be the one that is missing.
func (c *corrector) apply(list []finding) bool {
	var names []finding
	for _, f := range list {
		if f.unknown() {
			names = append(names, f)
		}
	}
	if c.edits += len(list); c.edits > maxEdits {
		return false
	}
	if len(names) > 0 {
		return c.rename(names)
	}
	done := map[string]bool{}
	for _, f := range list {
		// One correction at a place in a round; the next one sees the result.
		place := strings.Join(f.place(), "\x00")
		if !done[place] && !c.replace(f) {
			return false
		}
		done[place] = true
	}
	return true
}

// rename renames or drops the unknown properties in list.
func (c *corrector) rename(list []finding) bool {
	seen := map[string]bool{}
	for _, f := range list {
		// Two keywords may complain of the same name.
		if place := strings.Join(f.place(), "\x00"); seen[place] {
			continue
		} else {
			seen[place] = true
		}
		object, ok := lookAt(c.tree, f.path).(map[string]any)
		if !ok {
			return false
		}
		v, given := object[f.name]
		if !given {
			return false
		}
		name, sure, abbreviation := nearestOf(f.name, knownNames(f.schema))
		if abbreviation {
			name, sure, _ = nearestOf(f.name, missingNames(f.schema, object))
		}
		switch taken, isTaken := object[name]; {
		case name == "" && !abbreviation:
			delete(object, f.name)
		case !sure:
			return false
		case !isTaken:
			delete(object, f.name)
			object[name] = v
		case sameTree(taken, v):
			delete(object, f.name)
		default:
			return false
		}
	}
	return true
}

// missingNames returns the required properties that object lacks, sorted.
func missingNames(s *jsonschema.Schema, object map[string]any) []string {
	var names []string
	for _, name := range s.Required {
		if _, given := object[name]; !given {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// replace corrects the value of one finding.
func (c *corrector) replace(f finding) bool {
	if f.named || f.schema == nil {
		return false // missing, of a name that is not valid, or of another document
	}
	v := lookAt(c.tree, f.path)
	var next any
	ok := false
	switch k := f.kind.(type) {
	case *kind.Type:
		next, ok = c.convert(v, k.Want)
	case *kind.Enum:
		next, ok = nearMember(v, k.Want)
	case *kind.Const:
		next, ok = nearMember(v, []any{k.Want})
	case *kind.Minimum, *kind.ExclusiveMinimum:
		if p := c.tuning(f); p != nil && p.hasFallback {
			next, ok = clamp(f.schema, f.schema.Minimum, f.schema.ExclusiveMinimum, true)
		}
	case *kind.Maximum, *kind.ExclusiveMaximum:
		if p := c.tuning(f); p != nil {
			next, ok = clamp(f.schema, f.schema.Maximum, f.schema.ExclusiveMaximum, false)
		}
	case *kind.UniqueItems:
		next, ok = unique(v)
	}
	return ok && c.put(f.path, next)
}

// lookAt returns the value at path, nil if there is none.
func lookAt(v any, path []string) any {
	for _, s := range steps(v, path) {
		switch parent := v.(type) {
		case map[string]any:
			v = parent[s.name]
		case []any:
			if s.index < 0 || s.index >= len(parent) {
				return nil
			}
			v = parent[s.index]
		default:
			return nil
		}
	}
	return v
}

// put replaces the value at path, which is not the whole.
func (c *corrector) put(path []string, v any) bool {
	if len(path) == 0 {
		return false
	}
	all := steps(c.tree, path)
	last := all[len(all)-1]
	switch parent := lookAt(c.tree, path[:len(path)-1]).(type) {
	case map[string]any:
		parent[last.name] = v
		return true
	case []any:
		if 0 <= last.index && last.index < len(parent) {
			parent[last.index] = v
			return true
		}
	}
	return false
}

// property returns what is known of the property at path; nil if it is an
// element of a list, or if nothing is.
func (c *corrector) property(path []string) *field {
	p := c.doc.plan
	all := steps(c.tree, path)
	for i, s := range all {
		if p = p.parts(); p == nil {
			return nil
		}
		if s.index >= 0 {
			p = p.item(s.index)
			continue
		}
		if i == len(all)-1 {
			return p.fields[s.name]
		}
		p = p.of(s.name)
	}
	return nil
}

// tuning returns the property that f is about if a number there tunes the call
// rather than identifies something, as far as the schema can tell.
func (c *corrector) tuning(f finding) *field {
	p := c.property(f.path)
	if p == nil || p.required || typesOf(f.schema).has(typeNull) {
		return nil
	}
	return p
}

// convert makes a value of one of the types in want of v, if there is one way.
func (c *corrector) convert(v any, want []string) (any, bool) {
	switch v := v.(type) {
	case nil:
		return nil, false
	case json.Number:
		if slices.Contains(want, "string") {
			return string(v), true
		}
	case string:
		return convertText(strings.TrimSpace(v), v, want)
	}
	if slices.Contains(want, "array") {
		return []any{v}, true
	}
	return nil, false
}

// convertText reads what a text says if it is the JSON of a wanted type.
func convertText(trimmed, text string, want []string) (any, bool) {
	list := slices.Contains(want, "array")
	switch {
	case strings.HasPrefix(trimmed, "["), strings.HasPrefix(trimmed, "{"):
		r := readTree([]byte(trimmed), maxDepth, 0)
		if !r.clean() {
			return nil, false
		}
		v := r.value
		switch v.(type) {
		case []any:
			return v, list
		case map[string]any:
			if slices.Contains(want, "object") {
				return v, true
			}
			return []any{v}, list
		}
		return nil, false
	case isJSONNumber(trimmed) && moderate(trimmed):
		if slices.Contains(want, "integer") || slices.Contains(want, "number") {
			return json.Number(trimmed), true
		}
	case strings.EqualFold(trimmed, "true"), strings.EqualFold(trimmed, "false"):
		if slices.Contains(want, "boolean") {
			return strings.EqualFold(trimmed, "true"), true
		}
	}
	if list && trimmed != "" && trimmed[0] != '"' && !strings.ContainsAny(text, ",;\n") {
		return []any{text}, true
	}
	return nil, false
}

// nearMember returns the only member of an enum that is near to the text v.
func nearMember(v any, enum []any) (member any, ok bool) {
	text, ok := v.(string)
	if !ok {
		return nil, false
	}
	var names []string
	for _, member := range enum {
		if s, ok := member.(string); ok {
			names = append(names, s)
		}
	}
	slices.Sort(names)
	return nearest(strings.TrimSpace(text), slices.Compact(names))
}

// clamp returns the bound nearest to the valid numbers: one that is itself
// valid.
func clamp(s *jsonschema.Schema, inclusive, exclusive *big.Rat, lower bool) (any, bool) {
	integer := typesOf(s).has(typeInteger) && !typesOf(s).has(typeNumber)
	step := int64(-1)
	if lower {
		step = 1
	}
	var best *big.Rat
	if inclusive != nil {
		best = inclusive
		if integer {
			best = new(big.Rat).SetInt(integerWithin(inclusive, lower))
		}
	}
	if exclusive != nil {
		if !integer {
			return nil, false
		}
		next := new(big.Rat).SetInt(integerWithin(exclusive, lower))
		if exclusive.IsInt() {
			next.Add(next, new(big.Rat).SetInt64(step))
		}
		if best == nil || (next.Cmp(best) > 0) == lower {
			best = next
		}
	}
	return ratNumber(best), best != nil
}

// unique drops the elements that equal an earlier one.
func unique(v any) (any, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	if len(list) > 256 {
		return nil, false
	}
	var kept []any
	for _, e := range list {
		if !slices.ContainsFunc(kept, func(k any) bool { return sameTree(k, e) }) {
			kept = append(kept, e)
		}
	}
	return kept, len(kept) < len(list)
}
