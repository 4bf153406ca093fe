package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/mcpkit-go/agentmcp/mcpkit/detail"
)

// A ticket has 14 fields, of which a summary shows 6.
type ticket struct {
	Number    int        `json:"issue_number"`
	Title     string     `json:"title"`
	State     string     `json:"state"`
	Labels    []string   `json:"labels"`
	Author    string     `json:"author_login"`
	UpdatedAt time.Time  `json:"updated_at"`
	Body      string     `json:"body" detail:"full"`
	Assignees []string   `json:"assignee_logins" detail:"full"`
	Milestone *int       `json:"milestone_number" detail:"full"`
	Comments  int        `json:"comment_count" detail:"full"`
	Locked    bool       `json:"locked" detail:"full"`
	CreatedAt time.Time  `json:"created_at" detail:"full"`
	ClosedAt  *time.Time `json:"closed_at" detail:"full"`
	URL       string     `json:"html_url" detail:"full"`
}

// A ticketSummary is what an author would write by hand.
type ticketSummary struct {
	Number    int       `json:"issue_number"`
	Title     string    `json:"title"`
	State     string    `json:"state"`
	Labels    []string  `json:"labels"`
	Author    string    `json:"author_login"`
	UpdatedAt time.Time `json:"updated_at"`
}

func tickets() []ticket {
	page := make([]ticket, 30)
	for i := range page {
		page[i] = ticket{
			Number: 4700 + i, Title: fmt.Sprintf("Retries of request %d are not counted", i), State: "open",
			Labels: []string{"bug", "area/api"}, Author: "octocat", Body: strings.Repeat("A paragraph of text.\n", 40),
			CreatedAt: time.Date(2026, 7, 1, 9, 0, i, 0, time.UTC), UpdatedAt: time.Date(2026, 7, 28, 12, 0, i, 0, time.UTC),
			Comments: i, URL: "https://example.com/acme/api/issues/1",
		}
	}
	return page
}

func summaryRows() []row {
	return []row{{"summary page of 30 issues, 6 of 14 fields", atMost(1), func() (contest, error) {
		page := tickets()
		enc, err := detail.Compile(reflect.TypeFor[[]ticket]())
		if err != nil {
			return contest{}, err
		}
		byHand := func() ([]byte, error) {
			short := make([]ticketSummary, len(page))
			for i, t := range page {
				short[i] = ticketSummary{t.Number, t.Title, t.State, t.Labels, t.Author, t.UpdatedAt}
			}
			return json.Marshal(short)
		}
		want, err := byHand()
		if err != nil {
			return contest{}, err
		}
		got, err := enc.Append(nil, &page, detail.Summary)
		if err != nil {
			return contest{}, err
		}
		if string(got) != string(want) {
			return contest{}, fmt.Errorf("summaries differ: %s", got)
		}
		floor := each("hand-written summary struct + json.Marshal", func() error { _, err := byHand(); return err })
		return contest{
			subject: each("detail.Encoder.Append", func() error {
				_, err := enc.Append(nil, &page, detail.Summary)
				return err
			}),
			floor: &floor,
			peers: []op{each("encode all, read back, delete, encode", func() error {
				raw, err := json.Marshal(page)
				if err != nil {
					return err
				}
				var rows []map[string]any
				if err := json.Unmarshal(raw, &rows); err != nil {
					return err
				}
				for _, row := range rows {
					for _, name := range []string{"body", "assignee_logins", "milestone_number", "comment_count", "locked", "created_at", "closed_at", "html_url"} {
						delete(row, name)
					}
				}
				_, err = json.Marshal(rows)
				return err
			})},
		}, nil
	}}}
}
