package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func TestUsage(t *testing.T) {
	tests := []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string // must be in there
	}{
		{"help", []string{"-h"}, 0, "", "-revision"},
		{"list", []string{"-list"}, 0, "  unknown_label ", ""},
		{"unknown flag", []string{"-x"}, 2, "", "-x"},
		{"argument", []string{"walk"}, 2, "", `unexpected argument "walk"`},
		{"two servers", []string{"-url", "http://127.0.0.1:1/mcp", "-server", "x"}, 2, "", "exclude each other"},
		{"no URL", []string{"-url", "127.0.0.1:1"}, 2, "", "http://"},
		{"blank command", []string{"-server", "  "}, 2, "", "-server is blank"},
		{"revision", []string{"-revision", "2024-11-05"}, 2, "", "2026-07-28 or 2025-11-25"},
		{"task", []string{"-task", "fly"}, 2, "", `no task is named "fly"`},
		{"no such command", []string{"-server", "/nonexistent/server"}, 1, "", "connecting"},
		{"server that fails", []string{"-server", "ls /nonexistent\x1b[2J"}, 1, "", `nonexistent`},
		{"nobody listens", []string{"-url", "http://127.0.0.1:1/mcp"}, 1, "", "connecting"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			if status := run(t.Context(), test.args, &stdout, &stderr); status != test.status {
				t.Errorf("status %d, want %d", status, test.status)
			}
			if !strings.Contains(stdout.String(), test.stdout) || test.stdout == "" && stdout.Len() > 0 {
				t.Errorf("stdout %q, want %q in it", stdout.String(), test.stdout)
			}
			if !strings.Contains(stderr.String(), test.stderr) || test.stderr == "" && stderr.Len() > 0 {
				t.Errorf("stderr %q, want %q in it", stderr.String(), test.stderr)
			}
			printable(t, stderr.String())
		})
	}
}

// printable fails the test for anything but lines of printable text.
func printable(t *testing.T, s string) {
	t.Helper()
	if i := strings.IndexFunc(s, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsGraphic(r) }); i >= 0 {
		t.Errorf("not printable at byte %d: %q", i, s[i:min(len(s), i+20)])
	}
}

var binariesDir string // "" until a test needs them

// binaries builds the client and the server of the default walk.
var binaries = sync.OnceValues(func() (dir string, err error) {
	dir, err = os.MkdirTemp("", "agentwalk-test-")
	if err != nil {
		return "", err
	}
	binariesDir = dir
	for name, pkg := range map[string]string{"agentwalk": ".", "github-issues": defaultServer} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, name), pkg).CombinedOutput(); err != nil {
			return dir, errors.New(string(out))
		}
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	status := m.Run()
	if binariesDir != "" {
		os.RemoveAll(binariesDir)
	}
	os.Exit(status)
}

func built(t *testing.T) (agentwalk, server string) {
	t.Helper()
	dir, err := binaries()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "agentwalk"), filepath.Join(dir, "github-issues")
}

// serveHTTP starts the server on a free port and returns its URL.
func serveHTTP(t *testing.T, server string) string {
	t.Helper()
	cmd := exec.Command(server, "-http", "127.0.0.1:0")
	said := new(tail)
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("server: %v\n%s", err, said)
		}
	})
	url := regexp.MustCompile(`http://127\.0\.0\.1:\d+/mcp`)
	for range 500 {
		if u := url.FindString(said.String()); u != "" {
			return u
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the server does not say where it listens:\n%s", said)
	return ""
}

// TestWalk completes all tasks, repairing every wrong call in one hop, over
// both transports and on both revisions.
func TestWalk(t *testing.T) {
	agentwalk, server := built(t)
	url := serveHTTP(t, server)
	tests := []struct {
		name     string
		args     []string
		skipped  []string
		figures  figures
		carriers []string
	}{
		{
			"default", nil, nil,
			figures{Calls: 76, Errors: 18, OneHop: 15, NoneExpected: 3}, []string{"error.data", "structuredContent"},
		},
		{
			"stdio 2025-11-25", []string{"-revision", "2025-11-25", "-server", server}, []string{"cursor_expired"},
			figures{Calls: 73, Errors: 17, OneHop: 14, NoneExpected: 3}, []string{"error.data", "text"},
		},
		{
			"HTTP 2026-07-28", []string{"-url", url}, []string{"cursor_expired"},
			figures{Calls: 73, Errors: 17, OneHop: 14, NoneExpected: 3}, []string{"error.data", "structuredContent"},
		},
		{
			"HTTP 2025-11-25", []string{"-url", url, "-revision", "2025-11-25"}, []string{"cursor_expired"},
			figures{Calls: 73, Errors: 17, OneHop: 14, NoneExpected: 3}, []string{"error.data", "text"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			cmd := exec.Command(agentwalk, append(test.args, "-json")...)
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); err != nil {
				t.Errorf("%v\n%s", err, &stderr)
			}
			var d document
			if err := json.Unmarshal(stdout.Bytes(), &d); err != nil {
				t.Fatalf("%v\n%s", err, &stdout)
			}
			revision := revisions[0]
			if slices.Contains(test.args, revisions[1]) {
				revision = revisions[1]
			}
			if want := (served{"github-issues-mcp", "1.0.0", revision, 6}); d.Server != want {
				t.Errorf("server %+v, want %+v", d.Server, want)
			}
			if !d.OK || d.Figures != test.figures {
				t.Errorf("ok %t, figures %+v; want true, %+v", d.OK, d.Figures, test.figures)
			}
			if d.ToolsList.Bytes == 0 || d.ToolsList.Bytes > 18_000 || d.ToolsList.Tokens == 0 || d.ToolsList.Tokens >= 4_500 {
				t.Errorf("tools/list has %d bytes, %d tokens; want at most 18000 and fewer than 4500", d.ToolsList.Bytes, d.ToolsList.Tokens)
			}
			var names, skipped, carriers []string
			for _, task := range d.Tasks {
				names = append(names, task.Name)
				switch task.Status {
				case "skipped":
					skipped = append(skipped, task.Name)
				case "failed":
					t.Errorf("%s: %s", task.Name, task.Note)
				}
				for _, c := range task.Calls {
					if c.Error != nil {
						carriers = append(carriers, c.Error.Carrier)
					}
				}
			}
			var want []string
			for _, task := range githubTasks() {
				want = append(want, task.name)
			}
			if diff := cmp.Diff(want, names); diff != "" {
				t.Errorf("tasks (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.skipped, skipped); diff != "" {
				t.Errorf("skipped (-want +got):\n%s", diff)
			}
			slices.Sort(carriers)
			if diff := cmp.Diff(test.carriers, slices.Compact(carriers)); diff != "" {
				t.Errorf("carriers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTranscript(t *testing.T) {
	agentwalk, server := built(t)
	out, err := exec.Command(agentwalk, "-server", server).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	printable(t, string(out))
	for line := range strings.Lines(string(out)) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 100 {
			t.Errorf("%d characters, want at most 100: %s", n, line)
		}
	}
	for _, want := range []string{
		"repair: github_list_labels {\"owner\":\"acme\",\"repo\":\"api\"}\n",
		"again, other expected_version: github_update_issue",
		"300 different issues on 10 pages, then truncated with a hint\n",
		"25 tasks, 0 failed, 1 skipped\n",
		"   14 repaired in one hop\n", "    0 not repaired\n",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q is not in the transcript", want)
		}
	}
}

// A server without tasks, one whose repair cannot be followed, and one that
// goes away are no success.
func TestFailure(t *testing.T) {
	agentwalk, server := built(t)
	script := filepath.Join(t.TempDir(), "server")
	tests := []struct {
		name, script, args string
		stdout, stderr     string
	}{
		{
			"another server", "#!/bin/sh\nexec " + server + ` | sed -u 's/"github-issues-mcp"/"tickets"/'`, "",
			"", `there are no tasks for the server "tickets", only for github-issues-mcp`,
		},
		{
			"a wrong repair", "#!/bin/sh\necho complaint >&2\n" + server + ` | sed -u 's/"tool":"github_list_labels"/"tool":"github_drop_labels"/'`, "-task unknown_label",
			"FAILED  label_not_found at add_labels: its repair names a tool that is not listed", "  complaint\n",
		},
		{
			"a server that goes away", "#!/bin/sh\n" + server + ` | sed -u 4q`, "",
			"FAILED", "",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := os.WriteFile(script, []byte(test.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			cmd := exec.Command(agentwalk, append([]string{"-server", script}, strings.Fields(test.args)...)...)
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			if e := (*exec.ExitError)(nil); !errors.As(err, &e) || e.ExitCode() != exitFailed {
				t.Errorf("%v, want exit status 1", err)
			}
			if !strings.Contains(stdout.String(), test.stdout) || !strings.Contains(stderr.String(), test.stderr) {
				t.Errorf("stdout:\n%s\nstderr:\n%s\nwant %q and %q in them", &stdout, &stderr, test.stdout, test.stderr)
			}
		})
	}
}

// TestInterrupt interrupts a walk and looks whether its server has ended.
func TestInterrupt(t *testing.T) {
	agentwalk, server := built(t)
	dir := t.TempDir()
	script, pidFile := filepath.Join(dir, "server"), filepath.Join(dir, "pid")
	err := os.WriteFile(script, []byte("#!/bin/sh\necho $$ >"+pidFile+".new\nmv "+pidFile+".new "+pidFile+"\nexec sleep 60\n"), 0o700)
	if err != nil {
		t.Fatal(err)
	}
	for name, command := range map[string]string{"silent server": script, "server": server} {
		t.Run(name, func(t *testing.T) {
			os.Remove(pidFile)
			var stderr bytes.Buffer
			cmd := exec.Command(agentwalk, "-server", command)
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if name == "silent server" {
				for range 500 {
					if _, err := os.Stat(pidFile); err == nil {
						break
					}
					time.Sleep(10 * time.Millisecond)
				}
			} else {
				time.Sleep(200 * time.Millisecond)
			}
			cmd.Process.Signal(os.Interrupt)
			err := cmd.Wait()
			e := (*exec.ExitError)(nil)
			if !errors.As(err, &e) || e.ExitCode() != exitInterrupted || !strings.Contains(stderr.String(), "agentwalk: interrupted\n") {
				t.Errorf("%v, want exit status 130\n%s", err, &stderr)
			}
			if data, err := os.ReadFile(pidFile); err == nil {
				pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
				if err != nil {
					t.Fatal(err)
				}
				if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
					t.Errorf("server %d still runs: %v", pid, err)
				}
			}
		})
	}
}
