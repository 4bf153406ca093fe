package jcs_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcpkit-go/agentmcp/versioning/internal/jcs"
)

var errModel = errors.New("refused")

// model is the canonical form as the specification puts it, without a thought
// for speed: parsed by encoding/json, numbers in exact rational arithmetic.
func model(raw []byte) (string, error) {
	if !utf8.Valid(raw) || !json.Valid(raw) || loneSurrogate(raw) {
		return "", errModel
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var b strings.Builder
	err := modelValue(&b, d, 0)
	return b.String(), err
}

// loneSurrogate looks at the escapes of a valid JSON text, which has no
// backslash outside of strings.
func loneSurrogate(raw []byte) bool {
	text := string(raw)
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			return false
		}
		if text[i+1] != 'u' {
			text = text[i+2:]
			continue
		}
		unit := func(s string) rune {
			if len(s) < 6 || s[:2] != `\u` {
				return 0
			}
			n, _ := strconv.ParseUint(s[2:6], 16, 16)
			return rune(n)
		}
		first := unit(text[i:])
		text = text[i+6:]
		if utf16.IsSurrogate(first) {
			if utf16.DecodeRune(first, unit(text)) == utf8.RuneError {
				return true
			}
			text = text[6:]
		}
	}
}

func modelValue(b *strings.Builder, d *json.Decoder, depth int) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch v := token.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		fmt.Fprint(b, v)
	case string:
		modelString(b, v)
	case json.Number:
		s, err := modelNumber(string(v))
		b.WriteString(s)
		return err
	case json.Delim:
		if depth == jcs.MaxDepth {
			return errModel
		}
		if v == '[' {
			return modelArray(b, d, depth+1)
		}
		return modelObject(b, d, depth+1)
	}
	return nil
}

func modelArray(b *strings.Builder, d *json.Decoder, depth int) error {
	b.WriteByte('[')
	for i := 0; d.More(); i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := modelValue(b, d, depth); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	_, err := d.Token()
	return err
}

func modelObject(b *strings.Builder, d *json.Decoder, depth int) error {
	members := map[string]string{}
	var keys []string
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		key := token.(string)
		if _, twice := members[key]; twice {
			return errModel
		}
		var value strings.Builder
		if err := modelValue(&value, d, depth); err != nil {
			return err
		}
		members[key] = value.String()
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	})
	b.WriteByte('{')
	for i, key := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		modelString(b, key)
		b.WriteByte(':')
		b.WriteString(members[key])
	}
	b.WriteByte('}')
	_, err := d.Token()
	return err
}

func modelString(b *strings.Builder, s string) {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	b.WriteByte('"')
	for _, r := range s {
		switch escape, ok := short[r]; {
		case ok:
			b.WriteString(escape)
		case r < ' ':
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

func modelNumber(text string) (string, error) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if strings.Trim(mantissa, "-0.") == "" {
		return "0", nil
	}
	// Rational arithmetic does not bear the exponents that the writer must
	// bear; what is outside by far cannot be made good by the mantissas here.
	if e, err := strconv.ParseInt(exponent, 10, 64); exponent != "" && (err != nil || e > 5000 || e < -5000) {
		return "", errModel
	}
	exact, ok := new(big.Rat).SetString(text)
	if !ok {
		return "", io.ErrUnexpectedEOF
	}
	f, _ := exact.Float64()
	if f == 0 || math.IsInf(f, 0) {
		return "", errModel
	}
	spelling := strconv.FormatFloat(f, 'f', -1, 64)
	if a := math.Abs(f); a < 1e-6 || a >= 1e21 {
		spelling = strconv.FormatFloat(f, 'e', -1, 64)
		spelling = strings.Replace(spelling, "e-0", "e-", 1)
	}
	rounded, _ := new(big.Rat).SetString(spelling)
	if rounded.Cmp(exact) != 0 && exact.IsInt() {
		return exact.Num().String(), nil
	}
	return spelling, nil
}

func check(t *testing.T, raw []byte) {
	t.Helper()
	want, wantErr := model(raw)
	got, err := jcs.Append([]byte("before"), raw)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%.200q: error %v, the model's %v", raw, err, wantErr)
	}
	sum, sumErr := jcs.Sum(raw)
	if err != nil {
		var e *jcs.Error
		if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(raw) || e.Reason == "" {
			t.Fatalf("%.200q: error %#v", raw, err)
		}
		if string(got) != "before" || sumErr == nil {
			t.Fatalf("%.200q: Append returned %q with an error, Sum the error %v", raw, got, sumErr)
		}
		return
	}
	if string(got) != "before"+want {
		t.Fatalf("%.200q:\ngot  %.300s\nwant before%.300s", raw, got, want)
	}
	if sum != sha256.Sum256([]byte(want)) || sumErr != nil {
		t.Fatalf("%.200q: Sum is not the hash of Append's result, or failed: %v", raw, sumErr)
	}
	again, err := jcs.Append(nil, []byte(want))
	if err != nil || string(again) != want {
		t.Fatalf("canonical %.200q is not its own canonical form: %.200q, %v", want, again, err)
	}
}

func FuzzAppend(f *testing.F) {
	for _, s := range []string{
		`null`, ` [1, 2 ,{"b":{"d":1,"c":2},"a":[]}]` + "\n", `{"a":1,"\u0061":2}`, `{"b":1,"a":2,"b":3}`,
		`"\ud83d\ude00\u000f\/\"\\é` + "\u2028" + `"`, `"\ud83d"`, `"\ude00\ud83d"`, "\"\xff\"", "\"\x01\"", "\"\x7f\"",
		`[9007199254740993,1e0,-0,-0.0,1E+2,0.1e-5,1e400,1e-400,123456789012345678901234567890]`,
		`{"` + "\U00010000" + `":1,"` + "\uffff" + `":2,"` + "\ue000" + `":3,"":4,"\n":5}`,
		`[`, `{"a"`, `{"a":1,}`, `01`, `-`, `1.`, `1e`, `nul`, `"\x"`, `"\u12"`, ``, `  `, `1 2`, "\ufeff1",
		strings.Repeat("[", 128) + strings.Repeat("]", 128), strings.Repeat("[", 129) + strings.Repeat("]", 129),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > 1<<12 {
			raw = raw[:1<<12] // the model is quadratic
		}
		check(t, raw)
	})
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"0", "1.5e300", "-17976931348623157e292", "179769313486231580793e289", "9007199254740993",
		"2.4703282292062327e-324", "2.4703282292062328e-324", "0.000001", "1e21", "999999999999999999999", "4.35", "0.1e1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) < 1<<10 {
			check(t, []byte(s))
		}
	})
}

// Random decimals of every length and around every border, against the model.
func TestNumbersAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 785))
	for range 30000 {
		var b strings.Builder
		if r.IntN(3) == 0 {
			b.WriteByte('-')
		}
		digits := 1 + r.IntN(24)
		b.WriteByte(byte('1' + r.IntN(9)))
		point := r.IntN(digits + 3)
		for i := 1; i < digits; i++ {
			if i == point {
				b.WriteByte('.')
			}
			b.WriteByte("00000123456789999"[r.IntN(17)])
		}
		switch r.IntN(4) {
		case 0:
			fmt.Fprintf(&b, "e%d", r.IntN(50)-25)
		case 1:
			fmt.Fprintf(&b, "E%+d", r.IntN(700)-350)
		}
		check(t, []byte(b.String()))
	}
	for range 30000 {
		f := math.Float64frombits(r.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		for _, format := range []byte("eg") {
			check(t, strconv.AppendFloat(nil, f, format, -1, 64))
		}
		got, _ := jcs.AppendFloat(nil, f)
		if want, _ := model(strconv.AppendFloat(nil, f, 'e', -1, 64)); string(got) != want {
			t.Fatalf("AppendFloat(%x) = %s, want %s", math.Float64bits(f), got, want)
		}
	}
}
