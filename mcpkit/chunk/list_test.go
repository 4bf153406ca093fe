package chunk_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/mcpkit/chunk"
)

func TestList(t *testing.T) {
	for _, c := range []struct {
		total, per int
		want       []string // id, heading, range, next
	}{
		{0, 30, []string{"s01-comments-1 | Comments | 0:0 | "}},
		{-5, 30, []string{"s01-comments-1 | Comments | 0:0 | "}},
		{1, 30, []string{"s01-comments-1 | Comments 1 | 0:1 | "}},
		{30, 30, []string{"s01-comments-1 | Comments 1 to 30 | 0:30 | "}},
		{31, 30, []string{"s01-comments-1 | Comments 1 to 30 | 0:30 | s02-comments-31", "s02-comments-31 | Comments 31 | 30:31 | "}},
		{60, 0, []string{"s01-comments-1 | Comments 1 to 30 | 0:30 | s02-comments-31", "s02-comments-31 | Comments 31 to 60 | 30:60 | "}},
		{3, 2, []string{"s01-comments-1 | Comments 1 to 2 | 0:2 | s02-comments-3", "s02-comments-3 | Comments 3 | 2:3 | "}},
		{2, 1<<63 - 1, []string{"s01-comments-1 | Comments 1 to 2 | 0:2 | "}},
	} {
		t.Run(fmt.Sprint(c.total, c.per), func(t *testing.T) {
			l := chunk.NewList("Comments", c.total, c.per, "v")
			var got []string
			for r := range l.All() {
				got = append(got, fmt.Sprintf("%s | %s | %d:%d | %s", r.ID, r.Heading, r.From, r.To, r.NextID))
				if same, err := l.Chunk(r.ID); err != nil || same != r || r.Version != "v" {
					t.Errorf("%+v, %v", same, err)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if l.Len() != len(c.want) || l.First().From != 0 || l.Version() != "v" {
				t.Errorf("len %d, first %+v", l.Len(), l.First())
			}
		})
	}
}

// Every item is in exactly one chunk.
func TestListCoversAll(t *testing.T) {
	for total := range 200 {
		for per := 1; per < 40; per += 3 {
			next := 0
			for r := range chunk.NewList("Items", total, per, "v").All() {
				if r.From != next || r.To < r.From || r.To-r.From > per {
					t.Fatalf("%d by %d: %+v", total, per, r)
				}
				next = r.To
			}
			if next != total {
				t.Fatalf("%d by %d ends at %d", total, per, next)
			}
		}
	}
}

func TestListErrors(t *testing.T) {
	old := chunk.NewList("Comments", 95, 30, "v1")
	now := chunk.NewList("Comments", 40, 30, "v2").Replacing(old)
	for _, c := range []struct {
		version, id string
		want        error
	}{
		{"", "s02-comments-31", nil},
		{"v2", "s02-comments-31", nil},
		{"v1", "s02-comments-31", chunk.ErrStale},
		{"", "s04-comments-91", chunk.ErrStale},
		{"", "s05-comments-121", chunk.ErrNotFound},
		{"", "s02-comments-32", chunk.ErrNotFound},
	} {
		if _, err := now.ChunkOf(c.version, c.id); !errors.Is(err, c.want) {
			t.Errorf("%q %q: %v, want %v", c.version, c.id, err, c.want)
		}
	}
	if _, err := now.Replacing(nil).Chunk("s04-comments-91"); !errors.Is(err, chunk.ErrStale) {
		t.Error(err)
	}
}

// A list that grows at its end keeps the ids it had, however large it gets.
func TestListGrows(t *testing.T) {
	had := chunk.NewList("Comments", 95, 30, "v1")
	for _, total := range []int{96, 120, 10_000} {
		now := chunk.NewList("Comments", total, 30, "v2")
		for r := range had.All() {
			if got, err := now.Chunk(r.ID); err != nil || got.From != r.From {
				t.Errorf("%d items: %s is %+v, %v", total, r.ID, got, err)
			}
		}
	}
	if got, err := chunk.NewList("C", 10_000, 30, "v").Chunk("s334-c-9991"); err != nil || got.To != 10_000 {
		t.Error(got, err)
	}
}

func TestListJSON(t *testing.T) {
	uri := chunk.Under("ghissues://repos/acme/api/issues/512/comments")
	l := chunk.NewList("Comments", 31, 30, "v")
	got, err := json.Marshal([]any{l.First().Linked(uri), l.Catalog(uri)})
	want := `[{"chunk_id":"s01-comments-1","version":"v","heading":"Comments 1 to 30","next_chunk_id":"s02-comments-31","next_chunk_uri":"U/chunks/s02-comments-31"},` +
		`[{"id":"s01-comments-1","uri":"U/chunks/s01-comments-1","size":30,"heading":"Comments 1 to 30"},{"id":"s02-comments-31","uri":"U/chunks/s02-comments-31","size":1,"heading":"Comments 31"}]]`
	if want = strings.ReplaceAll(want, "U/", "ghissues://repos/acme/api/issues/512/comments/"); err != nil || string(got) != want {
		t.Errorf("\n got %s, %v\nwant %s", got, err, want)
	}
}
