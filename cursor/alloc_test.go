//go:build !race

package cursor_test

import "testing"

// The race detector makes sync.Pool forget at random, hence the build tag.
func TestAllocations(t *testing.T) {
	c := codec[position](t, ring(t, key(1)), nil)
	token := c.Seal(typical, bound)
	if n := testing.AllocsPerRun(200, func() { c.Seal(typical, bound) }); n > 1 {
		t.Errorf("Seal allocates %v times, want at most 1 for the token", n)
	}
	if n := testing.AllocsPerRun(200, func() { c.Open(token, bound) }); n > 1 {
		t.Errorf("Open allocates %v times, want at most 1 for the payload's one string", n)
	}
}
