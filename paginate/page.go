package paginate

import (
	"errors"
	"fmt"
)

// Page holds the pagination fields of a result. Embed it in an output struct,
// or copy it into fields of other names with a setter of [Prefixed]. Optional
// fields are absent when they do not apply, never null or empty.
type Page struct {
	HasMore        bool   `json:"has_more" jsonschema_description:"True when next_cursor fetches more items."`
	NextCursor     string `json:"next_cursor,omitempty" jsonschema_description:"Present iff has_more is true."`
	EstimatedTotal *int64 `json:"estimated_total,omitempty" jsonschema:"minimum=0" jsonschema_description:"Count of matching items; absent when the source does not report one."`
	Truncated      bool   `json:"truncated" jsonschema_description:"True when this walk ended at its item cap; no cursor reaches the rest."`
	TruncationHint string `json:"truncation_hint,omitempty" jsonschema_description:"Present iff truncated; names a parameter that narrows the call."`
}

// Continuation is the part of [Page] for lists without a budget, which are
// never truncated.
type Continuation struct {
	HasMore    bool   `json:"has_more" jsonschema_description:"True when next_cursor fetches more items."`
	NextCursor string `json:"next_cursor,omitempty" jsonschema_description:"Present iff has_more is true."`
}

// Page returns the fields that describe r. Seal makes the cursor of a
// position; it is called once if there is a next page, else not at all. Hint
// is the truncation hint, a sentence that names a parameter of the call which
// narrows it; it appears only if r is truncated. EstimatedTotal is left for the
// caller to set.
//
// An error of seal is returned as it is. A missing seal or an empty cursor where
// there is a next page, and an empty hint for a truncated result, are errors
// too.
func (r Result[R, K]) Page(seal func(Position[K]) (string, error), hint string) (Page, error) {
	page := Page{Truncated: r.Truncated}
	if r.Truncated {
		if hint == "" {
			return Page{}, errors.New("paginate: a truncated result needs a hint")
		}
		page.TruncationHint = hint
	}
	if r.Next == nil {
		return page, nil
	}
	if seal == nil {
		return Page{}, errors.New("paginate: a next page needs seal")
	}
	token, err := seal(*r.Next)
	if err != nil {
		return Page{}, err
	}
	if token == "" {
		return Page{}, errors.New("paginate: seal returned an empty cursor")
	}
	page.HasMore, page.NextCursor = true, token
	return page, nil
}

// Size returns the page size to use for a requested one: def for 0, max for
// more than max, requested itself otherwise (AIP-158). A negative request is
// an error, and so are bounds for which 1 ≤ def ≤ max does not hold.
func Size(requested, def, max int) (int, error) {
	switch {
	case def < 1 || max < def:
		return 0, fmt.Errorf("paginate: default page size %d and maximum %d, need 1 ≤ default ≤ maximum", def, max)
	case requested < 0:
		return 0, errors.New("paginate: page size is negative")
	case requested == 0:
		return def, nil
	}
	return min(requested, max), nil
}
