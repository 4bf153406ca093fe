package chunk

import (
	"strconv"
	"strings"
)

// maxName is the length of the name in an id, in bytes.
const maxName = 40

// mint returns the id of chunk n, from 0, of total.
func mint(n, total int, name string) string {
	digits := max(2, len(strconv.Itoa(total)))
	number := strconv.Itoa(n + 1)
	id := "s" + strings.Repeat("0", max(0, digits-len(number))) + number
	if name = slug(name); name != "" {
		id += "-" + name
	}
	return id
}

// place returns the number in an id, from 0, or false if it is none of ours.
func place(id string) (int, bool) {
	digits, ok := strings.CutPrefix(id, "s")
	if !ok {
		return 0, false
	}
	digits, _, _ = strings.Cut(digits, "-")
	if len(digits) < 2 || len(digits) > 10 || digits[0] == '+' || digits[0] == '-' {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n - 1, err == nil && n > 0
}

// slug makes a name of a heading: lower-case ASCII letters and digits, with
// hyphens between words. Latin letters lose their accents. Letters of other
// scripts are left out, since a URI would carry them percent-encoded and clients
// then disagree on which of the two forms is the id.
func slug(s string) string {
	var b strings.Builder
	gap := false
	write := func(c byte) {
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteByte(c)
	}
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			write(byte(r))
		case 'A' <= r && r <= 'Z':
			write(byte(r) + 'a' - 'A')
		case r == '\'', r == '’', 0x300 <= r && r < 0x370: // don't → dont; combining accents
		default:
			plain := unaccented(r)
			gap = gap || plain == ""
			for i := range len(plain) {
				write(plain[i])
			}
		}
		if b.Len() > 2*maxName {
			break
		}
	}
	name := b.String()
	if len(name) <= maxName {
		return name
	}
	// Cut between words where that leaves something.
	if i := strings.LastIndexByte(name[:maxName+1], '-'); i >= maxName/2 {
		return name[:i]
	}
	return name[:maxName]
}

// accented lists Latin letters after what they become.
var accented = [...][2]string{
	{"a", "àáâãåāăąÀÁÂÃÅĀĂĄ"}, {"ae", "äæÄÆ"}, {"c", "çćĉċčÇĆĈĊČ"}, {"d", "ďđðĎĐÐ"}, {"e", "èéêëēĕėęěÈÉÊËĒĔĖĘĚ"},
	{"g", "ĝğġģĜĞĠĢ"}, {"h", "ĥħĤĦ"}, {"i", "ìíîïĩīĭįıÌÍÎÏĨĪĬĮİ"}, {"j", "ĵĴ"}, {"k", "ķĶ"}, {"l", "ĺļľŀłĹĻĽĿŁ"},
	{"n", "ñńņňÑŃŅŇ"}, {"o", "òóôõōŏőÒÓÔÕŌŎŐ"}, {"oe", "öøœÖØŒ"}, {"r", "ŕŗřŔŖŘ"}, {"s", "śŝşšșŚŜŞŠȘ"}, {"ss", "ßẞ"},
	{"t", "ţťŧțŢŤŦȚ"}, {"th", "þÞ"}, {"u", "ùúûũūŭůűųÙÚÛŨŪŬŮŰŲ"}, {"ue", "üÜ"}, {"w", "ŵŴ"}, {"y", "ýÿŷÝŸŶ"}, {"z", "źżžŹŻŽ"},
}

func unaccented(r rune) string {
	if r < 0xC0 || r > 0x1E9E {
		return ""
	}
	for _, a := range accented {
		if strings.ContainsRune(a[1], r) {
			return a[0]
		}
	}
	return ""
}
