package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const oldSurface = `{"tools":[{"name":"t","description":"A.","inputSchema":{"properties":{"n":{"maximum":9}}}}]}`
	old := file("old.json", oldSurface)
	words := file("words.json", `{"tools":[{"name":"t","description":"B.","inputSchema":{"properties":{"n":{"maximum":9}}}}]}`)
	tight := file("tight.json", `{"tools":[{"name":"t","description":"<B>","inputSchema":{"properties":{"n":{"maximum":8},"m":{}}}}]}`)
	// public fault 114
	soon := file("soon.json", `{"tools":[{"name":"t","_meta":{"a/lifecycle":{"deprecation":{"since":"2026-07-28","removal_at_or_after":"soon","replaced_by":null,"migration":"Stop."}}}}]}`)
	cut := file("cut.json", `{"tools":[`)

	for _, row := range []struct {
		name   string
		args   []string
		status int
		stdout string
		stderr string // what it contains
	}{
		{"same", []string{old, old}, 0, "0 breaking, 0 additive, 0 documentation\n", ""},
		{"words", []string{old, words}, 0, "documentation /tools/t/description: the description of a tool changed (\"A.\" -> \"B.\")\n0 breaking, 0 additive, 1 documentation\n", ""},
		{"breaking", []string{old, tight}, 1, `breaking /tools/t/inputSchema/properties/n/maximum: maximum is tighter: calls that were valid can be refused (9 -> 8)
additive /tools/t/inputSchema/properties/m: a new optional input ({})
documentation /tools/t/description: the description of a tool changed ("A." -> "<B>")
1 breaking, 1 additive, 1 documentation
`, ""},
		{"standard input", []string{"-", words}, 0, "documentation /tools/t/description: the description of a tool changed (\"A.\" -> \"B.\")\n0 breaking, 0 additive, 1 documentation\n", ""},
		{"json", []string{"-json", old, tight}, 1, `{
  "breaking": 1,
  "additive": 1,
  "documentation": 1,
  "changes": [
    {
      "path": "/tools/t/description",
      "class": "documentation",
      "before": "A.",
      "after": "<B>",
      "reason": "the description of a tool changed"
    },
    {
      "path": "/tools/t/inputSchema/properties/m",
      "class": "additive",
      "after": {},
      "reason": "a new optional input"
    },
    {
      "path": "/tools/t/inputSchema/properties/n/maximum",
      "class": "breaking",
      "before": 9,
      "after": 8,
      "reason": "maximum is tighter: calls that were valid can be refused"
    }
  ]
}
`, ""},
		{"json of nothing", []string{"-json", old, old}, 0, "{\n  \"breaking\": 0,\n  \"additive\": 0,\n  \"documentation\": 0,\n  \"changes\": []\n}\n", ""},
		{"no arguments", nil, 2, "", "usage: surfacediff"},
		{"one argument", []string{old}, 2, "", "usage: surfacediff"},
		{"standard input twice", []string{"-", "-"}, 2, "", "usage: surfacediff"},
		{"unknown flag", []string{"-xml", old, old}, 2, "", "not defined: -xml"},
		{"help", []string{"-h"}, 0, "", "usage: surfacediff"},
		{"no such file", []string{old, filepath.Join(dir, "none.json")}, 2, "", "none.json"},
		{"cut file", []string{cut, old}, 2, "", "cut.json: versioning: "},
		{"unreadable date", []string{old, soon}, 2, "", "removal_at_or_after"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if got := run(row.args, strings.NewReader(oldSurface), &stdout, &stderr); got != row.status {
				t.Errorf("exit status %d, want %d; %s", got, row.status, stderr.String())
			}
			if stdout.String() != row.stdout {
				t.Errorf("got\n%s\nwant\n%s", stdout.String(), row.stdout)
			}
			if !strings.Contains(stderr.String(), row.stderr) || row.stderr == "" && stderr.Len() > 0 {
				t.Errorf("standard error: %q, want %q", stderr.String(), row.stderr)
			}
		})
	}
}

// A lost report must not look like the absence of changes.
func TestRunFailsWhenItCannotPrint(t *testing.T) {
	var stderr bytes.Buffer
	if got := run([]string{"-", os.DevNull}, strings.NewReader(`{}`), failingWriter{}, &stderr); got != 2 {
		t.Errorf("empty file: exit status %d", got)
	}
	path := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(path, []byte(`{}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run([]string{path, path}, nil, failingWriter{}, &stderr); got != 2 {
		t.Errorf("exit status %d", got)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("full") }
