package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mcpkit-go/agentmcp/envelope"
)

const (
	maxText  = 48 // bytes of a string as shown
	maxItems = 6  // elements of a list as shown
)

// abbreviate writes JSON on one line of at most width characters. Long strings
// and lists are shortened, members keep their order, and nothing in the result
// moves the cursor, colours or turns text: it is safe to print.
func abbreviate(raw json.RawMessage, width int) string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var out strings.Builder
	if err := shorten(&out, dec); err != nil {
		out.Reset()
		out.WriteString(envelope.Escape(string(raw[:min(len(raw), 4*width)])))
	}
	return cut(out.String(), width)
}

// shorten writes the next value of dec.
func shorten(out *strings.Builder, dec *json.Decoder) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			return shortenObject(out, dec)
		}
		return shortenList(out, dec)
	case string:
		out.WriteString(envelope.Quote(token, maxText))
	case nil:
		out.WriteString("null")
	default:
		fmt.Fprint(out, token) // a number or a bool
	}
	return nil
}

func shortenObject(out *strings.Builder, dec *json.Decoder) error {
	out.WriteByte('{')
	for n := 0; dec.More(); n++ {
		if n > 0 {
			out.WriteByte(',')
		}
		if err := shorten(out, dec); err != nil { // the name
			return err
		}
		out.WriteByte(':')
		if err := shorten(out, dec); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	_, err := dec.Token()
	return err
}

func shortenList(out *strings.Builder, dec *json.Decoder) error {
	var shown []string
	n, objects := 0, false
	for ; dec.More(); n++ {
		var element strings.Builder
		if err := shorten(&element, dec); err != nil {
			return err
		}
		objects = objects || strings.HasPrefix(element.String(), "{")
		if n < maxItems {
			shown = append(shown, element.String())
		}
	}
	switch {
	case objects:
		fmt.Fprintf(out, "[%d objects]", n)
	case n > maxItems:
		fmt.Fprintf(out, "[%s,… %d more]", strings.Join(shown, ","), n-maxItems)
	default:
		out.WriteString("[" + strings.Join(shown, ",") + "]")
	}
	_, err := dec.Token()
	return err
}

// cut shortens printable text to at most width characters.
func cut(s string, width int) string {
	if utf8.RuneCountInString(s) <= width {
		return s
	}
	return string([]rune(s)[:max(width-1, 0)]) + "…"
}
