package versioning

import (
	"encoding/json"
	"math/big"
)

// numbers compares the bounds of numbers, lengths and counts.
func (s *schemaDiffer) numbers(path string, a, b map[string]any) {
	s.bound(path, lowest(a), lowest(b), 1)
	s.bound(path, highest(a), highest(b), -1)
	for _, keyword := range []string{"minLength", "minItems", "minProperties", "minContains"} {
		s.count(path, keyword, a, b, 1)
	}
	for _, keyword := range []string{"maxLength", "maxItems", "maxProperties", "maxContains"} {
		s.count(path, keyword, a, b, -1)
	}
	s.multiple(at(path, "multipleOf"), get(a, "multipleOf"), get(b, "multipleOf"))
}

// A limit is the tighter of an inclusive and an exclusive bound.
type limit struct {
	keyword   string
	raw       any      // absent if there is none
	value     *big.Rat // nil if raw is no number
	exclusive bool
}

func lowest(schema map[string]any) limit {
	return tighter(schema, "minimum", "exclusiveMinimum", 1)
}

func highest(schema map[string]any) limit {
	return tighter(schema, "maximum", "exclusiveMaximum", -1)
}

// tighter has sign 1 for lower bounds, where more is tighter, -1 for upper.
func tighter(schema map[string]any, inclusive, exclusive string, sign int) limit {
	in := limit{keyword: inclusive, raw: get(schema, inclusive), value: rational(schema[inclusive])}
	ex := limit{keyword: exclusive, raw: get(schema, exclusive), value: rational(schema[exclusive]), exclusive: true}
	switch {
	case ex.raw == any(absent{}):
		return in
	case in.raw == any(absent{}):
		return ex
	case in.value == nil || ex.value == nil:
		return limit{keyword: inclusive, raw: []any{in.raw, ex.raw}}
	case in.value.Cmp(ex.value)*sign > 0:
		return in
	}
	return ex
}

func (s *schemaDiffer) bound(path string, a, b limit, sign int) {
	keyword := b.keyword
	if b.raw == any(absent{}) {
		keyword = a.keyword
	}
	path = at(path, keyword)
	if a.value == nil || b.value == nil {
		s.presence(path, a.raw, b.raw, keyword)
		return
	}
	order := b.value.Cmp(a.value) * sign
	if order == 0 && a.exclusive != b.exclusive {
		order = 1
		if a.exclusive {
			order = -1
		}
	}
	s.ordered(path, keyword, order, a.raw, b.raw)
}

// ordered reports a bound whose new value is tighter if order is positive.
func (s *schemaDiffer) ordered(path, keyword string, order int, before, after any) {
	switch {
	case order > 0:
		s.constraint(path, narrowed, before, after, keyword+" is tighter")
	case order < 0:
		s.constraint(path, widened, before, after, keyword+" is looser")
	}
}

// count compares a bound of a count, of which an absent minimum is 0, or 1 for
// minContains.
func (s *schemaDiffer) count(path, keyword string, a, b map[string]any, sign int) {
	before, after := get(a, keyword), get(b, keyword)
	x, y := rational(before), rational(after)
	if sign > 0 {
		least := new(big.Rat)
		if keyword == "minContains" {
			least.SetInt64(1)
		}
		if before == any(absent{}) {
			x = least
		}
		if after == any(absent{}) {
			y = least
		}
	}
	path = at(path, keyword)
	if x == nil || y == nil {
		s.presence(path, before, after, keyword)
		return
	}
	s.ordered(path, keyword, y.Cmp(x)*sign, before, after)
}

func (s *schemaDiffer) multiple(path string, before, after any) {
	x, y := rational(before), rational(after)
	if x == nil || y == nil || x.Sign() <= 0 || y.Sign() <= 0 {
		s.presence(path, before, after, "multipleOf")
		return
	}
	switch {
	case x.Cmp(y) == 0:
	case new(big.Rat).Quo(y, x).IsInt():
		s.constraint(path, narrowed, before, after, "multipleOf is tighter")
	case new(big.Rat).Quo(x, y).IsInt():
		s.constraint(path, widened, before, after, "multipleOf is looser")
	default:
		s.constraint(path, unrelated, before, after, "multipleOf changed")
	}
}

// rational is the exact value of a number, or nil. Canonical JSON has no number
// beyond a double but integers of as many digits as the text.
func rational(v any) *big.Rat {
	n, ok := v.(json.Number)
	if !ok {
		return nil
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return nil
	}
	return r
}
