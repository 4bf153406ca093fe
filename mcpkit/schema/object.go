package schema

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/mcpkit-go/agentmcp/mcpkit/internal/jsonfields"
)

// omission finds the word by which a description says what leaving out does.
var omission = regexp.MustCompile(`(?i)\b(?:omit|omits|omitted|omitting|omission)\b`)

// parameterName is what all hosts accept as the name of an argument, and what
// is an identifier in most languages.
var parameterName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// object returns the closed schema of the struct t, whose own path is r.path.
func (r *reflector) object(t reflect.Type) *jsonschema.Schema {
	path := r.path
	defer func() { r.path = path }()
	s := &jsonschema.Schema{
		Type:                 "object",
		Properties:           jsonschema.NewProperties(),
		AdditionalProperties: jsonschema.FalseSchema,
	}
	e := extra(s)
	e.fields = []Field{}
	r.embeddedTags(t, path)
	for _, f := range jsonfields.Of(t) {
		r.path = join(path, f.Name)
		property, field := r.property(t, f)
		if field.Required {
			s.Required = append(s.Required, f.Name)
		}
		s.Properties.Set(f.Name, property)
		e.fields = append(e.fields, field)
	}
	return s
}

// embeddedTags refuses our tags on an embedded struct: its fields are those of
// t, so that there is no property which the tags could be about.
func (r *reflector) embeddedTags(t reflect.Type, path string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		base := f.Type
		if base.Kind() == reflect.Pointer {
			base = base.Elem()
		}
		if !f.Anonymous || name != "" || base.Kind() != reflect.Struct {
			continue
		}
		for _, tag := range []string{"jsonschema", "jsonschema_description", "mcp"} {
			if _, ok := f.Tag.Lookup(tag); ok {
				r.fault(t, path, "the %s tag of the embedded %s has no field to apply to", tag, f.Name)
			}
		}
	}
}

// property returns the schema of one field, whose path is r.path.
func (r *reflector) property(owner reflect.Type, f jsonfields.Field) (*jsonschema.Schema, Field) {
	path := r.path
	fault := func(format string, args ...any) { r.fault(owner, path, format, args...) }

	tags, faults := parseTags(f.Tag)
	s := r.reflect(f.Type)
	r.path = path
	if f.Quoted {
		var reason string
		if s, reason = r.quoted(f.Type); reason != "" {
			faults = append(faults, reason)
		}
	}
	e := extra(s)
	patch := e.nullable // nothing else has set it yet
	if r.dir == Output {
		markNullElements(f.Type, s)
		e.nullable = patch || writesNull(f)
	}
	if patch && !f.OmitZero {
		faults = append(faults, "a Patch needs the omitzero option, so that its absence is not written as null")
	}
	if !e.broken {
		faults = append(faults, r.applyKeywords(s, f, tags, patch)...)
	}

	s.Description = r.description(path, tags, s.Description)
	field := Field{
		Name:        f.Name,
		Index:       f.Index,
		Required:    r.required(owner, f, s, tags),
		Nullable:    e.nullable,
		Roles:       tags.roles.roles,
		Lookup:      tags.roles.lookup,
		Detail:      tags.detail,
		Description: s.Description,
		Fields:      fieldsOf(s),
	}
	field.Default, _ = s.Default.(json.RawMessage)
	if !e.broken {
		faults = append(faults, r.roleFaults(s, field, path)...)
	}
	if r.dir == Input {
		if !parameterName.MatchString(f.Name) {
			faults = append(faults, "the name of an argument must be a letter or underscore, then at most 63 letters, digits or underscores")
		}
		switch {
		case field.Required && field.Default != nil:
			faults = append(faults, "a required field has no default; make it optional with omitempty or omitzero")
		case !field.Required && !omission.MatchString(s.Description):
			faults = append(faults, `the description of an optional field must say what leaving it out does, with the word "omitted"; as in: Omitted means no filter.`)
		}
	}
	for _, reason := range faults {
		fault("%s", reason)
	}
	r.warn64(f, s, path)
	field.Schema = appendSchema(nil, s, false)
	if len(faults) == 0 && !e.broken {
		for _, reason := range invalidMembers(s) {
			fault("%s", reason)
		}
	}
	return s, field
}

// writesNull reports whether encoding/json may write null for the pointer f. An
// option that leaves a nil pointer out does not reach the pointer behind it.
func writesNull(f jsonfields.Field) bool {
	return f.Type.Kind() == reflect.Pointer && (!f.Optional() || f.Type.Elem().Kind() == reflect.Pointer)
}

// description returns the text of Options.Describe, the tag or the Provider.
func (r *reflector) description(path string, tags fieldTags, provided string) string {
	if text, ok := r.describe[path]; ok {
		delete(r.describe, path)
		return text
	}
	if tags.description != "" {
		return tags.description
	}
	return provided
}

func (r *reflector) required(owner reflect.Type, f jsonfields.Field, s *jsonschema.Schema, tags fieldTags) bool {
	if f.Optional() {
		return false
	}
	if r.dir == Input {
		return true
	}
	e := extra(s)
	mayBeNull := e.nullable || s.Type == ""
	stripped := tags.detail != "always" && (mayBeNull || s.Default != nil)
	return tags.detail != "full" && !stripped && !crossesPointer(owner, f.Index)
}

// roleFaults checks that the roles of the field at path suit its schema.
func (r *reflector) roleFaults(s *jsonschema.Schema, field Field, path string) (faults []string) {
	nested := strings.Contains(path, ".")
	for _, role := range field.Roles {
		switch role {
		case RoleCursor, RoleDetail, RoleIdempotencyKey, RoleExpectedVersion:
			if s.Type != "string" || field.Nullable {
				faults = append(faults, "role "+string(role)+" needs a string")
			}
			if r.dir == Input && nested {
				faults = append(faults, "role "+string(role)+" belongs to a top-level field")
			} else if first, taken := r.once[role]; taken && !nested {
				faults = append(faults, "role "+string(role)+" is already that of "+first)
			} else if !nested {
				r.once[role] = path
			}
		case RoleScope:
			if !slices.Contains([]string{"string", "integer", "boolean"}, s.Type) {
				faults = append(faults, "role scope needs a string, an integer or a boolean")
			}
			if r.dir == Input && nested {
				faults = append(faults, "role scope belongs to a top-level field")
			}
		case RoleSet:
			if s.Type != "array" {
				faults = append(faults, "role set needs a list")
			}
		case RoleFold:
			if s.Type != "string" && (s.Type != "array" || s.Items == nil || s.Items.Type != "string") {
				faults = append(faults, "role fold needs a string or a list of strings")
			}
			if r.dir == Input && nested {
				faults = append(faults, "role fold belongs to a top-level field")
			}
		}
	}
	return faults
}

const maxSafe = 1<<53 - 1

// warn64 warns of an id that JavaScript would round.
func (r *reflector) warn64(f jsonfields.Field, s *jsonschema.Schema, path string) {
	if r.dir != Output || !namedLikeID(f.Name) {
		return
	}
	t := f.Type
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	for s.Items != nil {
		s = s.Items
	}
	if elem, ok := patchElem(t); ok {
		t = elem
	}
	if t.Kind() == reflect.Int || t.Kind() == reflect.Uint {
		return // no width was asked for, so small numbers are meant
	}
	_, _, fixed := kindRange(t.Kind())
	if s.Type != "integer" || len(s.Enum) > 0 || fixed && kindBits(t.Kind()) < 64 || t != bigIntType && !fixed {
		return
	}
	unsigned := t.Kind() == reflect.Uint64
	if within(s.Maximum, s.ExclusiveMaximum) && (unsigned || within(s.Minimum, s.ExclusiveMinimum)) {
		return
	}
	r.warnings = append(r.warnings, path+`: JavaScript clients round this 64-bit id beyond 2^53-1; send it as a string with the json option ",string", or bound it with minimum and maximum`)
}

// within reports whether one of the bounds is set and exact in a float64.
func within(bounds ...json.Number) bool {
	return slices.ContainsFunc(bounds, func(n json.Number) bool {
		v, err := n.Int64()
		return err == nil && -maxSafe <= v && v <= maxSafe
	})
}

// namedLikeID reports whether the last word of a JSON name is "id" or "ids".
func namedLikeID(name string) bool {
	lower := strings.ToLower(name)
	if lower == "id" || lower == "ids" || strings.HasSuffix(lower, "_id") || strings.HasSuffix(lower, "_ids") {
		return true
	}
	for _, suffix := range []string{"Id", "ID", "Ids", "IDs"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}
