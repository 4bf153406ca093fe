package schema_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
)

// An input of nine fields, as a search tool has it.
type benchIn struct {
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

const benchArguments = `{"owner":"acme","repo":"api","state":"open","labels":["bug","needs triage"],"author_login":"octocat","since":"2026-01-02T15:04:05Z","number":9007199254740993,"per_page":50,"locked":false}`

func BenchmarkArguments(b *testing.B) {
	typ, err := schema.For(reflect.TypeFor[benchIn](), schema.Input, nil)
	if err != nil {
		b.Fatal(err)
	}
	d := typ.Document()
	raw := []byte(benchArguments)
	wrong := bytes.Replace(raw, []byte(`"per_page":50`), []byte(`"per_page":500`), 1)

	b.Run("read, validate and decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			args, violations := d.Read(raw)
			var in benchIn
			if err := schema.Decode(args, &in); err != nil || len(violations) > 0 {
				b.Fatal(err, violations)
			}
		}
	})
	b.Run("read and validate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, violations := d.Read(raw); len(violations) > 0 {
				b.Fatal(violations)
			}
		}
	})
	b.Run("refuse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, violations := d.Read(wrong); len(violations) != 1 {
				b.Fatal(violations)
			}
		}
	})
	b.Run("correct", func(b *testing.B) {
		b.ReportAllocs()
		args, violations := d.Read(wrong)
		for b.Loop() {
			if _, ok := d.Correct(args, violations); !ok {
				b.Fatal("not corrected")
			}
		}
	})
	// For comparison: no validation at all.
	b.Run("encoding/json, strict", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var in benchIn
			dec := json.NewDecoder(bytes.NewReader(raw))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&in); err != nil {
				b.Fatal(err)
			}
		}
	})
}
