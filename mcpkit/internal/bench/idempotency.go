package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jellydator/ttlcache/v3"
	"github.com/maypok86/otter/v2"
	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
	gocache "github.com/patrickmn/go-cache"
)

// One operation is the life of a key: it is claimed, an answer of 256 bytes is
// stored, and a repeat gets a copy of it. Each batch begins with an empty store
// and uses each key once.
const (
	keysPerBatch = 20_000
	answerBytes  = 256
)

var errReplay = errors.New("not replayed")

func keyOf(i int) (k idempotency.Key) {
	binary.LittleEndian.PutUint64(k[:], uint64(i)*0x9e3779b97f4a7c15) // keys are hashes: spread
	binary.LittleEndian.PutUint64(k[8:], uint64(i))
	return k
}

func ourMemory() func(int) error {
	m := idempotency.NewMemory(nil)
	answer := make([]byte, answerBytes)
	claim := idempotency.Claim{Owner: "0123456789abcdef", Lease: time.Minute, Window: 10 * time.Minute, Tombstone: time.Hour}
	ctx := context.Background()
	return func(i int) error {
		key := keyOf(i)
		r, claimed, err := m.Claim(ctx, key, claim)
		if err != nil || !claimed {
			return errors.Join(errors.New("not claimed"), err)
		}
		if err := m.Complete(ctx, key, r.Hold, idempotency.Outcome{State: idempotency.StateDone, Body: answer}); err != nil {
			return err
		}
		r, claimed, err = m.Claim(ctx, key, claim)
		if err != nil || claimed || len(r.Body) != answerBytes {
			return errors.Join(errReplay, err)
		}
		return nil
	}
}

// A held is what the simplest stores know of a key.
type held struct {
	digest [32]byte
	done   bool
	body   []byte
}

// mutexMap never forgets anything and knows no time.
func mutexMap() func(int) error {
	var mu sync.Mutex
	entries := map[idempotency.Key]*held{}
	answer := make([]byte, answerBytes)
	claim := func(key idempotency.Key, digest [32]byte) (held, bool) {
		mu.Lock()
		defer mu.Unlock()
		if e := entries[key]; e != nil {
			return *e, false
		}
		e := &held{digest: digest}
		entries[key] = e
		return *e, true
	}
	complete := func(key idempotency.Key, body []byte) {
		body = slices.Clone(body)
		mu.Lock()
		defer mu.Unlock()
		e := entries[key]
		e.done, e.body = true, body
	}
	return func(i int) error {
		key := keyOf(i)
		if _, claimed := claim(key, [32]byte{}); !claimed {
			return errors.New("not claimed")
		}
		complete(key, answer)
		e, claimed := claim(key, [32]byte{})
		if body := slices.Clone(e.body); claimed || !e.done || len(body) != answerBytes {
			return errReplay
		}
		return nil
	}
}

// The caches have no fences, leases or tombstones: an answer replaces a claim.

func otterCache() func(int) error {
	c := otter.Must(&otter.Options[idempotency.Key, *held]{
		MaximumSize:      100_000,
		ExpiryCalculator: otter.ExpiryWriting[idempotency.Key, *held](10 * time.Minute),
	})
	return throughCache(
		func(key idempotency.Key, h *held) bool { _, ok := c.SetIfAbsent(key, h); return ok },
		func(key idempotency.Key, h *held) { c.Set(key, h) },
		func(key idempotency.Key) *held { h, _ := c.GetIfPresent(key); return h })
}

func ttlCache() func(int) error {
	c := ttlcache.New(
		ttlcache.WithTTL[idempotency.Key, *held](10*time.Minute),
		ttlcache.WithCapacity[idempotency.Key, *held](100_000),
		ttlcache.WithDisableTouchOnHit[idempotency.Key, *held]())
	return throughCache(
		func(key idempotency.Key, h *held) bool { _, found := c.GetOrSet(key, h); return !found },
		func(key idempotency.Key, h *held) { c.Set(key, h, ttlcache.DefaultTTL) },
		func(key idempotency.Key) *held {
			if item := c.Get(key); item != nil {
				return item.Value()
			}
			return nil
		})
}

func goCache() func(int) error {
	c := gocache.New(10*time.Minute, 0)
	return throughCache(
		func(key idempotency.Key, h *held) bool {
			return c.Add(string(key[:]), h, gocache.DefaultExpiration) == nil
		},
		func(key idempotency.Key, h *held) { c.SetDefault(string(key[:]), h) },
		func(key idempotency.Key) *held {
			if v, ok := c.Get(string(key[:])); ok {
				return v.(*held)
			}
			return nil
		})
}

func throughCache(add func(idempotency.Key, *held) bool, set func(idempotency.Key, *held), get func(idempotency.Key) *held) func(int) error {
	answer := make([]byte, answerBytes)
	return func(i int) error {
		key := keyOf(i)
		if !add(key, &held{}) {
			return errors.New("not claimed")
		}
		set(key, &held{done: true, body: slices.Clone(answer)})
		if add(key, &held{}) {
			return errors.New("claimed twice")
		}
		if e := get(key); e == nil || !e.done || len(slices.Clone(e.body)) != answerBytes {
			return errReplay
		}
		return nil
	}
}

func idempotencyRows() []row {
	var all []row
	for _, g := range []struct {
		workers int
		limit   float64
	}{{1, 1.2}, {8, 0.8}, {64, 0.8}} {
		all = append(all, row{
			fmt.Sprintf("memory idempotency, %d goroutines", g.workers), atMost(g.limit), func() (contest, error) {
				floor := concurrent("mutex + map (unbounded)", g.workers, mutexMap)
				return contest{
					subject: concurrent("idempotency.Memory", g.workers, ourMemory), floor: &floor,
					peers: []op{
						concurrent("otter", g.workers, otterCache),
						concurrent("ttlcache", g.workers, ttlCache),
						concurrent("go-cache (unbounded)", g.workers, goCache),
					},
					batch: keysPerBatch,
				}, nil
			},
		})
	}
	return all
}
