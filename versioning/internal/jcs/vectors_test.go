package jcs_test

import (
	"math"
	"testing"

	"github.com/mcpkit-go/agentmcp/versioning/internal/jcs"
)

// The doubles of RFC 8785 appendix B and their spelling; "" where there is none.
var numberVectors = []struct {
	bits uint64
	want string
}{
	{0x0000000000000000, "0"},
	{0x8000000000000000, "0"},
	{0x0000000000000001, "5e-324"},
	{0x8000000000000001, "-5e-324"},
	{0x7fefffffffffffff, "1.7976931348623157e+308"},
	{0xffefffffffffffff, "-1.7976931348623157e+308"},
	{0x4340000000000000, "9007199254740992"},
	{0xc340000000000000, "-9007199254740992"},
	{0x4430000000000000, "295147905179352830000"},
	{0x7fffffffffffffff, ""},
	{0x7ff0000000000000, ""},
	{0x44b52d02c7e14af5, "9.999999999999997e+22"},
	{0x44b52d02c7e14af6, "1e+23"},
	{0x44b52d02c7e14af7, "1.0000000000000001e+23"},
	{0x444b1ae4d6e2ef4e, "999999999999999700000"},
	{0x444b1ae4d6e2ef4f, "999999999999999900000"},
	{0x444b1ae4d6e2ef50, "1e+21"},
	{0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
	{0x3eb0c6f7a0b5ed8d, "0.000001"},
	{0x41b3de4355555553, "333333333.3333332"},
	{0x41b3de4355555554, "333333333.33333325"},
	{0x41b3de4355555555, "333333333.3333333"},
	{0x41b3de4355555556, "333333333.3333334"},
	{0x41b3de4355555557, "333333333.33333343"},
	{0xbecbf647612f3696, "-0.0000033333333333333333"},
	{0x43143ff3c1cb0959, "1424953923781206.2"},
}

func TestNumberVectorsOfRFC8785(t *testing.T) {
	for _, v := range numberVectors {
		f := math.Float64frombits(v.bits)
		got, ok := jcs.AppendFloat([]byte("x"), f)
		if string(got) != "x"+v.want || ok != (v.want != "") {
			t.Errorf("AppendFloat(%016x) = %q, %v; want %q", v.bits, got, ok, "x"+v.want)
		}
		if v.want == "" {
			continue
		}
		if got := canonical(t, v.want); got != v.want {
			t.Errorf("canonical form of the vector %s is %s", v.want, got)
		}
	}
}

// The sample documents of RFC 8785 sections 3.2.2 to 3.2.4 and 3.2.3.
func TestDocumentsOfRFC8785(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{
			"3.2.2 literals, strings and numbers",
			`{
			  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
			  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
			  "literals": [null, true, false]
			}`,
			`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		},
		{
			"3.2.3 sorting",
			`{
			  "\u20ac": "Euro Sign",
			  "\r": "Carriage Return",
			  "\ufb33": "Hebrew Letter Dalet With Dagesh",
			  "1": "One",
			  "\ud83d\ude00": "Emoji: Grinning Face",
			  "\u0080": "Control",
			  "\u00f6": "Latin Small Letter O With Diaeresis"
			}`,
			`{"\r":"Carriage Return","1":"One","` + "\u0080" + `":"Control","ö":"Latin Small Letter O With Diaeresis",` +
				`"€":"Euro Sign","😀":"Emoji: Grinning Face","` + "\ufb33" + `":"Hebrew Letter Dalet With Dagesh"}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := canonical(t, tt.in); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func canonical(t *testing.T, in string) string {
	t.Helper()
	got, err := jcs.Append(nil, []byte(in))
	if err != nil {
		t.Fatalf("canonical form of %.80q: %v", in, err)
	}
	return string(got)
}
