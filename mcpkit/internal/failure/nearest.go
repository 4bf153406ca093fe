package failure

import (
	"slices"
	"strings"
)

// maxNearest bounds the names that are compared, in bytes.
const maxNearest = 128

// Nearest returns the one name that got is a slip of; "" if there is none or if
// there are several. Names are compared word by word, so that a slip is found
// and another verb is not: delete does not lead to create, nor sel to del.
func Nearest(got string, names []string) string {
	if len(got) > maxNearest {
		return ""
	}
	words := wordsOf(got)
	var slips, begun []string
	for _, name := range names {
		if len(name) > maxNearest {
			continue
		}
		if slices.EqualFunc(words, wordsOf(name), slip) {
			slips = append(slips, name)
		}
		if strings.HasPrefix(name, got+"_") {
			begun = append(begun, name)
		}
	}
	switch {
	case len(slips) == 1:
		return slips[0]
	case len(slips) == 0 && len(begun) == 1:
		return begun[0]
	}
	return ""
}

// maxRelated bounds what Related returns.
const maxRelated = 3

// Related returns the names that share the most words with got, beside the
// first, which is the service's prefix; at most three, in the order of names.
func Related(got string, names []string) []string {
	if len(got) > maxNearest {
		return nil
	}
	words := wordsOf(got)
	var related []string
	most := 1
	for _, name := range names {
		shared := 0
		for _, w := range wordsOf(name)[1:] {
			if slices.ContainsFunc(words, func(have string) bool { return slip(have, w) }) {
				shared++
			}
		}
		if shared > most {
			most, related = shared, nil
		}
		if shared == most {
			related = append(related, name)
		}
	}
	return related[:min(len(related), maxRelated)]
}

func wordsOf(name string) []string {
	return strings.FieldsFunc("prefix_"+strings.ToLower(name), func(r rune) bool { return r == '_' || r == '-' || r == '.' || r == '/' || r == ' ' })[1:]
}

// slip reports whether two words are the same, singular and plural of one
// another, or, if they are long enough to tell, spelled alike.
func slip(a, b string) bool {
	if a == b || strings.TrimSuffix(a, "s") == strings.TrimSuffix(b, "s") {
		return true
	}
	short := min(len(a), len(b))
	return short >= 5 && a[0] == b[0] && distance(a, b) <= 1+short/10 || short == 4 && a[0] == b[0] && len(a) != len(b) && distance(a, b) == 1
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
