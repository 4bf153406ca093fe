// Package cursor seals positions of list walks into opaque tokens.
package cursor
