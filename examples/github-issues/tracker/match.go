package tracker

import (
	"slices"
	"strings"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
)

// predicate decides about one record.
type predicate func(*record) bool

// compiler turns a query into a predicate.
type compiler struct {
	login                 string         // @me
	visible               []backend.Repo // what repo, user and org may name
	title, body, comments bool           // where words are looked for
}

func compile(q backend.Query, login string, visible []backend.Repo) (predicate, error) {
	c := &compiler{login: login, visible: visible}
	all := []predicate{}
	must := func(set bool, p predicate) {
		if set {
			all = append(all, p)
		}
	}
	must(q.State != "", func(r *record) bool { return r.issue.State == q.State })
	must(q.Assignee != "", func(r *record) bool { return containsFold(r.issue.Assignees, q.Assignee) })
	must(q.Creator != "", func(r *record) bool { return strings.EqualFold(r.issue.Author, q.Creator) })
	must(!q.UpdatedAfter.IsZero(), func(r *record) bool { return !r.issue.UpdatedAt.Before(q.UpdatedAfter) })
	for _, label := range q.Labels {
		must(true, hasLabel(label))
	}
	if q.Text != "" {
		text, err := c.text(q.Text)
		if err != nil {
			return nil, err
		}
		must(true, text)
	}
	return every(all), nil
}

// text compiles a search text.
func (c *compiler) text(text string) (predicate, error) {
	terms := backend.ParseText(text)
	if err := c.where(terms); err != nil {
		return nil, err
	}
	var all, places []predicate
	for _, term := range terms {
		if term.Qualifier == "in" {
			continue
		}
		p, err := c.term(term)
		switch {
		case err != nil:
			return nil, err
		case p == nil:
			// Nothing but punctuation.
		case !term.Not && (term.Qualifier == "repo" || term.Qualifier == "user" || term.Qualifier == "org"):
			places = append(places, p)
		default:
			all = append(all, p)
		}
	}
	if len(places) > 0 {
		all = append(all, some(places))
	}
	if len(all) == 0 {
		return nil, &backend.InvalidQueryError{Reason: "contains nothing to search for"}
	}
	return every(all), nil
}

// where reads the in terms, which apply to all words.
func (c *compiler) where(terms []backend.Term) error {
	for _, term := range terms {
		if term.Qualifier != "in" {
			continue
		}
		for _, value := range term.Values {
			switch strings.ToLower(value) {
			case "title":
				c.title = true
			case "body":
				c.body = true
			case "comments":
				c.comments = true
			default:
				return refuse("in", "takes a part of an issue", "title", "body", "comments")
			}
		}
		if term.Not {
			return refuse("in", "cannot be negated", "title", "body", "comments")
		}
	}
	if !c.title && !c.body && !c.comments {
		c.title, c.body, c.comments = true, true, true
	}
	return nil
}

// term compiles one term. It returns nil if the term says nothing.
func (c *compiler) term(term backend.Term) (predicate, error) {
	var any []predicate
	for _, value := range term.Values {
		var p predicate
		var err error
		switch {
		case term.Qualifier == "" && !term.Quoted && value == "OR":
			return nil, &backend.InvalidQueryError{Reason: `uses OR, which is not supported; search once per alternative, or write it in quotes to find the word`}
		case term.Qualifier == "":
			p = c.phrase(value, term.Quoted)
		case qualifiers[term.Qualifier] != nil:
			p, err = qualifiers[term.Qualifier](c, value)
		case slices.Contains(foreign, term.Qualifier):
			err = refuse(term.Qualifier, "is not supported by this tracker")
		default:
			p = c.phrase(term.Qualifier+" "+value, false)
		}
		if err != nil {
			return nil, err
		}
		if p != nil {
			any = append(any, p)
		}
	}
	if len(any) == 0 {
		return nil, nil
	}
	p := some(any)
	if term.Not {
		return func(r *record) bool { return !p(r) }, nil
	}
	return p, nil
}

// phrase looks for a text in the places that in has chosen.
func (c *compiler) phrase(text string, whole bool) predicate {
	phrase := words(text)
	if len(phrase) == 0 {
		return nil
	}
	return func(r *record) bool {
		return c.title && contains(r.title, phrase, whole) ||
			c.body && contains(r.body, phrase, whole) ||
			c.comments && slices.ContainsFunc(r.comments, func(cm comment) bool { return contains(cm.words, phrase, whole) })
	}
}

// refuse makes the error about the value of a known qualifier.
func refuse(qualifier, reason string, allowed ...string) error {
	return &backend.InvalidQueryError{
		Qualifier: qualifier,
		Reason:    "contains the qualifier " + qualifier + ", which " + reason,
		Allowed:   allowed,
	}
}

func every(list []predicate) predicate {
	return func(r *record) bool {
		return !slices.ContainsFunc(list, func(p predicate) bool { return !p(r) })
	}
}

func some(list []predicate) predicate {
	return func(r *record) bool {
		return slices.ContainsFunc(list, func(p predicate) bool { return p(r) })
	}
}
