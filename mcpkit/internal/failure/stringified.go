package failure

import (
	"bytes"
	"encoding/json"

	"github.com/mcpkit-go/agentmcp/versioning"
)

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
