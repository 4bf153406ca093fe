package idempotency_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
)

// The identity is part of what stores hold: changing it would let every key
// that is in flight during an upgrade run again.
func TestKeyIsStable(t *testing.T) {
	const want = "9310a25dab9c7a78a2363fc08eb0175380e860d4ad555d7105444a011ad70d71"
	if got := idempotency.KeyOf(request("a")).String(); got != want {
		t.Errorf("key is %s, want %s", got, want)
	}
	if idempotency.KeyOf(request("a")) != idempotency.KeyOf(request("b")) {
		t.Error("the digest is part of the identity")
	}
}

// FuzzKeyOf holds two requests against each other: their identities are equal
// exactly if all parts are.
func FuzzKeyOf(f *testing.F) {
	f.Add("tool", "p", "k", "a\nb", "tool", "p", "k", "a\nb")
	f.Add("tool", "p", "k", "a\nb", "tool", "p", "k", "ab")
	f.Add("tool", "p", "k", "ab", "toolp", "", "k", "ab")
	f.Add("t", "p", "k", "", "t", "p", "", "k")
	f.Add("t", "p\x00k", "", "", "t", "p", "\x00k", "")
	f.Add("t", "p", "k", "\n", "t", "p", "k", "\n\n")
	f.Fuzz(func(t *testing.T, tool1, principal1, key1, scope1, tool2, principal2, key2, scope2 string) {
		a := idempotency.Request{Tool: tool1, Principal: principal1, Key: key1, Scope: strings.Split(scope1, "\n")}
		b := idempotency.Request{Tool: tool2, Principal: principal2, Key: key2, Scope: strings.Split(scope2, "\n")}
		same := a.Tool == b.Tool && a.Principal == b.Principal && a.Key == b.Key && slices.Equal(a.Scope, b.Scope)
		if (idempotency.KeyOf(a) == idempotency.KeyOf(b)) != same {
			t.Errorf("%+v and %+v: same identity %t, want %t", a, b, !same, same)
		}
		b.Scope = nil
		if idempotency.KeyOf(a) == idempotency.KeyOf(b) {
			t.Errorf("%+v has the identity of one without scope", a)
		}
	})
}
