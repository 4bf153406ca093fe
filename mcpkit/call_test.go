package mcpkit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mcpkit-go/agentmcp/cursor"
	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/mcpkit/idempotency"
	"github.com/mcpkit-go/agentmcp/versioning"
)

// shop is a small server whose handlers are set by the tests.
type shop struct {
	kit  *mcpkit.Kit
	logs *bytes.Buffer

	list  func(context.Context, listIn) (listOut, error)
	order func(context.Context, orderIn) (orderOut, error)
	pages *mcpkit.Cursor[int]

	listKinds mcpkit.Tool[kindsIn, kindsOut]
	listTool  mcpkit.Tool[listIn, listOut]
	orderTool mcpkit.Tool[orderIn, orderOut]
}

type kindsIn struct {
	Shop string `json:"shop" jsonschema_description:"Which shop."`
}

type kindsOut struct {
	Kinds []string `json:"kinds"`
}

type listIn struct {
	Shop   string   `json:"shop" jsonschema:"pattern=^[a-z]{1,20}$"`
	Kinds  []string `json:"kinds,omitempty" jsonschema:"maxItems=3" jsonschema_description:"Omitted means all." mcp:"set,lookup=shop_list_kinds"`
	Limit  int      `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=20" jsonschema_description:"Omitted means 20."`
	Sort   string   `json:"sort,omitempty" jsonschema:"enum=name,enum=price,default=name" jsonschema_description:"Omitted means name."`
	Big    int64    `json:"big,omitempty" jsonschema_description:"Omitted means none."`
	Secret string   `json:"secret,omitempty" jsonschema_description:"Omitted means none." mcp:"sensitive"`
	Detail string   `json:"detail,omitempty" jsonschema:"enum=summary,enum=full,default=summary" jsonschema_description:"Omitted means summary." mcp:"detail"`
	Cursor string   `json:"cursor,omitempty" jsonschema_description:"Omitted means the first page." mcp:"cursor"`
}

type listOut struct {
	Things     []thing `json:"things"`
	NextCursor string  `json:"next_cursor,omitempty"`
}

type thing struct {
	Name  string `json:"name"`
	Notes string `json:"notes" detail:"full"`
}

type orderIn struct {
	Shop    string `json:"shop" mcp:"scope,fold"`
	Thing   string `json:"thing"`
	Note    string `json:"note,omitempty" jsonschema_description:"Omitted means none." mcp:"sensitive"`
	Version string `json:"expected_version,omitempty" jsonschema_description:"Omitted means no check." mcp:"expected_version"`
	Key     string `json:"idempotency_key,omitempty" jsonschema_description:"Omitted means no deduplication." mcp:"idempotency_key"`
}

type orderOut struct {
	Order int `json:"order"`
}

func newShop(t testing.TB, change func(*mcpkit.Server)) *shop {
	t.Helper()
	s := &shop{logs: &bytes.Buffer{}}
	keys, err := cursor.NewKeyring([]byte("a key of thirty-two bytes, fixed"))
	if err != nil {
		t.Fatal(err)
	}
	if s.pages, err = mcpkit.NewCursor[int](keys, time.Minute, nil); err != nil {
		t.Fatal(err)
	}
	keeper, err := idempotency.New(idempotency.NewMemory(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.list = func(ctx context.Context, in listIn) (listOut, error) {
		next, err := s.pages.Seal(ctx, s.pages.Position(ctx)+1)
		return listOut{Things: []thing{{Name: "box", Notes: fmt.Sprint(s.pages.Position(ctx))}}, NextCursor: next}, err
	}
	s.order = func(context.Context, orderIn) (orderOut, error) { return orderOut{Order: 1}, nil }
	s.listKinds = mcpkit.Tool[kindsIn, kindsOut]{
		Name: "shop_list_kinds", Title: "Kinds", Description: "Lists kinds.", Example: kindsIn{Shop: "main"}, Effect: mcpkit.Reads,
		Handle: func(context.Context, kindsIn) (kindsOut, error) { return kindsOut{}, nil },
	}
	s.listTool = mcpkit.Tool[listIn, listOut]{
		Name: "shop_list_things", Title: "Things", Description: "Lists things.", Example: listIn{Shop: "main"}, Effect: mcpkit.Reads,
		Cursor: s.pages, Errors: []envelope.Code{envelope.CodeRateLimited, "kind_not_found"},
		Check: func(in listIn) error {
			if in.Shop == "closed" {
				return envelope.InvalidField("shop", "This shop is closed.")
			}
			return nil
		},
		Handle: func(ctx context.Context, in listIn) (listOut, error) { return s.list(ctx, in) },
	}
	s.orderTool = mcpkit.Tool[orderIn, orderOut]{
		Name: "shop_order_thing", Title: "Order", Description: "Orders. See shop_list_things for what was ordered.",
		Example: orderIn{Shop: "main", Thing: "box"}, Effect: mcpkit.Adds, Errors: []envelope.Code{envelope.CodeRateLimited},
		Reconcile: func(in orderIn) envelope.Repair {
			return s.listTool.Call("list_then_decide", listIn{Shop: in.Shop})
		},
		Handle: func(ctx context.Context, in orderIn) (orderOut, error) { return s.order(ctx, in) },
	}
	server := mcpkit.Server{
		Name: "corner-shop", Version: "1.0.0", Summary: "Sells things.", Does: []string{"Sell."}, DoesNot: []string{"Buy."},
		Codes: mustCatalog(t), Idempotency: keeper, Strict: true, Logger: slog.New(slog.NewJSONHandler(s.logs, nil)),
	}
	if change != nil {
		change(&server)
	}
	if s.kit, err = mcpkit.New(server, s.listKinds, s.listTool, s.orderTool); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *shop) call(tool, args string) mcpkit.Result {
	return s.kit.Call(context.Background(), mcpkit.Call{Tool: tool, Arguments: json.RawMessage(args), Principal: "alice", Revision: "2026-07-28"})
}

// body is an envelope as a client reads it.
type body struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Details struct {
		Field  string   `json:"field"`
		Fields []string `json:"fields"`
		Reason string   `json:"reason"`
		Value  string   `json:"value"`
	} `json:"details"`
	Temporary    bool   `json:"temporary"`
	RetryAfterMS *int64 `json:"retry_after_ms"`
	Repair       *struct {
		NextStep  string          `json:"next_step"`
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"repair"`
	RequestID   string `json:"request_id"`
	Fingerprint string `json:"fingerprint"`
}

func errorBody(t *testing.T, r mcpkit.Result) body {
	t.Helper()
	if !r.IsError {
		t.Fatalf("not an error: %s", r.Text)
	}
	_, text, _ := strings.Cut(r.Text, "\n")
	if r.Structured != nil && string(r.Structured) != text {
		t.Errorf("text and structuredContent differ:\n%s\n%s", text, r.Structured)
	}
	var b body
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		t.Fatalf("%v in %q", err, r.Text)
	}
	return b
}

func TestSuccess(t *testing.T) {
	s := newShop(t, nil)
	r := s.call("shop_list_things", `{"shop":"main"}`)
	if r.IsError {
		t.Fatal(r.Text)
	}
	var out map[string]any
	if err := json.Unmarshal(r.Structured, &out); err != nil {
		t.Fatal(err)
	}
	if r.Text != string(r.Structured) {
		t.Errorf("text %q is not the structured content", r.Text)
	}
	if diff := cmp.Diff([]any{map[string]any{"name": "box"}}, out["things"]); diff != "" {
		t.Errorf("summary: %s", diff)
	}
	full := s.call("shop_list_things", `{"shop":"main","detail":"full"}`)
	if !strings.Contains(full.Text, `"notes":"0"`) {
		t.Errorf("full: %s", full.Text)
	}
}

// The handler sees exact values and published defaults (public faults 30, 32).
func TestHandlerSeesExactArgumentsAndDefaults(t *testing.T) {
	s := newShop(t, nil)
	var got listIn
	s.list = func(_ context.Context, in listIn) (listOut, error) { got = in; return listOut{}, nil }
	for args, want := range map[string]listIn{
		`{"shop":"main"}`: {Shop: "main", Limit: 20, Sort: "name", Detail: "summary"},
		`{"shop":"main","limit":5.0,"sort":"price"}`:    {Shop: "main", Limit: 5, Sort: "price", Detail: "summary"},
		`{"shop":"main","kinds":null,"limit":null}`:     {Shop: "main", Limit: 20, Sort: "name", Detail: "summary"},
		`{"shop":"main","kinds":[],"detail":"full"}`:    {Shop: "main", Kinds: []string{}, Limit: 20, Sort: "name", Detail: "full"},
		"{\"shop\":\"main\",\n\"kinds\":[\"b\",\"a\"]}": {Shop: "main", Kinds: []string{"b", "a"}, Limit: 20, Sort: "name", Detail: "summary"},
	} {
		if r := s.call("shop_list_things", args); r.IsError {
			t.Errorf("%s: %s", args, r.Text)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
}

func TestRefusedArguments(t *testing.T) {
	tests := []struct {
		name, args string
		fields     []string
		repairTool string // "" means none
		repairArgs string
	}{
		{"misspelt parameter", `{"shop":"main","limt":5}`, []string{"limt"}, "shop_list_things", `{"limit":5,"shop":"main"}`},
		{"unknown parameter", `{"shop":"main","toolCallId":"call_1"}`, []string{"toolCallId"}, "shop_list_things", `{"shop":"main"}`},
		{"near enum member", `{"shop":"main","sort":"prices"}`, []string{"sort"}, "shop_list_things", `{"shop":"main","sort":"price"}`},
		{"out of range", `{"shop":"main","limit":500}`, []string{"limit"}, "shop_list_things", `{"limit":50,"shop":"main"}`},
		{"number as text", `{"shop":"main","limit":"5"}`, []string{"limit"}, "shop_list_things", `{"limit":5,"shop":"main"}`},
		{"stringified list", `{"shop":"main","kinds":"[\"a\"]"}`, []string{"kinds"}, "shop_list_things", `{"kinds":["a"],"shop":"main"}`},
		{"lone value", `{"shop":"main","kinds":"a"}`, []string{"kinds"}, "shop_list_things", `{"kinds":["a"],"shop":"main"}`},
		{"two at once", `{"shop":"main","limit":"5","sort":"prices"}`, []string{"limit", "sort"}, "shop_list_things", `{"limit":5,"shop":"main","sort":"price"}`},
		{"missing", `{"limit":5}`, []string{"shop"}, "", ""},
		{"not correctable, but it has a lookup", `{"shop":"main","kinds":[{"a":1}]}`, []string{"kinds"}, "shop_list_kinds", `{"shop":"main"}`},
		{"too many, which no lookup mends", `{"shop":"main","kinds":["a","b","c","d"]}`, []string{"kinds"}, "", ""},
		{"a dead cursor beside a correctable fault", `{"shop":"main","limit":"5","cursor":"dead"}`, []string{"limit"}, "shop_list_things", `{"limit":5,"shop":"main"}`},
		{"a cursor of the wrong type", `{"shop":"main","cursor":[1]}`, []string{"cursor"}, "shop_list_things", `{"shop":"main"}`},
		{"an empty cursor", `{"shop":"main","cursor":""}`, []string{"cursor"}, "shop_list_things", `{"shop":"main"}`},
		{"sensitive arguments are not repeated", `{"shop":"main","limt":5,"secret":"s3cr3t"}`, []string{"limt"}, "shop_list_things", `{"limit":5,"shop":"main"}`},
		{"a correction that Check refuses is not proposed", `{"shop":"closed","limt":5}`, []string{"limt"}, "", ""},
		{"refused by Check", `{"shop":"closed"}`, []string{"shop"}, "", ""},
		{"wrong case", `{"SHOP":"main"}`, []string{"SHOP"}, "shop_list_things", `{"shop":"main"}`},
		{"duplicate", `{"shop":"main","limit":5,"limit":6}`, []string{"limit"}, "", ""},
		{"beyond 64 bits", `{"shop":"main","big":99999999999999999999}`, []string{"big"}, "", ""},
		{"not an object", `[1]`, []string{"arguments"}, "", ""},
		{"not JSON", `{"shop":`, []string{"arguments"}, "", ""},
	}
	s := newShop(t, nil)
	called := false
	s.list = func(context.Context, listIn) (listOut, error) { called = true; return listOut{}, nil }
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := errorBody(t, s.call("shop_list_things", tt.args))
			if b.Code != "invalid_field" || b.Temporary || b.RetryAfterMS != nil {
				t.Errorf("envelope %+v", b)
			}
			fields := b.Details.Fields
			if b.Details.Field != "" {
				fields = append(fields, b.Details.Field)
			}
			if diff := cmp.Diff(tt.fields, fields); diff != "" {
				t.Errorf("fields: %s", diff)
			}
			if called {
				t.Error("the handler ran")
			}
			switch {
			case tt.repairTool == "" && b.Repair != nil:
				t.Errorf("unexpected repair %+v", b.Repair)
			case tt.repairTool == "":
			case b.Repair == nil:
				t.Error("no repair")
			default:
				if b.Repair.Tool != tt.repairTool || string(b.Repair.Arguments) != tt.repairArgs {
					t.Errorf("repair %s %s", b.Repair.Tool, b.Repair.Arguments)
				}
				if r := s.call(b.Repair.Tool, string(b.Repair.Arguments)); r.IsError {
					t.Errorf("the repair fails: %s", r.Text)
				}
				called = false
			}
		})
	}
}

// Public fault 26: a list sent as text is decoded once where the author opted
// in; text that is valid stays text; what does not parse is a field error.
func TestAcceptStringified(t *testing.T) {
	s := newShop(t, nil)
	s.listTool.AcceptStringified = true
	var got listIn
	s.listTool.Handle = func(_ context.Context, in listIn) (listOut, error) { got = in; return listOut{}, nil }
	kit, err := mcpkit.New(mcpkit.Server{
		Name: "corner-shop", Version: "1.0.0", Summary: "Sells things.", Does: []string{"Sell."}, DoesNot: []string{"Buy."},
		Logger: slog.New(slog.NewJSONHandler(s.logs, nil)), Codes: mustCatalog(t), Strict: true,
	}, s.listKinds, s.listTool)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args   string
		kinds  []string
		secret string
		field  string // of the error
		logged bool
	}{
		{`{"shop":"main","kinds":"[\"a\",\"b\"]"}`, []string{"a", "b"}, "", "", true},
		{`{"shop":"main","kinds":["a"],"secret":"[1]"}`, []string{"a"}, "[1]", "", false},
		{`{"shop":"main","kinds":"[\"a"}`, nil, "", "kinds", false},
		{`{"shop":"main","kinds":"[\"a\"] x"}`, nil, "", "kinds", false},
		{`{"shop":"main","kinds":"[1]"}`, nil, "", "kinds", true},
		{`{"shop":"main","kinds":"[\"[\\\"a\\\"]\"]"}`, []string{`["a"]`}, "", "", true},
		{`{"shop":"main","kinds":"[\"a\"]","limit":1,"limit":2}`, nil, "", "limit", true},
	} {
		got = listIn{}
		s.logs.Reset()
		r := kit.Call(context.Background(), mcpkit.Call{Tool: "shop_list_things", Arguments: json.RawMessage(tt.args), Principal: "alice"})
		if r.IsError != (tt.field != "") {
			t.Errorf("%s: %s", tt.args, r.Text)
			continue
		}
		if tt.field != "" {
			if b := errorBody(t, r); b.Details.Field != tt.field {
				t.Errorf("%s: field %q", tt.args, b.Details.Field)
			}
		} else if !slices.Equal(got.Kinds, tt.kinds) || got.Secret != tt.secret {
			t.Errorf("%s: %+v", tt.args, got)
		}
		if logged := strings.Contains(s.logs.String(), "stringified argument decoded"); logged != tt.logged {
			t.Errorf("%s: logged %v", tt.args, logged)
		}
	}
}

// Public fault 29: a key that the host adds is refused unless it is on the
// server's list.
func TestIgnoreArguments(t *testing.T) {
	s := newShop(t, func(server *mcpkit.Server) { server.IgnoreArguments = []string{"toolCallId"} })
	if r := s.call("shop_list_things", `{"shop":"main","toolCallId":"call_1"}`); r.IsError {
		t.Errorf("ignored key: %s", r.Text)
	}
	b := errorBody(t, s.call("shop_list_things", `{"shop":"main","toolCallId":"call_1","sessionId":"x"}`))
	if b.Details.Field != "sessionId" {
		t.Errorf("other key: %+v", b)
	}
	b = errorBody(t, newShop(t, nil).call("shop_list_things", `{"shop":"main","toolCallId":"call_1"}`))
	if b.Details.Field != "toolCallId" || b.Repair == nil {
		t.Errorf("by default: %+v", b)
	}
	// Names that a JSON pointer has to escape.
	s = newShop(t, func(server *mcpkit.Server) { server.IgnoreArguments = []string{"com.host/call~id"} })
	if r := s.call("shop_list_things", `{"shop":"main","com.host/call~id":1}`); r.IsError {
		t.Errorf("escaped name: %s", r.Text)
	}
}

// A store that does not answer proves that nothing ran: try again later.
func TestUnavailableStore(t *testing.T) {
	keeper, err := idempotency.New(brokenStore{}, &idempotency.Options{StoreTimeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	s := newShop(t, func(server *mcpkit.Server) { server.Idempotency = keeper })
	s.order = func(context.Context, orderIn) (orderOut, error) {
		t.Error("the handler ran")
		return orderOut{}, nil
	}
	b := errorBody(t, s.call("shop_order_thing", `{"shop":"main","thing":"box","idempotency_key":"k"}`))
	if b.Code != "upstream_unavailable" || !b.Temporary || b.Repair == nil || b.Repair.Tool != "shop_order_thing" {
		t.Errorf("envelope %+v", b)
	}
}

type brokenStore struct{ idempotency.Store }

func (brokenStore) Claim(context.Context, idempotency.Key, idempotency.Claim) (idempotency.Record, bool, error) {
	return idempotency.Record{}, false, errors.New("connection refused")
}

func (brokenStore) Release(context.Context, idempotency.Key, idempotency.Hold) error {
	return errors.New("connection refused")
}

func mustCatalog(t testing.TB) envelope.Catalog {
	t.Helper()
	codes, err := envelope.NewCatalog(envelope.Entry{Code: "kind_not_found", Meaning: "No such kind."})
	if err != nil {
		t.Fatal(err)
	}
	return codes
}

// Repairs are bounded: a call with larger arguments is not repeated to its
// sender, whether the kit made the repair or the handler did.
func TestRepairsAreBounded(t *testing.T) {
	s := newShop(t, func(server *mcpkit.Server) { server.Strict = false })
	kinds := func(n int) string { return `["` + strings.Repeat("x", n) + `"]` }
	for n, want := range map[int]bool{15 << 10: true, 16 << 10: false} {
		b := errorBody(t, s.call("shop_list_things", `{"shop":"main","limt":5,"kinds":`+kinds(n)+`}`))
		if got := b.Repair != nil; got != want {
			t.Errorf("%d bytes, made by the kit: repair %v", n, got)
		}
		s.list = func(context.Context, listIn) (listOut, error) {
			return listOut{}, envelope.New("kind_not_found", "No.").Repair(s.listTool.Call("x_y", listIn{Shop: "main", Kinds: []string{strings.Repeat("x", n)}}))
		}
		b = errorBody(t, s.call("shop_list_things", `{"shop":"main"}`))
		if got := b.Repair != nil; got != want {
			t.Errorf("%d bytes, made by the handler: repair %v", n, got)
		}
	}
}

// A look-up carries no sensitive argument, though both tools have one of the
// name.
func TestLookupLeavesOutSensitiveArguments(t *testing.T) {
	type in struct {
		Shop string `json:"shop" mcp:"lookup=shop_list_kinds" jsonschema:"pattern=^[a-z]+$"`
		Pass string `json:"pass,omitempty" jsonschema_description:"Omitted means none." mcp:"sensitive"`
	}
	type lookupIn struct {
		Pass string `json:"pass,omitempty" jsonschema_description:"Omitted means none."`
	}
	kit, err := mcpkit.New(boxShop(), mcpkit.Tool[in, kindsOut]{
		Name: "shop_get_kind", Title: "Kind", Description: "Gets.", Example: in{Shop: "a"}, Effect: mcpkit.Reads,
		Handle: func(context.Context, in) (kindsOut, error) { return kindsOut{}, nil },
	}, mcpkit.Tool[lookupIn, kindsOut]{
		Name: "shop_list_kinds", Title: "Kinds", Description: "Lists.", Effect: mcpkit.Reads,
		Handle: func(context.Context, lookupIn) (kindsOut, error) { return kindsOut{}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	r := kit.Call(context.Background(), mcpkit.Call{Tool: "shop_get_kind", Arguments: json.RawMessage(`{"shop":"7","pass":"s3cr3t"}`)})
	b := errorBody(t, r)
	if b.Repair == nil || b.Repair.Tool != "shop_list_kinds" || string(b.Repair.Arguments) != `{}` || strings.Contains(r.Text, "s3cr3t") {
		t.Errorf("envelope: %s", r.Text)
	}
}

func boxShop() mcpkit.Server {
	return mcpkit.Server{
		Name: "corner-shop", Version: "1.0.0", Summary: "Sells things.", Does: []string{"Sell."}, DoesNot: []string{"Buy."},
		Strict: true, Logger: slog.New(slog.DiscardHandler),
	}
}

// What goes to the log: secrets redacted, and a level by who is to blame.
func TestLogOfFailures(t *testing.T) {
	s := newShop(t, func(server *mcpkit.Server) { server.CommonErrors = []envelope.Code{envelope.CodeUpstreamUnavailable} })
	for _, tt := range []struct {
		err   error
		level string
	}{
		{errors.New("dial https://bob:hunter2@db.internal: refused"), "ERROR"},
		{envelope.UpstreamUnavailable(errors.New("password=hunter2")).MaybeApplied(), "WARN"},
		{envelope.RateLimited(time.Second).Because(errors.New("token=hunter2")), "INFO"},
	} {
		s.logs.Reset()
		s.list = func(context.Context, listIn) (listOut, error) { return listOut{}, tt.err }
		s.call("shop_list_things", `{"shop":"main"}`)
		var record struct{ Level, Cause string }
		if err := json.Unmarshal(s.logs.Bytes(), &record); err != nil { // one record

			t.Fatalf("%v in %s", err, s.logs)
		}
		if record.Level != tt.level || record.Cause == "" || strings.Contains(s.logs.String(), "hunter2") {
			t.Errorf("%v: %s", tt.err, s.logs)
		}
	}
}

// The text of a stringified argument is bounded, and read as strictly as the
// arguments themselves.
func TestStringifiedIsBoundedAndStrict(t *testing.T) {
	type in struct {
		List []map[string]int `json:"list" jsonschema_description:"Maps."`
	}
	kit, err := mcpkit.New(boxShop(), mcpkit.Tool[in, kindsOut]{
		Name: "shop_list_kinds", Title: "Kinds", Description: "Lists.", Example: in{List: []map[string]int{}}, Effect: mcpkit.Reads, AcceptStringified: true,
		Handle: func(context.Context, in) (kindsOut, error) { return kindsOut{}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text string
		ok   bool
	}{
		{`[{"a":1}]`, true},
		{`[{"a":1,"a":2}]`, false},
		{"[" + strings.Repeat(" ", 256<<10-2) + "]", true},
		{"[" + strings.Repeat(" ", 256<<10-1) + "]", false},
	} {
		args, err := json.Marshal(map[string]string{"list": tt.text})
		if err != nil {
			t.Fatal(err)
		}
		r := kit.Call(context.Background(), mcpkit.Call{Tool: "shop_list_kinds", Arguments: args})
		if r.IsError == tt.ok {
			t.Errorf("%.40s (%d bytes): %.200s", tt.text, len(tt.text), r.Text)
		}
	}
}

// What a call that writes was told must not be lost on the way to a repair, and
// an empty string must not switch a protection off.
func TestRefusedWrites(t *testing.T) {
	s := newShop(t, nil)
	s.order = func(context.Context, orderIn) (orderOut, error) {
		t.Error("the handler ran")
		return orderOut{}, nil
	}
	for args, want := range map[string]struct{ field, repair string }{
		`{"shop":"main","thing":"box","dry_run":true}`:                              {"dry_run", ""},
		`{"shop":"main","thing":"box","dry_run":true,"x":1}`:                        {"", ""},
		`{"shop":"main","thng":"box"}`:                                              {"thng", `{"shop":"main","thing":"box"}`},
		`{"shop":"main","thing":7}`:                                                 {"thing", `{"shop":"main","thing":"7"}`},
		`{"shop":"main","thing":"box","expected_version":""}`:                       {"expected_version", ""},
		`{"shop":"main","thing":"box","idempotency_key":""}`:                        {"idempotency_key", ""},
		`{"shop":"main","thing":7,"note":"a secret"}`:                               {"thing", ""},
		`{"shop":"main","thing":"box","expected_version":null,"idempotency_key":7}`: {"idempotency_key", `{"idempotency_key":"7","shop":"main","thing":"box"}`},
	} {
		b := errorBody(t, s.call("shop_order_thing", args))
		got := ""
		if b.Repair != nil {
			got = string(b.Repair.Arguments)
		}
		if b.Details.Field != want.field || got != want.repair {
			t.Errorf("%s: field %q, repair %s", args, b.Details.Field, got)
		}
	}
}

// Public faults 89 and 91 as a client sees them.
func TestKeyInProgressAndExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keeper, err := idempotency.New(idempotency.NewMemory(nil), &idempotency.Options{Window: time.Minute, Wait: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		s := newShop(t, func(server *mcpkit.Server) { server.Idempotency = keeper })
		release := make(chan struct{})
		s.order = func(context.Context, orderIn) (orderOut, error) { <-release; return orderOut{Order: 1}, nil }
		const args = `{"shop":"main","thing":"box","idempotency_key":"k"}`
		first := make(chan mcpkit.Result)
		go func() { first <- s.call("shop_order_thing", args) }()
		synctest.Wait()
		b := errorBody(t, s.call("shop_order_thing", args))
		if b.Code != "idempotency_in_progress" || !b.Temporary || b.RetryAfterMS == nil || b.Repair == nil || b.Repair.Tool != "shop_order_thing" {
			t.Errorf("in progress: %+v", b)
		}
		close(release)
		want := <-first
		if again := s.call("shop_order_thing", args); again.Text != want.Text {
			t.Errorf("replay %s, want %s", again.Text, want.Text)
		}
		time.Sleep(2 * time.Minute)
		b = errorBody(t, s.call("shop_order_thing", args))
		if b.Code != "idempotency_key_expired" || b.Temporary || b.Repair == nil || b.Repair.Tool != "shop_list_things" {
			t.Errorf("expired: %+v", b)
		}
	})
}

// A Reconcile that panics costs the repair, not the code.
func TestPanickingReconcile(t *testing.T) {
	s := newShop(t, nil)
	reconcile := s.orderTool.Reconcile
	s.orderTool.Reconcile = func(in orderIn) envelope.Repair {
		if in.Thing == "bomb" {
			panic("reconcile")
		}
		return reconcile(in)
	}
	keeper, err := idempotency.New(idempotency.NewMemory(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	kit, err := mcpkit.New(mcpkit.Server{
		Name: "corner-shop", Version: "1.0.0", Summary: "Sells things.", Does: []string{"Sell."}, DoesNot: []string{"Buy."},
		Codes: mustCatalog(t), Idempotency: keeper, Logger: slog.New(slog.DiscardHandler),
	}, s.listKinds, s.listTool, s.orderTool)
	if err != nil {
		t.Fatal(err)
	}
	s.order = func(context.Context, orderIn) (orderOut, error) { return orderOut{}, errors.New("lost") }
	r := kit.Call(context.Background(), mcpkit.Call{Tool: "shop_order_thing", Arguments: json.RawMessage(`{"shop":"main","thing":"bomb","idempotency_key":"k"}`), Principal: "alice"})
	if b := errorBody(t, r); b.Code != "outcome_unknown" || b.Repair != nil {
		t.Errorf("envelope %+v", b)
	}
}

// D1: clients of older revisions validate errors against the output schema
// (public fault 33).
func TestCarrierByRevision(t *testing.T) {
	for _, tt := range []struct {
		revision   string
		union      bool
		structured bool
	}{
		{"2026-07-28", false, true}, {"2027-01-01", false, true}, {"2025-11-25", false, false}, {"", false, false}, {"2025-11-25", true, true},
	} {
		s := newShop(t, func(server *mcpkit.Server) { server.EnvelopeInOutput = tt.union })
		r := s.kit.Call(context.Background(), mcpkit.Call{Tool: "shop_list_things", Arguments: json.RawMessage(`{}`), Principal: "alice", Revision: tt.revision})
		if got := r.Structured != nil; got != tt.structured {
			t.Errorf("revision %q, union %v: structured %v", tt.revision, tt.union, got)
		}
		if b := errorBody(t, r); b.Code != "invalid_field" {
			t.Errorf("code %q", b.Code)
		}
	}
}

func TestHandlerErrors(t *testing.T) {
	s := newShop(t, nil)
	soft := newShop(t, func(server *mcpkit.Server) { server.Strict = false })
	valid := s.listKinds.Call("look_up", kindsIn{Shop: "main"})
	tests := []struct {
		name   string
		shop   *shop
		err    error
		code   string
		repair string // tool
	}{
		{"classified", s, envelope.New("kind_not_found", "No such kind.").At("kinds", "Element at index 0."), "kind_not_found", "shop_list_kinds"},
		{"wrapped with %w", s, fmt.Errorf("list: %w", envelope.New("kind_not_found", "No.").Repair(valid)), "kind_not_found", "shop_list_kinds"},
		{"temporary", s, envelope.RateLimited(3 * time.Second), "rate_limited", "shop_list_things"},
		{"unclassified", s, errors.New("password=hunter2"), "internal", ""},
		{"deadline", s, context.DeadlineExceeded, "deadline_exceeded", ""},
		{"undeclared code, strict", s, envelope.New("odd_code", "?"), "internal", ""},
		{"undeclared code", soft, envelope.New("odd_code", "?"), "odd_code", ""},
		{"repair with an unknown tool, strict", s, envelope.New("kind_not_found", "?").Repair(envelope.Repair{NextStep: "x_y", Tool: "shop_none_here", Arguments: json.RawMessage(`{}`)}), "internal", ""},
		{"repair with an unknown tool", soft, envelope.New("kind_not_found", "?").Repair(envelope.Repair{NextStep: "x_y", Tool: "shop_none_here", Arguments: json.RawMessage(`{}`)}), "kind_not_found", ""},
		{"repair that does not validate", soft, envelope.New("kind_not_found", "?").Repair(envelope.Repair{NextStep: "x_y", Tool: "shop_list_kinds", Arguments: json.RawMessage(`{"shop":7}`)}), "kind_not_found", ""},
		{"repair that Check refuses", soft, envelope.New("kind_not_found", "?").Repair(soft.listTool.Call("x_y", listIn{Shop: "closed"})), "kind_not_found", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.shop.list = func(context.Context, listIn) (listOut, error) { return listOut{}, tt.err }
			r := tt.shop.call("shop_list_things", `{"shop":"main","kinds":["x"]}`)
			b := errorBody(t, r)
			if b.Code != tt.code {
				t.Errorf("code %q, want %q", b.Code, tt.code)
			}
			tool := ""
			if b.Repair != nil {
				tool = b.Repair.Tool
			}
			if tool != tt.repair {
				t.Errorf("repair tool %q, want %q", tool, tt.repair)
			}
			if strings.Contains(r.Text, "hunter2") {
				t.Errorf("leaks: %s", r.Text)
			}
			if !strings.HasPrefix(b.RequestID, "req_") || len(b.RequestID) != 30 || b.Fingerprint != s.kit.Fingerprint() && b.Fingerprint != soft.kit.Fingerprint() {
				t.Errorf("stamp %q %q", b.RequestID, b.Fingerprint)
			}
		})
	}
}

// A repair of a temporary failure repeats what was sent, without defaults.
func TestRepairOfATemporaryFailure(t *testing.T) {
	s := newShop(t, nil)
	s.list = func(context.Context, listIn) (listOut, error) {
		return listOut{}, envelope.RateLimited(42 * time.Second)
	}
	b := errorBody(t, s.call("shop_list_things", `{"kinds":["b","a"],"shop":"main"}`))
	if string(b.Repair.Arguments) != `{"kinds":["b","a"],"shop":"main"}` || b.Repair.NextStep != "wait_then_retry_same_call" {
		t.Errorf("repair %+v", b.Repair)
	}
	if b.RetryAfterMS == nil || *b.RetryAfterMS != 42000 || !b.Temporary {
		t.Errorf("retry %+v", b)
	}
	// The effect of an order that failed in an unknown way may have happened,
	// so the same call is not proposed again.
	s.order = func(context.Context, orderIn) (orderOut, error) {
		return orderOut{}, envelope.RateLimited(time.Second).MaybeApplied()
	}
	if b := errorBody(t, s.call("shop_order_thing", `{"shop":"main","thing":"box"}`)); b.Repair != nil {
		t.Errorf("repair %+v", b.Repair)
	}
}

func TestPanicIsInternalAndLogged(t *testing.T) {
	s := newShop(t, nil)
	s.list = func(context.Context, listIn) (listOut, error) { panic("kaboom-7f3a") }
	r := s.call("shop_list_things", `{"shop":"main"}`)
	b := errorBody(t, r)
	if b.Code != "internal" || strings.Contains(r.Text, "kaboom") {
		t.Errorf("envelope: %s", r.Text)
	}
	logs := s.logs.String()
	for _, want := range []string{"kaboom-7f3a", b.RequestID, "shop_list_things", "call_test.go"} {
		if !strings.Contains(logs, want) {
			t.Errorf("log lacks %q: %s", want, logs)
		}
	}
	s.list = func(context.Context, listIn) (listOut, error) { return listOut{}, nil }
	if r := s.call("shop_list_things", `{"shop":"main"}`); r.IsError {
		t.Errorf("the next call fails: %s", r.Text)
	}
}

func TestVersionErrors(t *testing.T) {
	s := newShop(t, nil)
	for _, tt := range []struct {
		err  error
		code string
	}{{versioning.ErrConflict, "conflict"}, {fmt.Errorf("x: %w", versioning.ErrMalformed), "invalid_field"}} {
		s.order = func(context.Context, orderIn) (orderOut, error) { return orderOut{}, tt.err }
		b := errorBody(t, s.call("shop_order_thing", `{"shop":"main","thing":"box"}`))
		if b.Code != tt.code || b.Details.Field != "expected_version" {
			t.Errorf("%v: %+v", tt.err, b)
		}
	}
}

func TestCursorGuard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, nil)
		next := func(r mcpkit.Result) string {
			var out struct {
				Next string `json:"next_cursor"`
			}
			if err := json.Unmarshal(r.Structured, &out); err != nil || out.Next == "" {
				t.Fatalf("no cursor in %s", r.Text)
			}
			return out.Next
		}
		token := next(s.call("shop_list_things", `{"shop":"main","kinds":["a","b"]}`))
		use := func(args string) mcpkit.Result {
			return s.call("shop_list_things", strings.ReplaceAll(args, "TOKEN", token))
		}
		// Public fault 59: bound to the meaning, not to the spelling.
		for _, args := range []string{
			`{"shop":"main","kinds":["b","a"],"cursor":"TOKEN"}`,
			`{"cursor":"TOKEN","limit":20,"kinds":["a","b","b"],"shop":"main"}`,
			`{"shop":"main","kinds":["a","b"],"detail":"full","cursor":"TOKEN"}`,
		} {
			if r := use(args); r.IsError {
				t.Errorf("%s: %s", args, r.Text)
			}
		}
		// Public faults 58, 62, 63: other arguments and changed tokens, one text.
		var texts []string
		for _, args := range []string{
			`{"shop":"main","kinds":["a"],"cursor":"TOKEN"}`,
			`{"shop":"other","kinds":["a","b"],"cursor":"TOKEN"}`,
			`{"shop":"main","kinds":["a","b"],"cursor":"TOKEN="}`,
			`{"shop":"main","kinds":["a","b"],"cursor":"` + strings.Repeat("A", len(token)) + `"}`,
		} {
			b := errorBody(t, use(args))
			if b.Code != "invalid_field" || b.Details.Field != "cursor" || b.Repair == nil || b.Repair.Tool != "shop_list_things" {
				t.Fatalf("%s: %+v", args, b)
			}
			texts = append(texts, b.Message+b.Details.Reason)
			if r := s.call(b.Repair.Tool, string(b.Repair.Arguments)); r.IsError {
				t.Errorf("the repair fails: %s", r.Text)
			}
		}
		for _, text := range texts {
			if text != texts[0] {
				t.Errorf("texts tell cases apart: %q and %q", text, texts[0])
			}
		}
		// Public fault 65: another caller, and nobody.
		c := mcpkit.Call{Tool: "shop_list_things", Arguments: json.RawMessage(`{"shop":"main","kinds":["a","b"],"cursor":"` + token + `"}`), Principal: "bob"}
		if b := errorBody(t, s.kit.Call(t.Context(), c)); b.Message+b.Details.Reason != texts[0] {
			t.Errorf("bob: %+v", b)
		}
		c.Principal = ""
		if b := errorBody(t, s.kit.Call(t.Context(), c)); b.Code != "missing_credential" {
			t.Errorf("nobody: %+v", b)
		}
		time.Sleep(61 * time.Second)
		b := errorBody(t, use(`{"shop":"main","kinds":["a","b"],"cursor":"TOKEN"}`))
		if b.Code != "cursor_expired" || b.Details.Value != token || string(b.Repair.Arguments) != `{"kinds":["a","b"],"shop":"main"}` {
			t.Errorf("expired: %+v", b)
		}
	})
}

// Public faults 83, 84, 89: one effect per key, whatever the spelling.
func TestIdempotencyKey(t *testing.T) {
	s := newShop(t, nil)
	var orders atomic.Int64
	s.order = func(context.Context, orderIn) (orderOut, error) { return orderOut{Order: int(orders.Add(1))}, nil }
	results := make([]string, 50)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			r := s.call("shop_order_thing", `{"shop":"main","thing":"box","idempotency_key":"k"}`)
			results[i] = r.Text
		})
	}
	wg.Wait()
	for _, r := range results {
		if r != `{"order":1}` {
			t.Errorf("result %s", r)
		}
	}
	if orders.Load() != 1 {
		t.Errorf("%d orders", orders.Load())
	}
	r := s.call("shop_order_thing", `{"idempotency_key":"k", "thing":"box","shop":"main"}`)
	if r.Text != `{"order":1}` || string(r.Meta["com.corner-shop/idempotency"]) != `{"replayed":true}` {
		t.Errorf("replay: %s %s", r.Text, r.Meta)
	}
	if b := errorBody(t, s.call("shop_order_thing", `{"shop":"main","thing":"crate","idempotency_key":"k"}`)); b.Code != "idempotency_key_reused" || b.Details.Field != "idempotency_key" {
		t.Errorf("reused: %+v", b)
	}
	if r := s.call("shop_order_thing", `{"shop":"MAIN","thing":"box","idempotency_key":"k"}`); r.Text != `{"order":1}` {
		t.Errorf("other case of a folded scope: %s", r.Text)
	}
	if r := s.call("shop_order_thing", `{"shop":"other","thing":"crate","idempotency_key":"k"}`); r.Text != `{"order":2}` {
		t.Errorf("other scope: %s", r.Text)
	}
}

func TestKeyedFailures(t *testing.T) {
	s := newShop(t, nil)
	runs := 0
	fail := func(err error) {
		s.order = func(context.Context, orderIn) (orderOut, error) { runs++; return orderOut{}, err }
	}
	args := func(key string) string { return `{"shop":"main","thing":"box","idempotency_key":"` + key + `"}` }

	fail(envelope.RateLimited(time.Second)) // proves that nothing started
	if b := errorBody(t, s.call("shop_order_thing", args("a"))); b.Code != "rate_limited" || b.Repair == nil || string(b.Repair.Arguments) != `{"idempotency_key":"a","shop":"main","thing":"box"}` {
		t.Errorf("released: %+v", b)
	}
	s.order = func(context.Context, orderIn) (orderOut, error) { runs++; return orderOut{Order: 7}, nil }
	if r := s.call("shop_order_thing", args("a")); r.Text != `{"order":7}` {
		t.Errorf("the released key is not usable: %s", r.Text)
	}

	for key, failure := range map[string]func(){
		"error": func() { fail(errors.New("connection reset")) },
		"panic": func() { s.order = func(context.Context, orderIn) (orderOut, error) { runs++; panic("x") } },
	} {
		runs = 0
		failure()
		for range 2 { // the first and the repeat say the same, and only the first runs
			b := errorBody(t, s.call("shop_order_thing", args(key)))
			if b.Code != "outcome_unknown" || b.Temporary || b.Repair == nil || b.Repair.Tool != "shop_list_things" || b.Repair.NextStep != "list_then_decide" {
				t.Errorf("%s: %+v", key, b)
			}
		}
		if runs != 1 {
			t.Errorf("%s: ran %d times", key, runs)
		}
	}
	c := mcpkit.Call{Tool: "shop_order_thing", Arguments: json.RawMessage(args("z"))}
	if b := errorBody(t, s.kit.Call(context.Background(), c)); b.Code != "missing_credential" {
		t.Errorf("without principal: %+v", b)
	}
}

func TestUnknownTool(t *testing.T) {
	s := newShop(t, nil)
	for _, tt := range []struct{ name, args, reason, repairArgs string }{
		{"shop_list_thing", `{"shop":"main"}`, "The nearest registered tool is shop_list_things.", `{"shop":"main"}`},
		{"shop_list_thingz", `{"shop":"main","limit":"5"}`, "The nearest registered tool is shop_list_things.", `{"limit":5,"shop":"main"}`},
		{"shop_list_things_", `{"shop":"main"}`, "The nearest registered tool is shop_list_things.", `{"shop":"main"}`},
		{"shop_list_thing", `{"nope":[]}`, "The nearest registered tool is shop_list_things.", ""},
		{"shop_ordr_thing", `{"shop":"main","thing":"box"}`, "The nearest registered tool is shop_order_thing.", ""}, // it writes
		{"shop_delete_things", `{"shop":"main"}`, "The nearest registered tools are shop_list_things, shop_order_thing.", ""},
		{"shop_list", `{"shop":"main"}`, "The nearest registered tools are shop_list_kinds, shop_list_things.", ""},
		{"frobnicate\u202e\n", `{}`, "No registered tool has a similar name.", ""},
		{"", `{}`, "No registered tool has a similar name.", ""},
	} {
		e, unknown := s.kit.UnknownTool(context.Background(), mcpkit.Call{Tool: tt.name, Arguments: json.RawMessage(tt.args), Principal: "alice"})
		if !unknown || e.Code != -32602 {
			t.Fatalf("%q: %+v", tt.name, e)
		}
		var data struct {
			body
			Machine string `json:"machine_code"`
		}
		if err := json.Unmarshal(e.Data, &data); err != nil {
			t.Fatal(err)
		}
		if data.Machine != "unknown_tool" || data.Details.Field != "name" || data.Details.Reason != tt.reason {
			t.Errorf("%q: %s", tt.name, e.Data)
		}
		if strings.ContainsAny(e.Message, "\n\u202e") || !strings.Contains(e.Message, tt.reason) {
			t.Errorf("message: %q", e.Message)
		}
		got := ""
		if data.Repair != nil {
			got = string(data.Repair.Arguments)
		}
		if got != tt.repairArgs {
			t.Errorf("%q: repair %s", tt.name, got)
		}
	}
	if _, unknown := s.kit.UnknownTool(context.Background(), mcpkit.Call{Tool: "shop_list_things"}); unknown {
		t.Error("a registered tool is unknown")
	}
}
