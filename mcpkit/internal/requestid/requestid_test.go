package requestid_test

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit/internal/requestid"
	"github.com/oklog/ulid/v2"
)

// parse reads an identifier with another implementation of ULIDs.
func parse(t *testing.T, id string) ulid.ULID {
	t.Helper()
	text, ok := strings.CutPrefix(id, "req_")
	if !ok {
		t.Fatalf("%q has not the prefix", id)
	}
	u, err := ulid.ParseStrict(text)
	if err != nil {
		t.Fatalf("%q: %v", id, err)
	}
	if u.String() != text {
		t.Fatalf("%q is spelled otherwise: %q", id, u)
	}
	return u
}

func TestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		last := ""
		for _, step := range []time.Duration{0, time.Millisecond, time.Second, 24 * time.Hour, 365 * 24 * time.Hour} {
			time.Sleep(step)
			id := requestid.New()
			if got, want := ulid.Time(parse(t, id).Time()), time.Now().Truncate(time.Millisecond); !got.Equal(want) {
				t.Errorf("%s is of %v, want %v", id, got, want)
			}
			if id <= last {
				t.Errorf("%s sorts before %s, which is older", id, last)
			}
			last = id
		}
	})
}

// Every random bit takes both values.
func TestRandomBits(t *testing.T) {
	var ones, zeros [10]byte
	for range 200 {
		for i, b := range parse(t, requestid.New()).Entropy() {
			ones[i] |= b
			zeros[i] |= ^b
		}
	}
	for i := range ones {
		if ones[i] != 0xff || zeros[i] != 0xff {
			t.Errorf("byte %d: bits seen set %08b, clear %08b", i, ones[i], zeros[i])
		}
	}
}

func TestUnique(t *testing.T) {
	const workers, each = 8, 5000
	lists := make([][]string, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for range each {
				lists[w] = append(lists[w], requestid.New())
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, list := range lists {
		for _, id := range list {
			seen[id] = true
		}
	}
	if len(seen) != workers*each {
		t.Errorf("%d of %d are different", len(seen), workers*each)
	}
}

func TestAllocations(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { requestid.New() }); n > 1 {
		t.Errorf("New allocates %v times, want 1 for the string", n)
	}
}
