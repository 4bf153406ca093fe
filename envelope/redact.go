package envelope

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// redacted stands for a secret.
const redacted = "[redacted]"

// Redact replaces secrets in s by "[redacted]": each of the literals (longest
// first, also as they look percent-encoded), and whatever looks like one:
//
//   - user and password in a URL or data source name; the host stays
//   - Bearer and Basic credentials, Authorization and Cookie headers
//   - tokens of GitHub, GitLab, AWS, Google, Slack, Stripe, npm and of model
//     providers, JSON Web Tokens, PEM and PGP private keys
//   - the value in password=…, "api_key": "…", client_secret: … and the like;
//     without quotes, up to the next space or separator
//
// It would rather hide too much than too little, and it cannot know every
// secret: pass the ones you hold as literals. Redact before cutting, or half a
// secret may stay; [Quote] does.
func Redact(s string, secrets ...string) string {
	secrets = slices.Clone(secrets)
	slices.SortFunc(secrets, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
			s = strings.ReplaceAll(s, form, redacted)
		}
	}
	s = redactTokens(s)
	if strings.ContainsAny(s, ":=") {
		for _, a := range assignments {
			s = a.pattern.ReplaceAllString(s, a.with)
		}
	}
	return s
}

// redactTokens replaces what is a secret by its own form, whatever the text
// around it says. It is safe on prose: "token: expired" stays.
func redactTokens(s string) string {
	lower := strings.ToLower(s)
	for _, t := range tokens {
		if containsAny(lower, t.needs) {
			s = t.pattern.ReplaceAllString(s, t.with)
		}
	}
	if containsAny(lower, []string{"bearer", "basic", "digest", "negotiate", "apikey"}) {
		s = schemes.ReplaceAllStringFunc(s, redactScheme)
	}
	return s
}

func containsAny(s string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}

// A token is one form of secret. A regular expression costs microseconds, so
// it runs only on text that has one of needs, in lower case.
type token struct {
	needs   []string
	pattern *regexp.Regexp
	with    string
}

var tokens = []token{
	// A key without its end is hidden to the end of the text.
	{[]string{"private key"}, regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z0-9 ]*-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY[A-Z0-9 ]*-----|\z)`), redacted},

	// user:password@ of a URL. In the second rule the password holds a slash;
	// digits and a slash after the colon are a port and a path instead.
	{[]string{"://"}, regexp.MustCompile(`://[^\s/?#"'<>]*@`), "://" + redacted + "@"},
	{[]string{"://"}, regexp.MustCompile(`://[^\s/:@?#"'<>]*:\d*[^\s\d/:@?#"'<>][^\s/@"'<>]*/[^\s"'<>]*@`), "://" + redacted + "@"},
	{[]string{"@tcp(", "@unix("}, regexp.MustCompile(`[\w.-]+:[^\s@"'<>]+@(tcp|unix)\(`), redacted + "@$1("},

	{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-"},
		regexp.MustCompile(`gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}`), redacted},
	{[]string{"xox", "xapp-"}, regexp.MustCompile(`xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{8,}|xapp-[A-Za-z0-9-]{8,}`), redacted},
	{[]string{"hooks.slack.com/"}, regexp.MustCompile(`(hooks\.slack\.com/)[\w/-]+`), "${1}" + redacted},
	{[]string{"akia", "asia", "aida", "aroa", "abia", "acca"}, regexp.MustCompile(`(?:AKIA|ASIA|AIDA|AROA|ABIA|ACCA)[A-Z0-9]{16,}`), redacted},
	{[]string{"aiza", "ya29."}, regexp.MustCompile(`AIza[\w-]{30,}|ya29\.[\w-]{16,}`), redacted},
	{[]string{"k_live_", "k_test_", "whsec_"}, regexp.MustCompile(`[srp]k_(?:live|test)_[A-Za-z0-9]{8,}|whsec_[A-Za-z0-9+/=]{16,}`), redacted},
	{[]string{"sk-", "npm_", "hf_"}, regexp.MustCompile(`sk-[\w-]{20,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{30,}`), redacted},
	{[]string{"eyj"}, regexp.MustCompile(`eyJ[\w-]{5,}(?:\.[\w-]*)+`), redacted},
}

// schemes are the words in front of a credential in an Authorization header.
// They are also words of a language, so redactScheme looks at what follows.
var schemes = regexp.MustCompile(`(?i)\b((?:bearer|basic|digest|negotiate|apikey)(?:\s|%20|\+)+)([\w.~+/=-]{8,})`)

func redactScheme(match string) string {
	parts := schemes.FindStringSubmatch(match)
	if parts == nil || !looksRandom(parts[2]) {
		return match
	}
	return parts[1] + redacted
}

// looksRandom reports whether s is no word, as the second one of "Basic
// authentication" is: it has a digit, padding, a capital after a small letter,
// or more letters than words have.
func looksRandom(s string) bool {
	s = strings.TrimRight(s, ".-")
	if len(s) >= 24 || strings.ContainsAny(s, "0123456789=") {
		return true
	}
	for i := 1; i < len(s); i++ {
		if 'a' <= s[i-1] && s[i-1] <= 'z' && 'A' <= s[i] && s[i] <= 'Z' {
			return true
		}
	}
	return false
}

// assignments hide a value because of the name in front of it.
var assignments = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`(?i)(\b(?:set-)?cookie\s*:\s*)[^\r\n"]+`), "${1}" + redacted},
	{regexp.MustCompile(`(?i)(\b(?:proxy-)?authorization\\?["']?` + is + `\\?["']?(?:(?:bearer|basic|digest|negotiate|token|apikey)\s+)?)(?:` + bare + `)`), "${1}" + redacted},
	{regexp.MustCompile(`(?i)(` + secretName + `\\?["']?` + is + `)(?:` + quoted + rest + `|` + bare + `)`), "${1}" + redacted},
}

const (
	secretName = `[\w.-]*(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|signature|credentials?|session[_-]?id|auth[_-]?code)[\w-]*`
	is         = `\s*(?:=>|[:=])\s*`

	// A value is quoted, perhaps inside of a quoted string, or ends at a space
	// or separator. After its end, and after one that was redacted before, a
	// closing bracket is not part of it.
	quoted = `(?:"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\\"(?:[^"\\]|\\[^"])*(?:\\")?)`
	bare   = `\[redacted\]` + rest + `|[^\s"'&,;]+`
	rest   = `[^\s"'&,;)}\]]*`
)
