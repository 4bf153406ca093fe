package tracker

import (
	"strconv"
	"strings"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
)

// encode writes numbers into a position.
func encode(numbers ...int64) backend.Position {
	var b []byte
	for i, n := range numbers {
		if i > 0 {
			b = append(b, '.')
		}
		b = strconv.AppendInt(b, n, 36)
	}
	return backend.Position(b)
}

// decode reads back what encode made of n numbers and accepts no other
// spelling of them.
func decode(p backend.Position, n int) ([]int64, bool) {
	parts := strings.SplitN(string(p), ".", n+1)
	if len(parts) != n {
		return nil, false
	}
	numbers := make([]int64, n)
	for i, part := range parts {
		number, err := strconv.ParseInt(part, 36, 64)
		if err != nil {
			return nil, false
		}
		numbers[i] = number
	}
	return numbers, encode(numbers...) == p
}
