package failure

import "github.com/mcpkit-go/agentmcp/envelope"

// NoPrincipal is the error for what belongs to a caller, when the request does
// not say who that is.
func NoPrincipal(message string) *envelope.Error {
	return envelope.MissingCredential(message + " This request carries no verified identity.")
}
