package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/gowebpki/jcs"
	"github.com/mcpkit-go/agentmcp/versioning"
)

// A record has about 350 bytes of canonical JSON. Its fields are declared in
// the order of their names, so encoding/json writes it canonically.
type record struct {
	Assignees []string `json:"assignees"`
	Body      string   `json:"body"`
	CreatedAt string   `json:"created_at"`
	Number    int      `json:"issue_number"`
	Labels    []string `json:"labels"`
	Locked    bool     `json:"locked"`
	Milestone *int     `json:"milestone"`
	Score     float64  `json:"score"`
	State     string   `json:"state"`
	Title     string   `json:"title"`
}

type recordList struct {
	Records []record `json:"records"`
}

func recordsOf(size int) recordList {
	var list recordList
	for n := 0; n < size; n += 350 {
		list.Records = append(list.Records, record{
			Number: 500 + n, Title: fmt.Sprintf("Retries of request %d are not counted", n),
			Body:  "Open the page, then wait for the retry.\nThe counter stays at zero, and the log says \"done\".",
			State: "open", Labels: []string{"area/api", "bug", "resolved"}, Assignees: []string{"ada", "grace"},
			Score: float64(n) / 4, CreatedAt: "2026-07-28T12:00:00Z",
		})
	}
	return list
}

var sizes = []struct {
	name string
	size int
}{{"1 KB", 1 << 10}, {"64 KB", 64 << 10}, {"1 MB", 1 << 20}}

// A document is one size of JSON in all its forms.
type document struct {
	value     recordList
	canonical []byte
	indented  []byte
}

func documentOf(size int) (document, error) {
	d := document{value: recordsOf(size)}
	raw, err := json.Marshal(d.value)
	if err != nil {
		return d, err
	}
	if d.canonical, err = versioning.Canonical(raw); err != nil {
		return d, err
	}
	other, err := jcs.Transform(raw)
	if err != nil {
		return d, err
	}
	if !bytes.Equal(other, d.canonical) {
		return d, errors.New("jcs disagrees")
	}
	var buf bytes.Buffer
	err = json.Indent(&buf, raw, "", "  ")
	d.indented = buf.Bytes()
	return d, err
}

// canonicalPeers are what else makes a hash of canonical JSON.
func canonicalPeers(raw []byte) []op {
	var buf []byte
	return []op{
		each("gowebpki/jcs + SHA-256", func() error {
			c, err := jcs.Transform(raw)
			sha256.Sum256(c)
			return err
		}),
		each("go-json-experiment jsontext + SHA-256", func() error {
			buf = append(buf[:0], raw...) // it works in place
			v := jsontext.Value(buf)
			err := v.Canonicalize()
			sha256.Sum256(v)
			buf = v
			return err
		}),
	}
}

func tokenContest(size int, subject func(document) op, peers func(document) []op) func() (contest, error) {
	return func() (contest, error) {
		d, err := documentOf(size)
		if err != nil {
			return contest{}, err
		}
		floor := each("SHA-256 of the canonical bytes", func() error { sha256.Sum256(d.canonical); return nil })
		c := contest{subject: subject(d), floor: &floor}
		if peers != nil {
			c.peers = peers(d)
		}
		return c, nil
	}
}

func appendToken(name string, raw []byte) op {
	token := make([]byte, 0, 64)
	return each(name, func() error {
		_, err := versioning.AppendOfJSON(token, raw)
		return err
	})
}

func tokenRows() []row {
	var all []row
	for _, s := range sizes {
		all = append(all, row{"canonical bytes → version token, " + s.name, allocating(5, 0), tokenContest(s.size,
			func(d document) op { return appendToken("versioning.AppendOfJSON", d.canonical) },
			func(d document) []op { return canonicalPeers(d.canonical) })})
	}
	for _, s := range sizes {
		all = append(all, row{"the same from indented JSON, " + s.name, noGoal, tokenContest(s.size,
			func(d document) op { return appendToken("versioning.AppendOfJSON", d.indented) },
			func(d document) []op { return canonicalPeers(d.indented) })})
	}
	for _, s := range sizes {
		all = append(all, row{"Go value → version token, " + s.name, atMost(12), tokenContest(s.size,
			func(d document) op {
				return each("versioning.Of", func() error { _, err := versioning.Of(&d.value); return err })
			},
			func(d document) []op {
				return []op{each("json.Marshal, gowebpki/jcs, SHA-256", func() error {
					raw, err := json.Marshal(&d.value)
					if err != nil {
						return err
					}
					c, err := jcs.Transform(raw)
					sha256.Sum256(c)
					return err
				})}
			})})
	}
	return all
}
