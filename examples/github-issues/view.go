package main

import (
	"strings"
	"time"

	"github.com/mcpkit-go/agentmcp/envelope"
	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
	"github.com/mcpkit-go/agentmcp/versioning"
)

// issueView is the issue object that every tool shows. Its summary is a strict
// subset: the fields that are not tagged full.
type issueView struct {
	Number       int       `json:"issue_number"`
	Title        string    `json:"title"`
	State        string    `json:"state" jsonschema:"enum=open,enum=closed"`
	Author       string    `json:"author"`
	Labels       []string  `json:"labels"`
	CommentCount int       `json:"comment_count"`
	UpdatedAt    time.Time `json:"updated_at"`
	URL          string    `json:"url" jsonschema:"format=uri"`
	Preview      string    `json:"preview"`

	Body        string         `json:"body" detail:"full"`
	StateReason *string        `json:"state_reason" jsonschema:"enum=completed,enum=not_planned,enum=reopened" detail:"full"`
	Assignees   []string       `json:"assignees" detail:"full"`
	Milestone   *milestoneView `json:"milestone" detail:"full"`
	Locked      bool           `json:"locked" detail:"full"`
	LockReason  *string        `json:"lock_reason" jsonschema:"enum=off-topic,enum=too heated,enum=resolved,enum=spam" detail:"full"`
	CreatedAt   time.Time      `json:"created_at" detail:"full"`
	ClosedAt    *time.Time     `json:"closed_at" detail:"full"`
	Version     string         `json:"version" detail:"full"`
}

type milestoneView struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
}

func viewOf(i backend.Issue) (issueView, error) {
	version, err := versionOf(i)
	if err != nil {
		return issueView{}, err
	}
	v := issueView{
		Number: i.Number, Title: i.Title, State: string(i.State), Author: i.Author,
		Labels: i.Labels, CommentCount: i.Comments, UpdatedAt: i.UpdatedAt, URL: i.URL,
		Preview: preview(i.Body),
		Body:    i.Body, StateReason: optional(string(i.StateReason)), Assignees: i.Assignees,
		Locked: i.Locked, LockReason: optional(string(i.LockReason)),
		CreatedAt: i.CreatedAt, ClosedAt: i.ClosedAt, Version: version,
	}
	if i.Milestone != nil {
		v.Milestone = &milestoneView{Number: i.Milestone.Number, Title: i.Milestone.Title}
	}
	return v, nil
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

const previewLength = 200

// preview is the beginning of a body on one line, with control characters made
// visible.
func preview(body string) string {
	const enough = 16 * previewLength // white space may make up the rest
	if len(body) > enough {
		body = strings.ToValidUTF8(body[:enough], "")
	}
	line := []rune(strings.Join(strings.Fields(body), " "))
	if len(line) > previewLength {
		line = append(line[:previewLength], '…')
	}
	return envelope.Escape(string(line))
}

// versionOf is the token of an issue's content. It does not depend on times or
// on how much of the issue is shown.
func versionOf(i backend.Issue) (string, error) {
	milestone := 0
	if i.Milestone != nil {
		milestone = i.Milestone.Number
	}
	return versioning.Of(struct {
		Title       string   `json:"title"`
		Body        string   `json:"body"`
		State       string   `json:"state"`
		StateReason string   `json:"state_reason"`
		Labels      []string `json:"labels" version:"set"`
		Assignees   []string `json:"assignees" version:"set"`
		Milestone   int      `json:"milestone"`
		Locked      bool     `json:"locked"`
	}{i.Title, i.Body, string(i.State), string(i.StateReason), i.Labels, i.Assignees, milestone, i.Locked})
}
