package versioning

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Surface is all that clients can learn of a server before they call it: the
// document that a project saves as surface.json, so that [Diff] can say later
// what changed. Every member may be absent. The records are those of the MCP
// listings, one JSON object each: the elements of tools, resources,
// resourceTemplates and prompts, so that the result of a foreign server's
// tools/list, without its cursor and cache hints, is a Surface too.
//
// Markers are found in the records' _meta, under the first part of the key that
// the server chose: <reverse-dns>/lifecycle is a [Lifecycle], and
// <reverse-dns>/errors the list of codes that a tool returns.
type Surface struct {
	// Name and Version are those of the server; its version is the label of
	// this surface.
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`
	// Summary is what the server says about its purpose, in any JSON form.
	Summary json.RawMessage `json:"summary,omitempty"`
	// Capabilities is the object of that name in initialize or
	// server/discover.
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
	// Tools and Prompts have unique names, Resources unique uris,
	// ResourceTemplates unique uriTemplates. Their order has no meaning.
	Tools             []json.RawMessage `json:"tools,omitempty"`
	Resources         []json.RawMessage `json:"resources,omitempty"`
	ResourceTemplates []json.RawMessage `json:"resourceTemplates,omitempty"`
	Prompts           []json.RawMessage `json:"prompts,omitempty"`
	// ErrorCodes has a sentence on the meaning of each code.
	ErrorCodes map[string]string `json:"error_codes,omitempty"`
}

// ParseSurface reads a surface document. It refuses what [Canonical] refuses
// and what [Surface.Validate] finds, and any member that [Surface] does not
// have, for it would go uncompared.
func ParseSurface(data []byte) (Surface, error) {
	canonical, err := Canonical(data)
	if err != nil {
		return Surface{}, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(canonical, &members); err != nil || members == nil {
		return Surface{}, errors.New("versioning: surface: must be a JSON object")
	}
	var s Surface
	targets := map[string]struct {
		into any
		form string
	}{
		"name":              {&s.Name, "a string"},
		"version":           {&s.Version, "a string"},
		"summary":           {&s.Summary, "a value"},
		"capabilities":      {&s.Capabilities, "an object"},
		"tools":             {&s.Tools, "a list"},
		"resources":         {&s.Resources, "a list"},
		"resourceTemplates": {&s.ResourceTemplates, "a list"},
		"prompts":           {&s.Prompts, "a list"},
		"error_codes":       {&s.ErrorCodes, "an object of strings"},
	}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(members)) {
		target, ok := targets[name]
		switch {
		case !ok:
			faults = append(faults, fmt.Errorf("versioning: surface: has a member that no surface has; the members are %s",
				strings.Join(slices.Sorted(maps.Keys(targets)), ", ")))
		case string(members[name]) == "null" || json.Unmarshal(members[name], target.into) != nil:
			faults = append(faults, fmt.Errorf("versioning: surface: %s: must be %s", name, target.form))
		}
	}
	if len(faults) == 0 {
		faults = append(faults, s.Validate())
	}
	if err := errors.Join(faults...); err != nil {
		return Surface{}, err
	}
	return s, nil
}

// Validate returns nil or one error that joins all faults, each naming its
// place: a record that is not a JSON object, has no identifier (name, uri or
// uriTemplate) or that of an earlier one, a tool's schema that is neither an
// object nor a boolean, a lifecycle marker that is malformed, such as one with
// a date that is not RFC 3339.
func (s Surface) Validate() error {
	_, err := s.contract()
	return err
}

// Format returns the document to save: canonical members, records sorted by
// identifier, indented by two spaces, with a newline at its end. Equal surfaces
// have equal documents, whatever the order of their records and members. It
// fails as [Surface.Validate] does.
func (s Surface) Format() ([]byte, error) {
	c, err := s.contract()
	if err != nil {
		return nil, err
	}
	for i, list := range s.lists() {
		sorted := make([]json.RawMessage, 0, len(*list))
		for _, id := range slices.Sorted(maps.Keys(c.records[i])) {
			sorted = append(sorted, rawJSON(c.records[i][id].members))
		}
		*list = sorted
	}
	var document bytes.Buffer
	encoder := json.NewEncoder(&document)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return nil, err
	}
	canonical, err := Canonical(document.Bytes())
	if err != nil {
		return nil, err
	}
	document.Reset()
	if err := json.Indent(&document, canonical, "", "  "); err != nil {
		return nil, err
	}
	document.WriteByte('\n')
	return document.Bytes(), nil
}

// kinds are the listings and what identifies a record in each, in the order of
// [Surface.lists].
var kinds = []struct{ list, id, one string }{
	{"tools", "name", "tool"},
	{"resources", "uri", "resource"},
	{"resourceTemplates", "uriTemplate", "resource template"},
	{"prompts", "name", "prompt"},
}

func (s *Surface) lists() []*[]json.RawMessage {
	return []*[]json.RawMessage{&s.Tools, &s.Resources, &s.ResourceTemplates, &s.Prompts}
}

// A contract is a surface as trees.
type contract struct {
	summary, capabilities any // absent if nil
	records               []map[string]record
}

type record struct {
	members   map[string]any
	lifecycle Lifecycle
}

func (s Surface) contract() (contract, error) {
	c := contract{records: make([]map[string]record, len(kinds))}
	var faults []error
	fault := func(place string, err error) {
		faults = append(faults, fmt.Errorf("versioning: surface: %s: %w", place, err))
	}
	read := func(place string, raw json.RawMessage) (tree any) {
		if raw == nil {
			return nil
		}
		tree, err := treeOf(raw)
		if err != nil {
			fault(place, err)
		}
		return tree
	}
	c.summary = read("summary", s.Summary)
	if c.capabilities = read("capabilities", s.Capabilities); c.capabilities != nil {
		if _, ok := c.capabilities.(map[string]any); !ok {
			fault("capabilities", errors.New("must be an object"))
		}
	}
	for i, list := range s.lists() {
		c.records[i] = map[string]record{}
		for j, raw := range *list {
			place := fmt.Sprintf("%s[%d]", kinds[i].list, j)
			tree, err := treeOf(raw)
			if err != nil {
				fault(place, err)
				continue
			}
			members, ok := tree.(map[string]any)
			if !ok {
				fault(place, errors.New("must be an object"))
				continue
			}
			id, ok := members[kinds[i].id].(string)
			if !ok || id == "" {
				fault(place, fmt.Errorf("%s: must be a string that is not empty", kinds[i].id))
				continue
			}
			if _, ok := c.records[i][id]; ok {
				fault(place, fmt.Errorf("%s: is that of an earlier record", kinds[i].id))
			}
			lifecycle, err := lifecycleOf(members)
			if err != nil {
				fault(place, err)
			}
			if kinds[i].list == "tools" {
				for _, name := range []string{"inputSchema", "outputSchema"} {
					if schema, ok := members[name]; ok && !isSchema(schema) {
						fault(place, fmt.Errorf("%s: must be an object or a boolean", name))
					}
				}
			}
			c.records[i][id] = record{members, lifecycle}
		}
	}
	return c, errors.Join(faults...)
}

func isSchema(v any) bool {
	switch v.(type) {
	case map[string]any, bool:
		return true
	}
	return false
}

// treeOf reads JSON into maps, lists and json.Numbers in canonical spelling, so
// that reflect.DeepEqual compares values.
func treeOf(raw []byte) (any, error) {
	canonical, err := Canonical(raw)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(canonical))
	decoder.UseNumber()
	var tree any
	err = decoder.Decode(&tree)
	return tree, err
}

// rawJSON is the JSON of a tree, in one line.
func rawJSON(tree any) json.RawMessage {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(tree); err != nil {
		return nil // no tree of treeOf's fails
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte{'\n'})
}
