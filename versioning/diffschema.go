package versioning

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A direction says who must live with a schema: callers with an input's,
// readers with an output's.
type direction int

const (
	input direction = iota
	output
)

// schemaDiffer compares the two versions of one schema document.
type schemaDiffer struct {
	*differ
	direction direction
	old, new  any // the documents, which local references point into
	// compared holds the pairs of references already followed: it bounds the
	// work and ends cycles.
	compared map[[2]string]bool
	// reached holds the references that were followed.
	reached map[string]bool
}

func (d *differ) schema(path string, direction direction, before, after any) {
	switch {
	case before == any(absent{}) && after == any(absent{}):
	case after == any(absent{}):
		d.add(path, Breaking, before, after, "the schema was removed, and what it promised")
	case before == any(absent{}) && direction == output:
		d.add(path, Additive, before, after, "results now have a schema")
	default:
		if before == any(absent{}) {
			before = true // allows anything
		}
		s := &schemaDiffer{
			differ: d, direction: direction, old: before, new: after,
			compared: map[[2]string]bool{}, reached: map[string]bool{},
		}
		s.compare(path, before, after)
		s.definitions(path)
	}
}

// effect says how the set of allowed values changed.
type effect struct{ narrowed, widened bool }

var (
	narrowed  = effect{narrowed: true}
	widened   = effect{widened: true}
	unrelated = effect{true, true} // neither contains the other, or nobody can tell
)

// constraint reports a change of what a schema allows, with the class that the
// effect has in this direction.
func (s *schemaDiffer) constraint(path string, e effect, before, after any, what string) {
	class := Additive
	var why string
	switch {
	case s.direction == input && e.narrowed:
		class, why = Breaking, "calls that were valid can be refused"
	case s.direction == input:
		why = "calls that were valid stay valid"
	case e.widened:
		class, why = Breaking, "results can be what the old schema excludes"
	default:
		why = "results still match the old schema"
	}
	s.add(path, class, before, after, what+": "+why)
}

// presence reports a constraint that came, left or changed in an unknown way.
func (s *schemaDiffer) presence(path string, before, after any, what string) {
	switch {
	case reflect.DeepEqual(before, after):
	case before == any(absent{}):
		s.constraint(path, narrowed, before, after, what+" added")
	case after == any(absent{}):
		s.constraint(path, widened, before, after, what+" removed")
	default:
		s.constraint(path, unrelated, before, after, what+" changed")
	}
}

// compare takes two schemas that stand at the same place; absent is true.
func (s *schemaDiffer) compare(path string, before, after any) {
	a, refOld := s.resolve(s.old, before)
	b, refNew := s.resolve(s.new, after)
	if refOld != "" && refNew != "" {
		pair := [2]string{refOld, refNew}
		if s.compared[pair] {
			return
		}
		s.compared[pair] = true
	}
	x, okOld := a.(map[string]any)
	y, okNew := b.(map[string]any)
	switch {
	case okOld && okNew:
		s.keywords(path, x, y)
	case reflect.DeepEqual(a, b):
	case a == any(false):
		s.constraint(path, widened, before, after, "was forbidden")
	case b == any(false):
		s.constraint(path, narrowed, before, after, "is forbidden now")
	default:
		s.constraint(path, unrelated, before, after, "the schema changed")
	}
}

// keywords compares two schemas that are objects, keyword by keyword.
func (s *schemaDiffer) keywords(path string, a, b map[string]any) {
	s.types(path, a, b)
	s.members(path, a, b)
	s.numbers(path, a, b)
	s.properties(path, a, b)
	s.required(path, a, b)
	s.elements(path, a, b)
	for _, keyword := range union(a, b) {
		path := at(path, keyword)
		before, after := get(a, keyword), get(b, keyword)
		switch keyword {
		case "type", "enum", "const", "properties", "required", "items", "prefixItems",
			"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf",
			"minLength", "minItems", "minProperties", "minContains",
			"maxLength", "maxItems", "maxProperties", "maxContains":
			// compared above
		case "pattern", "format", "contentEncoding", "contentMediaType":
			s.presence(path, before, after, keyword)
		case "uniqueItems":
			if isOff(before) && isOff(after) {
				continue
			}
			if isOff(before) {
				before = absent{}
			}
			if isOff(after) {
				after = absent{}
			}
			s.presence(path, before, after, keyword)
		case "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "propertyNames", "then", "else":
			s.compare(path, orTrue(before), orTrue(after))
		case "contains":
			if before == any(absent{}) || after == any(absent{}) {
				s.presence(path, before, after, keyword)
			} else {
				s.compare(path, before, after)
			}
		case "patternProperties", "dependentSchemas":
			s.byName(path, before, after)
		case "dependentRequired":
			s.dependentRequired(path, before, after)
		case "allOf", "anyOf", "oneOf":
			s.branches(path, keyword, before, after)
		case "default":
			s.defaults(path, before, after)
		case "$defs", "definitions":
			// reported where references lead to them; see definitions
		case "$ref", "$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$anchor", "$id", "$vocabulary", "not", "if", "dependencies":
			s.presence(path, before, after, keyword)
		case "$schema":
			if before == any(absent{}) || after == any(absent{}) {
				s.note(path, before, after, keyword)
			} else {
				s.presence(path, before, after, keyword)
			}
		default:
			s.note(path, before, after, keyword)
		}
	}
}

func (s *schemaDiffer) note(path string, before, after any, keyword string) {
	if !reflect.DeepEqual(before, after) {
		s.add(path, Documentation, before, after, "the annotation "+keyword+" "+verb(before, after))
	}
}

func orTrue(v any) any {
	if v == any(absent{}) {
		return true
	}
	return v
}

func (s *schemaDiffer) defaults(path string, before, after any) {
	switch {
	case reflect.DeepEqual(before, after):
	case before == any(absent{}):
		s.add(path, Additive, before, after, "omission now has a documented value")
	case after == any(absent{}):
		s.add(path, Breaking, before, after, "omission no longer has a documented value")
	default:
		s.add(path, Breaking, before, after, "omission now means another value")
	}
}

// types compares type, nullability among them.
func (s *schemaDiffer) types(path string, a, b map[string]any) {
	path = at(path, "type")
	before, after := get(a, "type"), get(b, "type")
	x, okOld := typeSet(before)
	y, okNew := typeSet(after)
	if !okOld || !okNew {
		s.presence(path, before, after, "type")
		return
	}
	var gone, came []string
	for _, name := range union(x, y) {
		switch {
		case !y[name]:
			gone = append(gone, name)
		case !x[name]:
			came = append(came, name)
		}
	}
	e := effect{narrowed: len(gone) > 0, widened: len(came) > 0}
	switch {
	case e == effect{}:
	case slices.Equal(came, []string{"null"}) && !e.narrowed:
		s.constraint(path, e, before, after, "null is allowed now")
	case slices.Equal(gone, []string{"null"}) && !e.widened:
		s.constraint(path, e, before, after, "null is no longer allowed")
	case e == narrowed:
		s.constraint(path, e, before, after, "fewer types")
	case e == widened:
		s.constraint(path, e, before, after, "more types")
	default:
		s.constraint(path, e, before, after, "another type")
	}
}

// typeSet is the set of allowed types; every number may be an integer.
func typeSet(v any) (map[string]bool, bool) {
	if one, ok := v.(string); ok {
		v = []any{one}
	}
	if v == any(absent{}) {
		v = []any{"null", "boolean", "object", "array", "number", "string"}
	}
	set, ok := stringSet(v)
	if ok && set["number"] {
		set["integer"] = true
	}
	return set, ok
}

// members compares enum, of which const is the case of one member.
func (s *schemaDiffer) members(path string, a, b map[string]any) {
	keyword := "const"
	if a["enum"] != nil || b["enum"] != nil {
		keyword = "enum"
	}
	for _, schema := range []map[string]any{a, b} {
		_, list := listOf(get(schema, "enum"))
		if _, both := schema["const"]; !list || both && schema["enum"] != nil {
			s.presence(at(path, "enum"), get(a, "enum"), get(b, "enum"), "enum")
			s.presence(at(path, "const"), get(a, "const"), get(b, "const"), "const")
			return
		}
	}
	path = at(path, keyword)
	x, limitedOld := memberSet(a)
	y, limitedNew := memberSet(b)
	switch {
	case !limitedOld && !limitedNew:
	case !limitedOld:
		s.constraint(path, narrowed, absent{}, b[keyword], "the values are listed now")
	case !limitedNew:
		s.constraint(path, widened, a[keyword], absent{}, "the values are no longer listed")
	default:
		for _, value := range union(x, y) {
			switch {
			case !y[value]:
				s.constraint(path, narrowed, json.RawMessage(value), absent{}, "a value was removed")
			case !x[value]:
				s.constraint(path, widened, absent{}, json.RawMessage(value), "a value was added")
			}
		}
	}
}

// memberSet is the set of the JSON texts of what enum or const allows, and
// whether there is one of them.
func memberSet(schema map[string]any) (map[string]bool, bool) {
	set := map[string]bool{}
	list, ok := schema["enum"].([]any)
	if !ok {
		value, ok := schema["const"]
		if !ok {
			return nil, false
		}
		list = []any{value}
	}
	for _, v := range list {
		set[string(rawJSON(v))] = true
	}
	return set, true
}

func (s *schemaDiffer) properties(path string, a, b map[string]any) {
	path = at(path, "properties")
	before, after := get(a, "properties"), get(b, "properties")
	if !areObjects(before, after) {
		s.presence(path, before, after, "properties")
		return
	}
	x, y := asObject(before), asObject(after)
	demanded, _ := stringSet(get(b, "required"))
	for _, name := range union(x, y) {
		path := at(path, name)
		was, inOld := x[name]
		is, inNew := y[name]
		switch {
		case inOld && inNew:
			s.compare(path, was, is)
		case inOld && s.direction == input:
			s.add(path, Breaking, was, absent{}, "the input was removed: calls that name it are refused or no longer mean the same")
		case inOld:
			s.add(path, Breaking, was, absent{}, "the output property was removed")
		case s.direction == output && a["additionalProperties"] == any(false):
			s.add(path, Additive, absent{}, is, "a new output property: clients that keep the old closed schema refuse it until they list again")
		case s.direction == output:
			s.add(path, Additive, absent{}, is, "a new output property")
		case demanded[name]:
			s.add(path, Breaking, absent{}, is, "a new required input: calls without it are refused, for a default does not satisfy required")
		default:
			s.add(path, Additive, absent{}, is, "a new optional input")
		}
	}
}

// required compares the demands on properties that did not come or leave.
func (s *schemaDiffer) required(path string, a, b map[string]any) {
	path = at(path, "required")
	x, okOld := stringSet(get(a, "required"))
	y, okNew := stringSet(get(b, "required"))
	if !okOld || !okNew {
		s.presence(path, get(a, "required"), get(b, "required"), "required")
		return
	}
	before, after := asObject(a["properties"]), asObject(b["properties"])
	for _, name := range union(x, y) {
		_, inOld := before[name]
		_, inNew := after[name]
		switch {
		case inOld != inNew && (x[name] == inOld || y[name] == inNew):
			// reported with the property
		case !x[name]:
			s.constraint(path, narrowed, absent{}, name, "the property is now required")
		case !y[name]:
			s.constraint(path, widened, name, absent{}, "the property is no longer required")
		}
	}
}

func (s *schemaDiffer) dependentRequired(path string, before, after any) {
	if !areObjects(before, after) {
		s.presence(path, before, after, "dependentRequired")
		return
	}
	a, b := asObject(before), asObject(after)
	for _, name := range union(a, b) {
		path := at(path, name)
		x, okOld := stringSet(get(a, name))
		y, okNew := stringSet(get(b, name))
		if !okOld || !okNew {
			s.presence(path, get(a, name), get(b, name), "dependentRequired")
			continue
		}
		for _, property := range union(x, y) {
			switch {
			case !x[property]:
				s.constraint(path, narrowed, absent{}, property, "a property is required with this one")
			case !y[property]:
				s.constraint(path, widened, property, absent{}, "a property is no longer required with this one")
			}
		}
	}
}

// byName compares schemas of which each that is absent allows anything.
func (s *schemaDiffer) byName(path string, before, after any) {
	if !areObjects(before, after) {
		s.presence(path, before, after, "the schemas")
		return
	}
	a, b := asObject(before), asObject(after)
	for _, name := range union(a, b) {
		s.compare(at(path, name), orTrue(get(a, name)), orTrue(get(b, name)))
	}
}

// elements compares lists, position by position and then the rest.
func (s *schemaDiffer) elements(path string, a, b map[string]any) {
	restOld, restNew := orTrue(get(a, "items")), orTrue(get(b, "items"))
	x, okOld := listOf(get(a, "prefixItems"))
	y, okNew := listOf(get(b, "prefixItems"))
	if !okOld || !okNew {
		s.presence(at(path, "prefixItems"), get(a, "prefixItems"), get(b, "prefixItems"), "prefixItems")
	}
	for i := range max(len(x), len(y)) {
		before, after := restOld, restNew
		if i < len(x) {
			before = x[i]
		}
		if i < len(y) {
			after = y[i]
		}
		s.compare(at(at(path, "prefixItems"), strconv.Itoa(i)), before, after)
	}
	if get(a, "items") != any(absent{}) || get(b, "items") != any(absent{}) {
		s.compare(at(path, "items"), restOld, restNew)
	}
}

// branches compares lists of schemas. Branches that stand on both sides, in
// whatever order, are left out; as many on both sides are compared in order.
// That oneOf is exclusive does not count: it is taken for anyOf.
func (s *schemaDiffer) branches(path, keyword string, before, after any) {
	x, okOld := listOf(before)
	y, okNew := listOf(after)
	if !okOld || !okNew || x == nil || y == nil {
		s.presence(path, before, after, keyword)
		return
	}
	left, right := unmatched(x, y)
	if len(x) == len(y) && !refers(before) && !refers(after) {
		for i := range left {
			s.compare(at(path, strconv.Itoa(right[i])), x[left[i]], y[right[i]])
		}
		return
	}
	if len(x) == len(y) {
		// What looks equal may refer to definitions that changed.
		for i := range x {
			s.compare(at(path, strconv.Itoa(i)), x[i], y[i])
		}
		return
	}
	loss, gain := narrowed, widened
	if keyword == "allOf" {
		loss, gain = widened, narrowed
	}
	for _, i := range left {
		s.constraint(at(path, strconv.Itoa(i)), loss, x[i], absent{}, "a branch of "+keyword+" was removed")
	}
	for _, i := range right {
		s.constraint(at(path, strconv.Itoa(i)), gain, absent{}, y[i], "a branch of "+keyword+" was added")
	}
}

// listOf reads a list; what is absent is an empty one.
func listOf(v any) ([]any, bool) {
	list, ok := v.([]any)
	return list, ok || v == any(absent{})
}

// unmatched returns the indices of the elements of each list that have no equal
// of their own in the other.
func unmatched(x, y []any) (left, right []int) {
	taken := make([]bool, len(y))
	for i, v := range x {
		j := 0
		for ; j < len(y) && (taken[j] || !reflect.DeepEqual(v, y[j])); j++ {
		}
		if j == len(y) {
			left = append(left, i)
		} else {
			taken[j] = true
		}
	}
	for j := range y {
		if !taken[j] {
			right = append(right, j)
		}
	}
	return left, right
}

// refers reports whether a reference occurs anywhere in v.
func refers(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, refers)
	case map[string]any:
		for key, member := range v {
			if key == "$ref" || refers(member) {
				return true
			}
		}
	}
	return false
}

// resolve returns the schema with its local reference replaced by what it
// refers to, and the reference; true becomes the object without keywords.
func (s *schemaDiffer) resolve(document, schema any) (any, string) {
	first := ""
	for seen := map[string]bool{}; ; {
		if schema == any(true) {
			if first == "" {
				first = "true" // as good as a reference to end a cycle on the other side
			}
			return map[string]any{}, first
		}
		object := asObject(schema)
		ref, ok := object["$ref"].(string)
		target, found := lookUp(document, ref)
		if !ok || !found || seen[ref] {
			return schema, first
		}
		s.reached[ref] = true
		seen[ref] = true
		if first == "" {
			first = ref
		}
		if len(object) > 1 {
			// The keywords beside the reference make its place another one.
			siblings := maps.Clone(object)
			delete(siblings, "$ref")
			first += " " + string(rawJSON(siblings))
			target = merge(target, siblings, ref)
		}
		schema = target
	}
}

// merge returns a schema that allows what both allow. The words are those of
// the siblings.
func merge(target any, siblings map[string]any, ref string) any {
	object, ok := target.(map[string]any)
	if target != any(true) && !ok {
		return target
	}
	merged := maps.Clone(siblings)
	for keyword, value := range object {
		if own, ok := merged[keyword]; ok && !isDocumentation(keyword) && !reflect.DeepEqual(own, value) {
			// Both count: keep the reference as a branch of its own.
			merged = maps.Clone(siblings)
			branches, _ := siblings["allOf"].([]any)
			merged["allOf"] = append(slices.Clone(branches), map[string]any{"$ref": ref})
			return merged
		} else if !ok {
			merged[keyword] = value
		}
	}
	return merged
}

// lookUp follows a reference into its own document: # and a JSON Pointer.
func lookUp(document any, ref string) (any, bool) {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok || pointer != "" && pointer[0] != '/' {
		return nil, false
	}
	if pointer == "" {
		return document, true
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch v := document.(type) {
		case map[string]any:
			if document, ok = v[token]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			document = v[i]
		default:
			return nil, false
		}
	}
	return document, true
}

// definitions reports changed definitions that no reference was followed to,
// lest an exotic way to refer to one hide its change.
func (s *schemaDiffer) definitions(path string) {
	for _, keyword := range []string{"$defs", "definitions"} {
		before, after := asObject(asObject(s.old)[keyword]), asObject(asObject(s.new)[keyword])
		for _, name := range union(before, after) {
			if s.reached[at("#/"+keyword, name)] {
				continue
			}
			path := at(at(path, keyword), name)
			x, inOld := before[name]
			y, inNew := after[name]
			if inOld && inNew {
				s.presence(path, x, y, "a definition to which no plain reference was followed")
			} else {
				s.note(path, get(before, name), get(after, name), keyword)
			}
		}
	}
}
