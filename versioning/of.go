package versioning

import "encoding/json"

// Of returns the version token of a Go value.
func Of(v any) (string, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return OfJSON(raw)
}
