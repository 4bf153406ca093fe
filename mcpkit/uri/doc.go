// Package uri reads and writes the URIs of MCP resource templates: a compiled
// template takes a URI apart into decoded variables, and puts variables
// together into the one canonical URI that it takes apart again.
//
//	issue, err := uri.Parse("ghissues://repos/{owner}/{repo}/issues/{number}")
//
//	v, err := issue.Match("ghissues://repos/acme/api/issues/42")   // v["owner"] is "acme"
//	s, err := issue.Expand(uri.Values{"owner": "acme", "repo": "api", "number": "42"})
//
// A server with several templates puts them into a [Set], which decides which
// of them a URI belongs to.
//
// # The templates
//
// Three expressions of RFC 6570 are understood, and literal text between them:
//
//   - {name} is one path segment or a part of one (§3.2.2);
//   - {+name} may span segments, "a/b/c" (§3.2.3); at most one a template;
//   - {?a,b,c} is the query (§3.2.8); at most one, at the end.
//
// A template begins with its scheme. Literal text is matched byte for byte: a
// dot is a dot, upper case is not lower case, %2f is not %2F. Other operators
// and the modifiers * and :n are faults. So are templates that could be read in
// two ways, such as {a}{b} or {a}-{b}, where the hyphen might be a part of
// either variable: between two variables there has to be a character that an
// encoded value cannot contain, like / or a colon. [Parse] lists all faults.
//
// # What Match accepts
//
// Values are decoded exactly once: %252e is "%2e". The decoded value has to be
// UTF-8. Characters outside ASCII may stand in the URI percent-encoded or as
// they are; other characters that RFC 3986 allows at their place may too.
// Spaces, braces, backslashes and fragments may not, and a percent sign without
// two hex digits is an error. A plus sign is a plus sign.
//
// Path variables are required and have rules that make them safe to build a
// path from. A value is refused when it is empty, when it has a control
// character, and when, encoded or not, one of its segments is "", "." or "..".
// Both / and \ separate segments. A {name} may not contain either, in any
// encoding; where a name such as "area/api" is right, opt in with
// [Template.AllowSlash], which keeps the other rules, or write {+name}.
//
// Query variables are optional, free text, and in any order. A variable that is
// not given is not in [Values]; one given as "a=" is there and empty. A name
// that the template does not have, and one given twice, are errors; names are
// compared as they stand, undecoded.
//
// A URI is at most [MaxLength] bytes.
//
// # Errors
//
// [ErrNoMatch] says that the URI does not have the template's shape, so another
// may fit. An [Error] says that it has, and what is wrong with it: a server
// answers it as invalid params, with [Error.Variable] as the field and
// [Error.Allowed] as the repair. No error contains any part of the URI.
//
// # Inverse
//
// For all values that Expand accepts, Match of its result returns them. For all
// URIs that Match accepts, Expand of its result is the canonical spelling of the
// same address: hex digits in upper case, everything encoded that need not stand
// raw, the query in the template's order. Expand applies the rules of Match, so
// it never makes a URI that would be refused.
//
// This is where Expand leaves RFC 6570: a ?, # or % in a {+name} is always
// encoded, whereas §3.2.3 lets them pass and so cannot be inverted.
//
// # Not in this package
//
// Nothing is normalized: no case, no default port, no dot segments (they are
// refused, not removed), no Unicode form. Lists, associative arrays and the
// other RFC 6570 operators have no single inverse and are left out.
package uri
