package idempotency_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
	"github.com/mcpkit-go/agentmcp/versioning"
)

func Example() {
	keeper, err := idempotency.New(idempotency.NewMemory(nil), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	issues := 512
	create := func(arguments string) {
		digest, err := versioning.Digest([]byte(arguments))
		if err != nil {
			fmt.Println(err)
			return
		}
		reply, err := keeper.Do(context.Background(), idempotency.Request{
			Tool: "github_create_issue", Principal: "alice", Scope: []string{"acme", "api"},
			Key: "b7c1", Digest: digest,
		}, func(ctx context.Context) ([]byte, error) {
			issues++
			return fmt.Appendf(nil, `{"issue_number":%d}`, issues), nil
		})
		fmt.Printf("%s replayed=%t %v\n", reply.Body, reply.Replayed, err)
	}
	create(`{"title":"Broken page","labels":["bug"]}`)
	create(`{"labels":["bug"], "title":"Broken page"}`)
	create(`{"title":"Another page"}`)
	// Output:
	// {"issue_number":513} replayed=false <nil>
	// {"issue_number":513} replayed=true <nil>
	//  replayed=false idempotency: key was already used for another request
}

// notSent is an error that proves that nothing was sent.
type notSent struct{ error }

func (notSent) SafeToRetry() bool { return true }

// What an error says about its effect decides what a repeat gets.
func ExampleKeeper_Do() {
	keeper, err := idempotency.New(idempotency.NewMemory(nil), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	request := idempotency.Request{Tool: "pay", Principal: "alice", Key: "1"}
	outcomes := []error{notSent{errors.New("no route to host")}, errors.New("connection reset")}
	run := func(ctx context.Context) ([]byte, error) {
		err := outcomes[0]
		outcomes = outcomes[1:]
		return nil, err
	}
	for range 3 {
		_, err := keeper.Do(context.Background(), request, run)
		fmt.Println(err)
	}
	fmt.Println("outcomes left:", len(outcomes))
	// Output:
	// no route to host
	// idempotency: outcome unknown: connection reset
	// idempotency: outcome unknown
	// outcomes left: 0
}

// An upstream with idempotency keys of its own gets the identity of ours.
func ExampleHoldFrom() {
	keeper, err := idempotency.New(idempotency.NewMemory(nil), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = keeper.Do(context.Background(), idempotency.Request{Tool: "pay", Principal: "alice", Key: "1"},
		func(ctx context.Context) ([]byte, error) {
			key, hold, _ := idempotency.HoldFrom(ctx)
			fmt.Println("Idempotency-Key:", key.String()[:12]+"…", "fence:", hold.Fence)
			return nil, nil
		})
	if err != nil {
		fmt.Println(err)
	}
	// Output: Idempotency-Key: d6dead45af59… fence: 1
}
