package cursor_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpkit-go/agentmcp/cursor"
)

// lines are the faults that a joined error lists.
func lines(err error) []string {
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

// public fault 64: no usable key is a constructor error.
func TestNewKeyringFaults(t *testing.T) {
	repeated := bytes.Repeat([]byte{'k'}, 32)
	tests := []struct {
		name     string
		current  []byte
		previous [][]byte
		want     []string
	}{
		{"no key", nil, nil, []string{"cursor: current key has 0 bytes, at least 32 are needed"}},
		{"31 bytes", key(1)[:31], nil, []string{"cursor: current key has 31 bytes, at least 32 are needed"}},
		{"unset buffer", make([]byte, 32), nil, []string{"cursor: current key is one byte repeated"}},
		{"one byte repeated", repeated, nil, []string{"cursor: current key is one byte repeated"}},
		{"short previous key", key(1), [][]byte{key(2), []byte("secret")}, []string{"cursor: previous key 2 has 6 bytes, at least 32 are needed"}},
		{"nil previous key", key(1), [][]byte{nil}, []string{"cursor: previous key 1 has 0 bytes, at least 32 are needed"}},
		{"current key again", key(1), [][]byte{key(2), key(1)}, []string{"cursor: previous key 2 equals the current key"}},
		{"previous key again", key(1), [][]byte{key(2), key(2)}, []string{"cursor: previous key 2 equals the previous key 1"}},
		{"all at once", []byte("short"), [][]byte{key(2), key(2), make([]byte, 64)}, []string{
			"cursor: current key has 5 bytes, at least 32 are needed",
			"cursor: previous key 2 equals the previous key 1",
			"cursor: previous key 3 is one byte repeated",
		}},
		{"32 bytes", key(1), nil, nil},
		{"longer, with previous ones", append(key(1), 1), [][]byte{key(1), key(2)}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := cursor.NewKeyring(tt.current, tt.previous...)
			if diff := cmp.Diff(tt.want, lines(err)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			if (r == nil) != (err != nil) {
				t.Errorf("keyring = %v, error = %v", r, err)
			}
		})
	}
}

func TestKeyringRetainsNoCallerMemory(t *testing.T) {
	secret, older := key(1), key(2)
	previous := [][]byte{older}
	r, err := cursor.NewKeyring(secret, previous...)
	if err != nil {
		t.Fatal(err)
	}
	clear(secret)
	clear(older)
	previous[0] = nil
	token := codec[position](t, r, nil).Seal(typical, bound)
	if got, err := codec[position](t, ring(t, key(1)), nil).Open(token, bound); err != nil || got != typical {
		t.Errorf("sealed under overwritten keys: %+v, %v", got, err)
	}
}

func TestKeyringPrintsNoKeys(t *testing.T) {
	secret := []byte("a secret of thirty-two characters")
	r := ring(t, secret, key(2))
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("text", "keys", r, "value", *r)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("json", "keys", r, "value", *r)
	printed := []string{log.String(), r.String()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%b", "%o", "%T%v"} {
		printed = append(printed, fmt.Sprintf(verb, r), fmt.Sprintf(verb, *r), fmt.Sprintf(verb, struct{ K *cursor.Keyring }{r}))
	}
	for _, p := range printed {
		for _, leak := range []string{"secret of", fmt.Sprintf("%x", secret[:4]), fmt.Sprintf("%X", secret[:4]), "97 32 115", "0x61"} {
			if strings.Contains(p, leak) {
				t.Errorf("printed %q", p)
			}
		}
	}
	for _, got := range []string{fmt.Sprintf("%v", r), fmt.Sprintf("%#v", *r), r.String()} {
		if got != "cursor.Keyring(redacted)" {
			t.Errorf("printed %q", got)
		}
	}
}

func TestNewFaults(t *testing.T) {
	type unexported struct {
		ID   string
		sort int64
	}
	type broken struct {
		ID     string
		Ptr    *int
		List   []string
		Map    map[string]int
		Any    any
		Func   func()
		Chan   chan int
		C      complex128
		Addr   uintptr
		Ints   [2]int
		Nested struct {
			OK  bool
			Err error
			low int
		}
	}
	_ = unexported{sort: 1}
	_ = broken{}.Nested.low
	good := ring(t, key(1))
	tests := []struct {
		name string
		err  error
		want []string
	}{
		{"no keyring", newErr[position](nil, time.Minute, nil), []string{"cursor: the keyring has no key"}},
		{"zero keyring", newErr[position](&cursor.Keyring{}, time.Minute, nil), []string{"cursor: the keyring has no key"}},
		{"no TTL", newErr[position](good, 0, nil), []string{"cursor: TTL is 0s, at least 1s is needed"}},
		{"negative TTL", newErr[position](good, -time.Hour, nil), []string{"cursor: TTL is -1h0m0s, at least 1s is needed"}},
		{"TTL below a second", newErr[position](good, time.Second-1, nil), []string{"cursor: TTL is 999.999999ms, at least 1s is needed"}},
		{"negative skew", newErr[position](good, time.Minute, &cursor.Options{Skew: -1}), []string{"cursor: skew is -1ns, it must be between 0 and the TTL"}},
		{"skew beyond the TTL", newErr[position](good, time.Minute, &cursor.Options{Skew: time.Hour}), []string{"cursor: skew is 1h0m0s, it must be between 0 and the TTL"}},
		{"least TTL, greatest skew", newErr[position](good, time.Second, &cursor.Options{Skew: time.Second}), nil},
		{"unexported field", newErr[unexported](good, time.Minute, nil), []string{"cursor: payload field sort: it is not exported, so its value would be lost"}},
		{"pointer", newErr[*position](good, time.Minute, nil), []string{"cursor: payload: type *cursor_test.position cannot be carried"}},
		{"interface", newErr[any](good, time.Minute, nil), []string{"cursor: payload: type interface {} cannot be carried"}},
		{"everything", newErr[broken](nil, 0, &cursor.Options{Skew: -1}), []string{
			"cursor: the keyring has no key",
			"cursor: TTL is 0s, at least 1s is needed",
			"cursor: skew is -1ns, it must be between 0 and the TTL",
			"cursor: payload field Ptr: type *int cannot be carried",
			"cursor: payload field List: type []string cannot be carried",
			"cursor: payload field Map: type map[string]int cannot be carried",
			"cursor: payload field Any: type interface {} cannot be carried",
			"cursor: payload field Func: type func() cannot be carried",
			"cursor: payload field Chan: type chan int cannot be carried",
			"cursor: payload field C: type complex128 cannot be carried",
			"cursor: payload field Addr: type uintptr cannot be carried",
			"cursor: payload field Ints: type [2]int cannot be carried",
			"cursor: payload field Nested.Err: type error cannot be carried",
			"cursor: payload field Nested.low: it is not exported, so its value would be lost",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, lines(tt.err)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

func newErr[P any](keys *cursor.Keyring, ttl time.Duration, opts *cursor.Options) error {
	_, err := cursor.New[P](keys, ttl, opts)
	return err
}
