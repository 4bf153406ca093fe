package tracker

import (
	"slices"
	"strings"
	"unicode"
)

// words splits a text into lower-case words. Each character of a script that is
// written without spaces is a word.
func words(text string) []string {
	text = strings.ToLower(text)
	var list []string
	start := -1 // of the word at hand, -1 for none
	for i, r := range text {
		part := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		alone := part && r > 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
		if start >= 0 && (!part || alone) {
			list = append(list, text[start:i])
			start = -1
		}
		switch {
		case alone:
			list = append(list, string(r))
		case part && start < 0:
			start = i
		}
	}
	if start >= 0 {
		list = append(list, text[start:])
	}
	return list
}

// contains reports whether phrase occurs in text. Unless whole, the last word
// of the phrase need only begin a word of the text.
func contains(text, phrase []string, whole bool) bool {
	for i := 0; i+len(phrase) <= len(text); i++ {
		last := len(phrase) - 1
		if !slices.Equal(text[i:i+last], phrase[:last]) {
			continue
		}
		if text[i+last] == phrase[last] || !whole && strings.HasPrefix(text[i+last], phrase[last]) {
			return true
		}
	}
	return false
}
