package cursor_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/mcpkit-go/agentmcp/cursor"
)

func Example() {
	// In earnest, 32 bytes of crypto/rand from the deployment's secrets.
	secret := sha256.Sum256([]byte("an example's secret"))
	keys, err := cursor.NewKeyring(secret[:])
	if err != nil {
		fmt.Println(err)
		return
	}
	type position struct{ After string }
	pages, err := cursor.New[position](keys, 15*time.Minute, nil)
	if err != nil {
		fmt.Println(err)
		return
	}

	filters := sha256.Sum256([]byte(`{"state":"open"}`))
	alice := cursor.Bind("list_issues cursor", "alice", filters[:])
	token := pages.Seal(position{After: "issue-30"}, alice)

	pos, err := pages.Open(token, alice)
	fmt.Println(pos.After, err)

	bob := cursor.Bind("list_issues cursor", "bob", filters[:])
	_, err = pages.Open(token, bob)
	fmt.Println(err)
	// Output:
	// issue-30 <nil>
	// cursor: invalid
}

// The previous key still opens what it has sealed, for as long as it is given.
func ExampleNewKeyring() {
	older, newer := sha256.Sum256([]byte("January")), sha256.Sum256([]byte("February"))
	before, err := cursor.NewKeyring(older[:])
	if err != nil {
		fmt.Println(err)
		return
	}
	after, err := cursor.NewKeyring(newer[:], older[:])
	if err != nil {
		fmt.Println(err)
		return
	}
	bind := cursor.Bind("list", "", nil)
	sealer, _ := cursor.New[int](before, time.Minute, nil)
	opener, _ := cursor.New[int](after, time.Minute, nil)
	fmt.Println(opener.Open(sealer.Seal(30, bind), bind))

	_, err = cursor.NewKeyring([]byte("hunter2"), make([]byte, 32))
	fmt.Println(err)
	// Output:
	// 30 <nil>
	// cursor: current key has 7 bytes, at least 32 are needed
	// cursor: previous key 1 is one byte repeated
}

// Nobody who sees a sealed token can read its payload.
func ExampleOptions_sealed() {
	secret := sha256.Sum256([]byte("an example's secret"))
	keys, err := cursor.NewKeyring(secret[:])
	if err != nil {
		fmt.Println(err)
		return
	}
	type position struct{ Account string }
	pages, err := cursor.New[position](keys, time.Hour, &cursor.Options{Sealed: true, Skew: time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	bind := cursor.Bind("list_payments cursor", "alice", nil)
	token := pages.Seal(position{Account: "DE89370400440532013000"}, bind)
	fmt.Println(bytes.Contains([]byte(token), []byte("DE89")))
	fmt.Println(pages.Open(token, bind))
	// Output:
	// false
	// {DE89370400440532013000} <nil>
}

// A payload that cannot be carried is found at start-up, all of its fields at
// once.
func ExampleNew_faults() {
	secret := sha256.Sum256([]byte("an example's secret"))
	keys, err := cursor.NewKeyring(secret[:])
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = cursor.New[struct {
		After *string
		Seen  map[string]bool
	}](keys, 0, nil)
	fmt.Println(err)
	// Output:
	// cursor: TTL is 0s, at least 1s is needed
	// cursor: payload field After: type *string cannot be carried
	// cursor: payload field Seen: type map[string]bool cannot be carried
}
