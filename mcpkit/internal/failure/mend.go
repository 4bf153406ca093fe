package failure

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
	"github.com/mcpkit-go/agentmcp/versioning"
)

// Mend reads arguments again after fix has mended some of their violations: fix
// changes the parameter that a violation is about, in changed, and reports
// whether it did. Only violations of a parameter itself are offered to it, none
// of what is inside one. mended is false if nothing was changed.
func Mend(doc *schema.Document, args map[string]any, violations []schema.Violation, fix func(v schema.Violation, changed map[string]any) bool) (read map[string]any, left []schema.Violation, mended bool) {
	changed := maps.Clone(args)
	var rest []schema.Violation
	for _, v := range violations {
		if v.Pointer != "/"+pointerEscape.Replace(v.Field) || !fix(v, changed) {
			rest = append(rest, v)
		}
	}
	if len(rest) == len(violations) {
		return args, violations, false
	}
	raw, err := schema.Marshal(changed)
	if err != nil {
		return args, violations, false
	}
	// What was a fault of the text itself, such as a duplicate key, does not
	// show in the tree, so it is carried over.
	read, left = doc.Read(raw)
	for _, v := range rest {
		if !slices.ContainsFunc(left, func(l schema.Violation) bool { return l.Pointer == v.Pointer && l.Rule == v.Rule }) {
			left = append(left, v)
		}
	}
	return read, left, true
}

// pointerEscape writes a name as a step of a JSON pointer (RFC 6901 section 3).
var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

// maxStringified bounds the text of one stringified argument, in bytes.
const maxStringified = 256 << 10

// Unstringify decodes text that holds a JSON list or object, once. The caller
// reads the result by the schema, which bounds its depth.
func Unstringify(value any) (any, bool) {
	text, ok := value.(string)
	if !ok || len(text) > maxStringified {
		return nil, false
	}
	// As strict as the read of the arguments themselves: no duplicate names, no
	// broken text, nothing behind the value.
	if _, err := versioning.Canonical([]byte(text)); err != nil {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var decoded any
	if d.Decode(&decoded) != nil {
		return nil, false
	}
	switch decoded.(type) {
	case []any, map[string]any:
		return decoded, true
	}
	return nil, false
}
