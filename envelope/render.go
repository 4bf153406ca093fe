package envelope

import (
	"encoding/json"
	"strconv"
	"time"
)

// A Stamp is what the server adds to an error when it leaves: the id of the
// request, the fingerprint of the surface, and the URI of the resource that the
// error is about, if it is about one; a user and password in the URI are
// redacted. Empty fields are left out, as are values that are not printable or
// exceed 2 KiB.
type Stamp struct {
	RequestID, Fingerprint, ResourceURI string
}

// ToolJSON returns the envelope for a tool result: a JSON object whose keys
// come in a fixed order,
//
//	code, message, details, temporary, retry_after_ms, rate_limit_remaining,
//	repair, resource_uri, request_id, fingerprint
//
// of which code, message, temporary and retry_after_ms are always there;
// retry_after_ms is an integer, or null if the delay is not known. The others
// are absent rather than null or empty. Characters that do not show are
// written as \uXXXX; nothing is escaped for HTML.
func (e *Error) ToolJSON(s Stamp) json.RawMessage { return e.json(s, toolKeys) }

// RPCJSON returns the envelope for the data member of a JSON-RPC error, where
// code and message have a meaning of their own: they become machine_code and
// human_message, and nothing else differs from [Error.ToolJSON].
func (e *Error) RPCJSON(s Stamp) json.RawMessage { return e.json(s, rpcKeys) }

// keys are the names in which the two carriers differ.
type keys struct{ code, message string }

var (
	toolKeys = keys{"code", "message"}
	rpcKeys  = keys{"machine_code", "human_message"}
)

func (e *Error) json(s Stamp, k keys) json.RawMessage {
	dst := append(make([]byte, 0, 512), '{')
	dst = appendStringMember(dst, k.code, string(e.Code()))
	dst = appendStringMember(dst, k.message, e.Message())
	if d, ok := e.Details(); ok {
		dst = d.append(appendKey(dst, "details"))
	}
	dst = strconv.AppendBool(appendKey(dst, "temporary"), e.Temporary())
	dst = appendKey(dst, "retry_after_ms")
	if delay, ok := e.Delay(); ok {
		dst = strconv.AppendInt(dst, int64(delay/time.Millisecond), 10)
	} else {
		dst = append(dst, "null"...)
	}
	if n, ok := e.Remaining(); ok {
		dst = strconv.AppendInt(appendKey(dst, "rate_limit_remaining"), int64(n), 10)
	}
	if r, ok := e.Suggested(); ok {
		dst = r.append(appendKey(dst, "repair"))
	}
	dst = appendOptionalMember(dst, "resource_uri", plain(redactTokens(s.ResourceURI)))
	dst = appendOptionalMember(dst, "request_id", plain(s.RequestID))
	dst = appendOptionalMember(dst, "fingerprint", plain(s.Fingerprint))
	return append(dst, '}')
}

func (d Details) append(dst []byte) []byte {
	dst = append(dst, '{')
	if len(d.fields) == 1 {
		dst = appendStringMember(dst, "field", d.fields[0])
	} else {
		dst = appendListMember(dst, "fields", d.fields)
	}
	dst = appendOptionalMember(dst, "value", d.value)
	dst = appendOptionalMember(dst, "reason", d.reason)
	if d.allowed != nil {
		dst = append(appendKey(dst, "allowed"), d.allowed...)
	}
	if len(d.scopes) > 0 {
		dst = appendListMember(dst, "required_scopes", d.scopes)
	}
	if len(d.violations) > 0 {
		dst = append(appendKey(dst, "violations"), '[')
		for i, v := range d.violations {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = v.append(dst)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func (v violation) append(dst []byte) []byte {
	dst = appendStringMember(append(dst, '{'), "field", v.field)
	dst = appendOptionalMember(dst, "pointer", v.pointer)
	dst = appendOptionalMember(dst, "rule", v.rule)
	dst = appendOptionalMember(dst, "reason", v.reason)
	if v.allowed != nil {
		dst = append(appendKey(dst, "allowed"), v.allowed...)
	}
	return append(dst, '}')
}

func (r Repair) append(dst []byte) []byte {
	dst = appendStringMember(append(dst, '{'), "next_step", r.NextStep)
	dst = appendStringMember(dst, "tool", r.Tool)
	dst = append(appendKey(dst, "arguments"), r.Arguments...)
	dst = appendOptionalMember(dst, "alternative", r.Alternative)
	return append(dst, '}')
}
