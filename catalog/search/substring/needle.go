package substring

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// A needle is a folded query, ready to be looked for in text after text. It is found
// by its two rarest bytes, which are looked for in eight places at once.
type needle struct {
	query string
	text  []byte    // the query
	rare  [2]int    // indexes of its rarest bytes; the same where it has but one
	words [2]uint64 // eight times each of them
}

// frequent has the bytes that are most frequent in texts, the most frequent first.
const frequent = " etaoinsrhlducmpgfyw.b,\n-vk`*0"

func newNeedle(q string) *needle {
	n := &needle{query: q, text: []byte(q)}
	n.rare[0] = n.rarest(-1)
	n.rare[1] = n.rarest(n.rare[0])
	for k, at := range n.rare {
		n.words[k] = eachByte * uint64(q[at])
	}
	return n
}

// rarest returns the index of the rarest byte other than the one at but; 0 if the
// needle has no other.
func (n *needle) rarest(but int) int {
	rarest := 0
	for i := range n.text {
		if i != but && (rarest == but || rarity(n.text[i]) > rarity(n.text[rarest])) {
			rarest = i
		}
	}
	return rarest
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

// wordSize is how many places of a text are looked at at once.
const wordSize = 8

const eachByte = 0x0101010101010101

// hasZero reports whether a byte of a word is 0.
func hasZero(word uint64) bool { return (word-eachByte)&^word&(eachByte<<7) != 0 }

// in reports whether a text has the needle. It takes time linear in the text.
func (n *needle) in(text []byte) bool {
	at, compared, places := 0, 0, len(text)-len(n.text)+1
	if places < wordSize {
		return bytes.Contains(text, n.text)
	}
	first, second := text[n.rare[0]:][:places], text[n.rare[1]:][:places]
	for ; at <= len(first)-wordSize; at += wordSize {
		a, b := binary.LittleEndian.Uint64(first[at:at+wordSize]), binary.LittleEndian.Uint64(second[at:at+wordSize])
		if !hasZero(a ^ n.words[0] | b ^ n.words[1]) {
			continue
		}
		window := text[at : at+wordSize-1+len(n.text)]
		if bytes.Contains(window, n.text) {
			return true
		}
		if compared += len(window); compared > 4*len(text) { // the rest may be more of the same
			break
		}
	}
	return bytes.Contains(text[at:], n.text)
}
