package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A failure is what a failed call says, as far as this client reads it. The
// message, the reason and the alternative are for people; they have no fields
// here, so the agent cannot act on them.
type failure struct {
	Code    string
	Fields  []string
	Value   json.RawMessage // of details: minted by the server, or a published member
	Repair  *offer
	Delay   *int64 // milliseconds to wait; nil if none is known
	Retry   bool   // temporary
	Carrier string // "structuredContent", "text" or "error.data"
}

// An offer is the call that a failed call says to make next.
type offer struct {
	NextStep  string          `json:"next_step"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

var errNoEnvelope = errors.New("the error has no envelope")

// readEnvelope reads an envelope on one of its carriers. codeKey is "code" or,
// on the JSON-RPC carrier, "machine_code".
func readEnvelope(data json.RawMessage, codeKey, carrier string) (*failure, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil || members == nil {
		return nil, errNoEnvelope
	}
	e := &failure{Carrier: carrier}
	if err := json.Unmarshal(members[codeKey], &e.Code); err != nil || e.Code == "" {
		return nil, errNoEnvelope
	}
	for _, name := range []string{"temporary", "retry_after_ms"} {
		if _, ok := members[name]; !ok {
			return nil, fmt.Errorf("the envelope lacks %s", name)
		}
	}
	var body struct {
		Temporary bool   `json:"temporary"`
		Delay     *int64 `json:"retry_after_ms"`
		Details   *struct {
			Field  string          `json:"field"`
			Fields []string        `json:"fields"`
			Value  json.RawMessage `json:"value"`
		} `json:"details"`
		Repair *offer `json:"repair"`
	}
	if err := json.Unmarshal(data, &body); err != nil {
		return nil, errors.New("the envelope is malformed")
	}
	e.Retry, e.Delay, e.Repair = body.Temporary, body.Delay, body.Repair
	if d := body.Details; d != nil {
		if (d.Field == "") == (len(d.Fields) == 0) {
			return nil, errors.New("the envelope's details need exactly one of field and fields")
		}
		e.Fields, e.Value = d.Fields, d.Value
		if d.Field != "" {
			e.Fields = []string{d.Field}
		}
	}
	if r := e.Repair; r != nil && (r.Tool == "" || !bytes.HasPrefix(bytes.TrimSpace(r.Arguments), []byte("{"))) {
		return nil, errors.New("the envelope's repair needs a tool and arguments")
	}
	return e, nil
}

// An answer is a reply as read: either member is nil.
type answer struct {
	result json.RawMessage // structuredContent
	failed *failure
}

// read takes structured content only. A failed call's envelope is in
// structuredContent or, where a client would hold that against the tool's
// outputSchema, after the first line of the first text block.
func (r reply) read() (answer, error) {
	if r.fault != nil {
		e, err := readEnvelope(r.fault.Data, "machine_code", "error.data")
		if err != nil {
			return answer{}, fmt.Errorf("JSON-RPC error %d: %w", r.fault.Code, err)
		}
		return answer{failed: e}, nil
	}
	var result struct {
		IsError    bool            `json:"isError"`
		Structured json.RawMessage `json:"structuredContent"`
		Content    []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
	}
	if err := json.Unmarshal(r.result, &result); err != nil {
		return answer{}, errors.New("the result is malformed")
	}
	if !result.IsError {
		if result.Structured == nil {
			return answer{}, errors.New("the result has no structuredContent")
		}
		return answer{result: result.Structured}, nil
	}
	if result.Structured != nil {
		e, err := readEnvelope(result.Structured, "code", "structuredContent")
		return answer{failed: e}, err
	}
	if len(result.Content) == 0 || result.Content[0].Type != "text" {
		return answer{}, errNoEnvelope
	}
	_, after, _ := strings.Cut(result.Content[0].Text, "\n")
	e, err := readEnvelope(json.RawMessage(after), "code", "text")
	return answer{failed: e}, err
}
