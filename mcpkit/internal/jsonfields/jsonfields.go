// Package jsonfields lists the fields that encoding/json would write for a
// struct type: names from tags, embedded structs flattened, and the rule by
// which one of several fields of the same name wins. The schema generator and
// the projection encoder share it, so that what a schema promises and what is
// encoded are the same set by construction.
package jsonfields

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// A Field is one JSON property of a struct type.
type Field struct {
	Name      string       // JSON name
	Index     []int        // for reflect.Value.FieldByIndex; crosses embedded pointers
	Type      reflect.Type // declared Go type, pointers kept
	Tag       reflect.StructTag
	GoName    string // path of Go names, such as "Page.NextCursor", for messages
	Tagged    bool   // the name comes from a json tag
	OmitEmpty bool
	OmitZero  bool
	Quoted    bool // the ",string" option, where encoding/json honours it
}

// Optional reports whether encoding/json may leave the field out.
func (f Field) Optional() bool { return f.OmitEmpty || f.OmitZero }

// Of returns the fields of the struct type t in the order in which
// encoding/json writes them. It does not descend into fields that are not
// embedded, so recursive types terminate.
func Of(t reflect.Type) []Field {
	type level struct {
		typ    reflect.Type
		index  []int
		goPath string
	}
	var all []Field
	seen := map[reflect.Type]bool{}
	next := []level{{typ: t}}
	for len(next) > 0 {
		current := next
		next = nil
		// A type embedded several times at one depth hides its own fields,
		// as encoding/json has it; counting shows which.
		count := map[reflect.Type]int{}
		for _, l := range current {
			count[l.typ]++
		}
		visited := map[reflect.Type]bool{}
		for _, l := range current {
			if seen[l.typ] || visited[l.typ] {
				continue
			}
			visited[l.typ] = true
			for i := range l.typ.NumField() {
				sf := l.typ.Field(i)
				ft := sf.Type
				if sf.Anonymous {
					base := ft
					if base.Kind() == reflect.Pointer {
						base = base.Elem()
					}
					if !sf.IsExported() && base.Kind() != reflect.Struct {
						continue
					}
				} else if !sf.IsExported() {
					continue
				}
				tag := sf.Tag.Get("json")
				if tag == "-" {
					continue
				}
				name, opts, _ := strings.Cut(tag, ",")
				if !validName(name) {
					name = ""
				}
				index := append(slices.Clone(l.index), i)
				goName := sf.Name
				if l.goPath != "" {
					goName = l.goPath + "." + goName
				}
				elem := ft
				if elem.Name() == "" && elem.Kind() == reflect.Pointer {
					elem = elem.Elem()
				}
				if name == "" && sf.Anonymous && elem.Kind() == reflect.Struct {
					next = append(next, level{typ: elem, index: index, goPath: goName})
					continue
				}
				f := Field{
					Name: name, Index: index, Type: ft, Tag: sf.Tag, GoName: goName,
					Tagged:    name != "",
					OmitEmpty: hasOption(opts, "omitempty"),
					OmitZero:  hasOption(opts, "omitzero"),
					Quoted:    hasOption(opts, "string") && quotable(elem.Kind()),
				}
				if name == "" {
					f.Name = sf.Name
				}
				all = append(all, f)
				if count[l.typ] > 1 {
					all = append(all, f) // a clash with itself: hidden below
				}
			}
		}
		for _, l := range current {
			seen[l.typ] = true
		}
	}
	return dominant(all)
}

// dominant keeps, for each name, the field that Go's embedding rules amended by
// tags select: the shallowest, then the tagged one; none if that is ambiguous.
func dominant(all []Field) []Field {
	slices.SortStableFunc(all, func(a, b Field) int {
		return cmp.Or(
			strings.Compare(a.Name, b.Name),
			cmp.Compare(len(a.Index), len(b.Index)),
			cmp.Compare(rank(a), rank(b)),
			slices.Compare(a.Index, b.Index),
		)
	})
	var out []Field
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j].Name == all[i].Name {
			j++
		}
		if j == i+1 || len(all[i].Index) != len(all[i+1].Index) || all[i].Tagged != all[i+1].Tagged {
			out = append(out, all[i])
		}
		i = j
	}
	slices.SortFunc(out, func(a, b Field) int { return slices.Compare(a.Index, b.Index) })
	return out
}

func rank(f Field) int {
	if f.Tagged {
		return 0
	}
	return 1
}

func hasOption(opts, name string) bool {
	for o := range strings.SplitSeq(opts, ",") {
		if o == name {
			return true
		}
	}
	return false
}

func quotable(k reflect.Kind) bool {
	switch k {
	case reflect.Bool, reflect.String, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return true
	}
	return false
}

// validName is encoding/json's rule for names in tags.
func validName(s string) bool {
	if s == "" {
		return false
	}
	for _, r := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}
