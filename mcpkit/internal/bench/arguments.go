package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

// An argumentsIn has nine fields, as a search tool has.
type argumentsIn struct {
	Owner  string    `json:"owner" jsonschema:"minLength=1,maxLength=39"`
	Repo   string    `json:"repo" jsonschema:"pattern=^[A-Za-z0-9._-]{1\\,100}$"`
	State  string    `json:"state,omitempty" jsonschema:"enum=open,enum=closed,enum=all,default=open" jsonschema_description:"Omitted means open."`
	Labels []string  `json:"labels,omitempty" jsonschema:"maxItems=10,items.minLength=1" jsonschema_description:"Omitted means any."`
	Author string    `json:"author_login,omitempty" jsonschema_description:"Omitted means any."`
	Since  time.Time `json:"since,omitzero" jsonschema_description:"Omitted means ever."`
	Number int64     `json:"number,omitempty" jsonschema:"minimum=1" jsonschema_description:"Omitted means any."`
	Size   int       `json:"per_page,omitempty" jsonschema:"minimum=1,maximum=100,default=30" jsonschema_description:"Omitted means 30."`
	Locked bool      `json:"locked,omitempty" jsonschema_description:"Omitted means any."`
}

const (
	rightArguments = `{"owner":"acme","repo":"api","state":"open","labels":["bug","needs triage"],"author_login":"octocat","since":"2026-01-02T15:04:05Z","number":9007199254740993,"per_page":50,"locked":false}`
	wrongArguments = `{"owner":"acme","repo":"a/b","state":"opened","labels":["bug",""],"author_login":"octocat","since":"2026-01-02T15:04:05Z","number":9007199254740993,"per_page":500,"locked":false}`
	wrongCount     = 4
)

func ourDocument() (*schema.Type, error) {
	return schema.For(reflect.TypeFor[argumentsIn](), schema.Input, nil)
}

func readAndDecode(d *schema.Document) op {
	raw := []byte(rightArguments)
	return each("schema: Read + Decode", func() error {
		args, violations := d.Read(raw)
		if len(violations) > 0 {
			return fmt.Errorf("refused: %v", violations)
		}
		var in argumentsIn
		return schema.Decode(args, &in)
	})
}

func strictDecode(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// googleValidate is what the SDK does with the arguments of a typed tool:
// read, apply defaults, validate, decode. The schema is the same as ours.
func googleValidate(published json.RawMessage) (op, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(published, &s); err != nil {
		return op{}, err
	}
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		return op{}, err
	}
	raw := []byte(rightArguments)
	return each("google/jsonschema-go validate + decode", func() error {
		var tree map[string]any
		if err := json.Unmarshal(raw, &tree); err != nil {
			return err
		}
		if err := resolved.ApplyDefaults(&tree); err != nil {
			return err
		}
		if err := resolved.Validate(&tree); err != nil {
			return err
		}
		var in argumentsIn
		return strictDecode(raw, &in)
	}), nil
}

func argumentRows() []row {
	return []row{
		{"validate + strict decode, 9 fields", faster, func() (contest, error) {
			t, err := ourDocument()
			if err != nil {
				return contest{}, err
			}
			floor, err := googleValidate(t.JSON())
			raw := []byte(rightArguments)
			return contest{subject: readAndDecode(t.Document()), floor: &floor, peers: []op{
				each("encoding/json strict, no validation (aim 1.0×)", func() error {
					var in argumentsIn
					return strictDecode(raw, &in)
				}),
			}}, err
		}},
		{"failing input, all violations", atMost(1.5), func() (contest, error) {
			t, err := ourDocument()
			if err != nil {
				return contest{}, err
			}
			d := t.Document()
			floor := readAndDecode(d)
			floor.name = "valid path: Read + Decode"
			raw := []byte(wrongArguments)
			return contest{floor: &floor, subject: each(fmt.Sprintf("schema: Read, %d violations", wrongCount), func() error {
				if _, violations := d.Read(raw); len(violations) != wrongCount {
					return fmt.Errorf("%d violations: %v", len(violations), violations)
				}
				return nil
			})}, nil
		}},
	}
}
