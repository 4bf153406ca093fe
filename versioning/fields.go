package versioning

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// A field is one JSON member of a struct type.
type field struct {
	name      string
	index     []int
	typ       reflect.Type
	tagged    bool // the name comes from a tag
	omitEmpty bool
	omitZero  bool
	quoted    bool   // the option string, where it applies
	version   string // the version tag
	left      bool   // version:"-", here or on an embedding struct
}

// fieldsOf returns the members that encoding/json writes for the struct type t,
// sorted by name. Embedded structs are flattened level by level; see dominant
// for what happens when a name occurs twice.
func fieldsOf(t reflect.Type) []field {
	type embedded struct {
		typ   reflect.Type
		index []int
		left  bool
	}
	var found []field
	level, times := []embedded{{typ: t}}, map[reflect.Type]int{t: 1}
	for visited := map[reflect.Type]bool{}; len(level) > 0; {
		var next []embedded
		nextTimes := map[reflect.Type]int{}
		for _, e := range level {
			if visited[e.typ] {
				continue
			}
			visited[e.typ] = true
			for i := range e.typ.NumField() {
				sf := e.typ.Field(i)
				f, inner, ok := parseField(sf)
				if !ok {
					continue
				}
				f.index = append(slices.Clone(e.index), i)
				f.left = e.left || f.version == "-"
				if inner != nil {
					if nextTimes[inner]++; nextTimes[inner] == 1 {
						next = append(next, embedded{inner, f.index, f.left})
					}
					continue
				}
				found = append(found, f)
				if times[e.typ] > 1 {
					found = append(found, f) // embedded twice: its fields hide each other
				}
			}
		}
		level, times = next, nextTimes
	}
	return dominant(found)
}

// parseField reads the tags of a struct field. inner is the struct type to
// flatten if the field is embedded and has no JSON name; ok is false if
// encoding/json passes over the field.
func parseField(sf reflect.StructField) (f field, inner reflect.Type, ok bool) {
	elem := sf.Type
	if elem.Kind() == reflect.Pointer && (elem.Name() == "" || sf.Anonymous) {
		elem = elem.Elem()
	}
	tag := sf.Tag.Get("json")
	if tag == "-" || !sf.IsExported() && !(sf.Anonymous && elem.Kind() == reflect.Struct) {
		return field{}, nil, false
	}
	name, options, _ := strings.Cut(tag, ",")
	f = field{name: name, typ: sf.Type, tagged: true, version: sf.Tag.Get("version")}
	if !isFieldName(name) {
		f.name, f.tagged = sf.Name, false
		if sf.Anonymous && elem.Kind() == reflect.Struct {
			return f, elem, true
		}
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			f.omitEmpty = true
		case "omitzero":
			f.omitZero = true
		case "string":
			f.quoted = isScalar(elem.Kind())
		}
	}
	return f, nil, true
}

// isFieldName says which names encoding/json takes from a tag.
func isFieldName(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) {
			return false
		}
	}
	return s != ""
}

func isScalar(k reflect.Kind) bool {
	return reflect.Bool <= k && k <= reflect.Float64 || k == reflect.String
}

// dominant drops the fields that others of the same name hide: those deeper
// than another, and among the shallowest those without a tag if one has a tag.
// Two that are equal in both hide each other.
func dominant(fields []field) []field {
	rank := func(a, b field) int {
		if c := cmp.Compare(len(a.index), len(b.index)); c != 0 || a.tagged == b.tagged {
			return c
		}
		if a.tagged {
			return -1
		}
		return 1
	}
	slices.SortStableFunc(fields, func(a, b field) int {
		return cmp.Or(strings.Compare(a.name, b.name), rank(a, b))
	})
	var kept []field
	for len(fields) > 0 {
		n := 1
		for n < len(fields) && fields[n].name == fields[0].name {
			n++
		}
		if n == 1 || rank(fields[0], fields[1]) != 0 {
			kept = append(kept, fields[0])
		}
		fields = fields[n:]
	}
	return kept
}
