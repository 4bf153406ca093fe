package main

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/tracker"
	"github.com/mcpkit-go/agentmcp/versioning"
)

// TestRecordedSurface fails on a change of what clients see that surface.json does not
// record, and says what the change does to them. The lifetimes, which occur in
// descriptions, are the defaults of the command.
func TestRecordedSurface(t *testing.T) {
	const name = "surface.json"
	surface := newTestKit(t, tracker.New(nil), 15*time.Minute).Surface()
	current, err := surface.Format()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, current, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	recorded, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(recorded, current) {
		return
	}
	saved, err := versioning.ParseSurface(recorded)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	changes, err := versioning.Diff(saved, surface)
	if err != nil {
		t.Fatal(err)
	}
	t.Errorf("the surface is not that of %s; if that is meant, run go test ./github-issues -run TestRecordedSurface -update", name)
	for _, c := range changes {
		t.Error(c)
	}
	if len(changes) == 0 {
		t.Error("only its spelling or the order of a set differs")
	}
}
