// Package versioning gives content a version: a short token that changes when
// the meaning of the content changes and at no other time. Writes use it to
// refuse to overwrite what their caller has not seen.
//
//	version, err := versioning.Of(issue)                 // "v1:sha256:…", with every read
//
//	if err := versioning.Match(in.ExpectedVersion, version); err != nil {
//		return err                                       // versioning.ErrConflict
//	}
//
// # Tokens
//
// A token is "v1:sha256:" and the first 32 hexadecimal digits of the SHA-256 of
// the content's canonical JSON. It needs no counter, no clock and no column in
// the database; two writes within one tick of a clock have different tokens, and
// a write that changes nothing keeps the token. It is the same in every process
// and after every restart. It is neither a secret nor a signature: whoever has
// the content can compute it, and whoever has the token can try contents. Leave
// out fields that the token's readers may not see.
//
// Take the token of the record, never of a view of it, so that a summary and a
// full view carry the same one. Struct tags say what counts:
//
//	type issue struct {
//		Title   string    `json:"title"`
//		Labels  []string  `json:"labels" version:"set"`    // order does not count
//		Updated time.Time `json:"updated_at" version:"-"`  // does not count
//	}
//
// [OfJSON] does the same for JSON text, and [Digest] gives the whole hash, for
// instance to bind a cursor to the arguments of its first call. [Check] finds
// faults in the tags when a program starts.
//
// # Canonical JSON
//
// [Canonical] writes JSON as RFC 8785 does: no white space, members sorted by
// the UTF-16 code units of their keys, the shortest escapes, numbers as
// ECMAScript writes them. Text is not normalized: é in one code point and in two
// are different texts. Whatever two readers could understand differently is an
// error: duplicate keys, invalid UTF-8, halves of surrogate pairs, data after
// the value, numbers no double can come near, nesting beyond [MaxDepth].
//
// It departs from RFC 8785 in one point. The RFC rounds every number to a
// double, and so 9007199254740993 and 9007199254740992 would be one version.
// Here a number is written
//
//   - as ECMAScript writes the nearest double, if that spelling has exactly the
//     number's value: 1, 1.0 and 1e0 are 1, and 1 followed by thirty zeros is
//     1e+30;
//   - or else, if it is an integer, by its exact digits;
//   - or else, as a fraction with more digits than a double holds, as RFC 8785
//     does, rounded.
//
// Two integers have one spelling if and only if they are equal. Texts whose
// integers all fit a double (RFC 7493 asks for that) have the form of RFC 8785,
// byte for byte, but for integers from 2^53 on that name a double by digits
// which ECMAScript would round.
//
// # HTTP
//
// [ETag] and [WeakETag] make entity tags of tokens, [IfMatch] and [IfNoneMatch]
// evaluate the preconditions of RFC 9110.
//
// # The surface of a server
//
// [NewFingerprint] makes the name@version+hash by which clients recognize that
// the tools, resources, errors or descriptions of a server changed. A
// [Lifecycle] marks single capabilities as preview or deprecated.
//
// A fingerprint says that something changed; [Diff] says what, and what it does
// to clients. A project saves its [Surface] as surface.json and compares:
//
//	changes, err := versioning.Diff(saved, current)
//	for _, c := range changes {
//		fmt.Println(c) // breaking /tools/wiki_get_page/inputSchema/required: …
//	}
//
// The command mcpkit/cmd/surfacediff does the same with two files.
package versioning
