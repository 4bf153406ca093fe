package jcs_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/mcpkit-go/agentmcp/versioning/internal/jcs"
)

func TestForms(t *testing.T) {
	tests := []struct{ name, in, want string }{
		// public fault 74: HTML and line separators are not escaped
		{"HTML and separators", `{"a":"<b>&\u2028\u2029\u003c"}`, `{"a":"<b>&` + "\u2028\u2029" + `<"}`},
		{"every short escape", `"\b\t\n\f\r\"\\\/"`, `"\b\t\n\f\r\"\\/"`},
		{"short escapes by number", `"\u0008\u0009\u000A\u000c\u000d\u0022\u005C\u002f"`, `"\b\t\n\f\r\"\\/"`},
		{"other controls", `"\u0000\u001F\u007f\u0080"`, `"\u0000\u001f` + "\u007f\u0080" + `"`},
		{"supplementary", `"\uD83D\uDE00\ud800\udc00"`, `"😀𐀀"`},
		// public fault 75: order by UTF-16, not by UTF-8
		{"order beyond U+FFFF", `{"` + "\ufffd" + `":1,"` + "\U00010000" + `":2}`, `{"` + "\U00010000" + `":2,"` + "\ufffd" + `":1}`},
		{"order, mixed", `{"` + "\ue000\U0010ffff\ud7ff" + `":1,"` + "\ue000\uffff" + `":2,"` + "\ud7ff" + `":3,"` + "\U0010ffff" + `":4,"z":5,"":6}`,
			`{"":6,"z":5,"` + "\ud7ff" + `":3,"` + "\U0010ffff" + `":4,"` + "\ue000\U0010ffff\ud7ff" + `":1,"` + "\ue000\uffff" + `":2}`},
		{"order of escaped keys", `{"a":1,"\n":2,"\u0022":3,"\\":4,"\u0000":5}`, `{"\u0000":5,"\n":2,"\"":3,"\\":4,"a":1}`},
		{"prefix first", `{"aa":1,"a":2,"":3}`, `{"":3,"a":2,"aa":1}`},
		// public fault 76: no Unicode normalization
		{"composed", `"\u00e9"`, `"é"`},
		{"decomposed", `"e\u0301"`, "\"e\u0301\""},
		{"order inside out", `{"b":{"d":[{"y":1,"x":2}],"c":3},"a":4}`, `{"a":4,"b":{"c":3,"d":[{"x":2,"y":1}]}}`},
		{"space everywhere", " \t\r\n{ \"b\" : [ 1 , 2 ] ,\n\"a\" : { } , \"c\":[\t]}\n ", `{"a":{},"b":[1,2],"c":[]}`},
		{"space before canonical", "\n [1,{}]", `[1,{}]`},
		{"empties", `[{},[],"",0,null,true,false]`, `[{},[],"",0,null,true,false]`},
		{"top-level string", `"x"`, `"x"`},
		{"duplicate in another object", `[{"a":1},{"a":{"a":1}}]`, `[{"a":1},{"a":{"a":1}}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := canonical(t, tt.in); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			check(t, []byte(tt.in))
		})
	}
}

// public fault 77: spellings of one number share a form, and integers that
// differ never do
func TestNumbers(t *testing.T) {
	tests := []struct {
		want      string
		spellings []string
	}{
		{"1", []string{"1", "1.0", "1e0", "1E0", "10e-1", "0.1e1", "1.000", "1e+00", "0.0001e4", "1" + strings.Repeat("0", 400) + "e-400"}},
		{"0", []string{"0", "-0", "0.0", "-0.0e5", "0e999999999999999999999", "0E-5", "-0.000"}},
		{"-1", []string{"-1", "-1.0", "-10e-1"}},
		{"9007199254740991", []string{"9007199254740991", "9007199254740991.0", "9.007199254740991e15"}},
		{"9007199254740992", []string{"9007199254740992", "9007199254740992.0", "9.007199254740992e15"}},
		{"9007199254740993", []string{"9007199254740993", "9007199254740993.0", "9.007199254740993e15", "90071992547409930e-1"}},
		{"-9007199254740993", []string{"-9007199254740993", "-9007199254740993e0"}},
		{"18446744073709551615", []string{"18446744073709551615"}},
		{"18446744073709551616", []string{"18446744073709551616"}},
		{"100000000000000000000", []string{"1e20", "100000000000000000000", "0.1e21"}},
		{"999999999999999999999", []string{"999999999999999999999"}},
		{"1e+21", []string{"1e21", "1000000000000000000000", "1000000000000000000000.000"}},
		{"1000000000000000000001", []string{"1000000000000000000001", "1.000000000000000000001e21"}},
		{"1e+30", []string{"1e30", "1000000000000000000000000000000", "1" + strings.Repeat("0", 30) + ".0"}},
		{"1000000000000000019884624838656", []string{"1000000000000000019884624838656"}},
		{"1000000000000000000000000000001", []string{"1000000000000000000000000000001"}},
		{"295147905179352830000", []string{"295147905179352830000"}},
		{"295147905179352825856", []string{"295147905179352825856"}},
		{"1.5e+300", []string{"1.5e300", "15" + strings.Repeat("0", 299)}},
		{"1.7976931348623157e+308", []string{"1.7976931348623157e308"}},
		{"1e-7", []string{"1e-7", "0.0000001", "0.00000010"}},
		{"0.000001", []string{"1e-6", "0.000001"}},
		{"0.1", []string{"0.1", "1e-1", "0.10", "0.1000000000000000055511151231257827"}},
		{"0.30000000000000004", []string{"0.30000000000000004", "0.300000000000000040"}},
		{"4.35", []string{"4.35", "4.350", "435e-2"}},
		{"123456789012345680", []string{"123456789012345678.5"}}, // a fraction is rounded, as RFC 8785 has it
		{"5e-324", []string{"5e-324", "4.9406564584124654e-324", "2.4703282292062328e-324"}},
		{"2.2250738585072014e-308", []string{"2.2250738585072014e-308"}},
		{"2.225073858507201e-308", []string{"2.225073858507201e-308", "2.2250738585072011e-308"}},
	}
	seen := map[string]bool{}
	for _, tt := range tests {
		if seen[tt.want] {
			t.Fatalf("%s is there twice", tt.want)
		}
		seen[tt.want] = true
		for _, s := range tt.spellings {
			if got := canonical(t, s); got != tt.want {
				t.Errorf("%.40s = %s, want %s", s, got, tt.want)
			}
			check(t, []byte(s))
		}
	}
}

// All integers around the powers of two and ten keep apart, in the spellings
// that a writer may choose.
func TestIntegersAreInjective(t *testing.T) {
	seen := map[string]string{}
	for _, digits := range []string{"9007199254740992", "9223372036854775807", "18446744073709551615",
		"99999999999999999999", "100000000000000000000", "999999999999999999990", "1000000000000000000000",
		"1000000000000000019884624838650", "1" + strings.Repeat("0", 60)} {
		stem := digits[:len(digits)-1]
		for last := range 10 {
			exact := stem + strconv.Itoa(last)
			for _, spelling := range []string{exact, exact + ".0", exact + "0e-1", exact[:1] + "." + exact[1:] + "e" + strconv.Itoa(len(exact)-1)} {
				form := canonical(t, spelling)
				if other, ok := seen[form]; ok && other != exact {
					t.Errorf("%s and %s share the form %s", exact, other, form)
				}
				seen[form] = exact
				if again := canonical(t, form); again != form {
					t.Errorf("%s becomes %s", form, again)
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := []struct {
		name, in string
		offset   int
		reason   string
	}{
		{"empty", "", 0, "unexpected end"},
		{"space", " \n", 0, "unexpected end"},
		{"two values", `1 2`, 2, "data after the value"},
		{"trailing brace", `{}}`, 2, "data after the value"},
		{"trailing NUL", "1\x00", 1, "data after the value"},
		{"byte order mark", "\ufeff1", 0, "unexpected character"},
		{"comment", `/**/1`, 0, "unexpected character"},
		{"NaN", `NaN`, 0, "unexpected character"},
		{"Infinity", `-Infinity`, 1, "no digit in a number"},
		{"hexadecimal", `0x1`, 1, "data after the value"},
		{"plus", `+1`, 0, "unexpected character"},
		{"leading zero", `[01]`, 1, "leading zero in a number"},
		{"bare point", `.5`, 0, "unexpected character"},
		{"point without digits", `[1.]`, 3, "no digit in a number"},
		{"exponent without digits", `[1e+]`, 4, "no digit in a number"},
		{"minus", `-`, 1, "unexpected end"},
		{"half a literal", `tru`, 0, "unexpected character"},
		{"capital literal", `True`, 0, "unexpected character"},
		{"trailing comma in array", `[1,]`, 3, "unexpected character"},
		{"trailing comma in object", `{"a":1,}`, 7, "no key where one must be"},
		{"missing comma", `[1 2]`, 3, "no comma or bracket after an element"},
		{"missing comma in object", `{"a":1 "b":2}`, 7, "no comma or brace after a member"},
		{"missing colon", `{"a" 1}`, 5, "no colon after a key"},
		{"number as key", `{1:2}`, 1, "no key where one must be"},
		{"single quotes", `{'a':1}`, 1, "no key where one must be"},
		{"open string", `"abc`, 4, "unexpected end"},
		{"open escape", `"abc\`, 5, "unexpected end"},
		{"open array", `[1`, 2, "unexpected end"},
		{"open object", `{"a":1`, 6, "unexpected end"},
		{"open key", `{"a"`, 4, "unexpected end"},
		{"unknown escape", `"\x41"`, 1, "unknown escape"},
		{"short escape", `"\u12"`, 1, "incomplete escape"},
		{"escape of no hex digits", `"\u00g0"`, 1, "incomplete escape"},
		{"raw control", "\"a\nb\"", 2, "control character in a string"},
		{"raw NUL", "\"\x00\"", 1, "control character in a string"},
		{"high surrogate", `"ab\ud800"`, 3, "lone surrogate"},
		{"low surrogate", `"\udc00"`, 1, "lone surrogate"},
		{"surrogates reversed", `"\udc00\ud800"`, 1, "lone surrogate"},
		{"high surrogate twice", `"\ud800\ud800"`, 1, "lone surrogate"},
		{"high surrogate and a letter", `"\ud800\u0041"`, 1, "lone surrogate"},
		{"high surrogate in a key", `{"\ud800":1}`, 2, "lone surrogate"},
		{"invalid UTF-8", "[\"abc\xffdef\"]", 5, "invalid UTF-8"},
		{"surrogate in UTF-8", "\"\xed\xa0\x80\"", 1, "invalid UTF-8"},
		{"overlong UTF-8", "\"\xc0\xaf\"", 1, "invalid UTF-8"},
		{"cut UTF-8", "\"é\xe2\x82\"", 3, "invalid UTF-8"},
		{"invalid UTF-8 in a key", "{\"\x80\":1}", 2, "invalid UTF-8"},
		{"duplicate key", `{"a":1,"a":2}`, 7, "duplicate key"},
		{"duplicate key, one escaped", `{"a":1,"\u0061":2}`, 7, "duplicate key"},
		{"duplicate key out of order", `{"b":1,"a":2,"b":3}`, 13, "duplicate key"},
		{"duplicate key far apart", `{"c":{"x":1},"b":1,"a":2,"\u0063":3}`, 25, "duplicate key"},
		{"duplicate empty key", `[{"":1,"":2}]`, 7, "duplicate key"},
		{"too large", `[1e309]`, 1, "number too large"},
		{"just too large", `1.7976931348623159e308`, 0, "number too large"},
		{"too large by digits", "1" + strings.Repeat("0", 309), 0, "number too large"},
		{"exponent of many digits", `1e` + strings.Repeat("9", 1000), 0, "number too large"},
		{"too small", `-1e-400`, 0, "number too close to zero"},
		{"just too small", `2.4703282292062327e-324`, 0, "number too close to zero"},
		{"small exponent of many digits", `1e-` + strings.Repeat("9", 1000), 0, "number too close to zero"},
		{"too deep", deep(jcs.MaxDepth + 1), jcs.MaxDepth, "nested too deeply"},
		{"far too deep", strings.Repeat(`{"a":[`, 1<<20), 6 * jcs.MaxDepth / 2, "nested too deeply"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := jcs.Append(nil, []byte(tt.in))
			var e *jcs.Error
			if !errors.As(err, &e) || got != nil {
				t.Fatalf("got %q, %v; want an error", got, err)
			}
			if e.Offset != tt.offset || e.Reason != tt.reason {
				t.Errorf("got %d %q, want %d %q", e.Offset, e.Reason, tt.offset, tt.reason)
			}
			if len(tt.in) < 1<<12 {
				check(t, []byte(tt.in))
			}
		})
	}
	if got := canonical(t, deep(jcs.MaxDepth)); got != deep(jcs.MaxDepth) {
		t.Errorf("at the cap: %s", got)
	}
}

// A hostile text costs time in proportion to its length.
func TestCostIsBounded(t *testing.T) {
	const size = 1 << 20
	var keys strings.Builder
	for i := range size / 16 {
		fmt.Fprintf(&keys, `"%011d":1,`, size-i)
	}
	nested := strings.Repeat(`{"b":0,"a":`, jcs.MaxDepth-1) + `"` + strings.Repeat("x", size) + `"` + strings.Repeat("}", jcs.MaxDepth-1)
	for name, in := range map[string]string{
		"digits":            strings.Repeat("9", size),
		"fraction":          "0." + strings.Repeat("3", size),
		"zeros made good":   "0." + strings.Repeat("0", size) + "1e" + strconv.Itoa(size+1),
		"zeros of one":      "1" + strings.Repeat("0", size) + "e-" + strconv.Itoa(size),
		"exponent":          "1e" + strings.Repeat("0", size) + "1",
		"reversed keys":     "{" + strings.TrimSuffix(keys.String(), ",") + "}",
		"unsorted, nested":  nested,
		"escapes":           `"` + strings.Repeat(`\u0041`, size/6) + `"`,
		"escapes in a key":  `{"` + strings.Repeat(`\u0041`, size/6) + `":1}`,
		"keys alike so far": `{"` + strings.Repeat("k", size/2) + `b":1,"` + strings.Repeat("k", size/2) + `a":1}`,
	} {
		start := time.Now()
		got, err := jcs.Append(nil, []byte(in))
		if spent := time.Since(start); spent > 5*time.Second {
			t.Errorf("%s: took %v", name, spent)
		}
		want := map[string]string{"zeros made good": "1", "zeros of one": "1", "exponent": "10", "fraction": "0.3333333333333333"}[name]
		switch {
		case name == "digits":
			if err == nil {
				t.Errorf("digits: no error")
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case want != "" && string(got) != want:
			t.Errorf("%s: got %.40s, want %s", name, got, want)
		}
	}
}

func TestAppendString(t *testing.T) {
	for _, s := range []string{"", "plain", "a\"b\\c\x00\x1f\n\u007f", "é\u2028😀", "longer than eight bytes, with \" and é"} {
		got, ok := jcs.AppendString([]byte("x"), s)
		var want strings.Builder
		want.WriteByte('x')
		modelString(&want, s)
		if !ok || string(got) != want.String() {
			t.Errorf("AppendString(%q) = %s, %v; want %s", s, got, ok, want.String())
		}
	}
	for _, s := range []string{"\xff", "abcdefgh\x80", "\xed\xa0\x80", "ok\"\xc3"} {
		if got, ok := jcs.AppendString([]byte("x"), s); ok || string(got) != "x" {
			t.Errorf("AppendString(%q) = %q, %v", s, got, ok)
		}
	}
}

func TestCompare(t *testing.T) {
	runes := []rune{0, 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x1f600, 0x10ffff}
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range r.IntN(4) {
			b.WriteRune(runes[r.IntN(len(runes))])
		}
		return b.String()
	}
	sign := func(n int) int { return min(max(n, -1), 1) }
	for range 20000 {
		a, b := text(), text()
		want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		if got := jcs.Compare(a, b); sign(got) != want {
			t.Fatalf("Compare(%q, %q) = %d, want %d", a, b, got, want)
		}
	}
}

func TestAppendFloatIntegers(t *testing.T) {
	for _, f := range []float64{0, -1, 1 << 53, 1<<53 + 2, -(1 << 53), 1 << 62, 1 << 63, 1 << 64, 1e20, 1e21, math.MaxInt64, math.MinInt64} {
		got, _ := jcs.AppendFloat(nil, f)
		if want, _ := model(strconv.AppendFloat(nil, f, 'e', -1, 64)); string(got) != want {
			t.Errorf("AppendFloat(%g) = %s, want %s", f, got, want)
		}
	}
}
