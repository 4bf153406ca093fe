package markdown

// maxDepth is how many containers, such as quotations in quotations, may open on one
// line. Deeper ones are text: the parser takes time by the square of the depth.
const maxDepth = 100

// bound makes text of what opens more containers on one line than maxDepth, without a
// change of offsets.
func bound(b []byte) {
	depth, opening := 0, true
	for i, c := range b {
		switch {
		case c == '\n':
			depth, opening = 0, true
			continue
		case !opening || c == ' ' || c == '\t' || '0' <= c && c <= '9':
			continue
		case c == '>':
			depth++
		case c == '-', c == '+', c == '*', c == '.', c == ')':
			if i+1 < len(b) && (b[i+1] == ' ' || b[i+1] == '\t') {
				depth++
			}
		default:
			opening = false
		}
		if depth > maxDepth {
			b[i], opening = 'x', false
		}
	}
}
