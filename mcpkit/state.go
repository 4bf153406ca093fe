package mcpkit

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/mcpkit-go/agentmcp/cursor"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
	"github.com/mcpkit-go/agentmcp/versioning"
)

// callState is what the kit knows of the call that a handler is working on. It
// travels in the handler's context.
type callState struct {
	tool      *tool
	requestID string
	// unknownTool is the name that was asked for when tool is nil.
	unknownTool string

	principal string
	args      map[string]any // validated, defaults applied
	position  any            // what the cursor held; nil on the first page

	digestOnce sync.Once
	digest     [32]byte
	digestErr  error
}

type stateKey struct{}

func stateOf(ctx context.Context) *callState {
	s, _ := ctx.Value(stateKey{}).(*callState)
	return s
}

var errOutsideCall = errors.New("mcpkit: the context is not that of a tool call")

// Principal returns who makes the call that ctx belongs to: the user of the
// verified token on HTTP, a constant on stdio, "" where nobody is known or ctx
// is not that of a call.
func Principal(ctx context.Context) string {
	if s := stateOf(ctx); s != nil {
		return s.principal
	}
	return ""
}

// RequestID returns the id under which the call that ctx belongs to is logged
// and which its error envelope carries; "" if ctx is not that of a call.
func RequestID(ctx context.Context) string {
	if s := stateOf(ctx); s != nil {
		return s.requestID
	}
	return ""
}

// canonicalDigest identifies what is asked for: the arguments with defaults
// applied, lists with the role set in a fixed order and without repetitions,
// text with the role fold in lower case, and without the parameters that do not change the question (cursor, detail,
// idempotency key).
func (s *callState) canonicalDigest() ([32]byte, error) {
	s.digestOnce.Do(func() {
		asked := make(map[string]any, len(s.args))
		for name := range s.args {
			switch name {
			case s.tool.cursorField, s.tool.detailField, s.tool.keyField:
				continue
			}
			v := s.meaning(name)
			if list, ok := v.([]any); ok && slices.Contains(s.tool.sets, name) {
				v, s.digestErr = sortedSet(list)
				if s.digestErr != nil {
					return
				}
			}
			asked[name] = v
		}
		raw, err := schema.Marshal(asked)
		if err != nil {
			s.digestErr = err
			return
		}
		s.digest, s.digestErr = versioning.Digest(raw)
	})
	return s.digest, s.digestErr
}

// meaning returns an argument in the spelling that stands for all equal ones.
func (s *callState) meaning(name string) any {
	v := s.args[name]
	if !slices.Contains(s.tool.folds, name) {
		return v
	}
	switch v := v.(type) {
	case string:
		return strings.ToLower(v)
	case []any:
		folded := make([]any, len(v))
		for i, e := range v {
			text, _ := e.(string)
			folded[i] = strings.ToLower(text)
		}
		return folded
	}
	return v
}

func sortedSet(list []any) ([]any, error) {
	type element struct {
		key   string
		value any
	}
	elements := make([]element, len(list))
	for i, v := range list {
		raw, err := schema.Marshal(v)
		if err != nil {
			return nil, err
		}
		elements[i] = element{string(raw), v}
	}
	slices.SortFunc(elements, func(a, b element) int { return cmp.Compare(a.key, b.key) })
	elements = slices.CompactFunc(elements, func(a, b element) bool { return a.key == b.key })
	sorted := make([]any, len(elements))
	for i, e := range elements {
		sorted[i] = e.value
	}
	return sorted, nil
}

// binding ties a cursor to the tool, the caller and the question.
func (s *callState) binding() (cursor.Binding, error) {
	digest, err := s.canonicalDigest()
	if err != nil {
		return cursor.Binding{}, err
	}
	return cursor.Bind(s.tool.name+" "+s.tool.cursorField, s.principal, digest[:]), nil
}
