package mcpkit

import (
	"bytes"
	"encoding/json"
)

// envelopeSchema describes the error envelope on a tool result.
const envelopeSchema = `{"type":"object","required":["code","message","temporary","retry_after_ms","request_id"],"properties":{` +
	`"code":{"type":"string"},"message":{"type":"string"},` +
	`"details":{"type":"object","properties":{"field":{"type":"string"},"fields":{"type":"array","items":{"type":"string"},"minItems":1},"value":{},"reason":{"type":"string"},"allowed":{},"violations":{"type":"array","items":{"type":"object"}},"required_scopes":{"type":"array","items":{"type":"string"}}}},` +
	`"temporary":{"type":"boolean"},"retry_after_ms":{"type":["integer","null"],"minimum":0},"rate_limit_remaining":{"type":"integer","minimum":0},` +
	`"repair":{"type":"object","required":["next_step","tool","arguments"],"properties":{"next_step":{"type":"string"},"tool":{"type":"string"},"arguments":{"type":"object"},"alternative":{"type":"string"}},"additionalProperties":false},` +
	`"resource_uri":{"type":"string"},"request_id":{"type":"string"},"fingerprint":{"type":"string"}},"additionalProperties":false}`

// withEnvelope makes the envelope an alternative of a success schema.
func withEnvelope(success json.RawMessage) json.RawMessage {
	// $schema belongs to the root alone (JSON Schema core, section 8.1.1).
	const dialect = `{"$schema":"https://json-schema.org/draft/2020-12/schema",`
	out := []byte(dialect + `"type":"object","oneOf":[{`)
	out = append(out, bytes.TrimPrefix(success, []byte(dialect))...)
	out = append(out, ',')
	out = append(out, envelopeSchema...)
	return append(out, "]}"...)
}
