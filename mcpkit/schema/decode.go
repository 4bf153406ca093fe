package schema

import "encoding/json"

// Decode stores args in the value that into points to.
func Decode(args map[string]any, into any) error {
	raw, err := Marshal(args)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// Marshal encodes a tree.
func Marshal(tree any) ([]byte, error) { return json.Marshal(tree) }
