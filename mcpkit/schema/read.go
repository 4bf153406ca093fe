package schema

import (
	"bytes"
	"slices"
)

// Read reads and validates the arguments of a call, given as JSON. No bytes,
// white space alone, and null mean {}.
//
// The reading is strict. Besides the keywords of the schema, a violation can
// have one of these rules:
//
//   - "syntax": not JSON (RFC 8259), or something follows it;
//   - "duplicate": a property is given twice with different values, of which
//     the first is validated; "repeated": twice with the same value;
//   - "unicode": invalid UTF-8, or half of a surrogate pair;
//   - "number": of more than 400 characters, an exponent beyond ±400, or out of
//     the range of a float64;
//   - "depth": nested deeper than 64 levels;
//   - "size": more than 4 MiB, or more than 131072 values.
//
// Names are compared exactly, case included. After syntax, depth and size there
// is nothing to validate; the others are reported together with violations of
// the schema, at most 256 in all, sorted by pointer and rule.
//
// Before validation, null is removed where a property that the schema knows is
// optional and may not be null, and where the schema wants an integer, a number
// such as 512.0 or 5.12e2 becomes 512. If nothing is violated, the defaults of
// absent properties are inserted, exactly those that the schema publishes and
// that are valid, and none that would make the whole invalid.
//
// args is a tree of map[string]any, []any, string, bool, nil and
// [encoding/json.Number], which keeps numbers exact. It is never nil, belongs to
// the caller, and shares no memory with raw. If there are violations, it is what
// could be read, without defaults and without the properties whose value cannot
// be told: those with a violation of the rules duplicate, unicode and number.
func (d *Document) Read(raw []byte) (args map[string]any, violations []Violation) {
	trimmed := bytes.Trim(raw, " \t\r\n")
	if len(trimmed) == 0 || string(trimmed) == "null" {
		raw = []byte("{}")
	}
	r := readTree(raw, maxDepth, len(d.plan.fields))
	args, isObject := r.value.(map[string]any)
	if !isObject {
		args = map[string]any{}
	}
	switch {
	case !r.whole:
		r.remove(args)
		return args, sortViolations(r.faults)
	case !isObject:
		return args, []Violation{predicate(nil, "type", "must be an object", map[string]any{"type": "object"})}
	}
	d.plan.normalize(args)
	violations = d.violations(args)
	if len(r.faults) > 0 {
		// What the schema says of a value that had to be replaced is noise.
		violations = slices.DeleteFunc(violations, func(v Violation) bool {
			return slices.ContainsFunc(r.faults, func(f Violation) bool { return f.Pointer == v.Pointer && f.Rule != ruleRepeated })
		})
		violations = append(violations, r.faults...)
		r.remove(args)
	}
	if len(violations) > 0 {
		return args, sortViolations(violations)
	}
	return d.withDefaults(args), nil
}

// remove takes out of args what is not as it was sent.
func (r reading) remove(args map[string]any) {
	for _, name := range r.damaged {
		delete(args, name)
	}
}

// withDefaults inserts the defaults into args, which is valid, or returns args
// as it is if that is not valid then.
func (d *Document) withDefaults(args map[string]any) map[string]any {
	switch {
	case !d.plan.fills:
		return args
	case d.plan.quick:
		// A default is valid at its place, and no keyword looks at two places.
		d.plan.fill(args)
		return args
	}
	filled := cloneTree(args).(map[string]any)
	d.plan.fill(filled)
	if len(d.violations(filled)) > 0 {
		return args
	}
	return filled
}
