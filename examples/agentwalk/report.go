package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/mcpkit-go/agentmcp/envelope"
)

// A report tells of a walk as it goes.
type report interface {
	server(served)
	begin(task)
	step(step)
	end(outcome)
	finish(summary)
}

// served is what the server says about itself.
type served struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Tools    int    `json:"tools"`
}

// An outcome is how a task ended. Exactly one of Note, Failed and Skipped is
// set.
type outcome struct {
	Note    string
	Failed  error
	Skipped string // why it was not run
}

// A summary ends a report.
type summary struct {
	Tasks   int      // those begun
	Failed  []string // names of tasks
	Skipped int
	Figures figures
	List    listing
}

// text is the report for people.
type text struct {
	out    io.Writer
	colour bool
	width  int
}

const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (t *text) paint(code, s string) string {
	if !t.colour || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (t *text) server(s served) {
	fmt.Fprintf(t.out, "%s %s, protocol revision %s, %s\n",
		t.paint(bold, envelope.Escape(s.Name)), envelope.Escape(s.Version), envelope.Escape(s.Revision), count(s.Tools, "tool"))
}

func (t *text) begin(k task) {
	fmt.Fprintf(t.out, "\n%s  %s\n", t.paint(bold, k.name), k.about)
	if len(k.flags) > 0 {
		fmt.Fprintf(t.out, "     on a server of its own, started with %s\n", strings.Join(k.flags, " "))
	}
}

func (t *text) step(s step) {
	mark := map[string]string{kindCall: "", kindRepair: "repair: ", kindResend: "again: ", kindRetry: "retry: "}[s.Kind]
	if len(s.Changed) > 0 {
		mark = "again, other " + strings.Join(s.Changed, ", ") + ": "
	}
	tool := envelope.Escape(s.Tool)
	room := t.width - len("9999 ") - len(mark) - len(tool) - 1
	fmt.Fprintf(t.out, "%4d %s%s %s\n", s.Number, t.paint(yellow, mark), tool, abbreviate(s.Arguments, room))

	const indent = "     "
	if s.failed == nil {
		fmt.Fprintf(t.out, "%s%s\n", indent, t.paint(dim, abbreviate(s.result, t.width-len(indent))))
		return
	}
	text := s.failed.Code
	if len(s.failed.Fields) > 0 {
		text += " at " + strings.Join(s.failed.Fields, ", ")
	}
	if s.failed.Repair == nil {
		text += ", no repair"
	}
	fmt.Fprintf(t.out, "%s%s\n", indent, t.paint(red, cut("failed: "+envelope.Escape(text), t.width-len(indent))))
}

func (t *text) end(o outcome) {
	mark, words := t.paint(green, "ok"), o.Note
	switch {
	case o.Failed != nil:
		mark, words = t.paint(red, "FAILED"), o.Failed.Error()
	case o.Skipped != "":
		mark, words = t.paint(yellow, "skipped"), o.Skipped
	}
	fmt.Fprintf(t.out, "  %s  %s\n", mark, envelope.Escape(words))
}

func (t *text) finish(s summary) {
	f := s.Figures
	fmt.Fprintf(t.out, "\n%s, %d failed", count(s.Tasks, "task"), len(s.Failed))
	if s.Skipped > 0 {
		fmt.Fprintf(t.out, ", %d skipped", s.Skipped)
	}
	if len(s.Failed) > 0 {
		fmt.Fprintf(t.out, "\nfailed: %s", strings.Join(s.Failed, ", "))
	}
	fmt.Fprintf(t.out, "\n%5d calls made\n%5d errors met\n%5d repaired in one hop\n%5d repaired in more hops\n%5d not repaired\n%5d that no call can repair, as expected\n",
		f.Calls, f.Errors, f.OneHop, f.MoreHops, f.NotRepaired, f.NoneExpected)
	fmt.Fprintf(t.out, "%5d bytes of tools/list, %d o200k tokens\n", s.List.Bytes, s.List.Tokens)
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// document is the report for machines: one JSON document, written at the end.
// Its shape is described in the documentation of the command.
type document struct {
	out io.Writer

	Server    served  `json:"server"`
	ToolsList listing `json:"tools_list"`
	OK        bool    `json:"ok"`
	Tasks     []entry `json:"tasks"`
	Figures   figures `json:"figures"`
}

type entry struct {
	Name   string  `json:"name"`
	About  string  `json:"about"`
	Status string  `json:"status"` // ok, failed or skipped
	Note   string  `json:"note"`
	Calls  []event `json:"calls"`
}

type event struct {
	Number      int             `json:"number"`
	Kind        string          `json:"kind"`
	Tool        string          `json:"tool"`
	Arguments   json.RawMessage `json:"arguments"`
	Replaced    []string        `json:"replaced,omitempty"`
	ResultBytes int             `json:"result_bytes,omitempty"`
	Error       *errorEvent     `json:"error,omitempty"`
}

type errorEvent struct {
	Code    string   `json:"code"`
	Fields  []string `json:"fields,omitempty"`
	Carrier string   `json:"carrier"`
	Repair  *offer   `json:"repair,omitempty"`
}

func (d *document) server(s served) { d.Server = s }

func (d *document) begin(k task) {
	d.Tasks = append(d.Tasks, entry{Name: k.name, About: k.about, Calls: []event{}})
}

func (d *document) step(s step) {
	e := event{Number: s.Number, Kind: s.Kind, Tool: s.Tool, Arguments: s.Arguments, Replaced: s.Changed, ResultBytes: len(s.result)}
	if f := s.failed; f != nil {
		e.Error = &errorEvent{Code: f.Code, Fields: f.Fields, Carrier: f.Carrier, Repair: f.Repair}
	}
	last := &d.Tasks[len(d.Tasks)-1]
	last.Calls = append(last.Calls, e)
}

func (d *document) end(o outcome) {
	last := &d.Tasks[len(d.Tasks)-1]
	switch {
	case o.Failed != nil:
		last.Status, last.Note = "failed", o.Failed.Error()
	case o.Skipped != "":
		last.Status, last.Note = "skipped", o.Skipped
	default:
		last.Status, last.Note = "ok", o.Note
	}
}

func (d *document) finish(s summary) {
	d.OK = len(s.Failed) == 0
	d.Figures = s.Figures
	d.ToolsList = s.List
	var buf strings.Builder
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d); err != nil {
		// Arguments that are no JSON would be a mistake in a task.
		message, _ := json.Marshal(err.Error())
		buf.Reset()
		fmt.Fprintf(&buf, `{"ok":false,"error":%s}`+"\n", message)
	}
	io.WriteString(d.out, ascii(buf.String()))
}

// ascii writes every character of a JSON document that is not printable ASCII
// as an escape. Outside of strings there are only line breaks.
func ascii(document string) string {
	var out strings.Builder
	for _, r := range document {
		switch {
		case r < 0x7f:
			out.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}
