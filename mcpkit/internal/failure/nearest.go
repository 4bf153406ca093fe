package failure

import "strings"

// maxNearest bounds the names that are compared, in bytes.
const maxNearest = 128

// Nearest returns the name that got is most likely a slip of: the one that
// needs the fewest edits, of several the first, or else the only one that got
// begins. A sixth of the name may be edited, so that a slip is found and
// another verb is not: delete must not lead to create. It returns "" if none is
// near.
func Nearest(got string, names []string) string {
	if len(got) > maxNearest {
		return ""
	}
	best, bestDistance := "", 0
	var begun []string
	for _, name := range names {
		if len(name) > maxNearest {
			continue
		}
		d := distance(got, name)
		if d <= max(2, len(name)/6) && d < len(name) && (best == "" || d < bestDistance) {
			best, bestDistance = name, d
		}
		if strings.HasPrefix(name, got+"_") {
			begun = append(begun, name)
		}
	}
	if best == "" && len(begun) == 1 {
		return begun[0]
	}
	return best
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
