package agentmcp_test

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/mcpkit-go/agentmcp"

// readList reads testdata/NAME: one entry a line, # starts a comment.
func readList(t *testing.T, name string) []string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []string
	for s := bufio.NewScanner(f); s.Scan(); {
		line, _, _ := strings.Cut(s.Text(), "#")
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	slices.Sort(list)
	return list
}

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	if args[0] == "-C" {
		cmd = exec.Command("go", append([]string{"list"}, args[2:]...)...)
		cmd.Dir = args[1]
	}
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	list := strings.Fields(string(out))
	slices.Sort(list)
	return slices.Compact(list)
}

// The leaves stand alone: nothing but the standard library and what is below
// themselves.
func TestLeavesImportTheStandardLibraryOnly(t *testing.T) {
	for _, leaf := range []string{"cursor", "envelope", "paginate", "versioning"} {
		for _, path := range goList(t, "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./"+leaf+"/...") {
			if own := module + "/" + leaf; path != own && !strings.HasPrefix(path, own+"/") {
				t.Errorf("%s imports %s", leaf, path)
			}
		}
	}
}

// A new requirement reaches every user of a module, so each stands in a list
// that one has to edit on purpose.
func TestRequirementsAreListed(t *testing.T) {
	for list, dir := range map[string]string{
		"root-requirements.txt":     ".",
		"gosdk-requirements.txt":    "mcpkit/gosdk",
		"examples-requirements.txt": "examples",
	} {
		want := readList(t, list)
		got := goList(t, "-C", dir, "-m", "-f", "{{if not (or .Main .Indirect)}}{{.Path}}{{end}}", "all")
		if !slices.Equal(got, want) {
			t.Errorf("direct requirements of %s/go.mod:\n got  %v\n want %v (testdata/%s)", dir, got, want, list)
		}
	}
}

// Which package may import which of ours; arrows point down only.
func TestImportsAmongOurPackagesAreListed(t *testing.T) {
	want := readList(t, "internal-imports.txt")
	var got []string
	cmd := exec.Command("go", "list", "-f", `{{$p := .ImportPath}}{{range .Imports}}{{$p}} {{.}}{{"\n"}}{{end}}`, "./...")
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		from, to, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(to, module+"/") {
			got = append(got, strings.TrimPrefix(from, module+"/")+" -> "+strings.TrimPrefix(to, module+"/"))
		}
	}
	slices.Sort(got)
	for _, arrow := range got {
		if !slices.Contains(want, arrow) {
			t.Errorf("%s is not in testdata/internal-imports.txt", arrow)
		}
	}
	for _, arrow := range want {
		if !slices.Contains(got, arrow) {
			t.Errorf("%s is listed and not imported any more", arrow)
		}
	}
}
