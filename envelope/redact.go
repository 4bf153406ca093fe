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
	for _, rule := range assignments {
		s = rule.pattern.ReplaceAllString(s, rule.with)
	}
	return s
}

// redactTokens replaces what is a secret by its own form, whatever the text
// around it says. It is safe on prose: "token: expired" stays.
func redactTokens(s string) string {
	for _, rule := range tokens {
		s = rule.pattern.ReplaceAllString(s, rule.with)
	}
	return schemes.ReplaceAllStringFunc(s, func(m string) string {
		parts := schemes.FindStringSubmatch(m)
		if !looksRandom(parts[2]) {
			return m
		}
		return parts[1] + redacted
	})
}

type rule struct {
	pattern *regexp.Regexp
	with    string
}

var tokens = []rule{
	// A key without its end is hidden to the end of the text.
	{regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z0-9 ]*-----(?s:.*?)(?:-----END [A-Z0-9 ]*PRIVATE KEY[A-Z0-9 ]*-----|\z)`), redacted},

	// user:password@ of a URL. In the second rule the password holds a slash;
	// digits and a slash after the colon are a port and a path instead.
	{regexp.MustCompile(`://[^\s/?#"'<>]*@`), "://" + redacted + "@"},
	{regexp.MustCompile(`://[^\s/:@?#"'<>]*:\d*[^\s\d/:@?#"'<>][^\s/@"'<>]*/[^\s"'<>]*@`), "://" + redacted + "@"},
	{regexp.MustCompile(`[\w.-]+:[^\s@"'<>]+@(tcp|unix)\(`), redacted + "@$1("},

	{regexp.MustCompile(`gh[a-z]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}`), redacted},
	{regexp.MustCompile(`xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{8,}|xapp-[A-Za-z0-9-]{8,}`), redacted},
	{regexp.MustCompile(`(hooks\.slack\.com/)[\w/-]+`), "${1}" + redacted},
	{regexp.MustCompile(`(?:AKIA|ASIA|AIDA|AROA|ABIA|ACCA)[A-Z0-9]{16,}`), redacted},
	{regexp.MustCompile(`AIza[\w-]{30,}|ya29\.[\w-]{16,}`), redacted},
	{regexp.MustCompile(`[srp]k_(?:live|test)_[A-Za-z0-9]{8,}|whsec_[A-Za-z0-9+/=]{16,}`), redacted},
	{regexp.MustCompile(`sk-[\w-]{20,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{30,}`), redacted},
	{regexp.MustCompile(`eyJ[\w-]{5,}(?:\.[\w-]*)+`), redacted},
}

// schemes are the words of an Authorization header, which are also words of a
// language: "Basic authentication" is none.
var schemes = regexp.MustCompile(`(?i)\b((?:bearer|basic|digest|negotiate|token|apikey)(?:\s|%20|\+)+)([\w.~+/=-]{8,})`)

// looksRandom reports whether s is no word: it has a digit or a sign of base64,
// a capital inside, or more letters than words have.
func looksRandom(s string) bool {
	word := strings.TrimRight(s, ".-")
	if len(word) >= 24 || strings.ContainsAny(word, "0123456789=+/_~") {
		return true
	}
	for _, c := range word[1:] {
		if 'A' <= c && c <= 'Z' {
			return true
		}
	}
	return false
}

// assignments hide a value because of the name in front of it.
var assignments = []rule{
	{regexp.MustCompile(`(?i)(\b(?:set-)?cookie\s*:\s*)[^\r\n"]+`), "${1}" + redacted},
	{regexp.MustCompile(`(?i)(\b(?:proxy-)?authorization\\?["']?\s*[:=]\s*\\?["']?(?:(?:bearer|basic|digest|negotiate|token|apikey)\s+)?)` + bareValue), "${1}" + redacted},
	{regexp.MustCompile(`(?i)(` + secretName + `\\?["']?\s*(?:=>|[:=])\s*)(?:"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\\"(?:[^"\\]|\\[^"])*(?:\\")?|` + bareValue + `)`), "${1}" + redacted},
}

const (
	bareValue  = `(?:\[redacted\]|[^\s"'&,;)}\]])+`
	secretName = `[\w.-]*(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|signature|credentials?|session[_-]?id|auth[_-]?code)[\w-]*`
)
