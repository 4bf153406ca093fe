// Package versioning derives version tokens from content.
package versioning
