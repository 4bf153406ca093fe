package schema

// Correct proposes arguments that are valid.
func (d *Document) Correct(args map[string]any, violations []Violation) (fixed map[string]any, ok bool) {
	return nil, false
}
