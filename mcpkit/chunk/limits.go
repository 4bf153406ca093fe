package chunk

import "unicode/utf8"

const (
	// DefaultTarget is the target where [Limits] names none: 16 KiB.
	DefaultTarget = 16 << 10
	// MaxFactor is how many times the target the hard limit is where [Limits]
	// names none.
	MaxFactor = 4
)

// Limits say how large chunks should be and may be, in bytes of content. The zero
// value means the defaults.
type Limits struct {
	// Target is the wanted size. Small sections are joined up to it, and what has
	// to be cut is cut close to it. Default, and for anything below 1,
	// DefaultTarget.
	Target int
	// Max is the hard limit. What belongs together is kept whole beyond the
	// target up to it. Default, and for anything below 1, MaxFactor times Target;
	// at least Target, and at least 4, which is the longest rune.
	Max int
}

// Resolved returns l with the defaults filled in: 1 ≤ Target ≤ Max, 4 ≤ Max.
// Splitters call it once.
func (l Limits) Resolved() Limits {
	const most = 1 << 30 // no overflow of int on any platform
	if l.Target < 1 {
		l.Target = DefaultTarget
	}
	l.Target = min(l.Target, most)
	if l.Max < 1 {
		l.Max = most
		if l.Target < most/MaxFactor {
			l.Max = MaxFactor * l.Target
		}
	}
	l.Max = max(min(l.Max, most), l.Target, utf8.UTFMax)
	return l
}
