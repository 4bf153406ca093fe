package gosdk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// CodeResultTooLarge is the code of a result that exceeds
// [ToolOptions.MaxResultBytes] and has no records to cut.
const CodeResultTooLarge envelope.Code = "result_too_large"

// capped bounds a result. What is cut is always said.
func (r *request) capped(ctx context.Context, result *mcp.CallToolResult) (mcp.Result, error) {
	if r.tool == nil || r.tool.options.MaxResultBytes <= 0 || result.NeedsInput() {
		return result, nil
	}
	limit := r.tool.options.MaxResultBytes
	raw, structured, err := body(result)
	if err != nil {
		return r.toolError(ctx, r.w.classify(ctx, err))
	}
	if len(raw) <= limit {
		return result, nil
	}
	cut, lost, ok := cutRecords(raw, limit)
	if ok && structured && !r.conforms(cut) {
		ok = false
	}
	if !ok {
		e := envelope.New(CodeResultTooLarge, fmt.Sprintf("The result exceeds %d bytes and cannot be cut without losing its meaning. %s", limit, r.narrow()))
		return r.toolError(ctx, e)
	}
	notice := fmt.Sprintf("Not the whole result: %s left out to keep it within %d bytes. %s", strings.Join(lost, " and "), limit, r.narrow())
	// The handler may keep what it returned, so a copy is changed.
	out := *result
	out.Content = []mcp.Content{&mcp.TextContent{Text: notice + "\n" + string(cut)}}
	if structured {
		out.StructuredContent = json.RawMessage(cut)
	}
	for _, c := range result.Content {
		if _, ok := c.(*mcp.TextContent); !ok {
			out.Content = append(out.Content, c)
		}
	}
	out.Meta = withEntry(out.Meta, "com.github.mcpkit-go/truncated", notice)
	return &out, nil
}

// narrow says how to get less.
func (r *request) narrow() string {
	if names := r.tool.options.Narrow; len(names) > 0 {
		return "Narrow the call with " + strings.Join(names, ", ") + "."
	}
	return "Ask for less."
}

// body is the JSON that the client reads: the structured content or, without
// any, the text.
func body(result *mcp.CallToolResult) (raw []byte, structured bool, err error) {
	if result.StructuredContent != nil {
		raw, err = json.Marshal(result.StructuredContent)
		return raw, true, err
	}
	var text strings.Builder
	for _, c := range result.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			text.WriteString(t.Text)
		}
	}
	return []byte(text.String()), false, nil
}

// conforms reports whether the tool's own output schema accepts what is left.
func (r *request) conforms(raw []byte) bool {
	if r.tool.tool.OutputSchema == nil {
		return true
	}
	published, err := json.Marshal(r.tool.tool.OutputSchema)
	if err != nil {
		return false
	}
	document, err := schema.Compile(published)
	if err != nil {
		return true // there is nothing to check by
	}
	var tree any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&tree) != nil {
		return false
	}
	return len(document.Validate(tree)) == 0
}

// cutRecords leaves out elements from the end of the longest list of raw, a
// JSON list or an object with lists, until it has at most limit bytes. What
// remains keeps its bytes and its order. lost says what was left out.
func cutRecords(raw []byte, limit int) (cut []byte, lost []string, ok bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || !json.Valid(raw) {
		return nil, nil, false
	}
	if raw[0] == '[' {
		records, kept, out := cutList(raw, limit)
		if kept == 0 {
			return nil, nil, false
		}
		return out, []string{fmt.Sprintf("%d of %d records", records-kept, records)}, true
	}
	members, err := membersOf(raw)
	if err != nil {
		return nil, nil, false
	}
	total := 2
	for i, m := range members {
		total += len(m.key) + 1 + len(m.value)
		if i > 0 {
			total++
		}
	}
	cutAlready := map[int]bool{}
	for total > limit {
		longest := -1
		for i, m := range members {
			if !cutAlready[i] && m.value[0] == '[' && (longest < 0 || len(m.value) > len(members[longest].value)) {
				longest = i
			}
		}
		if longest < 0 {
			return nil, nil, false
		}
		cutAlready[longest] = true
		m := &members[longest]
		records, kept, out := cutList(m.value, max(2, limit-(total-len(m.value))))
		if records == kept {
			continue
		}
		total -= len(m.value) - len(out)
		m.value = out
		lost = append(lost, fmt.Sprintf("%d of %d records of %s", records-kept, records, envelope.Escape(string(m.key))))
	}
	cut = append(cut, '{')
	for i, m := range members {
		if i > 0 {
			cut = append(cut, ',')
		}
		cut = append(append(append(cut, m.key...), ':'), m.value...)
	}
	return append(cut, '}'), lost, len(lost) > 0
}

// cutList keeps as many elements of a JSON list as fit into limit bytes.
func cutList(raw []byte, limit int) (records, kept int, out []byte) {
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil {
		return 0, 0, raw
	}
	out = append(out, '[')
	for i, e := range elements {
		size := len(out) + len(e) + 1
		if i > 0 {
			size++
		}
		if size > limit {
			break
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, e...)
		kept++
	}
	return len(elements), kept, append(out, ']')
}

// A member is a key, as JSON, and its value.
type member struct{ key, value []byte }

var errNoObject = errors.New("not an object")

// membersOf returns the members of a valid JSON object in their order.
func membersOf(raw []byte) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errNoObject
	}
	var members []member
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		members = append(members, member{name, value})
	}
	return members, nil
}
