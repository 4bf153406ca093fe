package envelope

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// An Entry documents one code: what it means, in one line of prose.
type Entry struct {
	Code    Code   `json:"code"`
	Meaning string `json:"meaning"`
}

// A Catalog is the set of codes that a tool or a server may return. It does
// not change; the zero Catalog is empty.
type Catalog struct {
	entries []Entry // sorted by code
}

// NewCatalog returns a catalog of the entries. Its error lists every fault: a
// code that is not snake_case, a meaning that is empty or not printable on one
// line of at most 2 KiB, a code with two meanings. The same entry twice is no
// fault.
func NewCatalog(entries ...Entry) (Catalog, error) {
	sorted := slices.Clone(entries)
	slices.SortStableFunc(sorted, func(a, b Entry) int { return cmp.Compare(a.Code, b.Code) })
	sorted = slices.Compact(sorted)

	var faults []error
	for i, e := range sorted {
		if !e.Code.Valid() {
			faults = append(faults, fmt.Errorf("envelope: code %s is not snake_case", Quote(string(e.Code), 80)))
		}
		if e.Meaning == "" || plain(e.Meaning) == "" {
			faults = append(faults, fmt.Errorf("envelope: code %s: meaning is not one line of text", Quote(string(e.Code), 80)))
		}
		if i > 0 && sorted[i-1].Code == e.Code {
			faults = append(faults, fmt.Errorf("envelope: code %s has two meanings", Quote(string(e.Code), 80)))
		}
	}
	if len(faults) > 0 {
		return Catalog{}, errors.Join(faults...)
	}
	return Catalog{sorted}, nil
}

// Merge returns a catalog of all entries of c and others. A code with two
// meanings is an error, as in [NewCatalog].
func (c Catalog) Merge(others ...Catalog) (Catalog, error) {
	all := slices.Clone(c.entries)
	for _, o := range others {
		all = append(all, o.entries...)
	}
	return NewCatalog(all...)
}

// Meaning returns what code means, and whether the catalog has it.
func (c Catalog) Meaning(code Code) (string, bool) {
	i, ok := slices.BinarySearchFunc(c.entries, code, func(e Entry, code Code) int { return cmp.Compare(e.Code, code) })
	if !ok {
		return "", false
	}
	return c.entries[i].Meaning, true
}

// Codes returns all codes, sorted.
func (c Catalog) Codes() []Code {
	codes := make([]Code, len(c.entries))
	for i, e := range c.entries {
		codes[i] = e.Code
	}
	return codes
}

// Entries returns all entries, sorted by code; it is never nil, so it encodes
// as a JSON array.
func (c Catalog) Entries() []Entry { return append([]Entry{}, c.entries...) }

// Standard returns the catalog of the codes that this package defines. Their
// meanings are also the default messages.
func Standard() Catalog { return standard }

// standard is sorted by code.
var standard = Catalog{[]Entry{
	{CodeCanceled, "The call was canceled before it finished."},
	{CodeConflict, "The resource changed since the version that the call was based on."},
	{CodeCursorExpired, "The cursor has expired; start again from the first page."},
	{CodeDeadlineExceeded, "The call did not finish in time."},
	{CodeIdempotencyInProgress, "The first call with this idempotency key has not finished yet."},
	{CodeIdempotencyKeyExpired, "This idempotency key was used and its window is over; it cannot be used again."},
	{CodeIdempotencyKeyReused, "This idempotency key was already used with other arguments."},
	{CodeInsufficientScope, "The credential is valid but does not permit this call."},
	{CodeInternal, "The server failed in a way that the call cannot repair; request_id identifies the failure."},
	{CodeInvalidCredential, "The credential was rejected."},
	{CodeInvalidField, "A parameter is invalid."},
	{CodeMissingCredential, "No credential was provided."},
	{CodeNotFound, "The requested thing does not exist or is not visible to the caller."},
	{CodeOutcomeUnknown, "The call may or may not have taken effect; find out before sending it again."},
	{CodeRateLimited, "A rate limit refused the call."},
	{CodeUnknownTool, "No tool of this name is registered."},
	{CodeUpstreamUnavailable, "A service that this call depends on is unavailable."},
}}

// meaningOr returns the standard meaning of code, or other.
func meaningOr(code Code, other string) string {
	if m, ok := standard.Meaning(code); ok {
		return m
	}
	return other
}
