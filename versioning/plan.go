package versioning

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/mcpkit-go/agentmcp/versioning/internal/jcs"
)

// A plan encodes the values of one type. Types that contain themselves share
// the plan's address before its function is known.
type plan struct {
	encode func(s *state, v reflect.Value) error
	// method says that a method of the type writes the JSON, so that options of
	// the field do not reach inside.
	method bool
}

// rootPlans and plans hold a compiled for every type that was asked for: roots
// have one rule more.
var rootPlans, plans sync.Map

type compiled struct {
	plan *plan
	err  error
}

func rootPlan(t reflect.Type) (*plan, error) {
	if c, ok := rootPlans.Load(t); ok {
		return c.(compiled).plan, c.(compiled).err
	}
	p, err := planOf(t)
	if err == nil && tellsNothing(t) {
		p, err = nil, fmt.Errorf("versioning: %s: no field counts", label(t))
	}
	rootPlans.Store(t, compiled{p, err})
	return p, err
}

// tellsNothing says that all values of the struct type t encode alike.
func tellsNothing(t reflect.Type) bool {
	for range MaxDepth { // pointer types can point in circles
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
	}
	if t.Kind() != reflect.Struct || methodOf(t) != noMethod {
		return false
	}
	return !slices.ContainsFunc(fieldsOf(t), func(f field) bool { return !f.left })
}

func planOf(t reflect.Type) (*plan, error) {
	if c, ok := plans.Load(t); ok {
		return c.(compiled).plan, c.(compiled).err
	}
	c := compiler{plans: map[reflect.Type]*plan{}, checked: map[reflect.Type]bool{}}
	p := c.plan(t, label(t))
	err := errors.Join(c.faults...)
	plans.Store(t, compiled{p, err})
	return p, err
}

type compiler struct {
	plans   map[reflect.Type]*plan
	checked map[reflect.Type]bool // structs whose tags were looked at
	faults  []error
}

// label names a type in messages. The text of an unnamed struct type would fill
// a page.
func label(t reflect.Type) string {
	if t.Kind() == reflect.Struct && t.Name() == "" {
		return "struct"
	}
	return t.String()
}

func (c *compiler) fault(where, reason string) {
	c.faults = append(c.faults, fmt.Errorf("versioning: %s: %s", where, reason))
}

// plan returns the plan of t, which where has.
func (c *compiler) plan(t reflect.Type, where string) *plan {
	if p, ok := c.plans[t]; ok {
		return p
	}
	p := new(plan)
	c.plans[t] = p
	if m := methodOf(t); m != noMethod {
		p.method = true
		p.encode = encodeMethod(t, m)
		return p
	}
	switch k := t.Kind(); k {
	case reflect.Bool:
		p.encode = encodeBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.encode = encodeInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.encode = encodeUint
	case reflect.Float32:
		p.encode = encodeFloat32
	case reflect.Float64:
		p.encode = encodeFloat64
	case reflect.String:
		p.encode = encodeString
		if t == reflect.TypeFor[json.Number]() {
			p.encode = encodeNumber
		}
	case reflect.Interface:
		p.encode = encodeInterface
	case reflect.Pointer:
		p.encode = encodePointer(c.plan(t.Elem(), where))
	case reflect.Slice, reflect.Array:
		if isBytes(t) {
			p.encode = encodeBytes
			break
		}
		p.encode = encodeList(c.plan(t.Elem(), where))
	case reflect.Map:
		key := keyFunc(t.Key())
		if key == nil {
			c.fault(where, "JSON has no map with keys of type "+label(t.Key()))
			delete(c.plans, t) // a fault again at the next place
		}
		p.encode = encodeMap(key, c.plan(t.Elem(), where))
	case reflect.Struct:
		p.encode = encodeStruct(c.members(t))
	default:
		c.fault(where, "JSON has no form for type "+t.String())
		delete(c.plans, t)
	}
	return p
}

// isBytes says that a list is written as base64: a slice, not an array, of
// bytes that have no methods of their own.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && methodOf(t.Elem()) == noMethod
}

// members compiles the fields of a struct in the order of canonical JSON.
func (c *compiler) members(t reflect.Type) []structMember {
	c.checkTags(t)
	fields := fieldsOf(t)
	slices.SortFunc(fields, func(a, b field) int { return jcs.Compare(a.name, b.name) })
	var members []structMember
	for _, f := range fields {
		if f.left {
			continue
		}
		where := label(t) + "." + f.name
		m := structMember{name: f.name, index: f.index, plan: c.plan(f.typ, where)}
		key, ok := jcs.AppendString(nil, f.name)
		if !ok {
			c.fault(label(t), "the name of a field is not valid UTF-8")
		}
		m.key = append(key, ':')
		switch {
		case f.version == "set":
			m.plan = c.set(f.typ, where)
		case f.quoted && !m.plan.method && !c.elemHasMethod(f.typ):
			m.plan = &plan{encode: encodeQuoted(m.plan)}
		}
		if f.omitEmpty {
			m.omit = append(m.omit, isEmpty)
		}
		if f.omitZero {
			m.omit = append(m.omit, zeroFunc(f.typ))
		}
		members = append(members, m)
	}
	return members
}

func (c *compiler) elemHasMethod(t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && methodOf(t.Elem()) != noMethod
}

// checkTags looks at the version tags of all fields of t, also of those that
// are not encoded, and of the structs that are flattened into it.
func (c *compiler) checkTags(t reflect.Type) {
	if c.checked[t] {
		return
	}
	c.checked[t] = true
	for i := range t.NumField() {
		sf := t.Field(i)
		where := label(t) + "." + sf.Name
		tag, tagged := sf.Tag.Lookup("version")
		_, inner, counts := parseField(sf)
		switch {
		case tagged && tag != "-" && tag != "set":
			c.fault(where, `the version tag is neither "-" nor "set"`)
		case tag == "set" && (inner != nil || !counts):
			c.fault(where, notAList)
		}
		if inner != nil && tag != "-" {
			c.checkTags(inner)
		}
	}
}

const notAList = `version:"set" on a field that is not encoded as a list of its elements`

// set compiles a list whose order does not count.
func (c *compiler) set(t reflect.Type, where string) *plan {
	list := t
	if t.Kind() == reflect.Pointer {
		list = t.Elem()
	}
	if k := list.Kind(); k != reflect.Slice && k != reflect.Array || isBytes(list) || methodOf(t) != noMethod || methodOf(list) != noMethod {
		c.fault(where, notAList)
		return new(plan)
	}
	p := &plan{encode: encodeSet(c.plan(list.Elem(), where))}
	if t.Kind() == reflect.Pointer {
		p = &plan{encode: encodePointer(p)}
	}
	return p
}

// A method is how a type writes its own JSON.
type method int

const (
	noMethod method = iota
	marshalsJSON
	marshalsText
)

func (m method) interfaceType() reflect.Type {
	if m == marshalsJSON {
		return reflect.TypeFor[json.Marshaler]()
	}
	return reflect.TypeFor[encoding.TextMarshaler]()
}

// methodOf says which method encodes a value of type t. A pointer's is left to
// what it points to, and an interface's to what it holds.
func methodOf(t reflect.Type) method {
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return noMethod
	}
	for _, m := range []method{marshalsJSON, marshalsText} {
		if reflect.PointerTo(t).Implements(m.interfaceType()) {
			return m
		}
	}
	return noMethod
}
