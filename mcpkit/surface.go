package mcpkit

import "github.com/mcpkit-go/agentmcp/versioning"

// Surface returns all that clients can learn of the server before they call it,
// the same in every process: name, version and title, summary and scope, the
// records of the listings with their lifecycle markers and codes, and the
// meanings of all codes: what [Kit.Fingerprint] covers, and the title. The
// caller may change it.
//
// Save its [versioning.Surface.Format] as surface.json beside the server, and
// have a test compare the two with [versioning.Diff], so that nothing that
// clients see changes unnoticed.
func (k *Kit) Surface() versioning.Surface {
	s := versioning.Surface{
		Name: k.server.Name, Version: k.server.Version,
		Summary: mustJSON(scope{
			Title: k.Title(), Summary: k.server.Summary,
			Does: k.server.Does, DoesNot: k.server.DoesNot,
		}),
		ErrorCodes: map[string]string{},
	}
	for _, r := range k.Tools() {
		s.Tools = append(s.Tools, mustJSON(r))
	}
	for _, code := range k.codes.Codes() {
		s.ErrorCodes[string(code)], _ = k.codes.Meaning(code)
	}
	return s
}

// scope is the summary in a surface document.
type scope struct {
	Title   string   `json:"title"`
	Summary string   `json:"summary"`
	Does    []string `json:"does"`
	DoesNot []string `json:"does_not"`
}
