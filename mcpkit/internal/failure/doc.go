// Package failure turns what goes wrong in a call into envelopes. Package
// mcpkit uses it for tools that were declared with it, package gosdk for tools
// that were not.
//
// A repair leaves only if it is proven: the tool is registered and accepts the
// arguments.
package failure
