package schema

// A Violation is one way in which a value breaks its schema. It has the fields
// of envelope.Violation and converts to it.
type Violation struct {
	// Field is the dotted path of property names to the value, without list
	// indices, as in a schema: "issues.title". It is "arguments" for the whole
	// value. A missing or unknown property is named itself. Names are escaped
	// and cut so that each is one line of at most 64 characters.
	Field string
	// Pointer is the RFC 6901 JSON Pointer to the value, "" for the whole; to
	// where it would be for a missing property. Its names are escaped and cut
	// as those of Field.
	Pointer string
	// Rule is the schema keyword that is broken ("type", "required",
	// "additionalProperties", "maximum", …), or one of the rules of strict
	// reading: see [Document.Read].
	Rule string
	// Reason is a sentence that says what is expected. It never contains the
	// value that was received.
	Reason string
	// Allowed is a JSON value that says the same to a program, or nil: the
	// members of an enum, the known names for an unknown property, otherwise
	// an object of keywords such as {"minimum":1,"maximum":100}.
	Allowed any
}
