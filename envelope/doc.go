// Package envelope turns failures into something that an agent can act on.
package envelope
