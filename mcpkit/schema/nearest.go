package schema

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// nearest returns the one of known that got was most likely meant to be, ""
// if none is near; known is sorted. sure is false if another is as near, or if
// got only abbreviates name.
//
// From near to far: spelled alike but for case and separators (issueNumber for
// issue_number); a slip or two away, word by word; an abbreviation, of which
// the first letters or whole words are given (repo for repository, depth for
// maxDepth). A few letters can turn a word into its opposite, so a slip spares
// the first letter of each word and all digits, and short words have few:
// unlocked is not near to locked, nor min_size to max_size.
func nearest(got string, known []string) (name string, sure bool) {
	name, sure, abbreviation := nearestOf(got, known)
	return name, sure && !abbreviation
}

// nearestOf is nearest; sure then says only that there is no other, and
// abbreviation tells that kind apart.
func nearestOf(got string, known []string) (name string, sure, abbreviation bool) {
	if len(got) > 4*maxNameLength {
		return "", false, false
	}
	folded, words := foldName(got)
	best := farAway
	for _, candidate := range known {
		if len(candidate) > 4*maxNameLength {
			continue
		}
		switch d := nameDistance(folded, words, candidate); {
		case d < best:
			name, best, sure = candidate, d, true
		case d == best:
			sure = false
		}
	}
	return name, sure, best == abbreviated
}

// Distances that are no count of edits.
const (
	abbreviated = 1 << 10
	farAway     = 1 << 11
)

func nameDistance(folded string, words []string, candidate string) int {
	other, otherWords := foldName(candidate)
	switch {
	case folded == "" || other == "":
		return farAway
	case folded == other:
		return 0
	}
	if len(words) == len(otherWords) {
		sum := 0
		for i, w := range words {
			d := slips(w, otherWords[i])
			if sum += d; d == farAway {
				sum = farAway
				break
			}
		}
		if sum < abbreviated {
			return sum
		}
	} else if slips(folded, other) == 1 {
		return 1
	}
	if strings.HasPrefix(other, folded) {
		return abbreviated
	}
	for _, w := range words {
		if !slices.Contains(otherWords, w) {
			return farAway
		}
	}
	return abbreviated
}

// slips counts the slips between two words, farAway if they are too many: one
// in a word of three to seven letters, two in one of eight, and so on. An
// ending may be a little longer (opened for open).
func slips(a, b string) int {
	d := editDistance(a, b)
	if d == 0 {
		return 0
	}
	longest := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	allowed := longest / 4
	if longest == 3 {
		allowed = 1
	}
	if strings.HasPrefix(a, b) || strings.HasPrefix(b, a) {
		allowed = longest / 3
	}
	first, _ := utf8.DecodeRuneInString(a)
	if d > allowed || !strings.HasPrefix(b, string(first)) || digitsOf(a) != digitsOf(b) {
		return farAway
	}
	return d
}

func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// foldName returns a name in lower case without separators, and its words:
// those of snake_case, kebab-case and camelCase.
func foldName(name string) (folded string, words []string) {
	var all, word strings.Builder
	lower := false
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			lower = false
			continue
		}
		if unicode.IsUpper(r) && lower {
			end()
		}
		lower = !unicode.IsUpper(r)
		r = unicode.ToLower(r)
		word.WriteRune(r)
		all.WriteRune(r)
	}
	end()
	return all.String(), words
}

// editDistance counts the letters to insert, delete, replace or swap with
// their neighbour to make b of a.
func editDistance(a, b string) int {
	s, t := []rune(a), []rune(b)
	rows := make([]int, 3*(len(t)+1))
	before, last, row := rows[:len(t)+1], rows[len(t)+1:2*(len(t)+1)], rows[2*(len(t)+1):]
	for j := range last {
		last[j] = j
	}
	for i := range s {
		row[0] = i + 1
		for j := range t {
			change := 1
			if s[i] == t[j] {
				change = 0
			}
			row[j+1] = min(last[j]+change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(t)]
}
