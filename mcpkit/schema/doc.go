// Package schema turns Go structs into the closed JSON Schemas that a tool
// publishes, and reads, validates and corrects JSON by them.
//
//	type searchIn struct {
//		Query string `json:"query" jsonschema:"minLength=1,maxLength=256"`
//		State string `json:"state,omitempty" jsonschema:"enum=open,enum=closed,default=open" jsonschema_description:"Omitted means open."`
//	}
//
//	in, err := schema.For(reflect.TypeFor[searchIn](), schema.Input, nil)
//	in.JSON()                                  // {"$schema":…,"type":"object","required":["query"],…}
//	args, bad := in.Document().Read(arguments) // a tree with the default filled in, or what is wrong where
//	err = schema.Decode(args, &search)
//
// [For] reports all that is wrong with a type at once, so that a mistake in a
// tag is a fault at start-up and not a surprise to a client. [Compile] takes a
// schema that was not made here. A [Document] and a [Type] are immutable and
// safe for concurrent use.
//
// # What a schema looks like
//
// A schema has no reference, no definition, no combining keyword and no boolean
// in the place of a schema, because there are hosts that drop a tool, or all
// tools, for each of these. Objects are closed, arrays have items, and a type
// is one name. The only lists are ["T","null"]: in an input for a [Patch], in an
// output for what may be null. The dialect is 2020-12. The same type gives the
// same bytes on every run.
//
// # Tags
//
// The name, and whether a field is required, are in the json tag, as for
// encoding/json: a field with omitempty or omitzero is optional.
//
// The jsonschema tag has keywords, separated by commas:
//
//	all        title=Name  default=x  nullable
//	scalars    enum=a,enum=b
//	strings    minLength=1  maxLength=256  pattern=^[a-z]{1,9}$  format=uri
//	numbers    minimum=1  maximum=9  exclusiveMinimum=0  exclusiveMaximum=1  multipleOf=0.5
//	lists      minItems=1  maxItems=20  uniqueItems
//	elements   items.minLength=1, and so on with each keyword of scalars, strings and numbers
//
// A comma separates only where a keyword follows; any other belongs to the
// value, like the one in the pattern above. A comma that stands before a word
// must be escaped as \\, in a tag. Values have the type of the field: enum=1 is
// a number in an integer and text in a string; a default of a list or an object
// is JSON. A keyword that is unknown or does not apply, bounds that contradict
// each other or the Go type, a pattern that ECMA-262 would not accept, and a
// default or an enum member that the rest of the schema refuses are faults.
//
// The jsonschema_description tag has the description. That of an optional input
// field must say what leaving the field out does, and use one of the words
// omit, omits, omitted, omitting or omission for it: "Omitted means no filter."
// [Options] can replace descriptions, for instance by one with a backquote.
//
// The mcp tag gives a field one or more roles, separated by commas; see [Role].
// lookup=acme_list_labels names the tool that lists the valid values.
//
// The detail tag, full or always, belongs to package detail. It makes a field
// of an output optional, or keeps it required, as [For] describes.
//
// # Go types
//
//	string, bool, floats        string, boolean, number
//	int, int64                  integer
//	other integers              integer; in an input bounded by the type
//	integers with ",string"     string; in an input with a pattern, likewise floats and booleans
//	struct                      closed object; embedded structs as encoding/json has them
//	slice, array                array; an array with minItems and maxItems
//	map                         object whose additionalProperties is the schema of the values;
//	                            integer keys are a pattern of propertyNames
//	pointer                     what it points to; null in an output, unless left out
//	[]byte                      string in base64
//	time.Time                   string, date-time
//	json.Number, *big.Int       number, integer
//	any, json.RawMessage        {} in an output, a fault in an input
//	types that (un)marshal text string
//	Patch[T]                    that of T, or null
//	Provider                    what it says
//
// A map is the one object that is open by its nature: any key is valid, each
// value must satisfy the schema of the values.
//
// These are faults: recursive types; types that (un)marshal JSON on their own
// and are no [Provider]; interfaces with methods; channels, functions, complex
// numbers; a [time.Duration], whose JSON is a count without a unit; a
// [net/url.URL], which encoding/json writes as an object of its parts; and a
// type whose MarshalJSON or MarshalText has a pointer receiver, where
// encoding/json would not find it.
//
// # Reading
//
// [Document.Read] turns the bytes of a call into a tree that satisfies the
// schema, or says all that is wrong with them, each as a [Violation] with its
// place, the rule and what is allowed, and never with the value that came.
// [Document.Correct] derives from those the call that was probably meant, if it
// can be proven to validate. [Decode] stores the tree in a struct, and [Marshal]
// writes it.
//
// # 64-bit integers
//
// Here they are exact in both directions. A client in JavaScript rounds what is
// beyond 2^53-1, which matters for ids: [Type.Warnings] lists the outputs where
// this can happen.
package schema
