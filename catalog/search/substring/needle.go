package substring

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A needle is a folded query, ready to be looked for in text after text. It is found
// by its rarest byte: most processors look for one byte in 32 at once.
type needle struct {
	query string
	text  []byte // the query
	rare  int    // index of its rarest byte
}

// frequent has the bytes that are most frequent in texts, the most frequent first.
const frequent = " etaoinsrhlducmpgfyw.b,\n-vk`*0"

func newNeedle(q string) *needle {
	n := &needle{query: q, text: []byte(q)}
	for i := range n.text {
		if rarity(n.text[i]) > rarity(n.text[n.rare]) {
			n.rare = i
		}
	}
	return n
}

// rarity is the greater the less often a byte is to be expected. The first bytes of
// characters beyond ASCII are few, so that one of them is in most characters of a text.
func rarity(c byte) int {
	if at := strings.IndexByte(frequent, c); at >= 0 {
		return at
	}
	if c >= utf8.RuneSelf && utf8.RuneStart(c) {
		return -1
	}
	return len(frequent)
}

// in reports whether a text has the needle. It takes time linear in the text.
func (n *needle) in(text []byte) bool {
	compared := 0
	for at := n.rare; at < len(text); at++ {
		next := bytes.IndexByte(text[at:], n.text[n.rare])
		if next < 0 {
			return false
		}
		at += next
		if bytes.HasPrefix(text[at-n.rare:], n.text) {
			return true
		}
		if compared += len(n.text); compared > 4*len(text) { // the rest may be more of the same
			return bytes.Contains(text[at-n.rare:], n.text)
		}
	}
	return false
}
