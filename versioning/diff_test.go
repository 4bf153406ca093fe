package versioning_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/versioning"
)

// diff returns "class path" for each change between two surface documents.
func diff(t *testing.T, old, new string) []string {
	t.Helper()
	var surfaces [2]versioning.Surface
	for i, document := range []string{old, new} {
		var err error
		if surfaces[i], err = versioning.ParseSurface([]byte(document)); err != nil {
			t.Fatalf("%s: %v", document, err)
		}
	}
	changes, err := versioning.Diff(surfaces[0], surfaces[1])
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		if c.Reason == "" || strings.Contains(c.Reason, "\n") || c.Before == nil && c.After == nil {
			t.Errorf("incomplete: %+v", c)
		}
		got = append(got, string(c.Class)+" "+c.Path)
	}
	return got
}

func list(changes ...string) []string { return changes }

const (
	breaking      = "breaking "
	additive      = "additive "
	documentation = "documentation "
)

// Each row is one edit of a schema, and what it is called in an input and in an
// output. Paths are relative to the schema.
func TestDiffSchemas(t *testing.T) {
	for _, row := range []struct {
		name          string
		old, new      string
		input, output []string
	}{
		// public fault 112
		{"permuted required", `{"required":["a","b"]}`, `{"required":["b","a"]}`, nil, nil},
		{"permuted enum", `{"enum":["a","b"]}`, `{"enum":["b","a"]}`, nil, nil},
		{"permuted type", `{"type":["string","null"]}`, `{"type":["null","string"]}`, nil, nil},
		{"permuted prefixItems", `{"prefixItems":[{"type":"string"},{"type":"boolean"}]}`, `{"prefixItems":[{"type":"boolean"},{"type":"string"}]}`,
			list(breaking+"/prefixItems/0/type", breaking+"/prefixItems/1/type"), list(breaking+"/prefixItems/0/type", breaking+"/prefixItems/1/type")},
		{"description", `{"description":"A."}`, `{"description":"B."}`, list(documentation + "/description"), list(documentation + "/description")},
		{"title added", `{}`, `{"title":"A"}`, list(documentation + "/title"), list(documentation + "/title")},
		{"examples removed", `{"examples":[1]}`, `{}`, list(documentation + "/examples"), list(documentation + "/examples")},
		{"property named description", `{"properties":{"description":{"maxLength":2}}}`, `{"properties":{"description":{"maxLength":1}}}`,
			list(breaking + "/properties/description/maxLength"), list(additive + "/properties/description/maxLength")},

		// public fault 113
		{"enum value removed", `{"enum":["open","all"]}`, `{"enum":["open"]}`, list(breaking + "/enum"), list(additive + "/enum")},
		{"enum value added", `{"enum":["open"]}`, `{"enum":["open","all"]}`, list(additive + "/enum"), list(breaking + "/enum")},
		{"enum values renamed", `{"enum":["a"]}`, `{"enum":["b"]}`, list(breaking+"/enum", additive+"/enum"), list(additive+"/enum", breaking+"/enum")},
		{"new required", `{"properties":{}}`, `{"properties":{"a":{}},"required":["a"]}`, list(breaking + "/properties/a"), list(additive + "/properties/a")},
		{"new required with default", `{}`, `{"properties":{"a":{"default":1}},"required":["a"]}`, list(breaking + "/properties/a"), list(additive + "/properties/a")},
		{"new optional", `{"additionalProperties":false}`, `{"additionalProperties":false,"properties":{"a":{}}}`, list(additive + "/properties/a"), list(additive + "/properties/a")},

		{"property removed", `{"properties":{"a":{}}}`, `{}`, list(breaking + "/properties/a"), list(breaking + "/properties/a")},
		{"required property removed", `{"properties":{"a":{}},"required":["a"]}`, `{}`, list(breaking + "/properties/a"), list(breaking + "/properties/a")},
		{"renamed", `{"properties":{"a":{}}}`, `{"properties":{"b":{}}}`, list(breaking+"/properties/a", additive+"/properties/b"), list(breaking+"/properties/a", additive+"/properties/b")},
		{"now required", `{"properties":{"a":{}}}`, `{"properties":{"a":{}},"required":["a"]}`, list(breaking + "/required"), list(additive + "/required")},
		{"no longer required", `{"properties":{"a":{}},"required":["a"]}`, `{"properties":{"a":{}}}`, list(additive + "/required"), list(breaking + "/required")},
		{"required without property", `{}`, `{"required":["a"]}`, list(breaking + "/required"), list(additive + "/required")},
		{"required left, property came", `{"required":["a"]}`, `{"properties":{"a":{}}}`, list(additive+"/properties/a", additive+"/required"), list(additive+"/properties/a", breaking+"/required")},

		{"const changed", `{"const":1}`, `{"const":2}`, list(breaking+"/const", additive+"/const"), list(additive+"/const", breaking+"/const")},
		{"const widened to enum", `{"const":1}`, `{"enum":[1,2]}`, list(additive + "/enum"), list(breaking + "/enum")},
		{"const is an enum of one", `{"const":1.0}`, `{"enum":[1]}`, nil, nil},
		{"enum dropped", `{"enum":[1]}`, `{}`, list(additive + "/enum"), list(breaking + "/enum")},
		{"enum introduced", `{}`, `{"enum":[1]}`, list(breaking + "/enum"), list(additive + "/enum")},
		{"enum beside const", `{"enum":[1,2],"const":1}`, `{"enum":[1,2],"const":2}`, list(breaking + "/const"), list(breaking + "/const")},

		{"nullable", `{"type":"string"}`, `{"type":["string","null"]}`, list(additive + "/type"), list(breaking + "/type")},
		{"no longer nullable", `{"type":["string","null"]}`, `{"type":"string"}`, list(breaking + "/type"), list(additive + "/type")},
		{"integer to number", `{"type":"integer"}`, `{"type":"number"}`, list(additive + "/type"), list(breaking + "/type")},
		{"number to integer", `{"type":"number"}`, `{"type":"integer"}`, list(breaking + "/type"), list(additive + "/type")},
		{"number includes integer", `{"type":"number"}`, `{"type":["integer","number"]}`, nil, nil},
		{"another type", `{"type":"string"}`, `{"type":"integer"}`, list(breaking + "/type"), list(breaking + "/type")},
		{"type added", `{}`, `{"type":"string"}`, list(breaking + "/type"), list(additive + "/type")},
		{"type of all types", `{}`, `{"type":["array","boolean","null","number","object","string"]}`, nil, nil},

		{"maximum lowered", `{"maximum":100}`, `{"maximum":50}`, list(breaking + "/maximum"), list(additive + "/maximum")},
		{"maximum raised", `{"maximum":9007199254740992}`, `{"maximum":9007199254740993}`, list(additive + "/maximum"), list(breaking + "/maximum")},
		{"maximum spelled otherwise", `{"maximum":100}`, `{"maximum":1e2}`, nil, nil},
		{"minimum raised", `{"minimum":0}`, `{"minimum":0.5}`, list(breaking + "/minimum"), list(additive + "/minimum")},
		{"minimum removed", `{"minimum":0}`, `{}`, list(additive + "/minimum"), list(breaking + "/minimum")},
		{"minimum exclusive", `{"minimum":0}`, `{"exclusiveMinimum":0}`, list(breaking + "/exclusiveMinimum"), list(additive + "/exclusiveMinimum")},
		{"maximum inclusive", `{"exclusiveMaximum":9}`, `{"maximum":9}`, list(additive + "/maximum"), list(breaking + "/maximum")},
		{"slack bound", `{"minimum":5}`, `{"minimum":5,"exclusiveMinimum":1}`, nil, nil},
		{"maxLength added", `{}`, `{"maxLength":5}`, list(breaking + "/maxLength"), list(additive + "/maxLength")},
		{"minLength of none", `{}`, `{"minLength":0}`, nil, nil},
		{"minItems raised", `{"minItems":1}`, `{"minItems":2}`, list(breaking + "/minItems"), list(additive + "/minItems")},
		{"maxItems raised", `{"maxItems":1}`, `{"maxItems":2}`, list(additive + "/maxItems"), list(breaking + "/maxItems")},
		{"minContains default", `{"contains":{}}`, `{"contains":{},"minContains":1}`, nil, nil},
		{"multipleOf finer", `{"multipleOf":10}`, `{"multipleOf":2.5}`, list(additive + "/multipleOf"), list(breaking + "/multipleOf")},
		{"multipleOf coarser", `{"multipleOf":2}`, `{"multipleOf":4}`, list(breaking + "/multipleOf"), list(additive + "/multipleOf")},
		{"multipleOf other", `{"multipleOf":2}`, `{"multipleOf":3}`, list(breaking + "/multipleOf"), list(breaking + "/multipleOf")},
		{"uniqueItems", `{"uniqueItems":false}`, `{"uniqueItems":true}`, list(breaking + "/uniqueItems"), list(additive + "/uniqueItems")},
		{"uniqueItems off", `{}`, `{"uniqueItems":false}`, nil, nil},

		{"pattern added", `{}`, `{"pattern":"^a"}`, list(breaking + "/pattern"), list(additive + "/pattern")},
		{"pattern removed", `{"pattern":"^a"}`, `{}`, list(additive + "/pattern"), list(breaking + "/pattern")},
		{"pattern changed", `{"pattern":"^a"}`, `{"pattern":"^[ab]"}`, list(breaking + "/pattern"), list(breaking + "/pattern")},
		{"format added", `{}`, `{"format":"date"}`, list(breaking + "/format"), list(additive + "/format")},
		{"format removed", `{"format":"date"}`, `{}`, list(additive + "/format"), list(breaking + "/format")},
		{"format changed", `{"format":"date"}`, `{"format":"date-time"}`, list(breaking + "/format"), list(breaking + "/format")},
		{"default changed", `{"default":10}`, `{"default":20}`, list(breaking + "/default"), list(breaking + "/default")},
		{"default added", `{}`, `{"default":null}`, list(additive + "/default"), list(additive + "/default")},
		{"default removed", `{"default":10}`, `{}`, list(breaking + "/default"), list(breaking + "/default")},

		{"closed", `{}`, `{"additionalProperties":false}`, list(breaking + "/additionalProperties"), list(additive + "/additionalProperties")},
		{"opened", `{"additionalProperties":false}`, `{}`, list(additive + "/additionalProperties"), list(breaking + "/additionalProperties")},
		{"open is the default", `{}`, `{"additionalProperties":true}`, nil, nil},
		{"additional typed", `{"additionalProperties":{}}`, `{"additionalProperties":{"type":"string"}}`, list(breaking + "/additionalProperties/type"), list(additive + "/additionalProperties/type")},
		{"element", `{"items":{"maxLength":9}}`, `{"items":{"maxLength":8}}`, list(breaking + "/items/maxLength"), list(additive + "/items/maxLength")},
		{"items forbidden", `{"prefixItems":[{}]}`, `{"prefixItems":[{}],"items":false}`, list(breaking + "/items"), list(additive + "/items")},
		{"position typed", `{"prefixItems":[{}]}`, `{"prefixItems":[{},{"type":"null"}]}`, list(breaking + "/prefixItems/1/type"), list(additive + "/prefixItems/1/type")},
		{"contains added", `{}`, `{"contains":{}}`, list(breaking + "/contains"), list(additive + "/contains")},
		{"patternProperties", `{}`, `{"patternProperties":{"^x/":{"type":"null"}}}`, list(breaking + "/patternProperties/^x~1/type"), list(additive + "/patternProperties/^x~1/type")},
		{"dependentRequired", `{"dependentRequired":{"a":["b","c"]}}`, `{"dependentRequired":{"a":["c","d"]}}`,
			list(additive+"/dependentRequired/a", breaking+"/dependentRequired/a"), list(breaking+"/dependentRequired/a", additive+"/dependentRequired/a")},
		{"anyOf branch added", `{"anyOf":[{"type":"null"}]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, list(additive + "/anyOf/0"), list(breaking + "/anyOf/0")},
		{"oneOf branch removed", `{"oneOf":[{"type":"string"},{"type":"null"}]}`, `{"oneOf":[{"type":"null"}]}`, list(breaking + "/oneOf/0"), list(additive + "/oneOf/0")},
		{"allOf branch added", `{"allOf":[{"minLength":1}]}`, `{"allOf":[{"minLength":1},{"maxLength":2}]}`, list(breaking + "/allOf/1"), list(additive + "/allOf/1")},
		{"anyOf added", `{}`, `{"anyOf":[{"type":"null"}]}`, list(breaking + "/anyOf"), list(additive + "/anyOf")},
		{"branches permuted", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`, nil, nil},
		{"in a branch", `{"anyOf":[{"maxLength":2},{"type":"null"}]}`, `{"anyOf":[{"type":"null"},{"maxLength":1}]}`, list(breaking + "/anyOf/1/maxLength"), list(additive + "/anyOf/1/maxLength")},
		{"not changed", `{"not":{"type":"null"}}`, `{"not":{"const":0}}`, list(breaking + "/not"), list(breaking + "/not")},
		{"unknown keyword", `{"x-hint":1}`, `{"x-hint":2}`, list(documentation + "/x-hint"), list(documentation + "/x-hint")},
		{"not readable as a schema", `{"properties":{"a":5}}`, `{"properties":{"a":6}}`, list(breaking + "/properties/a"), list(breaking + "/properties/a")},
		{"enum that is no list", `{"enum":5}`, `{"enum":6}`, list(breaking + "/enum"), list(breaking + "/enum")},

		{"behind a reference", `{"properties":{"a":{"$ref":"#/$defs/s"},"b":{"$ref":"#/$defs/s"}},"$defs":{"s":{"maxLength":2}}}`,
			`{"properties":{"a":{"$ref":"#/$defs/s"},"b":{"$ref":"#/$defs/s"}},"$defs":{"s":{"maxLength":1}}}`,
			list(breaking + "/properties/a/maxLength"), list(additive + "/properties/a/maxLength")},
		{"reference replaced by its target", `{"items":{"$ref":"#/$defs/s","title":"S"},"$defs":{"s":{"maxLength":2}}}`, `{"items":{"maxLength":2,"title":"S"}}`,
			nil, nil},
		{"recursive", `{"properties":{"child":{"$ref":"#"}}}`, `{"properties":{"child":{"$ref":"#"},"name":{}}}`, list(additive+"/properties/child/properties/name", additive+"/properties/name"), list(additive+"/properties/child/properties/name", additive+"/properties/name")},
		{"recursive against open", `{"additionalProperties":{"$ref":"#"},"type":"object"}`, `{"type":"object"}`, list(additive + "/additionalProperties/type"), list(breaking + "/additionalProperties/type")},
		{"foreign reference", `{"$ref":"https://example.com/a"}`, `{"$ref":"https://example.com/b"}`, list(breaking + "/$ref"), list(breaking + "/$ref")},
		{"behind an anchor", `{"items":{"$ref":"#s"},"$defs":{"s":{"$anchor":"s","maxLength":2}}}`, `{"items":{"$ref":"#s"},"$defs":{"s":{"$anchor":"s","maxLength":1}}}`,
			list(breaking + "/$defs/s"), list(breaking + "/$defs/s")},
		{"both reference and siblings count", `{"items":{"$ref":"#/$defs/s","maxLength":5},"$defs":{"s":{"maxLength":9}}}`, `{"items":{"$ref":"#/$defs/s","maxLength":5},"$defs":{"s":{"maxLength":8}}}`,
			list(breaking + "/items/allOf/0/maxLength"), list(additive + "/items/allOf/0/maxLength")},
	} {
		t.Run(row.name, func(t *testing.T) {
			for member, want := range map[string][]string{"inputSchema": row.input, "outputSchema": row.output} {
				document := `{"tools":[{"name":"t",%q:%s}]}`
				got := diff(t, fmt.Sprintf(document, member, row.old), fmt.Sprintf(document, member, row.new))
				for i := range got {
					got[i] = strings.Replace(got[i], "/tools/t/"+member, "", 1)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s:\n got  %q\n want %q", member, got, want)
				}
			}
		})
	}
}

func lifecycle(json string) string {
	return `{"tools":[{"name":"t","_meta":{"com.acme/lifecycle":` + json + `}}]}`
}

func deprecated(since, removal, replacedBy, migration string) string {
	return lifecycle(fmt.Sprintf(`{"deprecation":{"since":%q,"removal_at_or_after":%q,"replaced_by":%s,"migration":%q}}`, since, removal, replacedBy, migration))
}

func TestDiffRecords(t *testing.T) {
	const deprecation = "/tools/t/_meta/com.acme~1lifecycle/deprecation"
	const stability = "/tools/t/_meta/com.acme~1lifecycle/stability"
	base := deprecated("2026-07-28", "2027-01-01", "null", "Stop.")
	for _, row := range []struct {
		name     string
		old, new string
		want     []string
	}{
		{"nothing", `{}`, `{}`, nil},
		{"spelling", `{"name":"a","tools":[{"name":"t","x":1.0},{"name":"u"}]}`, `{"tools":[{"name":"u"},{"x":1,"name":"t"}],"name":"\u0061"}`, nil}, // public fault 111
		{"server renamed", `{"name":"a","version":"1.0.0"}`, `{"name":"b","version":"1.0.1"}`, list(breaking+"/name", documentation+"/version")},
		{"summary", `{"summary":"A."}`, `{"summary":{"does":[]}}`, list(documentation + "/summary")},
		{"capabilities", `{"capabilities":{"tools":{"listChanged":true},"prompts":{}}}`, `{"capabilities":{"tools":{"listChanged":false},"resources":{"subscribe":false},"logging":{}}}`,
			list(additive+"/capabilities/logging", breaking+"/capabilities/prompts", additive+"/capabilities/resources", breaking+"/capabilities/tools/listChanged")},

		{"tool added", `{}`, `{"tools":[{"name":"t"}]}`, list(additive + "/tools/t")},
		{"tool removed", `{"tools":[{"name":"t"}]}`, `{}`, list(breaking + "/tools/t")},
		{"tool renamed", `{"tools":[{"name":"t"}]}`, `{"tools":[{"name":"u"}]}`, list(breaking+"/tools/t", additive+"/tools/u")},
		{"resource", `{"resources":[{"uri":"a://b"}]}`, `{"resources":[{"uri":"a://c"}]}`, list(breaking+"/resources/a:~1~1b", additive+"/resources/a:~1~1c")},
		{"template", `{"resourceTemplates":[{"uriTemplate":"a://{b}"}]}`, `{"resourceTemplates":[{"uriTemplate":"a://{b}{?c}"}]}`, list(breaking+"/resourceTemplates/a:~1~1{b}", additive+"/resourceTemplates/a:~1~1{b}{?c}")},
		{"media type", `{"resources":[{"uri":"a:b","mimeType":"text/plain"}]}`, `{"resources":[{"uri":"a:b","mimeType":"text/html"}]}`, list(breaking + "/resources/a:b/mimeType")},
		{"words of a resource", `{"resources":[{"uri":"a:b","name":"b","annotations":{"priority":1}}]}`, `{"resources":[{"uri":"a:b","name":"B","title":"B","size":3,"annotations":{"priority":0.5}}]}`,
			list(documentation+"/resources/a:b/annotations/priority", documentation+"/resources/a:b/name", documentation+"/resources/a:b/size", documentation+"/resources/a:b/title")},

		{"prompt argument", `{"prompts":[{"name":"p","arguments":[{"name":"a"},{"name":"b","required":true},{"name":"c","required":false,"description":"C."},{"name":"d"}]}]}`,
			`{"prompts":[{"name":"p","arguments":[{"name":"e","required":true},{"name":"f"},{"name":"c","description":"D."},{"name":"b"},{"name":"a","required":true}]}]}`,
			list(breaking+"/prompts/p/arguments/a/required", additive+"/prompts/p/arguments/b/required", documentation+"/prompts/p/arguments/c/description",
				breaking+"/prompts/p/arguments/d", breaking+"/prompts/p/arguments/e", additive+"/prompts/p/arguments/f")},
		{"prompt advice", `{"prompts":[{"name":"p","_meta":{"com.acme/when-to-use":"A."}}]}`, `{"prompts":[{"name":"p","_meta":{"com.acme/when-to-use":"B."}}]}`, list(documentation + "/prompts/p/_meta/com.acme~1when-to-use")},

		{"words of a tool", `{"tools":[{"name":"t","title":"A","description":"A."}]}`, `{"tools":[{"name":"t","title":"B","icons":[]}]}`,
			list(documentation+"/tools/t/description", documentation+"/tools/t/icons", documentation+"/tools/t/title")},
		{"output schema added", `{"tools":[{"name":"t"}]}`, `{"tools":[{"name":"t","outputSchema":{"type":"object"}}]}`, list(additive + "/tools/t/outputSchema")},
		{"output schema removed", `{"tools":[{"name":"t","outputSchema":{}}]}`, `{"tools":[{"name":"t"}]}`, list(breaking + "/tools/t/outputSchema")},
		{"hints promise less", `{"tools":[{"name":"t","annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}}]}`, `{"tools":[{"name":"t"}]}`,
			list(breaking+"/tools/t/annotations/destructiveHint", breaking+"/tools/t/annotations/idempotentHint", breaking+"/tools/t/annotations/openWorldHint", breaking+"/tools/t/annotations/readOnlyHint")},
		{"hints promise more", `{"tools":[{"name":"t","annotations":{"readOnlyHint":false}}]}`, `{"tools":[{"name":"t","annotations":{"readOnlyHint":true,"openWorldHint":false}}]}`,
			list(additive+"/tools/t/annotations/openWorldHint", additive+"/tools/t/annotations/readOnlyHint")},
		{"hints spelled out", `{"tools":[{"name":"t"}]}`, `{"tools":[{"name":"t","annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}}]}`, nil},
		{"unknown member", `{"tools":[{"name":"t","x":1,"y":1}]}`, `{"tools":[{"name":"t","x":2,"z":1}]}`, list(breaking+"/tools/t/x", breaking+"/tools/t/y", additive+"/tools/t/z")},
		{"unknown meta", `{"tools":[{"name":"t","_meta":{"a/x":1}}]}`, `{"tools":[{"name":"t","_meta":{"a/x":2,"a/y":1}}]}`, list(breaking+"/tools/t/_meta/a~1x", additive+"/tools/t/_meta/a~1y")},
		{"meta that is no object", `{"tools":[{"name":"t","_meta":1}]}`, `{"tools":[{"name":"t","_meta":2}]}`, list(breaking + "/tools/t/_meta")},

		{"codes", `{"error_codes":{"a":"A.","b":"B.","c":"C."}}`, `{"error_codes":{"b":"B!","c":"C.","d":"D."}}`, list(breaking+"/error_codes/a", breaking+"/error_codes/b", additive+"/error_codes/d")},
		{"codes of a tool", `{"tools":[{"name":"t","_meta":{"n/errors":["a","b"]}}]}`, `{"tools":[{"name":"t","_meta":{"n/errors":["b","c"]}}]}`, list(breaking+"/tools/t/_meta/n~1errors", additive+"/tools/t/_meta/n~1errors")},
		{"order of codes of a tool", `{"tools":[{"name":"t","_meta":{"n/errors":["a","b"]}}]}`, `{"tools":[{"name":"t","_meta":{"n/errors":["b","a"]}}]}`, list(documentation + "/tools/t/_meta/n~1errors")},

		{"deprecated", `{"tools":[{"name":"t"}]}`, base, list(additive + deprecation)},
		{"deprecation withdrawn", base, `{"tools":[{"name":"t"}]}`, list(additive + deprecation)},
		{"removal moved earlier", base, deprecated("2026-07-28", "2026-10-01", "null", "Stop."), list(breaking + deprecation + "/removal_at_or_after")}, // public fault 114
		{"removal moved earlier within the day", deprecated("2026-07-28", "2027-01-01T12:00:00Z", "null", "Stop."), deprecated("2026-07-28", "2027-01-01T12:00:00+01:00", "null", "Stop."), list(breaking + deprecation + "/removal_at_or_after")},
		{"removal moved later", base, deprecated("2026-07-28", "2027-01-02", "null", "Stop."), list(additive + deprecation + "/removal_at_or_after")},
		{"removal spelled otherwise", base, deprecated("2026-07-28", "2027-01-01T12:00:00Z", "null", "Stop."), list(documentation + deprecation + "/removal_at_or_after")},
		{"other words", base, deprecated("2026-07-27", "2027-01-01", `"u"`, "Call u."), list(documentation+deprecation+"/migration", documentation+deprecation+"/replaced_by", documentation+deprecation+"/since")},
		{"removed as announced", base, `{}`, list(breaking + "/tools/t")},
		{"stability lowered", lifecycle(`{"stability":"stable"}`), lifecycle(`{"stability":"preview"}`), list(breaking + stability)},
		{"stability raised", lifecycle(`{"stability":"experimental"}`), lifecycle(`{"stability":"preview"}`), list(additive + stability)},
		{"stability of none", lifecycle(`{}`), lifecycle(`{"stability":"experimental"}`), list(breaking + stability)},
		{"stability spelled out", lifecycle(`{}`), lifecycle(`{"stability":"stable"}`), list(documentation + stability)},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := diff(t, row.old, row.new); !slices.Equal(got, row.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(row.want, "\n\t"))
			}
		})
	}
}

func TestChangeHoldsBothSides(t *testing.T) {
	old, _ := versioning.ParseSurface([]byte(`{"tools":[{"name":"t","inputSchema":{"properties":{"n":{"maximum":100},"s":{"enum":["a","<b>"]}}}}]}`))
	new, _ := versioning.ParseSurface([]byte(`{"tools":[{"name":"t","inputSchema":{"properties":{"n":{"maximum":50,"default":null},"s":{"enum":["a"]}}}}]}`))
	got, err := versioning.Diff(old, new)
	if err != nil {
		t.Fatal(err)
	}
	const why = ": calls that were valid can be refused"
	want := []versioning.Change{
		{Path: "/tools/t/inputSchema/properties/n/default", Class: versioning.Additive, After: json.RawMessage(`null`), Reason: "omission now has a documented value"},
		{Path: "/tools/t/inputSchema/properties/n/maximum", Class: versioning.Breaking, Before: json.RawMessage(`100`), After: json.RawMessage(`50`), Reason: "maximum is tighter" + why},
		{Path: "/tools/t/inputSchema/properties/s/enum", Class: versioning.Breaking, Before: json.RawMessage(`"<b>"`), Reason: "a value was removed" + why},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if got, want := got[1].String(), "breaking /tools/t/inputSchema/properties/n/maximum: maximum is tighter"+why+" (100 -> 50)"; got != want {
		t.Errorf("String:\n got  %s\n want %s", got, want)
	}
}

func TestRemovalSaysWhetherItWasAnnounced(t *testing.T) {
	reason := func(document string) string {
		old, err := versioning.ParseSurface([]byte(document))
		if err != nil {
			t.Fatal(err)
		}
		changes, err := versioning.Diff(old, versioning.Surface{})
		if err != nil || len(changes) != 1 {
			t.Fatal(changes, err)
		}
		return changes[0].Reason
	}
	if got, want := reason(deprecated("2026-07-28", "2027-01-01", "null", "Stop.")), "the tool was removed, as announced since 2026-07-28 for 2027-01-01 or after"; got != want {
		t.Errorf("got %q", got)
	}
	if got, want := reason(`{"prompts":[{"name":"p"}]}`), "the prompt vanished without a deprecation marker before"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestChangeStringIsOneShortLine(t *testing.T) {
	long := strings.Repeat("é", 100)
	for _, row := range []struct{ name, path, before, after, want string }{
		{"escaped", "/tools/a\x1b[2J\u202e\nb", `1`, `"\u2028"`, `documentation /tools/a\u001b[2J\u202e\u000ab: changed (1 -> "\u2028")`},
		{"beyond the BMP", "/a", "\"\U000e0001\"", ``, `documentation /a: changed (was "\U000e0001")`},
		{"long", "/a", ``, `"` + long + `"`, `documentation /a: changed ("` + strings.Repeat("é", 39) + `…)`},
		{"other end", "/a", `"` + long + `a"`, `"` + long + `"`, `documentation /a: changed (…` + strings.Repeat("é", 10) + `a" -> …` + strings.Repeat("é", 10) + `")`},
		{"other begin", "/a", `"` + long + `"`, `"a"`, `documentation /a: changed ("` + strings.Repeat("é", 39) + `… -> "a")`},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := versioning.Change{Path: row.path, Class: versioning.Documentation, Reason: "changed"}
			if row.before != "" {
				c.Before = json.RawMessage(row.before)
			}
			if row.after != "" {
				c.After = json.RawMessage(row.after)
			}
			if got := c.String(); got != row.want {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
		})
	}
}

func TestDiffRefusesBadMarkers(t *testing.T) {
	good := versioning.Surface{}
	bad := versioning.Surface{Tools: []json.RawMessage{json.RawMessage(
		`{"name":"t","_meta":{"a/lifecycle":{"deprecation":{"since":"2026-07-28","removal_at_or_after":"soon","replaced_by":null,"migration":"Stop."}}}}`)}} // public fault 114
	for name, pair := range map[string][2]versioning.Surface{"old": {bad, good}, "new": {good, bad}} {
		changes, err := versioning.Diff(pair[0], pair[1])
		if changes != nil || err == nil {
			t.Fatalf("%s: %v, %v", name, changes, err)
		}
		for _, want := range []string{name + " surface", "tools[0]", "removal_at_or_after"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v does not name %s", name, err, want)
			}
		}
		if strings.Contains(err.Error(), "soon") {
			t.Errorf("%s: %v holds the value", name, err)
		}
	}
}

// Forty definitions, each of which refers to the next one twice, are a tree of
// 2^40 schemas when references are followed without memory.
func TestDiffIsBoundedByTheDocument(t *testing.T) {
	surface := func(last, root string) versioning.Surface {
		var defs strings.Builder
		for i := range 40 {
			fmt.Fprintf(&defs, `"d%d":{"properties":{"a":{"$ref":"#/$defs/d%[2]d"},"b":{"$ref":"#/$defs/d%[2]d","title":"B"}},"additionalProperties":{"$ref":"#/$defs/d%[2]d"}},`, i, i+1)
		}
		s, err := versioning.ParseSurface([]byte(`{"tools":[{"name":"t","inputSchema":{` + root + `,"$defs":{` + defs.String() + `"d40":` + last + `}}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	const whole = `"items":{"$ref":"#/$defs/d0"}`
	changes, err := versioning.Diff(surface(`{"maxLength":2}`, whole), surface(`{"maxLength":1}`, whole))
	if err != nil || len(changes) == 0 || len(changes) > 10 {
		t.Errorf("%d changes, %v", len(changes), err)
	}
	for _, c := range changes {
		if c.Class != versioning.Breaking || !strings.HasSuffix(c.Path, "/maxLength") {
			t.Error(c)
		}
	}
	if _, err := versioning.Diff(surface(`{}`, whole), surface(`{}`, `"items":true`)); err != nil {
		t.Error(err)
	}
}
