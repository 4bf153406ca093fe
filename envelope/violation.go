package envelope

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// maxViolations bounds the list that one error carries.
const maxViolations = 32

// A Violation is one rule of an input schema that the arguments break.
type Violation struct {
	Field   string // dotted path in the input schema: "labels", "filter.limit"
	Pointer string // RFC 6901 pointer into the arguments: "/labels/1"; may be empty
	Rule    string // the keyword broken: "maxLength", "required"
	Reason  string // what is wrong and what would be right, without the received value
	Allowed any    // published enum members or bounds; nil if there are none
}

// violation is a Violation made safe to render.
type violation struct {
	field, pointer, rule, reason string
	allowed                      json.RawMessage
}

func (v Violation) normal() violation {
	n := violation{
		field:   fieldName(v.Field),
		pointer: label(v.Pointer, 2*maxName),
		rule:    label(v.Rule, maxName),
		reason:  prose(v.Reason),
	}
	if v.Allowed != nil {
		n.allowed = publishable(v.Allowed)
	}
	return n
}

func (v violation) public() Violation {
	p := Violation{Field: v.field, Pointer: v.pointer, Rule: v.rule, Reason: v.reason}
	if v.allowed != nil {
		p.Allowed = json.RawMessage(append([]byte(nil), v.allowed...))
	}
	return p
}

// place names where the violation is, for the message: the field, and the
// pointer where it goes deeper than the field.
func (v violation) place() string {
	name := v.field
	if !isToolName(name) {
		name = Quote(name, 80)
	}
	if v.pointer == "" || v.pointer == "/"+strings.ReplaceAll(v.field, ".", "/") {
		return name
	}
	pointer := v.pointer
	if !isToolName(pointer) {
		pointer = Quote(pointer, 160)
	}
	return name + " at " + pointer
}

// Invalid reports arguments that break their schema: code invalid_field, with
// [Error.NothingApplied]. The message names each field, and the pointer where
// it goes deeper.
//
// A single violation becomes details with field, reason and allowed. Several
// become details.fields (unique, in order; details.field if all are of one
// field) and details.violations, one object each with field, pointer, rule,
// reason and allowed. At most 32 violations are kept; the message and the
// reason say how many more there were.
func Invalid(first Violation, more ...Violation) *Error {
	if len(more) == 0 {
		v := first.normal()
		d := Field(v.field, v.reason)
		d.allowed = v.allowed
		return New(CodeInvalidField, "Invalid argument "+v.place()+reasonAfterColon(v.reason)).With(d).NothingApplied()
	}
	all := append([]Violation{first}, more...)
	total := len(all)
	all = all[:min(total, maxViolations)]

	var d Details
	var places []string
	for _, v := range all {
		n := v.normal()
		d.violations = append(d.violations, n)
		d.fields = appendUnique(d.fields, n.field)
		places = appendUnique(places, n.place())
	}
	d.reason = strconv.Itoa(total) + " rules of the input schema are broken; violations lists each."
	if total > len(all) {
		d.reason = fmt.Sprintf("%d rules of the input schema are broken; violations lists the first %d, and there are %d more.",
			total, len(all), total-len(all))
	}
	return New(CodeInvalidField, "Invalid arguments: "+enumerate(places, 8)+countMore(total-len(all))).With(d).NothingApplied()
}

func reasonAfterColon(reason string) string {
	if reason == "" {
		return "."
	}
	return ": " + fullStop(reason)
}

// enumerate joins the first few of a list and says how many it left out.
func enumerate(list []string, few int) string {
	if len(list) <= few {
		return strings.Join(list, ", ") + "."
	}
	return strings.Join(list[:few], ", ") + " and " + strconv.Itoa(len(list)-few) + " other places."
}

func countMore(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " 1 more violation is not listed."
	}
	return " " + strconv.Itoa(n) + " more violations are not listed."
}
