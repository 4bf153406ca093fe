package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"time"

	"aidanwoods.dev/go-paseto"
	"github.com/golang-jwt/jwt/v5"
	"github.com/gorilla/securecookie"
	"github.com/mcpkit-go/agentmcp/cursor"
	tinkjwt "github.com/tink-crypto/tink-go/v2/jwt"
	"github.com/tink-crypto/tink-go/v2/keyset"
)

// A position is a typical payload of a cursor.
type position struct {
	ID   string `json:"id"`
	Sort int64  `json:"sort"`
}

type claims struct {
	position
	jwt.RegisteredClaims
}

var (
	typical   = position{"PR_kwDOAbCdEf4x5y", 1764554400123456789}
	cursorKey = bytes.Repeat([]byte("0123456789abcdef"), 2)
	cursorTTL = 15 * time.Minute
)

const bound = "tracker_list_issues cursor"

// A tokenizer is one way of sealing and opening a position.
type tokenizer struct {
	name string
	seal func() (string, error)
	open func(token string) (position, error)
}

func cursors(sealed bool) (tokenizer, error) {
	name := "cursor"
	if sealed {
		name = "cursor, encrypted"
	}
	keys, err := cursor.NewKeyring(cursorKey)
	if err != nil {
		return tokenizer{}, err
	}
	c, err := cursor.New[position](keys, cursorTTL, &cursor.Options{Sealed: sealed})
	b := cursor.Bind(bound, "ada", nil)
	return tokenizer{
		name: name,
		seal: func() (string, error) { return c.Seal(typical, b), nil },
		open: func(token string) (position, error) { return c.Open(token, b) },
	}, err
}

func cookies() tokenizer {
	s := securecookie.New(cursorKey, nil)
	s.SetSerializer(securecookie.JSONEncoder{})
	return tokenizer{
		name: "securecookie",
		seal: func() (string, error) { return s.Encode(bound, typical) },
		open: func(token string) (p position, err error) {
			err = s.Decode(bound, token, &p)
			return p, err
		},
	}
}

func golangJWT() tokenizer {
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}), jwt.WithAudience(bound), jwt.WithExpirationRequired())
	key := func(*jwt.Token) (any, error) { return cursorKey, nil }
	return tokenizer{
		name: "golang-jwt HS256",
		seal: func() (string, error) {
			return jwt.NewWithClaims(jwt.SigningMethodHS256, claims{typical, jwt.RegisteredClaims{
				Audience: jwt.ClaimStrings{bound}, ExpiresAt: jwt.NewNumericDate(time.Now().Add(cursorTTL)),
			}}).SignedString(cursorKey)
		},
		open: func(token string) (position, error) {
			var c claims
			_, err := parser.ParseWithClaims(token, &c, key)
			return c.position, err
		},
	}
}

func pasetos() (tokenizer, error) {
	key, err := paseto.V4SymmetricKeyFromBytes(cursorKey)
	return tokenizer{
		name: "paseto v4.local (encrypts)",
		seal: func() (string, error) {
			t := paseto.NewToken()
			t.SetExpiration(time.Now().Add(cursorTTL))
			if err := t.Set("p", typical); err != nil {
				return "", err
			}
			return t.V4Encrypt(key, []byte(bound)), nil
		},
		open: func(token string) (p position, err error) {
			parser := paseto.MakeParser([]paseto.Rule{paseto.NotExpired()})
			t, err := parser.ParseV4Local(key, token, []byte(bound))
			if err == nil {
				err = t.Get("p", &p)
			}
			return p, err
		},
	}, err
}

func tinkJWT() (tokenizer, error) {
	handle, err := keyset.NewHandle(tinkjwt.RawHS256Template())
	if err != nil {
		return tokenizer{}, err
	}
	mac, err := tinkjwt.NewMAC(handle)
	if err != nil {
		return tokenizer{}, err
	}
	audience := bound
	check, err := tinkjwt.NewValidator(&tinkjwt.ValidatorOpts{ExpectedAudience: &audience})
	return tokenizer{
		name: "tink JWT HS256",
		seal: func() (string, error) {
			expires := time.Now().Add(cursorTTL)
			raw, err := tinkjwt.NewRawJWT(&tinkjwt.RawJWTOptions{
				Audience: &audience, ExpiresAt: &expires,
				CustomClaims: map[string]any{"id": typical.ID, "sort": fmt.Sprint(typical.Sort)},
			})
			if err != nil {
				return "", err
			}
			return mac.ComputeMACAndEncode(raw)
		},
		open: func(token string) (p position, err error) {
			v, err := mac.VerifyMACAndDecode(token, check)
			if err != nil {
				return p, err
			}
			if p.ID, err = v.StringClaim("id"); err != nil {
				return p, err
			}
			number, err := v.StringClaim("sort") // a JWT number of tink is a double
			if err == nil {
				_, err = fmt.Sscan(number, &p.Sort)
			}
			return p, err
		},
	}, err
}

// tokenizers returns ours first, then the peers.
func tokenizers() ([]tokenizer, error) {
	ours, err := cursors(false)
	if err != nil {
		return nil, err
	}
	sealed, err := cursors(true)
	if err != nil {
		return nil, err
	}
	p, err := pasetos()
	if err != nil {
		return nil, err
	}
	tink, err := tinkJWT()
	return []tokenizer{ours, sealed, cookies(), golangJWT(), p, tink}, err
}

// macFloor is HMAC-SHA-256, with reset state, over what a token authenticates:
// its header and payload, and 48 bytes for the payload's type and the binding.
func macFloor(token string) (op, error) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return op{}, err
	}
	message := make([]byte, len(raw)-16+48)
	mac := hmac.New(sha256.New, cursorKey)
	var sum [sha256.Size]byte
	return each("HMAC-SHA-256, reset state", func() error {
		mac.Reset()
		mac.Write(message)
		mac.Sum(sum[:0])
		return nil
	}), nil
}

func cursorContest(opens bool) (contest, error) {
	all, err := tokenizers()
	if err != nil {
		return contest{}, err
	}
	var ops []op
	var own string
	for _, t := range all {
		token, err := t.seal()
		if err != nil {
			return contest{}, fmt.Errorf("%s: %w", t.name, err)
		}
		if p, err := t.open(token); err != nil || p != typical {
			return contest{}, fmt.Errorf("%s: opened %+v, %v", t.name, p, err)
		}
		if own == "" {
			own = token
		}
		f := func() error { _, err := t.seal(); return err }
		if opens {
			f = func() error { _, err := t.open(token); return err }
		}
		ops = append(ops, each(fmt.Sprintf("%s, %d characters", t.name, len(token)), f))
	}
	floor, err := macFloor(own)
	return contest{subject: ops[0], floor: &floor, peers: ops[1:]}, err
}

func cursorRows() []row {
	return []row{
		{"cursor seal", allocating(2, 1), func() (contest, error) { return cursorContest(false) }},
		{"cursor open", allocating(2, 2), func() (contest, error) { return cursorContest(true) }},
	}
}
