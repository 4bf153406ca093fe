// Package cursor seals the position of a list walk into an opaque token that
// the client hands back for the next page. The token is authenticated, expires,
// and is good for one purpose, one principal and one set of arguments; the
// server keeps nothing.
//
//	keys, err := cursor.NewKeyring(key)                    // 32 random bytes
//	pages, err := cursor.New[position](keys, 15*time.Minute, nil)
//
//	bind := cursor.Bind("list_issues cursor", principal, digest)
//	token := pages.Seal(position{After: last.ID}, bind)    // for this page's reply
//	pos, err := pages.Open(token, bind)                    // in the next call
//
// # What a token proves
//
// That this deployment made it, at most a TTL ago, for the [Binding] that the
// caller of [Codec.Open] names: purpose, principal and digest are part of what
// is authenticated but not of the token, so they cost no characters, and
// nothing in the token tells them. A client can therefore neither make nor
// alter a position, nor use its own in another tool, with other filters, or
// where another principal's is wanted.
//
// A token does not prove that its principal may still read the list. Authorize
// each call as if it had no cursor.
//
// # Errors
//
// [ErrExpired] is for tokens that would be good but for their age. Everything
// else is [ErrInvalid] and has one text: an answer that told a forged token from
// one of another principal would help only whoever forges. Both are repaired in
// the same way, by the same call without the cursor.
//
// # Keys
//
// The first key of a [Keyring] seals and all of them open, so keys rotate
// without breaking walks; see [NewKeyring]. There is no default key and no
// random one: a key that lives and dies with a process breaks walks whenever a
// second replica answers or the process restarts.
//
// # Signed and sealed
//
// A signed token hides nothing: its payload is base64 of numbers and text. Put
// no secret and no internal id into it, or set [Options.Sealed], which encrypts
// the payload as well.
//
// # Size and form
//
// A token is base64url without padding (RFC 4648 §5) and passes through a URL
// unescaped. It has one spelling; others of the same bytes are refused. Five
// bytes of header, sixteen of MAC and the payload's varints make 62 characters
// for a payload of a 16-character id and a time in nanoseconds. A sealed token
// has sixteen characters more.
//
// # Payload types
//
// The payload's type name and its fields' names and types are authenticated
// too. Renaming, adding or moving a field, as an update of the server may, ends
// the walks in flight with ErrInvalid; it never misreads them.
//
// # Not in this package
//
// There is no choice of algorithm, no token without expiry and no way to read
// one without verifying it. Tokens are not revoked one by one: the TTL bounds
// them, and removing a key ends all that it sealed.
package cursor
