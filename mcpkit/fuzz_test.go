package mcpkit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpkit-go/agentmcp/cursor"
	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

type depotsIn struct {
	Region string `json:"region" jsonschema:"enum=north,enum=south"`
	Limit  int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=20" jsonschema_description:"Omitted means 20."`
}

type depotsOut struct {
	Depots []string `json:"depots"`
}

type parcelSize struct {
	Width  int      `json:"width" jsonschema:"minimum=1,maximum=200"`
	Height *float64 `json:"height,omitempty" jsonschema:"exclusiveMinimum=0" jsonschema_description:"Omitted means unknown."`
}

type sendIn struct {
	Region   string       `json:"region" jsonschema:"enum=north,enum=south"`
	Depot    string       `json:"depot" jsonschema:"pattern=^[a-z]{2}[0-9]{2}$" mcp:"lookup=parcels_list_depots"`
	Grams    int64        `json:"weight_grams" jsonschema:"minimum=0,multipleOf=5"`
	Express  bool         `json:"express,omitempty" jsonschema_description:"Omitted means false."`
	Tags     []string     `json:"tags,omitempty" jsonschema:"maxItems=3,uniqueItems,items.minLength=1,items.maxLength=8" jsonschema_description:"Omitted means none." mcp:"set"`
	Size     *parcelSize  `json:"size,omitempty" jsonschema_description:"Omitted means unknown."`
	Sizes    []parcelSize `json:"sizes,omitempty" jsonschema:"maxItems=2" jsonschema_description:"Omitted means none."`
	At       time.Time    `json:"ready_at,omitzero" jsonschema_description:"Omitted means now."`
	Password string       `json:"password,omitempty" jsonschema_description:"Omitted means none." mcp:"sensitive"`
}

type sendOut struct {
	Parcel int `json:"parcel"`
}

type findIn struct {
	After  int64   `json:"after,omitempty" jsonschema_description:"Omitted means from the start."`
	Before int64   `json:"before,omitempty" jsonschema_description:"Omitted means to the end."`
	Share  float64 `json:"share,omitempty" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Omitted means 0."`
	Order  string  `json:"order,omitempty" jsonschema:"enum=oldest,enum=newest,default=newest" jsonschema_description:"Omitted means newest."`
	Cursor string  `json:"cursor,omitempty" jsonschema_description:"Omitted means the first page." mcp:"cursor"`
}

type findOut struct {
	Parcels    []int  `json:"parcels"`
	NextCursor string `json:"next_cursor,omitempty"`
}

// parcels is a kit whose handlers never fail, so that every error is the kit's.
func parcels(t testing.TB) *mcpkit.Kit {
	t.Helper()
	keys, err := cursor.NewKeyring([]byte("a key of thirty-two bytes, fixed"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := mcpkit.NewCursor[int](keys, time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	find := mcpkit.Tool[findIn, findOut]{
		Name: "parcels_find_parcels", Title: "Find", Description: "Finds parcels.", Example: findIn{}, Effect: mcpkit.Reads, Cursor: pages,
		Check: func(in findIn) error {
			if in.Before != 0 && in.Before < in.After {
				return envelope.InvalidField("before", "Must not be less than after.")
			}
			return nil
		},
		Handle: func(context.Context, findIn) (findOut, error) { return findOut{Parcels: []int{}}, nil },
	}
	kit, err := mcpkit.New(mcpkit.Server{
		Name: "parcels", Version: "1.0.0", Summary: "Sends parcels.", Does: []string{"Send."}, DoesNot: []string{"Receive."},
		Strict: true, Logger: slog.New(slog.DiscardHandler),
	},
		mcpkit.Tool[depotsIn, depotsOut]{
			Name: "parcels_list_depots", Title: "Depots", Description: "Lists depots.", Example: depotsIn{Region: "north"}, Effect: mcpkit.Reads,
			Handle: func(context.Context, depotsIn) (depotsOut, error) { return depotsOut{}, nil },
		},
		mcpkit.Tool[sendIn, sendOut]{
			Name: "parcels_send_parcel", Title: "Send", Description: "Sends one. See parcels_find_parcels for what was sent.",
			Example: sendIn{Region: "north", Depot: "ab12", Grams: 5}, Effect: mcpkit.Adds,
			Reconcile: func(sendIn) envelope.Repair { return find.Call("find_then_decide", findIn{}) },
			Handle:    func(context.Context, sendIn) (sendOut, error) { return sendOut{Parcel: 1}, nil },
		},
		find,
	)
	if err != nil {
		t.Fatal(err)
	}
	return kit
}

// Whatever the arguments are, a call answers; its error is an envelope; the
// repair in it validates against the published schema by another validator's
// judgement; and following it never makes the same error at the same field.
func FuzzRepair(f *testing.F) {
	kit := parcels(f)
	var tools []string
	published := map[string]*jsonschema.Schema{}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	for _, r := range kit.Tools() {
		raw, err := json.Marshal(r.InputSchema)
		if err != nil {
			f.Fatal(err)
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			f.Fatal(err)
		}
		if err := compiler.AddResource(r.Name, document); err != nil {
			f.Fatal(err)
		}
		if published[r.Name], err = compiler.Compile(r.Name); err != nil {
			f.Fatal(err)
		}
		tools = append(tools, r.Name)
	}
	for _, seed := range []string{
		`{}`, `null`, `[]`, ``, `{`, `"{}"`, `{"region":"North","limit":"20"}`, `{"region":"north","limit":9000}`, `{"Region":"south","limit":1e999}`,
		`{"region":"north","depot":"AB12","weight_grams":"5"}`, `{"region":"north","depot":"ab12","weight_grams":7,"tags":"a"}`,
		`{"region":"nrth","depot":"ab12","weight_grams":5,"tags":"[\"a\",\"a\"]","size":"{\"width\":1}"}`,
		`{"region":"north","depot":"ab12","weight_grams":-1,"sizes":{"width":0,"height":null},"ready_at":"2026-01-01"}`,
		`{"region":"north","depot":"ab12","weight_grams":9223372036854775808,"pasword":"hunter2","password":5}`,
		`{"region":"north","depot":"ab12","weight":5,"express":"true","size":{"width":"3","hight":2}}`,
		`{"after":5,"before":3}`, `{"after":"5","before":"3"}`, `{"share":2,"order":"newst"}`, `{"cursor":"AAAA","share":"0.5"}`, `{"order":null,"cursor":""}`,
		`{"after":1,"after":2}`, "{\"order\":\"\xff\"}", `{"order":"\ud800"}`, "{\"order\":\"a\x00\"}", `{"share":1.0000000000000000000000000001}`, `{"after":1e400000000}`,
	} {
		for i := range tools {
			f.Add(uint8(i), []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, arguments []byte) {
		tool := tools[int(which)%len(tools)]
		var before *envelope.Error
		for step := 0; ; step++ {
			r := kit.Call(context.Background(), mcpkit.Call{Tool: tool, Arguments: arguments, Principal: "alice", Revision: "2026-07-28"})
			if !r.IsError {
				return
			}
			e, _, err := envelope.Parse(r.Structured)
			if err != nil {
				t.Fatalf("%s %q: the error is no envelope: %v\n%s", tool, arguments, err, r.Structured)
			}
			if _, text, _ := strings.Cut(r.Text, "\n"); text != string(r.Structured) {
				t.Errorf("%s %q: the text carries another envelope: %s", tool, arguments, r.Text)
			}
			if e.Code() == envelope.CodeInternal {
				t.Fatalf("%s %q: %s", tool, arguments, r.Text)
			}
			if before != nil && e.Code() == before.Code() && shared(e, before) {
				t.Fatalf("%s %q: the repair led here and to the same error:\n%s", tool, arguments, r.Text)
			}
			repair, ok := e.Suggested()
			if !ok || repair.Tool == "" {
				return
			}
			if step == 4 {
				t.Fatalf("%s %q: still wrong after four repairs: %s", tool, arguments, r.Text)
			}
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(repair.Arguments))
			if err != nil || published[repair.Tool] == nil {
				t.Fatalf("%s %q: repair cannot be called: %v: %s", tool, arguments, err, r.Text)
			}
			if err := published[repair.Tool].Validate(value); err != nil {
				t.Fatalf("%s %q: repair does not validate: %v", tool, arguments, err)
			}
			if repair.Tool != tool {
				before = nil
			} else {
				before = e
			}
			tool, arguments = repair.Tool, repair.Arguments
		}
	})
}

func shared(a, b *envelope.Error) bool {
	x, _ := a.Details()
	y, _ := b.Details()
	return slices.ContainsFunc(x.Fields(), func(name string) bool { return slices.Contains(y.Fields(), name) })
}
