package envelope

import (
	"strconv"
	"strings"
	"time"
)

// maxArguments bounds the arguments that a sentence shows.
const maxArguments = 512

// Sentence returns the error in words on one line, for readers that see no
// structured data: the message, when to retry, then the repair and its
// alternative. Arguments of more than 512 bytes are cut. It is the message
// member of a JSON-RPC error, and the first line of [Error.Text].
func (e *Error) Sentence() string {
	var b strings.Builder
	b.WriteString(fullStop(e.Message()))
	if delay, ok := e.Delay(); ok {
		b.WriteString(" The same call may succeed after " + seconds(delay) + ".")
	} else if e.Temporary() {
		b.WriteString(" The same call may succeed later.")
	}
	if r, ok := e.Suggested(); ok {
		b.WriteString(" Next: call " + r.Tool + " with " + shorten(string(r.Arguments)) + " (" + r.NextStep + ").")
		if r.Alternative != "" {
			b.WriteString(" Otherwise: " + fullStop(r.Alternative))
		}
	}
	return b.String()
}

func seconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Second), 'f', -1, 64) + " s"
}

func shorten(arguments string) string {
	if len(arguments) <= maxArguments {
		return arguments
	}
	return escape(arguments, false, maxArguments) + " [cut; whole in repair.arguments]"
}

// Text returns what an error result puts into its one text block: the sentence,
// a newline, and the envelope as [Error.ToolJSON] has it. Hosts that show the
// model only text, or only the first block of it, lose nothing.
func (e *Error) Text(s Stamp) string {
	return e.Sentence() + "\n" + string(e.ToolJSON(s))
}
