package versioning

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Class says what a change does to clients that were written against the old
// surface.
type Class string

// The three classes, the gravest first.
const (
	// Breaking: something that worked may fail or mean something else. What
	// cannot be proven compatible, such as another pattern, is in this class.
	Breaking Class = "breaking"
	// Additive: what worked works; there is more, or a stronger promise.
	Additive Class = "additive"
	// Documentation: words and other annotations changed.
	Documentation Class = "documentation"
)

// A Change is one difference between two surfaces.
type Change struct {
	// Path is a JSON Pointer (RFC 6901) into the surface document, in which
	// records and the arguments of prompts stand under their identifier
	// instead of an index: /tools/wiki_get_page/inputSchema/properties/slug.
	Path string `json:"path"`
	// Class is for the direction of the place: what is additive in an input
	// can be breaking in an output.
	Class Class `json:"class"`
	// Before and After are what stood and stands there; nil if nothing. For
	// enum and other sets it is the one member that left or came.
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
	// Reason is one line for people: what changed and why it has its class.
	Reason string `json:"reason"`
}

// String returns one line: class, path, reason and the values, cut to about 80
// bytes each: two long ones around their first difference. Characters that do
// not print are escaped, since surfaces can come from others.
func (c Change) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s", c.Class, c.Path, c.Reason)
	switch {
	case c.Before != nil && c.After != nil:
		from := 0
		if len(c.Before) > shortLimit || len(c.After) > shortLimit {
			from = firstDifference(c.Before, c.After) - shortLimit/4
		}
		fmt.Fprintf(&b, " (%s -> %s)", short(c.Before, from), short(c.After, from))
	case c.Before != nil:
		fmt.Fprintf(&b, " (was %s)", short(c.Before, 0))
	case c.After != nil:
		fmt.Fprintf(&b, " (%s)", short(c.After, 0))
	}
	return printable(b.String())
}

const shortLimit = 80

// short cuts JSON to shortLimit bytes, on the borders of runes.
func short(raw []byte, from int) string {
	prefix, suffix := "…", "…"
	if from <= 0 {
		from, prefix = 0, ""
	}
	end := from + shortLimit
	if end >= len(raw) {
		end, suffix = len(raw), ""
	}
	from = min(from, end)
	for from > 0 && from < len(raw) && !utf8.RuneStart(raw[from]) {
		from--
	}
	for end > from && end < len(raw) && !utf8.RuneStart(raw[end]) {
		end--
	}
	return prefix + string(raw[from:end]) + suffix
}

func firstDifference(a, b []byte) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}

func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Diff returns what changed from old to new, sorted by path and always in the
// same order; nothing if the surfaces say the same. The order of records, of
// members and of the lists that are sets (required, enum, type) is no change.
//
// In an input a constraint that became tighter is breaking and one that became
// looser additive; in an output the reverse. The rules beyond that, among them
// those that tools for other interfaces decide differently:
//
//   - A removed tool, resource, template, prompt, property, argument or code is
//     breaking, also when its removal was announced; the reason says whether it
//     was. A rename is a removal and an addition.
//   - A new required input is breaking, also if it has a default: JSON Schema's
//     default does not satisfy required. A new optional input is additive.
//   - A new enum member in an output is breaking, since clients branch on the
//     members. A new output property is additive, for clients learn of it by
//     listing again.
//   - Another default is breaking, for a call or result without the property
//     means something else; a default that was not there before is additive.
//   - Another meaning of an error code is breaking: only people can tell
//     whether more than words changed.
//   - A hint in annotations that promises less is breaking, one that promises
//     more additive, with MCP's defaults for hints that are absent.
//   - A deprecation is additive, and so is a later removal or a withdrawal of
//     the deprecation. An earlier removal and a lower stability are breaking;
//     without a marker a record counts as stable.
//   - What this package does not know, in a record or in _meta, is compared as
//     it stands: new is additive, changed or gone is breaking. Unknown keywords
//     of a schema are annotations, as JSON Schema has it.
//
// Local references in schemas are followed, and a change in a definition is
// reported once for each pair of references, at the first place that leads to
// it. The error joins all faults that [Surface.Validate] finds in the two.
func Diff(old, new Surface) ([]Change, error) {
	a, errOld := old.contract()
	b, errNew := new.contract()
	if errOld != nil {
		errOld = fmt.Errorf("versioning: old surface: %w", errOld)
	}
	if errNew != nil {
		errNew = fmt.Errorf("versioning: new surface: %w", errNew)
	}
	if err := errors.Join(errOld, errNew); err != nil {
		return nil, err
	}
	d := &differ{}
	if old.Name != new.Name {
		d.add("/name", Breaking, text(old.Name), text(new.Name), "the server has another name; clients know it by its name")
	}
	if old.Version != new.Version {
		d.add("/version", Documentation, text(old.Version), text(new.Version), "the version of the surface")
	}
	d.documentation("/summary", a.summary, b.summary, "the summary")
	d.capabilities("/capabilities", a.capabilities, b.capabilities)
	for i, kind := range kinds {
		d.records(kind.list, kind.one, a.records[i], b.records[i])
	}
	d.codes(old.ErrorCodes, new.ErrorCodes)
	slices.SortStableFunc(d.changes, func(x, y Change) int { return strings.Compare(x.Path, y.Path) })
	return d.changes, nil
}

type differ struct{ changes []Change }

// absent marks what is not there, for nil is JSON's null.
type absent struct{}

func (d *differ) add(path string, class Class, before, after any, reason string) {
	c := Change{Path: path, Class: class, Reason: reason}
	if before != any(absent{}) {
		c.Before = rawJSON(before)
	}
	if after != any(absent{}) {
		c.After = rawJSON(after)
	}
	d.changes = append(d.changes, c)
}

// text is s, or absent if it is empty.
func text(s string) any {
	if s == "" {
		return absent{}
	}
	return s
}

// documentation reports a difference of prose; nil is absent here.
func (d *differ) documentation(path string, before, after any, what string) {
	if reflect.DeepEqual(before, after) {
		return
	}
	if before == nil {
		before = absent{}
	}
	if after == nil {
		after = absent{}
	}
	d.add(path, Documentation, before, after, what+" "+verb(before, after))
}

func verb(before, after any) string {
	switch {
	case before == any(absent{}):
		return "was added"
	case after == any(absent{}):
		return "was removed"
	}
	return "changed"
}

func at(path, member string) string {
	return path + "/" + strings.ReplaceAll(strings.ReplaceAll(member, "~", "~0"), "/", "~1")
}

func get(m map[string]any, key string) any {
	if v, ok := m[key]; ok {
		return v
	}
	return absent{}
}

// union returns the keys of both maps, sorted.
func union[V any](a, b map[string]V) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// opaque compares what has no known meaning.
func (d *differ) opaque(path string, before, after any, what string) {
	if reflect.DeepEqual(before, after) {
		return
	}
	class := Breaking
	if before == any(absent{}) {
		class = Additive
	}
	d.add(path, class, before, after, what+" "+verb(before, after))
}

func (d *differ) capabilities(path string, before, after any) {
	a, _ := before.(map[string]any)
	b, _ := after.(map[string]any)
	for _, name := range union(a, b) {
		x, y := get(a, name), get(b, name)
		if _, ok := x.(map[string]any); ok {
			if _, ok := y.(map[string]any); ok {
				d.capabilities(at(path, name), x, y)
				continue
			}
		}
		switch {
		case isOff(x) && isOff(y), reflect.DeepEqual(x, y):
		case isOff(x):
			d.add(at(path, name), Additive, x, y, "a new capability")
		case isOff(y):
			d.add(at(path, name), Breaking, x, y, "the capability was removed")
		default:
			d.add(at(path, name), Breaking, x, y, "the capability changed")
		}
	}
}

// isOff reports whether v stands for a capability that is not there.
func isOff(v any) bool { return v == any(absent{}) || v == any(false) }

func (d *differ) records(list, one string, old, new map[string]record) {
	for _, id := range union(old, new) {
		path := at("/"+list, id)
		a, inOld := old[id]
		b, inNew := new[id]
		switch {
		case !inNew:
			d.add(path, Breaking, a.members, absent{}, a.lifecycle.farewell(one))
		case !inOld:
			d.add(path, Additive, absent{}, b.members, "a new "+one)
		default:
			d.record(path, list, one, a, b)
		}
	}
}

func (d *differ) record(path, list, one string, a, b record) {
	for _, name := range union(a.members, b.members) {
		path := at(path, name)
		before, after := get(a.members, name), get(b.members, name)
		switch {
		case name == "_meta" && areObjects(before, after):
			d.meta(path, asObject(before), asObject(after))
		case name == "annotations" && areObjects(before, after):
			d.annotations(path, list == "tools", asObject(before), asObject(after))
		case list == "tools" && name == "inputSchema":
			d.schema(path, input, before, after)
		case list == "tools" && name == "outputSchema":
			d.schema(path, output, before, after)
		case list == "prompts" && name == "arguments":
			d.arguments(path, before, after)
		case isDocumentation(name) || name == "name" || name == "size":
			if !reflect.DeepEqual(before, after) {
				d.add(path, Documentation, before, after, "the "+name+" of a "+one+" "+verb(before, after))
			}
		default:
			d.opaque(path, before, after, "a property of a "+one)
		}
	}
	d.lifecycle(at(at(path, "_meta"), lifecycleKey(a.members, b.members)), a.lifecycle, b.lifecycle)
}

// areObjects reports whether each is an object or absent.
func areObjects(values ...any) bool {
	for _, v := range values {
		if _, ok := v.(map[string]any); !ok && v != any(absent{}) {
			return false
		}
	}
	return true
}

func asObject(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func (d *differ) meta(path string, a, b map[string]any) {
	for _, key := range union(a, b) {
		path := at(path, key)
		before, after := get(a, key), get(b, key)
		_, name, _ := strings.Cut(key, "/")
		switch name {
		case "lifecycle": // compared by meaning
		case "errors":
			d.toolErrors(path, before, after)
		case "when-to-use", "prerequisites", "expected-followups":
			if !reflect.DeepEqual(before, after) {
				d.add(path, Documentation, before, after, "advice "+verb(before, after))
			}
		default:
			d.opaque(path, before, after, "an entry of _meta")
		}
	}
}

func (d *differ) toolErrors(path string, before, after any) {
	a, okA := stringSet(before)
	b, okB := stringSet(after)
	if !okA || !okB {
		d.opaque(path, before, after, "the list of codes")
		return
	}
	same := true
	for _, code := range union(a, b) {
		switch {
		case !b[code]:
			same = false
			d.add(path, Breaking, code, absent{}, "the tool no longer returns this code; clients branch on it")
		case !a[code]:
			same = false
			d.add(path, Additive, absent{}, code, "the tool returns one more code")
		}
	}
	if same && !reflect.DeepEqual(before, after) {
		d.add(path, Documentation, before, after, "the order of the codes changed")
	}
}

// stringSet reads a list of strings; what is absent is empty.
func stringSet(v any) (map[string]bool, bool) {
	set := map[string]bool{}
	if v == any(absent{}) {
		return set, true
	}
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	for _, element := range list {
		s, ok := element.(string)
		if !ok {
			return nil, false
		}
		set[s] = true
	}
	return set, true
}

// hints are MCP's ToolAnnotations: the value that an absent one has, and the
// one that promises more.
var hints = map[string]struct{ absent, promise bool }{
	"readOnlyHint":    {false, true},
	"destructiveHint": {true, false},
	"idempotentHint":  {false, true},
	"openWorldHint":   {true, false},
}

func (d *differ) annotations(path string, tool bool, a, b map[string]any) {
	for _, name := range union(a, b) {
		path := at(path, name)
		before, after := get(a, name), get(b, name)
		hint, known := hints[name]
		if !known || !tool {
			if !reflect.DeepEqual(before, after) {
				d.add(path, Documentation, before, after, "an annotation "+verb(before, after))
			}
			continue
		}
		value := func(v any) any {
			if v == any(absent{}) {
				return hint.absent
			}
			return v
		}
		x, y := value(before), value(after)
		switch {
		case reflect.DeepEqual(x, y):
		case y == any(hint.promise):
			d.add(path, Additive, before, after, "the hint promises more")
		default:
			d.add(path, Breaking, before, after, "the hint promises less; hosts decide by it what to call unasked or again")
		}
	}
}

// arguments compares those of a prompt, which are inputs.
func (d *differ) arguments(path string, before, after any) {
	a, okA := argumentsByName(before)
	b, okB := argumentsByName(after)
	if !okA || !okB {
		d.opaque(path, before, after, "the arguments of a prompt")
		return
	}
	for _, name := range union(a, b) {
		path := at(path, name)
		x, inOld := a[name]
		y, inNew := b[name]
		switch {
		case !inNew:
			d.add(path, Breaking, x, absent{}, "the argument was removed")
		case !inOld && y["required"] == any(true):
			d.add(path, Breaking, absent{}, y, "a new required argument: requests without it are refused")
		case !inOld:
			d.add(path, Additive, absent{}, y, "a new optional argument")
		default:
			d.argument(path, x, y)
		}
	}
}

func (d *differ) argument(path string, a, b map[string]any) {
	for _, name := range union(a, b) {
		path := at(path, name)
		before, after := get(a, name), get(b, name)
		switch {
		case isDocumentation(name):
			if !reflect.DeepEqual(before, after) {
				d.add(path, Documentation, before, after, "the "+name+" of an argument "+verb(before, after))
			}
		case name == "required" && isOff(before) && isOff(after):
		case name == "required" && isOff(before) && after == any(true):
			d.add(path, Breaking, before, after, "the argument is now required: requests without it are refused")
		case name == "required" && before == any(true) && isOff(after):
			d.add(path, Additive, before, after, "the argument is no longer required")
		default:
			d.opaque(path, before, after, "a property of an argument")
		}
	}
}

func argumentsByName(v any) (map[string]map[string]any, bool) {
	byName := map[string]map[string]any{}
	if v == any(absent{}) {
		return byName, true
	}
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	for _, element := range list {
		argument := asObject(element)
		name, ok := argument["name"].(string)
		if _, twice := byName[name]; !ok || twice {
			return nil, false
		}
		byName[name] = argument
	}
	return byName, true
}

func (d *differ) codes(old, new map[string]string) {
	for _, code := range union(old, new) {
		path := at("/error_codes", code)
		before, inOld := old[code]
		after, inNew := new[code]
		switch {
		case !inNew:
			d.add(path, Breaking, before, absent{}, "the code was removed; clients branch on it")
		case !inOld:
			d.add(path, Additive, absent{}, after, "a new code")
		case before != after:
			d.add(path, Breaking, before, after, "the meaning of the code changed, or at least its words")
		}
	}
}
