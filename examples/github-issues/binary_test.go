package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var (
	buildOnce sync.Once
	built     string
	buildErr  error
)

// binary builds the command once.
func binary(t *testing.T) string {
	t.Helper()
	buildOnce.Do(func() {
		dir, err := os.MkdirTemp("", "github-issues")
		if err != nil {
			buildErr = err
			return
		}
		built = filepath.Join(dir, "github-issues")
		out, err := exec.Command("go", "build", "-o", built, ".").CombinedOutput()
		if err != nil {
			buildErr = err
			t.Logf("%s", out)
		}
	})
	if buildErr != nil {
		t.Fatal(buildErr)
	}
	return built
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(filepath.Dir(built))
	}
	os.Exit(code)
}

// Over stdio every line of stdout is a JSON-RPC message, also when calls fail,
// and the end of input ends the server.
func TestBinaryStdio(t *testing.T) {
	cmd := exec.Command(binary(t), "-cursor-ttl", "90s", "-idempotency-window", "1h")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var logs bytes.Buffer
	cmd.Stderr = &logs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReaderSize(out, 1<<20)
	w := &stdioWire{in: in, out: lines}
	ask := func(id int, method, params string) json.RawMessage {
		return w.roundTrip(t, method, "", requestJSON(id, method, params, revisions[0]))
	}
	tools := string(ask(1, "tools/list", "{}"))
	for _, want := range []string{"valid 90 seconds", "within 1 hour "} {
		if !strings.Contains(tools, want) {
			t.Errorf("the flags do not show in the descriptions: no %q", want)
		}
	}
	for id, params := range []string{
		`{"name":"github_get_issue","arguments":{"owner":"acme","repo":"api","issue_number":512}}`,
		`{"name":"github_get_issue","arguments":{}}`,
		`{"name":"github_frobnicate","arguments":{}}`,
		`{"name":"github_list_labels","arguments":{"owner":"acme","repo":"nothing"}}`,
	} {
		var message struct {
			Version string          `json:"jsonrpc"`
			ID      int             `json:"id"`
			Result  json.RawMessage `json:"result"`
			Error   json.RawMessage `json:"error"`
		}
		answer := ask(id+2, "tools/call", params)
		if err := json.Unmarshal(answer, &message); err != nil || message.Version != "2.0" || message.ID != id+2 || (message.Result == nil) == (message.Error == nil) {
			t.Errorf("no JSON-RPC answer: %v %s", err, answer)
		}
	}
	in.Close()
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	if len(rest) > 0 {
		t.Errorf("stdout carries more than answers: %q", rest)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("exit: %v, stderr: %s", err, logs.String())
	}
	if !strings.Contains(logs.String(), "repo_not_found") {
		t.Errorf("failed calls are not logged: %s", logs.String())
	}
}

var servingURL = regexp.MustCompile(`url=(http://127\.0\.0\.1:\d+/mcp)`)

// Over HTTP the command serves /mcp, refuses foreign hosts, and ends on SIGTERM.
func TestBinaryHTTP(t *testing.T) {
	cmd := exec.Command(binary(t), "-http", "127.0.0.1:0")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	logs := bufio.NewReader(stderr)
	line, err := logs.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := servingURL.FindStringSubmatch(line)
	if url == nil {
		t.Fatalf("no address in %q", line)
	}
	go io.Copy(io.Discard, logs)
	for _, revision := range revisions {
		answer := httpWire{url[1], revision}.roundTrip(t, "tools/call", "github_list_labels",
			requestJSON(1, "tools/call", `{"name":"github_list_labels","arguments":{"owner":"acme","repo":"web"}}`, revision))
		if !bytes.Contains(answer, []byte(`"derived_from_issues":true`)) {
			t.Errorf("%s: %s", revision, answer)
		}
	}
	// DNS rebinding: a loopback address under another name.
	r, err := http.NewRequest(http.MethodPost, url[1], strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "attacker.example"
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusForbidden {
		t.Errorf("foreign Host: %s", response.Status)
	}
	r, err = http.NewRequest(http.MethodPost, url[1], strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", "https://attacker.example")
	if response, err = http.DefaultClient.Do(r); err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusForbidden {
		t.Errorf("foreign Origin: %s", response.Status)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("exit: %v", err)
		}
	case <-time.After(15 * time.Second):
		cmd.Process.Kill()
		t.Fatal("does not end on SIGTERM")
	}
	if stdout.Len() > 0 {
		t.Errorf("stdout: %q", stdout.String())
	}
}

// Flags that cannot work end the command at once, with a reason that names them.
func TestBinaryRefusesBadFlags(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-http", "0.0.0.0:8080"}, "not a loopback address"},
		{[]string{"-http", ":8080"}, "not a loopback address"},
		{[]string{"-http", "192.168.1.4:80"}, "not a loopback address"},
		{[]string{"-http", "127.0.0.1"}, "-http: "},
		{[]string{"-cursor-ttl", "0s"}, "-cursor-ttl"},
		{[]string{"-cursor-ttl", "-1s"}, "-cursor-ttl"},
		{[]string{"-idempotency-window", "0"}, "-idempotency-window"},
		{[]string{"-nope"}, "nope"},
		{[]string{"extra"}, "unexpected argument"},
	} {
		out, err := exec.Command(binary(t), tt.args...).CombinedOutput()
		exit, ok := err.(*exec.ExitError)
		if !ok || exit.ExitCode() != 2 || !strings.Contains(string(out), tt.want) {
			t.Errorf("%v: %v %s", tt.args, err, out)
		}
	}
}
