package schema

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/mcpkit-go/agentmcp/mcpkit/internal/jsonfields"
)

// maxNodes bounds the schema of one type. A type that uses another in many
// places contains its schema as often, so small code can mean a huge schema.
const maxNodes = 4096

// For returns the closed schema of the struct type t, or of the struct that t
// points to, in JSON Schema 2020-12. Its properties are the fields that
// encoding/json writes, under their JSON names and in their order; the package
// documentation says which Go type gives which schema and which tags there are.
//
// In an Input, a field is required unless its json tag has omitempty or
// omitzero, and every optional field must have a description that says what
// leaving it out does. In an Output, a field is required unless it may be left
// out: by omitempty or omitzero, by detail:"full", by an embedded nil pointer,
// or, without detail:"always", because it is null or the default that it
// declares; a pointer without omitempty or omitzero may be null.
//
// The error joins one [*Fault] for everything that is wrong, sorted by field
// and reason; [Faults] lists them. opts may be nil. For keeps no reference to
// opts and is safe for concurrent use.
func For(t reflect.Type, dir Direction, opts *Options) (*Type, error) {
	r := &reflector{dir: dir, root: t, broken: map[reflect.Type]bool{}, once: map[Role]string{}}
	if opts != nil {
		r.describe = maps.Clone(opts.Describe)
	}
	r.engine = jsonschema.Reflector{Anonymous: true, DoNotReference: true, Mapper: r.mapped}
	built := r.build()
	if len(r.faults) > 0 {
		return nil, r.err()
	}
	return built, nil
}

// A reflector builds one schema. Types are checked first, since the engine
// would not return from a recursive one; what the check refused is left out of
// the second pass, which looks at tags and so still finds the faults of those.
type reflector struct {
	dir      Direction
	root     reflect.Type
	describe map[string]string // what is left of Options.Describe
	engine   jsonschema.Reflector
	broken   map[reflect.Type]bool // refused by the check
	endless  bool                  // there is a pointer that is only a pointer to itself
	path     string                // of the field being built
	once     map[Role]string       // field that took a role which a type has once
	nodes    int
	faults   []*Fault
	warnings []string
}

// fault records one fault. A struct without a name would fill the message with
// its definition; the root stands in for it.
func (r *reflector) fault(t reflect.Type, path, format string, args ...any) {
	if t != nil && t.Name() == "" {
		t = r.root
	}
	r.faults = append(r.faults, &Fault{Type: t, Field: path, Reason: fmt.Sprintf(format, args...)})
}

// err joins the faults, sorted, each once.
func (r *reflector) err() error {
	slices.SortFunc(r.faults, func(a, b *Fault) int {
		return cmp.Or(strings.Compare(a.Field, b.Field), strings.Compare(a.Reason, b.Reason))
	})
	var list []error
	for i, f := range r.faults {
		if i == 0 || f.Error() != r.faults[i-1].Error() {
			list = append(list, f)
		}
	}
	return errors.Join(list...)
}

func (r *reflector) build() *Type {
	if r.dir != Input && r.dir != Output {
		r.fault(r.root, "", "direction is %v; it must be Input or Output", r.dir)
		return nil
	}
	if r.root == nil {
		r.fault(nil, "", "there is no type")
		return nil
	}
	t, addressable := r.root, false
	if t.Kind() == reflect.Pointer {
		t, addressable = t.Elem(), true
	}
	if c, reason := classify(t, r.dir, addressable); reason != "" || c != classKind || t.Kind() != reflect.Struct {
		r.fault(r.root, "", "the root must be a struct that encoding/json writes field by field")
		return nil
	}
	r.check(t, place{owner: t, addressable: addressable}, nil)
	if r.nodes > maxNodes {
		r.faults = nil
		r.fault(r.root, "", "its schema has more than %d parts", maxNodes)
		return nil
	}
	if r.endless {
		return nil
	}
	object := r.object(t)
	for _, path := range slices.Sorted(maps.Keys(r.describe)) {
		r.fault(r.root, path, "Options.Describe names no field")
	}
	if len(r.faults) > 0 {
		return nil
	}
	built := &Type{json: appendRoot(nil, object), fields: extra(object).fields, warnings: slices.Sorted(slices.Values(r.warnings))}
	document, err := Compile(built.json)
	if err != nil {
		r.fault(r.root, "", "the schema does not compile: %v", err)
		return nil
	}
	if unchecked := document.Unchecked(); len(unchecked) > 0 {
		r.fault(r.root, "", "the regular expression at %s of the schema is not one of package regexp, so that it would not be checked", unchecked[0])
		return nil
	}
	built.document = document
	return built
}

// A place is where a type occurs.
type place struct {
	owner       reflect.Type // struct that declares the field
	path        string
	addressable bool
}

// check records the faults of t and of the types that it is made of. within
// has the named types whose inside this is.
func (r *reflector) check(t reflect.Type, at place, within []reflect.Type) {
	if r.nodes++; r.nodes > maxNodes {
		return
	}
	for t.Kind() == reflect.Pointer {
		if slices.Contains(within, t) {
			r.refuse(t, at, "it is recursive: %v contains itself", t)
			r.endless = true
			return
		}
		if t.Name() != "" {
			within = append(slices.Clip(within), t)
		}
		t, at.addressable = t.Elem(), true
	}
	if slices.Contains(within, t) {
		r.refuse(t, at, "it is recursive: %v contains itself", t)
		return
	}
	if t.Name() != "" {
		within = append(slices.Clip(within), t)
	}
	c, reason := classify(t, r.dir, at.addressable)
	if reason != "" {
		r.refuse(t, at, "%v has no schema: %s", t, reason)
		return
	}
	if c == classPatch {
		elem, _ := patchElem(t)
		if bad := patchable(elem, r.dir); bad != "" {
			r.refuse(t, at, "%s", bad)
			return
		}
		r.check(elem, at, within)
		return
	}
	if c != classKind {
		return
	}
	switch t.Kind() {
	case reflect.Slice:
		at.addressable = true
		r.check(t.Elem(), at, within)
	case reflect.Array:
		r.check(t.Elem(), at, within)
	case reflect.Map:
		if _, ok := keyPattern(t.Key(), r.dir); !ok {
			r.refuse(t, at, "%v has no schema: a JSON object has no keys of type %v", t, t.Key())
			return
		}
		at.addressable = false
		r.check(t.Elem(), at, within)
	case reflect.Struct:
		for _, f := range jsonfields.Of(t) {
			inside := place{owner: t, path: join(at.path, f.Name), addressable: at.addressable || crossesPointer(t, f.Index)}
			r.check(f.Type, inside, within)
		}
	}
}

func (r *reflector) refuse(t reflect.Type, at place, format string, args ...any) {
	r.broken[t] = true
	r.fault(at.owner, at.path, format, args...)
}

// patchable returns why there is no Patch of elem.
func patchable(elem reflect.Type, dir Direction) string {
	if elem.Kind() == reflect.Pointer {
		return fmt.Sprintf("a Patch of %v has null twice; use a Patch of %v", elem, elem.Elem())
	}
	switch c, _ := classify(elem, dir, true); c {
	case classPatch:
		return "a Patch of a Patch has null twice"
	case classAny:
		return "a Patch of any type cannot tell its null from that of the value"
	}
	return ""
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// crossesPointer reports whether the field at index belongs to a struct that
// is embedded by pointer, so that it is missing when the pointer is nil.
func crossesPointer(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		t = t.Field(i).Type
		if t.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}
