package envelope

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// ErrMalformed is matched by every error that [Parse] returns.
var ErrMalformed = errors.New("envelope: malformed")

// Parse reads an envelope of either carrier, in any key order. It is strict:
// one JSON object without duplicate or unknown keys, with all that must be
// there, nothing null or empty that should be absent, exactly one of
// details.field and details.fields, no retry_after_ms unless temporary is true,
// and a repair that passes [Repair.Validate]. The error lists every fault, in a
// fixed order, and matches [ErrMalformed].
//
// Text is made safe as by [New], so what Parse returns may be shown. An error
// that this package rendered comes back with the same rendering; what is not
// on the wire (the cause, NothingApplied) does not come back.
func Parse(data []byte) (*Error, Stamp, error) {
	top, err := members(data, "envelope")
	if err != nil {
		return nil, Stamp{}, errors.Join(ErrMalformed, err)
	}
	r := &reader{}
	e, s := r.envelope(object{top, ""})
	if len(r.faults) > 0 {
		return nil, Stamp{}, errors.Join(append([]error{ErrMalformed}, r.faults...)...)
	}
	return e, s, nil
}

// reader collects faults while it reads.
type reader struct{ faults []error }

func (r *reader) fault(key, wrong string) {
	r.faults = append(r.faults, fmt.Errorf("envelope: %s %s", key, wrong))
}

// object is a JSON object whose members are taken out one by one, so that what
// is left in the end is unknown. The prefix names it in faults: "repair.".
type object struct {
	members map[string]json.RawMessage
	prefix  string
}

func (o object) take(key string) (json.RawMessage, bool) {
	raw, ok := o.members[key]
	delete(o.members, key)
	return raw, ok
}

func (r *reader) finish(o object) {
	var unknown []string
	for key := range o.members {
		unknown = append(unknown, key)
	}
	slices.Sort(unknown)
	for _, key := range unknown {
		r.fault(o.prefix+Quote(key, 80), "is not a known member")
	}
}

// read decodes a member that is there. Null is a fault: encoding/json would
// leave the zero value.
func read[T any](r *reader, o object, key, kind string) (value T, ok bool) {
	raw, ok := o.take(key)
	if !ok {
		return value, false
	}
	if string(raw) == "null" || json.Unmarshal(raw, &value) != nil {
		r.fault(o.prefix+key, "is not "+kind)
		return value, false
	}
	return value, true
}

// text reads a string that must not be empty; absent is a fault if required.
func (r *reader) text(o object, key string, required bool) string {
	if _, ok := o.members[key]; !ok {
		if required {
			r.fault(o.prefix+key, "is missing")
		}
		return ""
	}
	s, ok := read[string](r, o, key, "a string")
	if ok && s == "" {
		r.fault(o.prefix+key, "is empty")
	}
	return s
}

// plain reads an optional string of the kind that a server mints.
func (r *reader) plain(o object, key string) string {
	s := r.text(o, key, false)
	if s != "" && plain(s) == "" {
		r.fault(o.prefix+key, "is not printable text of at most 2 KiB")
	}
	return s
}

// texts reads a list of strings that must not be empty nor repeat itself.
func (r *reader) texts(o object, key string) []string {
	list, ok := read[[]*string](r, o, key, "a list of strings")
	if !ok {
		return nil
	}
	if len(list) == 0 {
		r.fault(o.prefix+key, "is empty")
	}
	var out []string
	for _, s := range list {
		switch {
		case s == nil || *s == "":
			r.fault(o.prefix+key, "has an empty element")
		case slices.Contains(out, *s):
			r.fault(o.prefix+key, "has an element twice")
		default:
			out = append(out, *s)
		}
	}
	return out
}

// nested reads an object member.
func (r *reader) nested(o object, key string) (object, bool) {
	raw, ok := o.take(key)
	if !ok {
		return object{}, false
	}
	m, err := members(raw, o.prefix+key)
	if err != nil {
		r.faults = append(r.faults, err)
		return object{}, false
	}
	return object{m, o.prefix + key + "."}, true
}

func (r *reader) envelope(o object) (*Error, Stamp) {
	k := toolKeys
	if _, ok := o.members[rpcKeys.code]; ok {
		k = rpcKeys
	}
	code := Code(r.text(o, k.code, true))
	if code != "" && !code.Valid() {
		r.fault(k.code, "is not snake_case")
	}
	e := New(code, r.text(o, k.message, true))
	if d, ok := r.nested(o, "details"); ok {
		e = e.With(r.details(d))
	}
	e = r.retry(o, e)
	if n, ok := read[int](r, o, "rate_limit_remaining", "an integer"); ok {
		if n < 0 {
			r.fault("rate_limit_remaining", "is negative")
		}
		e = e.RateLimitRemaining(n)
	}
	if p, ok := r.nested(o, "repair"); ok {
		e = e.Repair(r.repair(p))
	}
	s := Stamp{
		ResourceURI: redactTokens(r.plain(o, "resource_uri")),
		RequestID:   r.plain(o, "request_id"),
		Fingerprint: r.plain(o, "fingerprint"),
	}
	r.finish(o)
	return e, s
}

func (r *reader) retry(o object, e *Error) *Error {
	if _, ok := o.members["temporary"]; !ok {
		r.fault("temporary", "is missing")
	}
	temporary, _ := read[bool](r, o, "temporary", "true or false")
	if temporary {
		e = e.Retryable()
	}
	raw, ok := o.members["retry_after_ms"]
	switch {
	case !ok:
		r.fault("retry_after_ms", "is missing")
		return e
	case string(raw) == "null":
		delete(o.members, "retry_after_ms")
		return e
	}
	const most = math.MaxInt64 / int64(time.Millisecond)
	ms, ok := read[int64](r, o, "retry_after_ms", "an integer or null")
	switch {
	case !ok:
	case ms < 0 || ms > most:
		r.fault("retry_after_ms", "is out of range")
	case !temporary:
		r.fault("retry_after_ms", "is set although temporary is false")
	default:
		e = e.RetryAfter(time.Duration(ms) * time.Millisecond)
	}
	return e
}

func (r *reader) details(o object) Details {
	_, one := o.members["field"]
	_, several := o.members["fields"]
	if one == several {
		r.fault("details", "has not exactly one of field and fields")
	}
	var d Details
	for _, name := range append(r.texts(o, "fields"), r.text(o, "field", false)) {
		if name != "" {
			d.fields = appendUnique(d.fields, fieldName(name))
		}
	}
	d = d.Minted(r.plain(o, "value")).RequiredScopes(r.texts(o, "required_scopes")...)
	d.reason = prose(r.text(o, "reason", false))
	d.allowed = r.allowed(o)
	d.violations = r.violations(o)
	r.finish(o)
	return d
}

// allowed reads a published value: anything but what says nothing.
func (r *reader) allowed(o object) json.RawMessage {
	raw, ok := o.take("allowed")
	if !ok {
		return nil
	}
	value := publishable(raw)
	if value == nil {
		r.fault(o.prefix+"allowed", "is empty")
	}
	return value
}

func (r *reader) violations(o object) []violation {
	list, ok := read[[]json.RawMessage](r, o, "violations", "a list of objects")
	if !ok {
		return nil
	}
	if len(list) == 0 || len(list) > maxViolations {
		r.fault(o.prefix+"violations", fmt.Sprintf("has not 1 to %d elements", maxViolations))
		return nil
	}
	var out []violation
	for i, raw := range list {
		what := fmt.Sprintf("%sviolations[%d]", o.prefix, i)
		m, err := members(raw, what)
		if err != nil {
			r.faults = append(r.faults, err)
			continue
		}
		v := object{m, what + "."}
		n := Violation{
			Field:   r.text(v, "field", true),
			Pointer: r.text(v, "pointer", false),
			Rule:    r.text(v, "rule", false),
			Reason:  r.text(v, "reason", false),
		}.normal()
		n.allowed = r.allowed(v)
		r.finish(v)
		out = append(out, n)
	}
	return out
}

func (r *reader) repair(o object) Repair {
	p := Repair{
		NextStep:    r.text(o, "next_step", true),
		Tool:        r.text(o, "tool", true),
		Alternative: r.text(o, "alternative", false),
	}
	raw, ok := o.take("arguments")
	if !ok {
		r.fault("repair.arguments", "is missing")
	}
	p.Arguments = raw
	if p.NextStep != "" && p.Tool != "" {
		if err := p.Validate(); err != nil {
			r.faults = append(r.faults, err)
		}
	}
	r.finish(o)
	return p
}
