package mcpkit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/versioning"
)

type pingIn struct{}

type pingOut struct {
	Pong bool `json:"pong"`
}

func ping(context.Context, pingIn) (pingOut, error) { return pingOut{Pong: true}, nil }

func pingTool() mcpkit.Tool[pingIn, pingOut] {
	return mcpkit.Tool[pingIn, pingOut]{
		Name: "box_get_ping", Title: "Ping", Description: "Answers.", Effect: mcpkit.Reads, Handle: ping,
	}
}

func boxServer() mcpkit.Server {
	return mcpkit.Server{
		Name: "box", Version: "1.0.0", Summary: "Keeps boxes.",
		Does: []string{"Keep boxes."}, DoesNot: []string{"Open boxes."}, Strict: true,
	}
}

// faultsOf returns the faults that New reports as "tool field: reason".
func faultsOf(t *testing.T, err error) []string {
	t.Helper()
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		t.Fatalf("not a joined error: %v", err)
	}
	var list []string
	for _, e := range joined.Unwrap() {
		var f *mcpkit.Fault
		if !errors.As(e, &f) {
			t.Fatalf("%v is no Fault", e)
		}
		list = append(list, f.Tool+" "+f.Field+": "+f.Reason)
	}
	return list
}

func TestNewReportsAllFaultsTogether(t *testing.T) {
	type in struct {
		Any    any    `json:"any"`
		Note   string `json:"note,omitempty"`
		Cursor string `json:"cursor,omitempty" jsonschema_description:"Omitted means first." mcp:"cursor"`
	}
	broken := mcpkit.Tool[in, pingOut]{
		Name: "Box-Broken", Errors: []envelope.Code{"never_declared"},
		Lifecycle: versioning.Lifecycle{Stability: "beta"},
	}
	server := mcpkit.Server{Name: "go-api-v2", Version: "1", DoesNot: nil}
	_, err := mcpkit.New(server, broken, pingTool(), pingTool())
	got := strings.Join(faultsOf(t, err), "\n")
	for _, want := range []string{
		" Name: holds a version number or the name of a programming language: go",
		" Name: holds a version number or the name of a programming language: v2",
		" Version: ",
		" Summary: is empty",
		" Does: is empty",
		" DoesNot: is empty",
		"Box-Broken Name: must match",
		"Box-Broken Title: is empty",
		"Box-Broken Description: is empty",
		"Box-Broken Effect: is not set",
		"Box-Broken Handle: is nil",
		"Box-Broken Lifecycle: ",
		"Box-Broken In.any: ",
		"Box-Broken In.note: ",
		"Box-Broken Errors: code never_declared is in no catalog",
		"box_get_ping Name: is registered twice",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no fault %q in:\n%s", want, got)
		}
	}
	_, again := mcpkit.New(server, broken, pingTool(), pingTool())
	if err.Error() != again.Error() {
		t.Errorf("the report differs between runs:\n%v\n%v", err, again)
	}
}

func TestRegistrationFaults(t *testing.T) {
	type scoped struct {
		Box string `json:"box" jsonschema_description:"Which." mcp:"lookup=box_list_names"`
		Key string `json:"key,omitempty" jsonschema_description:"Omitted means no deduplication." mcp:"idempotency_key"`
	}
	type paged struct {
		Cursor string `json:"cursor,omitempty" jsonschema_description:"Omitted means first." mcp:"cursor"`
	}
	handle := func(context.Context, scoped) (pingOut, error) { return pingOut{}, nil }
	put := mcpkit.Tool[scoped, pingOut]{
		Name: "box_put_thing", Title: "Put", Description: "Puts.", Example: scoped{Box: "a"}, Effect: mcpkit.Adds, Handle: handle,
	}
	tests := []struct {
		name   string
		server func(*mcpkit.Server)
		tools  []mcpkit.Declaration
		want   []string
	}{
		{"idempotency key without keeper, reconcile or lookup tool", nil, []mcpkit.Declaration{put}, []string{
			"box_put_thing Reconcile: is nil, but the tool takes an idempotency key: say which call shows the outcome",
			"box_put_thing box: names the lookup tool box_list_names, which is not registered",
			"box_put_thing key: has the role idempotency_key, but Server.Idempotency is nil",
		}},
		{"cursor without opener", nil, []mcpkit.Declaration{mcpkit.Tool[paged, pingOut]{
			Name: "box_list_names", Title: "List", Description: "Lists.", Effect: mcpkit.Reads,
			Handle: func(context.Context, paged) (pingOut, error) { return pingOut{}, nil },
		}}, []string{"box_list_names cursor: has the role cursor, but Tool.Cursor is nil"}},
		{"example that does not validate", nil, []mcpkit.Declaration{mcpkit.Tool[struct {
			N int `json:"n" jsonschema:"minimum=1"`
		}, pingOut]{
			Name: "box_get_nth", Title: "Nth", Description: "Gets.", Effect: mcpkit.Reads,
			Handle: func(context.Context, struct {
				N int `json:"n" jsonschema:"minimum=1"`
			}) (pingOut, error) {
				return pingOut{}, nil
			},
		}}, []string{"box_get_nth Example.n: "}},
		{"prefixes differ", nil, []mcpkit.Declaration{pingTool(), func() mcpkit.Declaration {
			p := pingTool()
			p.Name = "crate_get_ping"
			return p
		}()}, []string{"crate_get_ping Name: starts with crate, but box_get_ping with box; all tools of a server share one prefix"}},
		{"lookup tool that writes", nil, []mcpkit.Declaration{mcpkit.Tool[struct {
			Box string `json:"box" mcp:"lookup=box_put_ping"`
		}, pingOut]{
			Name: "box_get_one", Title: "One", Description: "Gets.", Effect: mcpkit.Reads,
			Handle: func(context.Context, struct {
				Box string `json:"box" mcp:"lookup=box_put_ping"`
			}) (pingOut, error) {
				return pingOut{}, nil
			},
		}, func() mcpkit.Declaration {
			p := pingTool()
			p.Name, p.Effect = "box_put_ping", mcpkit.Adds
			return p
		}()}, []string{"box_get_one box: names the lookup tool box_put_ping, which does not only read"}},
		{"panicking Check", nil, []mcpkit.Declaration{func() mcpkit.Declaration {
			p := pingTool()
			p.Check = func(pingIn) error { panic("check-7f3a") }
			return p
		}()}, []string{"box_get_ping Example: is refused by Check: it panics: check-7f3a"}},
		{"nil pointer", nil, []mcpkit.Declaration{(*mcpkit.Tool[pingIn, pingOut])(nil)}, []string{" : a declaration panics: "}},
		{"pointer types", nil, []mcpkit.Declaration{mcpkit.Tool[*pingIn, *pingOut]{
			Name: "box_get_ping", Title: "Ping", Description: "Answers.", Effect: mcpkit.Reads,
			Handle: func(context.Context, *pingIn) (*pingOut, error) { return nil, nil },
		}}, []string{"box_get_ping In: must be a struct", "box_get_ping Out: must be a struct"}},
		{"unnamed tools", nil, []mcpkit.Declaration{pingTool(), mcpkit.Tool[pingIn, pingOut]{Title: "T", Description: "D", Effect: mcpkit.Reads, Handle: ping}},
			[]string{"#2 Name: must match"}},
		{"cursor that was not made", nil, []mcpkit.Declaration{mcpkit.Tool[paged, pingOut]{
			Name: "box_list_names", Title: "List", Description: "Lists.", Effect: mcpkit.Reads, Cursor: &mcpkit.Cursor[int]{},
			Handle: func(context.Context, paged) (pingOut, error) { return pingOut{}, nil },
		}}, []string{"box_list_names Cursor: was not made by NewCursor"}},
		{"version with build metadata", func(s *mcpkit.Server) { s.Version = "1.0.0+abc" }, nil, []string{" Version: must be a semantic version"}},
		{"nil declaration", nil, []mcpkit.Declaration{nil}, []string{" : a declaration is nil"}},
		{"common code in no catalog", func(s *mcpkit.Server) { s.CommonErrors = []envelope.Code{"odd_code"} }, nil,
			[]string{" CommonErrors: code odd_code is in no catalog; add it to Codes"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := boxServer()
			if tt.server != nil {
				tt.server(&server)
			}
			_, err := mcpkit.New(server, tt.tools...)
			got := faultsOf(t, err)
			if len(got) != len(tt.want) {
				t.Fatalf("faults:\n%s", strings.Join(got, "\n"))
			}
			for i, want := range tt.want {
				if !strings.HasPrefix(got[i], want) {
					t.Errorf("fault %d:\n got  %s\n want %s", i, got[i], want)
				}
			}
		})
	}
}

// Public fault 23: a tool without arguments still has properties.
func TestRecordOfAToolWithoutArguments(t *testing.T) {
	kit, err := mcpkit.New(boxServer(), pingTool())
	if err != nil {
		t.Fatal(err)
	}
	r := kit.Tools()[0]
	want := `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{},"additionalProperties":false}`
	if diff := cmp.Diff(want, string(r.InputSchema)); diff != "" {
		t.Error(diff)
	}
	if !strings.HasSuffix(r.Description, "\n\nExample: {}") {
		t.Errorf("description has no example: %q", r.Description)
	}
}

func TestAnnotationsFollowFromTheEffect(t *testing.T) {
	yes, no := true, false
	tests := []struct {
		effect mcpkit.Effect
		want   mcpkit.Annotations
	}{
		{mcpkit.Reads, mcpkit.Annotations{ReadOnly: true}},
		{mcpkit.Adds, mcpkit.Annotations{Destructive: &no, Idempotent: &no}},
		{mcpkit.Sets, mcpkit.Annotations{Destructive: &no, Idempotent: &yes}},
		{mcpkit.Replaces, mcpkit.Annotations{Destructive: &yes, Idempotent: &yes}},
		{mcpkit.Acts, mcpkit.Annotations{Destructive: &yes, Idempotent: &no}},
	}
	for _, tt := range tests {
		t.Run(tt.effect.String(), func(t *testing.T) {
			p := pingTool()
			p.Effect = tt.effect
			kit, err := mcpkit.New(boxServer(), p)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, kit.Tools()[0].Annotations); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What a client must know of errors is in the instructions: each code with its
// meaning, what is echoed, what the fingerprint covers.
func TestInstructions(t *testing.T) {
	s := newShop(t, func(server *mcpkit.Server) { server.CommonErrors = []envelope.Code{envelope.CodeInvalidCredential} })
	text := s.kit.Instructions()
	for _, want := range []string{
		"Sells things.", "\nDoes:\n- Sell.\n", "\nDoes not:\n- Buy.\n", "\n- kind_not_found: No such kind.\n",
		"\n- idempotency_in_progress: ", "\n- idempotency_key_expired: ", "\n- invalid_credential: ", "\n- internal: ", "\n- conflict: ",
		"Echoed values: details.value", "Fingerprint: " + s.kit.Fingerprint() + ", over error_codes, summary, tools.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "insufficient_scope") {
		t.Error("a code that no tool returns is listed")
	}
}

// Public fault 111: order and bytes do not depend on the order of declaration
// or on the run.
func TestSurfaceIsDeterministic(t *testing.T) {
	other := pingTool()
	other.Name = "box_get_other"
	first, err := mcpkit.New(boxServer(), pingTool(), other)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := mcpkit.New(boxServer(), other, pingTool())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first.Tools(), again.Tools()); diff != "" {
			t.Fatal(diff)
		}
		if first.Fingerprint() != again.Fingerprint() {
			t.Fatalf("fingerprints %s and %s", first.Fingerprint(), again.Fingerprint())
		}
	}
	changed := pingTool()
	changed.Description = "Answers differently."
	third, err := mcpkit.New(boxServer(), changed, other)
	if err != nil {
		t.Fatal(err)
	}
	if third.Fingerprint() == first.Fingerprint() {
		t.Error("a changed description does not change the fingerprint")
	}
	// A code's meaning and the server's own words are surface too.
	fingerprints := map[string]bool{first.Fingerprint(): true}
	for _, change := range []func(*mcpkit.Server){
		func(s *mcpkit.Server) { s.Title = "Boxes" },
		func(s *mcpkit.Server) { s.Does = []string{"Keep crates."} },
		func(s *mcpkit.Server) { s.CommonErrors = []envelope.Code{envelope.CodeRateLimited} },
		func(s *mcpkit.Server) {
			s.Codes, _ = envelope.NewCatalog(envelope.Entry{Code: "odd_code", Meaning: "Odd."})
		},
		func(s *mcpkit.Server) {
			s.Codes, _ = envelope.NewCatalog(envelope.Entry{Code: "odd_code", Meaning: "Even."})
		},
	} {
		server := boxServer()
		change(&server)
		kit, err := mcpkit.New(server, pingTool(), other)
		if err != nil {
			t.Fatal(err)
		}
		if fingerprints[kit.Fingerprint()] {
			t.Errorf("a change of the surface keeps the fingerprint %s", kit.Fingerprint())
		}
		fingerprints[kit.Fingerprint()] = true
	}
}
