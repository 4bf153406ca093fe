package mcpkit

import (
	"context"
	"time"

	"github.com/mcpkit-go/agentmcp/cursor"
	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit/internal/failure"
)

// A Cursor gives a tool's list continuation tokens whose payload is a P. Before
// the handler runs, the kit opens the token that came in, bound to the tool,
// the caller and the arguments; the handler reads the position and seals the
// next one. A Cursor may serve several tools; their tokens do not mix. It is
// safe for concurrent use.
type Cursor[P any] struct{ codec *cursor.Codec[P] }

// NewCursor returns a Cursor whose tokens live for ttl, which is at least a
// second. opts may be nil. It fails where [cursor.New] does.
func NewCursor[P any](keys *cursor.Keyring, ttl time.Duration, opts *cursor.Options) (*Cursor[P], error) {
	codec, err := cursor.New[P](keys, ttl, opts)
	if err != nil {
		return nil, err
	}
	return &Cursor[P]{codec: codec}, nil
}

// Position returns what the token of this call holds; the zero P on the first
// page. ctx is the one that the handler got.
func (c *Cursor[P]) Position(ctx context.Context) P {
	if s := stateOf(ctx); s != nil {
		if p, ok := s.position.(P); ok {
			return p
		}
	}
	var zero P
	return zero
}

// Seal returns the token that continues this call at p. It fails with the code
// missing_credential if the caller is unknown, since such a token would serve
// anyone. ctx is the one that the handler got.
func (c *Cursor[P]) Seal(ctx context.Context, p P) (string, error) {
	s := stateOf(ctx)
	if s == nil {
		return "", envelope.Internal(errOutsideCall)
	}
	if s.principal == "" {
		return "", failure.NoPrincipal("A list that continues with a cursor needs a known caller.")
	}
	b, err := s.binding()
	if err != nil {
		return "", err
	}
	return c.codec.Seal(p, b), nil
}

// Sealer returns Seal for one call, as [paginate.Result.Page] takes it.
func (c *Cursor[P]) Sealer(ctx context.Context) func(P) (string, error) {
	return func(p P) (string, error) { return c.Seal(ctx, p) }
}

// TTL returns the lifetime of a token; 0 for a Cursor that NewCursor did not
// make.
func (c *Cursor[P]) TTL() time.Duration {
	if !c.ready() {
		return 0
	}
	return c.codec.TTL()
}

func (c *Cursor[P]) ready() bool { return c != nil && c.codec != nil }

func (c *Cursor[P]) open(token string, b cursor.Binding) (any, error) { return c.codec.Open(token, b) }

// A CursorOpener is a *[Cursor] of any payload.
type CursorOpener interface {
	open(token string, b cursor.Binding) (any, error)
	ready() bool
	TTL() time.Duration
}
