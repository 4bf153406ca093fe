package tracker

import (
	"fmt"
	"strings"

	"github.com/mcpkit-go/agentmcp/examples/github-issues/backend"
)

// people write comments. The first of them can be assigned in acme/api.
var people = []string{
	"mira-chen", "tomas-h", "priya-nair", "jonas-weber", "lena-okafor", "sam-rivera", "aiko-tanaka", "d-kowalski",
	"ruben-vos", "hana-yilmaz", "carlos-mendes", "noor-haddad", "ella-lindqvist", "ben-asante",
}

// reporters open issues.
var reporters = append([]string{
	"northwind-ops", "kestrel-dev", "paperplane-it", "marta-silva", "olu-adeyemi", "grid9-sre", "fjord-labs", "j-papadakis",
}, people...)

var apiMilestones = []backend.Milestone{
	{Number: 1, Title: "v2.2"}, {Number: 2, Title: "v2.3"}, {Number: 3, Title: "v2.4"}, {Number: 4, Title: "v3.0"}, {Number: 5, Title: "Backlog"},
}

var webMilestones = []backend.Milestone{{Number: 1, Title: "Spring release"}}

var apiLabels = []backend.Label{
	{Name: "bug", Color: "d73a4a", Description: "Something does not work"},
	{Name: "enhancement", Color: "a2eeef", Description: "New feature or request"},
	{Name: "docs", Color: "0075ca", Description: "Documentation is missing or wrong"},
	{Name: "performance", Color: "fbca04", Description: "Too slow or too hungry"},
	{Name: "security", Color: "b60205", Description: "Touches authentication, authorization or data protection"},
	{Name: "question", Color: "d876e3", Description: "More an answer than a change is wanted"},
	{Name: "regression", Color: "e99695", Description: "Worked in an earlier version"},
	{Name: "resolved", Color: "0e8a16", Description: "Fixed and released"},
	{Name: "wontfix", Color: "ffffff", Description: "Will not be worked on"},
	{Name: "stale", Color: "cccccc", Description: "Nothing has happened for two months"},
	{Name: "blocked", Color: "5319e7", Description: "Waits for something else"},
	{Name: "good first issue", Color: "7057ff", Description: "Good for newcomers"},
	{Name: "help wanted", Color: "008672"},
	{Name: "needs-info", Color: "f9d0c4", Description: "The reporter has to tell more"},
	{Name: "needs-triage", Color: "ededed"},
	{Name: "breaking-change", Color: "000000", Description: "Clients have to change"},
	{Name: "priority/high", Color: "ff0000"},
	{Name: "priority/medium", Color: "ff9900"},
	{Name: "priority/low", Color: "ffee00"},
	{Name: "sdk/go", Color: "bfd4f2"},
	{Name: "sdk/java", Color: "bfd4f2"},
	{Name: "sdk/python", Color: "bfd4f2"},
	{Name: "sdk/typescript", Color: "bfd4f2"},
	{Name: "area/audit", Color: "c5def5"},
	{Name: "area/auth", Color: "c5def5"},
	{Name: "area/events", Color: "c5def5"},
	{Name: "area/exports", Color: "c5def5"},
	{Name: "area/files", Color: "c5def5"},
	{Name: "area/invoices", Color: "c5def5"},
	{Name: "area/limits", Color: "c5def5"},
	{Name: "area/orders", Color: "c5def5"},
	{Name: "area/search", Color: "c5def5"},
	{Name: "area/teams", Color: "c5def5"},
	{Name: "area/users", Color: "c5def5"},
	{Name: "area/webhooks", Color: "c5def5"},
}

var webLabels = []backend.Label{
	{Name: "bug", Color: "d73a4a"}, {Name: "enhancement", Color: "a2eeef"}, {Name: "docs", Color: "0075ca"},
	{Name: "accessibility", Color: "1d76db"}, {Name: "design", Color: "c2e0c6"}, {Name: "resolved", Color: "0e8a16"},
}

// area is a part of the API.
type area struct{ label, path, one, many string }

var areas = []area{
	{"area/users", "/v2/users", "user", "users"},
	{"area/orders", "/v2/orders", "order", "orders"},
	{"area/webhooks", "/v2/webhooks", "webhook delivery", "webhook deliveries"},
	{"area/auth", "/oauth/token", "access token", "access tokens"},
	{"area/invoices", "/v2/invoices", "invoice", "invoices"},
	{"area/search", "/v2/search", "search hit", "search hits"},
	{"area/exports", "/v2/exports", "export", "exports"},
	{"area/files", "/v2/files", "file", "files"},
	{"area/teams", "/v2/teams", "team", "teams"},
	{"area/events", "/v2/events", "event", "events"},
	{"area/limits", "/v2/limits", "quota", "quotas"},
	{"area/audit", "/v2/audit", "audit entry", "audit entries"},
}

// kind is a kind of issue: how often it occurs, its texts, and what people say
// about it.
type kind struct {
	label   string
	percent int
	titles  []string // {path}, {one}, {many} and {case} are filled in
	cases   []string
	body    func(n int, a area, title, when string) string
	lines   []string
}

// write makes the title and body of the nth issue of a kind. No two titles are
// the same while n is below areas × cases × titles: each round goes through all
// pairs of area and case, in steps that have no divisor in common with their
// number, and takes another title for a pair than the round before.
func (k kind) write(n, nth int) (a area, title, body string) {
	pairs := len(areas) * len(k.cases)
	round, at := nth/pairs, nth%pairs*67%pairs
	a = areas[at%len(areas)]
	when := fill(k.cases[at/len(areas)], a, "")
	title = fill(k.titles[(at+at/len(areas)+round)%len(k.titles)], a, when)
	return a, title, fill(k.body(n, a, title, when), a, when)
}

func fill(pattern string, a area, when string) string {
	return strings.NewReplacer("{path}", a.path, "{one}", a.one, "{many}", a.many, "{case}", when).Replace(pattern)
}

var regions = []string{"eu-west", "eu-north", "us-east", "us-west", "ap-south"}

var versions = []string{"2.1.4", "2.2.0", "2.2.3", "2.3.0", "2.3.1", "2.4.0-rc1"}

var clients = []string{"curl 8.7", "the Go SDK 1.14", "the Python SDK 3.2", "the TypeScript SDK 2.9", "the Java SDK 5.0", "Postman"}

var kinds = []kind{
	{
		label: "bug", percent: 44,
		titles: []string{
			"500 from {path} {case}",
			"{path} returns an empty list {case}",
			"{path} hangs {case}",
			"Duplicate {many} {case}",
			"Wrong total_count from {path} {case}",
			"{path} ignores the limit parameter {case}",
			"Stale {many} served {case}",
		},
		cases: []string{
			"when the filter contains a plus sign",
			"after a token refresh",
			"for accounts with more than 10,000 {many}",
			"when two requests arrive in the same millisecond",
			"if a name contains an emoji",
			"with a gzip request body",
			"behind an HTTP/1.0 proxy",
			"on the last day of the month",
			"when If-None-Match is sent",
			"with an empty cursor parameter",
			"during a rolling deploy",
			"for sandbox accounts",
		},
		body: func(n int, a area, title, when string) string {
			return fmt.Sprintf(`### What happens

%s. It worked with %s.

### Steps

1. Get a token with the scope %s.
2. Request `+"`%s?limit=%d`"+` %s.
3. Repeat a few times; about one in %d requests shows it.

### Expected

The same answer as for every other account.

### Environment

- API %s, region %s
- client: %s
- request id: %s`,
				title, pick(n, "before", versions[:3]), "`read:"+strings.ReplaceAll(a.many, " ", "_")+"`", a.path,
				10*(1+roll(n, "limit", 10)), when, 2+roll(n, "one in", 40),
				pick(n, "version", versions[2:]), pick(n, "region", regions), pick(n, "client", clients), requestID(n))
		},
		lines: []string{
			"Thanks for the report. Which region does the account live in?",
			"I can reproduce it against staging with the steps above.",
			"Added the request ids of three more failures to the incident channel. All of them hit the same shard.",
			"Could you try again with a client that does not reuse connections? I suspect the proxy.",
			"Makes no difference, same error with a fresh connection each time.",
			"The trace ends in the serializer. The row is read correctly and lost on the way out.",
			"Bisected to the change of the pagination helper in 2.3.0.",
			"We work round it by asking for at most 50 at a time. That is slow, but nobody is blocked.",
			"There is a failing test in the branch for this now.",
			"A fix is in review.",
			"Deployed to eu-north first. No failures there since this morning.",
			"Please confirm when you have a moment, then we can close this.",
		},
	},
	{
		label: "enhancement", percent: 23,
		titles: []string{
			"Let {path} {case}",
			"{path}: {case}",
			"Clients should be able to {case} on {path}",
			"SDKs: {case} for {many}",
			"Proposal: {case} ({path})",
		},
		cases: []string{
			"return only selected fields",
			"accept many {many} in one request",
			"honour idempotency keys",
			"sort by last activity",
			"filter by a range of dates",
			"answer conditional requests with ETags",
			"page with cursors",
			"offer a dry run",
			"stream as JSON lines",
			"tell why a {one} was rejected",
		},
		body: func(n int, a area, title, when string) string {
			return fmt.Sprintf(`We would like to %s.

**Why.** We keep %d thousand {many} in sync with our own store. Today that takes a full pass every %d minutes, and most of what comes back has not changed.

**Idea.** Nothing has to change for clients that do not ask for it. Over `+"`{path}`"+` one more parameter would do, and the SDKs could use it without a new major version.

**Alternatives.** We looked at webhooks, but a delivery that was missed is hard to notice.`,
				when, 5+roll(n, "thousand", 400), 5*(1+roll(n, "minutes", 11)))
		},
		lines: []string{
			"This comes up in nearly every call with larger customers.",
			"How would this behave together with the existing filters?",
			"I would expect all of them to apply at once.",
			"We should agree on the parameter's name first, because three other endpoints will want it too.",
			"Wrote down the open points in the design document; comments are welcome.",
			"+1, we have built this on our side twice already.",
			"Not before v3.0, I am afraid, the storage layer has to move first.",
			"A first version is behind a flag in the sandbox. Feedback would help.",
		},
	},
	{
		label: "docs", percent: 13,
		titles: []string{
			"{path} reference: {case}",
			"Docs on {many}: {case}",
			"Reference and guide for {path} disagree: {case}",
		},
		cases: []string{
			"the example request does not validate",
			"error codes are missing",
			"no word about rate limits",
			"which scopes are needed",
			"nullable fields are not marked",
			"the curl snippet lacks a header",
		},
		body: func(n int, a area, title, when string) string {
			return fmt.Sprintf(`Page: https://docs.acme.example/reference%s

The page gives the shape of one {one}, but %s. I found out by trying, which took the better part of %s.

A sentence and a complete example would be enough. I can send a change if somebody tells me where the source is.`,
				a.path, when, pick(n, "took", []string{"an hour", "a morning", "a day"}))
		},
		lines: []string{
			"Good catch. The source is in `docs/reference`, changes are welcome.",
			"The generator drops everything that is not in the OpenAPI file, so it has to be fixed there.",
			"I have a draft. Who can review the wording?",
			"Reads well to me.",
			"Published with the next build of the site.",
		},
	},
	{
		label: "performance", percent: 8,
		titles: []string{
			"Listing {many} is slow {case}",
			"{path} uses too much memory {case}",
			"One query per row while reading {many} {case}",
		},
		cases: []string{
			"on large accounts",
			"since 2.3.0",
			"when sorted by name",
			"with all fields expanded",
			"in ap-south",
		},
		body: func(n int, a area, title, when string) string {
			p50, p99 := 40+roll(n, "p50", 200), 900+roll(n, "p99", 6000)
			return fmt.Sprintf("Measured over one day on `%s`, %s:\n\n| percentile | time |\n| --- | --- |\n| 50 | %d ms |\n| 99 | %d ms |\n\nThe plan shows a sequential scan over %d million rows where an index on `(account_id, created_at)` should serve. A profile is attached to the incident.",
				a.path, when, p50, p99, 2+roll(n, "rows", 60))
		},
		lines: []string{
			"The profile points at the count query. Do clients need the exact total?",
			"Ours do not. An estimate is fine.",
			"The index builds for about two hours. Planned for the weekend.",
			"The 99th percentile is down to 310 ms in us-east.",
		},
	},
	{
		label: "security", percent: 5,
		titles: []string{
			"{path} {case}",
			"Review: {path} {case}",
		},
		cases: []string{
			"answers differently for {many} of other tenants",
			"accepts a revoked token for up to a minute",
			"logs the Authorization header at debug level",
			"does not check ownership on PATCH",
		},
		body: func(n int, a area, title, when string) string {
			return fmt.Sprintf("Found during the review of %s.\n\n`%s` %s. The effect is small, since %s, but it should not stay.\n\nNo sign in the access logs that anybody noticed.",
				pick(n, "quarter", []string{"Q3 2025", "Q4 2025", "Q1 2026", "Q2 2026"}), a.path, when,
				pick(n, "effect", []string{"the ids cannot be guessed", "a valid session is needed anyway", "only the sandbox is reachable from outside"}))
		},
		lines: []string{
			"Handled by the platform team, please keep details out of this thread.",
			"The fix is out in all regions; tests against it run nightly.",
			"Logs of the last 90 days are clean.",
		},
	},
	{
		label: "question", percent: 7,
		titles: []string{
			"{path}: {case}?",
			"{case}? (asking about {path})",
		},
		cases: []string{
			"How many {many} may a page hold",
			"Which scopes does a read-only client need",
			"Can a deleted {one} be restored",
			"What does a 409 mean here",
		},
		body: func(n int, a area, title, when string) string {
			return fmt.Sprintf("I am writing an integration in %s and did not find this in the reference.\n\nMy guess from trying it out is that there is a limit of %d, but I would rather know than guess.",
				pick(n, "language", []string{"Go", "Python", "Kotlin", "Ruby", "TypeScript"}), 50*(1+roll(n, "guess", 20)))
		},
		lines: []string{
			"The guide has a section about it, though it is easy to overlook.",
			"Thank you, that answers it.",
			"Leaving this open until the reference says so too.",
		},
	},
}

func requestID(n int) string {
	const digits = "0123456789abcdef"
	id := make([]byte, 16)
	for i := range id {
		id[i] = digits[roll(n*16+i, "request id", 16)]
	}
	return "`req-" + string(id) + "`"
}
