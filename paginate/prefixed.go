package paginate

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Prefixed returns a function that copies a [Page] into those fields of a
// struct T whose JSON names are the standard ones after prefix, such as
// comments_has_more for "comments_". It lets one output hold several lists.
// Call it once, at start-up; the function that it returns is safe for
// concurrent use on different Ts, and overwrites all of the fields each time.
//
// T has these fields, its own or in structs embedded by value:
//
//	has_more         bool, never omitted
//	next_cursor      string with omitempty or omitzero
//	estimated_total  *int64 with omitempty or omitzero; may be missing
//	truncated        bool, never omitted; may be missing
//	truncation_hint  string with omitempty or omitzero; with truncated or not at all
//
// What T has no field for is not copied, so a T without truncated is for walks
// without a budget. The error lists every field that is missing, ambiguous or
// of another form.
func Prefixed[T any](prefix string) (func(*T, Page), error) {
	t := reflect.TypeFor[T]()
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("paginate: %v is not a struct", t)
	}
	found := map[string][]pageField{}
	for _, f := range pageFields(t, nil) {
		found[f.name] = append(found[f.name], f)
	}
	var faults []error
	index := map[string][]int{}
	for _, want := range standard {
		name := prefix + want.name
		switch fields := found[name]; {
		case len(fields) == 0 && want.required:
			faults = append(faults, fmt.Errorf("paginate: %v has no field with the JSON name %s", t, name))
		case len(fields) > 1:
			faults = append(faults, fmt.Errorf("paginate: %v has %d fields with the JSON name %s", t, len(fields), name))
		case len(fields) == 1:
			if fault := fields[0].fault(want.kind, want.omitted); fault != "" {
				faults = append(faults, fmt.Errorf("paginate: field %s of %v %s", name, t, fault))
			}
			index[want.name] = fields[0].index
		}
	}
	if (index["truncated"] == nil) != (index["truncation_hint"] == nil) {
		faults = append(faults, fmt.Errorf("paginate: %v has one of %struncated and %[2]struncation_hint, need both or neither", t, prefix))
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return func(out *T, p Page) {
		if out == nil {
			return
		}
		v := reflect.ValueOf(out).Elem()
		for _, s := range standard {
			if at := index[s.name]; at != nil {
				s.set(v.FieldByIndex(at), p)
			}
		}
	}, nil
}

// standard are the fields of a Page, in its order.
var standard = []struct {
	name     string
	kind     reflect.Kind
	required bool
	omitted  bool // when it does not apply
	set      func(reflect.Value, Page)
}{
	{"has_more", reflect.Bool, true, false, func(v reflect.Value, p Page) { v.SetBool(p.HasMore) }},
	{"next_cursor", reflect.String, true, true, func(v reflect.Value, p Page) { v.SetString(p.NextCursor) }},
	{"estimated_total", reflect.Pointer, false, true, func(v reflect.Value, p Page) { v.Set(reflect.ValueOf(p.EstimatedTotal)) }},
	{"truncated", reflect.Bool, false, false, func(v reflect.Value, p Page) { v.SetBool(p.Truncated) }},
	{"truncation_hint", reflect.String, false, true, func(v reflect.Value, p Page) { v.SetString(p.TruncationHint) }},
}

// A pageField is a field that encoding/json writes, as far as it matters here.
type pageField struct {
	name    string
	index   []int
	typ     reflect.Type
	omitted bool // it has omitempty or omitzero
}

// fault says what is wrong with f for a standard field, "" if nothing is.
func (f pageField) fault(kind reflect.Kind, omitted bool) string {
	switch {
	case kind == reflect.Pointer && f.typ != reflect.TypeFor[*int64]():
		return "must be an *int64"
	case f.typ.Kind() != kind:
		return "must be a " + kind.String()
	case omitted && !f.omitted:
		return "must have omitempty or omitzero, for it is absent when it does not apply"
	case !omitted && f.omitted:
		return "must not have omitempty or omitzero, for it is always present"
	}
	return ""
}

// pageFields lists the fields of t, those of structs embedded by value among
// them.
func pageFields(t reflect.Type, index []int) []pageField {
	var fields []pageField
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		at := append(slices.Clone(index), i)
		switch {
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			fields = append(fields, pageFields(f.Type, at)...)
			continue
		case !f.IsExported() || tag == "-":
			continue
		case name == "":
			name = f.Name
		}
		all := strings.Split(options, ",")
		omitted := slices.Contains(all, "omitempty") || slices.Contains(all, "omitzero")
		fields = append(fields, pageField{name: name, index: at, typ: f.Type, omitted: omitted})
	}
	return fields
}
