// Package mcpkit declares an MCP server as a contract that an agent can plan
// against, and runs its calls by it.
//
// A tool is a value built from the Go types of its arguments and result:
//
//	var getPage = mcpkit.Tool[getPageIn, getPageOut]{
//		Name:        "wiki_get_page",
//		Title:       "Get page",
//		Description: "Read one page. Use it when the slug is known.",
//		Example:     getPageIn{Slug: "oncall-runbook"},
//		Effect:      mcpkit.Reads,
//		Errors:      []envelope.Code{"page_not_found"},
//		Handle:      wiki.getPage, // func(context.Context, getPageIn) (getPageOut, error)
//	}
//
// and a server is checked as a whole before it serves anything:
//
//	kit, err := mcpkit.New(mcpkit.Server{
//		Name: "acme-wiki", Version: "1.0.0", Summary: "Read the internal wiki.",
//		Does: []string{"Read pages."}, DoesNot: []string{"Edit pages."},
//	}, getPage, listPages)
//	// err lists every mistake at once, each with tool and field
//
// This package knows no SDK and no transport; package gosdk serves a [Kit] on
// the official Go SDK.
//
// # The life of a call
//
// [Kit.Call] takes the arguments as they were received and does, in this order:
//
//  1. decode: one strict read. Duplicate keys, trailing data and wrong case are
//     refused, integers stay exact, null for an optional field means absent.
//  2. validate: against the closed schema of the tool. All violations are
//     reported, in a fixed order, each with the field, the rule and what is
//     allowed.
//  3. defaults: those that the schema publishes, and no others.
//  4. guard: the cursor is opened, bound to tool, caller and question; the
//     idempotency key is claimed.
//  5. handle: the author's function.
//  6. project and encode: the detail level keeps a subset of fields, never of
//     rows. Nil slices and maps are [] and {}.
//
// An error at any step becomes an envelope (package [envelope]); a panic becomes
// the code internal, with the stack in the log only.
//
// # A repair is proven
//
// Before an envelope leaves, its repair is checked: the tool is registered, the
// arguments validate against its schema and pass its Check. What fails that is
// not sent. For refused arguments the kit makes the repair itself, by the
// smallest correction that validates: a misspelt parameter renamed, a near enum
// member picked, "42" turned into 42, a stringified list parsed. Where the value
// has to be found out, it calls the lookup tool that the field declares. Where
// nothing can be proven there is no repair.
//
// # Errors of a handler
//
// Return an *[envelope.Error] for what the agent can act on, with a repair built
// by the target tool's own Call method, so that a wrong argument name does not
// compile:
//
//	return out{}, envelope.New("label_not_found", "A label does not exist; nothing was applied.").
//		At("labels", "Element at index 1 matches no label.").
//		NothingApplied().
//		Repair(listLabels.Call("lookup_labels_then_retry", listLabelsIn{Repo: in.Repo}))
//
// NothingApplied is the proof that no effect has started. It matters to calls
// with an idempotency key: an error without it (and without a constructor that
// implies it, such as [envelope.NotFound]) is answered as outcome_unknown, and
// the key is not run again.
//
// Errors that wrap [versioning.ErrConflict] become conflict at the parameter
// that has the role expected_version. Everything else is internal: a fixed
// sentence and the request id for the client, the cause for the log.
package mcpkit
