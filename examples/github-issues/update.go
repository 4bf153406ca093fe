package main

import (
	"context"
	"errors"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/mcpkit"
	"github.com/mcpkit-go/agentmcp/mcpkit/schema"
	"github.com/mcpkit-go/agentmcp/versioning"
)

type updateIn struct {
	Owner           string            `json:"owner" jsonschema:"pattern=^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$" mcp:"fold"`
	Repo            string            `json:"repo" jsonschema:"pattern=^[A-Za-z0-9._-]{1,100}$" mcp:"fold"`
	Number          int               `json:"issue_number" jsonschema:"minimum=1" mcp:"lookup=github_search_issues"`
	Title           *string           `json:"title,omitempty" jsonschema:"minLength=1,maxLength=256" jsonschema_description:"Omitted means unchanged."`
	Body            *string           `json:"body,omitempty" jsonschema:"maxLength=65536" jsonschema_description:"Full replacement text. Omitted means unchanged; \"\" clears the body."`
	State           *string           `json:"state,omitempty" jsonschema:"enum=open,enum=closed" jsonschema_description:"Omitted means unchanged."`
	StateReason     string            `json:"state_reason,omitempty" jsonschema:"enum=completed,enum=not_planned,enum=reopened" jsonschema_description:"Only meaningful alongside state. Omitted with state \"closed\" means \"completed\"."`
	AddLabels       []string          `json:"add_labels,omitempty" jsonschema:"items.minLength=1,items.maxLength=100,maxItems=20" jsonschema_description:"Added to the existing. Omitted means none." mcp:"lookup=github_list_labels"`
	RemoveLabels    []string          `json:"remove_labels,omitempty" jsonschema:"items.minLength=1,items.maxLength=100,maxItems=20" jsonschema_description:"Removed; those not on the issue are ignored. Omitted means none." mcp:"lookup=github_list_labels"`
	Assignees       *[]string         `json:"assignee_logins,omitempty" jsonschema:"maxItems=10" jsonschema_description:"FULL replacement of the assignees. Omitted means unchanged; [] removes all."`
	Milestone       schema.Patch[int] `json:"milestone_number,omitzero" jsonschema:"minimum=1" jsonschema_description:"Omitted means unchanged; null removes the milestone."`
	Locked          *bool             `json:"locked,omitempty" jsonschema_description:"true locks the conversation, false unlocks it. Omitted means unchanged."`
	LockReason      string            `json:"lock_reason,omitempty" jsonschema:"enum=off-topic,enum=too heated,enum=resolved,enum=spam" jsonschema_description:"Only honored when locked is true. Omitted means a lock with no recorded reason."`
	ExpectedVersion string            `json:"expected_version,omitempty" jsonschema_description:"Version of the last read or mutation. Omitted means no check; a mismatch fails with conflict." mcp:"expected_version"`
}

type updateOut struct {
	Number        int      `json:"issue_number"`
	State         string   `json:"state" jsonschema:"enum=open,enum=closed"`
	Version       string   `json:"version" jsonschema_description:"The NEW version, after this update."`
	ChangedFields []string `json:"changed_fields" jsonschema_description:"Parameters that changed what is stored; [] for a no-op."`
	URL           string   `json:"url" jsonschema:"format=uri"`
}

func (s *service) updateTool() mcpkit.Tool[updateIn, updateOut] {
	closed := "closed"
	return mcpkit.Tool[updateIn, updateOut]{
		Name:  "github_update_issue",
		Title: "Update issue",
		Description: "Edit, relabel, assign, close or reopen, and lock or unlock one issue in one call.\n\n" +
			"Partial update: omitted fields stay as they are; a call with nothing to change fails with invalid_field. " +
			"Pass expected_version (from github_get_issue or an earlier mutation) whenever you edit title or body or change labels. " +
			"On a mismatch the call fails with conflict; read again, then re-apply. " +
			"Without it, replacing body can overwrite the edits of others.\n\n" +
			"Clearing: assignee_logins [] removes all assignees, milestone_number null the milestone, body \"\" the text. " +
			"add_labels and remove_labels combine; an unknown name in either fails the whole call (label_not_found), nothing is applied. " +
			"lock_reason counts only with locked true.\n\n" +
			"Unlike its siblings it is destructive (it replaces text that this server cannot restore) and idempotent (the same call again changes nothing).",
		Example: updateIn{
			Owner: "acme", Repo: "api", Number: 512, State: &closed, StateReason: "completed",
			AddLabels: []string{"resolved"}, ExpectedVersion: "v1:sha256:9c41f0d2a7b3e58846c1f09d7e2ab345",
		},
		Effect:    mcpkit.Replaces,
		OpenWorld: true,
		Errors:    []envelope.Code{envelope.CodeConflict, codeLabelNotFound, codeIssueNotFound, codeRepoNotFound},
		Check:     checkUpdate,
		Reconcile: func(in updateIn) envelope.Repair { return s.reread("reread_then_decide", in.Owner, in.Repo, in.Number) },
		Handle:    s.handleUpdate,
	}
}

func checkUpdate(in updateIn) error {
	if in.Title == nil && in.Body == nil && in.State == nil && in.StateReason == "" && len(in.AddLabels) == 0 &&
		len(in.RemoveLabels) == 0 && in.Assignees == nil && in.Milestone.IsAbsent() && in.Locked == nil {
		return envelope.InvalidFields("The call changes nothing; at least one of these is required.", "title", "body", "state",
			"add_labels", "remove_labels", "assignee_logins", "milestone_number", "locked")
	}
	if in.StateReason != "" && in.State == nil {
		return envelope.InvalidField("state", "state_reason is given without state; they go together.")
	}
	return nil
}

func (s *service) reread(step, owner, repo string, number int) envelope.Repair {
	return s.get.Call(step, getIn{Owner: owner, Repo: repo, Number: number})
}

func (s *service) handleUpdate(ctx context.Context, in updateIn) (updateOut, error) {
	change := backend.Change{
		Title: in.Title, Body: in.Body, State: (*backend.State)(in.State), StateReason: backend.StateReason(in.StateReason),
		AddLabels: in.AddLabels, RemoveLabels: in.RemoveLabels, Assignees: in.Assignees,
		Locked: in.Locked, LockReason: backend.LockReason(in.LockReason),
	}
	if !in.Milestone.IsAbsent() {
		number, _ := in.Milestone.Get() // 0 for null, which removes
		change.Milestone = &number
	}
	unchanged := func(current backend.Issue) error {
		version, err := versionOf(current)
		if err != nil {
			return err
		}
		return versioning.Match(in.ExpectedVersion, version)
	}
	before, after, err := s.backend.Update(ctx, backend.Repo{Owner: in.Owner, Name: in.Repo}, in.Number, change, unchanged)
	switch {
	case errors.Is(err, versioning.ErrConflict):
		return updateOut{}, envelope.Conflict("expected_version", in.ExpectedVersion,
			"The issue changed after this version was issued; nothing was applied.").
			Repair(s.reread("reread_then_reapply", in.Owner, in.Repo, in.Number).
				Or("If overwriting is acceptable for this field, call github_update_issue again without expected_version."))
	case errors.Is(err, versioning.ErrMalformed):
		return updateOut{}, envelope.InvalidField("expected_version", "Not a version that this server issued; take it from the latest read or mutation.").
			Repair(s.reread("reread_then_reapply", in.Owner, in.Repo, in.Number))
	case err != nil:
		return updateOut{}, s.failure(err, in.Owner, in.Repo, in.Number)
	}
	version, err := versionOf(after)
	if err != nil {
		return updateOut{}, err
	}
	out := updateOut{Number: after.Number, State: string(after.State), Version: version, URL: after.URL, ChangedFields: []string{}}
	for _, f := range backend.Changed(before, after) {
		out.ChangedFields = append(out.ChangedFields, string(f))
	}
	return out, nil
}
