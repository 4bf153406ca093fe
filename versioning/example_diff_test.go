package versioning_test

import (
	"fmt"

	"github.com/mcpkit-go/agentmcp/versioning"
)

func ExampleDiff() {
	old, err := versioning.ParseSurface([]byte(`{
		"tools": [{
			"name": "wiki_list_pages",
			"description": "List pages.",
			"inputSchema": {"properties": {
				"sort": {"enum": ["title", "updated"]},
				"limit": {"maximum": 100}
			}},
			"outputSchema": {"properties": {"state": {"enum": ["draft", "final"]}}}
		}],
		"error_codes": {"page_not_found": "No page has this slug."}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	new, err := versioning.ParseSurface([]byte(`{
		"tools": [{
			"name": "wiki_list_pages",
			"description": "List the pages of one space.",
			"inputSchema": {"properties": {
				"sort": {"enum": ["title"]},
				"limit": {"maximum": 200},
				"space": {"default": "main"}
			}, "required": ["space"]},
			"outputSchema": {"properties": {"state": {"enum": ["draft", "final", "archived"]}}}
		}],
		"error_codes": {"page_not_found": "No page has this slug.", "space_not_found": "No space has this name."}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	changes, err := versioning.Diff(old, new)
	for _, c := range changes {
		fmt.Println(c.Class, c.Path)
	}
	fmt.Println(err)
	// Output:
	// additive /error_codes/space_not_found
	// documentation /tools/wiki_list_pages/description
	// additive /tools/wiki_list_pages/inputSchema/properties/limit/maximum
	// breaking /tools/wiki_list_pages/inputSchema/properties/sort/enum
	// breaking /tools/wiki_list_pages/inputSchema/properties/space
	// breaking /tools/wiki_list_pages/outputSchema/properties/state/enum
	// <nil>
}

func ExampleSurface_Format() {
	s, err := versioning.ParseSurface([]byte(`{"version":"1.0.0","tools":[{"title":"Get page","name":"wiki_get_page"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	document, err := s.Format()
	fmt.Print(string(document), err)
	// Output:
	// {
	//   "tools": [
	//     {
	//       "name": "wiki_get_page",
	//       "title": "Get page"
	//     }
	//   ],
	//   "version": "1.0.0"
	// }
	// <nil>
}
