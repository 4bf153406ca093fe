package envelope_test

import (
	"testing"

	"github.com/mcpkit-go/agentmcp/envelope"
)

// public fault 38: every form in which secrets arrive.
func TestRedact(t *testing.T) {
	const r = "[redacted]"
	tests := []struct{ name, in, want string }{
		{"nothing secret", "label bug not found in acme/api", "label bug not found in acme/api"},
		{"empty", "", ""},

		{"user and password", "dial https://u:p4ss@h/x?y", "dial https://" + r + "@h/x?y"},
		{"password of digits", "https://u:12345@h/", "https://" + r + "@h/"},
		{"user alone", "ssh://git@github.com/x", "ssh://" + r + "@github.com/x"},
		{"password with @", "postgres://u:p@ss@db:5432/x", "postgres://" + r + "@db:5432/x"},
		{"password with slash", "postgres://u:pa/ss@db/x", "postgres://" + r + "@db/x"},
		{"port is no password", "http://h:8080/x/@user", "http://h:8080/x/@user"},
		{"at in a path", "https://h/@user", "https://h/@user"},
		{"at in a query", "https://h?mail=a@b.c", "https://h?mail=a@b.c"},
		{"two URLs", "https://a:b@h and https://c:d@h", "https://" + r + "@h and https://" + r + "@h"},
		{"MySQL data source", "root:p4ss@tcp(127.0.0.1:3306)/db", r + "@tcp(127.0.0.1:3306)/db"},

		{"bearer", "sent Bearer abc.DEF-123~x/y+z==", "sent Bearer " + r},
		{"bearer, lower case", "bearer abcdefgh1", "bearer " + r},
		{"basic", "Basic dXNlcjpwYXNz", "Basic " + r},
		{"long word", "Bearer abcdefghijklmnopqrstuvwxyz", "Bearer " + r},
		{"words", "Basic authentication needs a bearer credential", "Basic authentication needs a bearer credential"},
		{"authorization", "Authorization: token0abc", "Authorization: " + r},
		{"authorization with scheme", `{"authorization":"Token abc"}`, `{"authorization":"Token ` + r + `"}`},
		{"cookie", "Cookie: a=b; c=d\nHost: h", "Cookie: " + r + "\nHost: h"},
		{"set-cookie", "set-cookie: sid=1; Path=/", "set-cookie: " + r},

		{"GitHub", "ghp_0123456789abcdefABCD gho_0123456789abcdefABCD ghs_0123456789abcdefABCD", r + " " + r + " " + r},
		{"GitHub fine-grained", "x=github_pat_11ABCDEFG0abcdefghij_KLMNOP", "x=" + r},
		{"GitLab", "glpat-abcdefghij0123456789", r},
		{"Slack", "xoxb-123456789012-abcdefghij https://hooks.slack.com/services/T0/B0/x", r + " https://hooks.slack.com/" + r},
		{"AWS key id", "key AKIAIOSFODNN7EXAMPLE", "key " + r},
		{"AWS secret", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws_secret_access_key = " + r},
		{"Google", "AIzaSyA-0123456789abcdefghijklmnopqrstu ya29.a0AfH6SMBxyz0123456", r + " " + r},
		{"Stripe", "sk_live_0123456789abcdef", r},
		{"model provider", "sk-ant-api03-0123456789abcdefghij", r},
		{"JSON Web Token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_", r},
		{"PEM", "a -----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY----- b", "a " + r + " b"},
		{"PGP", "-----BEGIN PGP PRIVATE KEY BLOCK-----\nx\n-----END PGP PRIVATE KEY BLOCK-----", r},
		{"public key stays", "-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----"},

		{"assignment", "user=a password=hunter2 host=h", "user=a password=" + r + " host=h"},
		{"query", "/x?access_token=abc&page=2", "/x?access_token=" + r + "&page=2"},
		{"colon", "Password: hunter2", "Password: " + r},
		{"JSON", `{"client_secret": "a b", "n": 1}`, `{"client_secret": ` + r + `, "n": 1}`},
		{"JSON with escapes", `{"secret":"a\"b","n":1}`, `{"secret":` + r + `,"n":1}`},
		{"JSON in JSON", `{\"api_key\":\"abc def\",\"n\":1}`, `{\"api_key\":` + r + `,\"n\":1}`},
		{"cut JSON", `{"api_key":"abc de`, `{"api_key":` + r},
		{"header", "X-Api-Key: abc", "X-Api-Key: " + r},
		{"YAML", "db_password: 'it is'", "db_password: " + r},
		{"arrow", `:password => "abc"`, ":password => " + r},
		{"signed URL", "https://b.s3/x?X-Amz-Signature=abc&y=1", "https://b.s3/x?X-Amz-Signature=" + r + "&y=1"},
		{"closing brackets in the value", "pwd=a)b}c]d e", "pwd=" + r + " e"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := envelope.Redact(tt.in)
			if got != tt.want {
				t.Errorf("Redact(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if again := envelope.Redact(got); again != got {
				t.Errorf("Redact again = %q, want %q", again, got)
			}
		})
	}
}

func TestRedactLiterals(t *testing.T) {
	tests := []struct {
		name    string
		in      string
		secrets []string
		want    string
	}{
		{"one", "the key tulip here", []string{"tulip"}, "the key [redacted] here"},
		{"longest first", "tulip-garden", []string{"tulip", "tulip-garden"}, "[redacted]"},
		{"empty is ignored", "abc", []string{""}, "abc"},
		{"in a query", "x=a%2Fb+c", []string{"a/b c"}, "x=[redacted]"},
		{"in a path", "/a%2Fb%20c/", []string{"a/b c"}, "/[redacted]/"},
		{"twice", "s3 s3", []string{"s3"}, "[redacted] [redacted]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := envelope.Redact(tt.in, tt.secrets...); got != tt.want {
				t.Errorf("Redact = %q, want %q", got, tt.want)
			}
		})
	}
}
