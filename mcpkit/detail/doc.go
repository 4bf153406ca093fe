// Package detail encodes a Go value as JSON at one of two levels: in full, or
// as a summary that holds less of each record but never fewer records.
//
//	type issue struct {
//		Number   int     `json:"number"`
//		Title    string  `json:"title"`
//		Assignee *string `json:"assignee"`             // null: not in a summary
//		State    string  `json:"state" jsonschema:"enum=open,enum=closed,default=open"`
//		Body     string  `json:"body" detail:"full"`   // only in full
//		Version  *string `json:"version" detail:"always"`
//	}
//
//	enc, err := detail.Compile(reflect.TypeFor[issue]())
//	body, err := enc.Append(nil, i, detail.Summary)    // {"number":512,"title":"…","version":null}
//
// # The two levels
//
// [Full] writes every field. [Summary] writes the same, under the same names,
// with the same types and nesting, except that it leaves out
//
//   - the fields tagged detail:"full",
//   - a field whose value is null, and
//   - a field whose value equals the default that its jsonschema tag declares,
//
// the last two unless it is tagged detail:"always". This holds at every depth:
// in nested structs, elements of lists, values of maps, and values in
// interfaces. Elements of lists and entries of maps are records, not fields.
// They are always written, null ones too, so a summary has as many rows as the
// full view has. A reader takes an absent field for null or for its default;
// package schema marks exactly the fields that can be absent as optional.
//
// The detail tag belongs to a field with a JSON name of its own. The default
// is the one that package schema reads from the jsonschema tag.
//
// # The JSON
//
// Fields, their names and their order, the options omitempty, omitzero and
// string, the methods MarshalJSON, MarshalText and IsZero, embedded structs,
// sorted map keys, base64 for bytes and the spelling of numbers are those of
// encoding/json, so that a type means the same to both. What differs is:
//
//   - A nil slice is [] and a nil map {}, never null; nil bytes are "". A nil
//     pointer or interface is null.
//   - A [time.Time] is written in UTC, whatever its location.
//   - <, > and & are written as they are.
//   - Control, bidirectional and other format characters and the separators
//     U+2028 and U+2029 are written as \u escapes, also in what MarshalJSON
//     returns and in keys. The value is the same, and it can neither break a
//     line nor reorder a display.
//   - A map two of whose keys have the same text is an error, since its JSON
//     would have a property twice.
//   - A value nested deeper than 1000 levels is an error, which is also what
//     becomes of one that contains itself. A struct, list, map, pointer or
//     interface is a level.
//   - A panic of a method of the value is an error.
//
// # Cost
//
// [Compile] looks at the type once. [Encoder.Append] then writes bytes straight
// into the buffer that it is given; there is no intermediate tree, and what a
// summary leaves out because of its tag is not looked at.
package detail
