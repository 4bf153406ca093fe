package envelope

import (
	"encoding/json"
	"errors"
	"slices"
)

// A Repair is the one call that fixes a failure, complete enough to be sent
// without thinking. If the fix is known, Tool is the tool that failed and
// Arguments are its corrected arguments; if a value has to be found first, Tool
// finds it.
type Repair struct {
	NextStep    string          // symbolic, snake_case: "reread_then_reapply"
	Tool        string          // name of a registered tool
	Arguments   json.RawMessage // a JSON object that the tool's input schema accepts, literal values only; empty means {}
	Alternative string          // optional prose: what to do if the call does not help
}

// Or returns r with an alternative in prose.
func (r Repair) Or(alternative string) Repair {
	r.Alternative = alternative
	return r
}

// Validate reports everything that keeps r from being sent: next_step must be
// snake_case; tool must have 1 to 128 characters, each a letter, digit or one
// of _ - . /; arguments must be one JSON object without duplicate keys. That
// the tool exists and accepts the arguments is for the caller to prove.
func (r Repair) Validate() error {
	var faults []error
	if !isSymbol(r.NextStep) {
		faults = append(faults, errors.New("envelope: repair.next_step is not snake_case"))
	}
	if !isToolName(r.Tool) {
		faults = append(faults, errors.New("envelope: repair.tool is not a tool name"))
	}
	if len(r.Arguments) > 0 {
		if _, err := members(r.Arguments, "repair.arguments"); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

func isToolName(s string) bool {
	if s == "" || len(s) > 128 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case c == '_', c == '-', c == '.', c == '/':
		default:
			return false
		}
	}
	return true
}

// normal returns a copy that shares no memory with r and is ready to render.
func (r Repair) normal() Repair {
	if len(r.Arguments) == 0 {
		r.Arguments = json.RawMessage("{}")
	}
	r.Arguments = slices.Clip(appendRaw(nil, r.Arguments))
	r.Alternative = prose(r.Alternative)
	return r
}
