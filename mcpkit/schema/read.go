package schema

// Read reads the arguments of a call.
func (d *Document) Read(raw []byte) (args map[string]any, violations []Violation) {
	return map[string]any{}, nil
}
