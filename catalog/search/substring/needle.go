package substring

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// A needle is a folded query, prepared for searching many texts. The search looks for the
// two rarest bytes of the query, at eight positions at once.
type needle struct {
	query string
	text  []byte    // query as bytes
	rare  [2]int    // indexes of the two rarest bytes; equal if the query is one byte
	words [2]uint64 // each of the two bytes, repeated eight times
}

// frequent lists the most frequent bytes of texts, the most frequent first.
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

// rarest returns the index of the rarest byte, ignoring n.text[but]. It returns 0 if the
// needle has no other byte.
func (n *needle) rarest(but int) int {
	rarest := 0
	for i := range n.text {
		if i != but && (rarest == but || rarity(n.text[i]) > rarity(n.text[rarest])) {
			rarest = i
		}
	}
	return rarest
}

// rarity ranks a byte by how rare it is expected to be: the rarest bytes rank highest. The
// first byte of a non-ASCII character ranks lowest, because there are few such bytes and
// most characters of a text may begin with the same one.
func rarity(c byte) int {
	if at := strings.IndexByte(frequent, c); at >= 0 {
		return at
	}
	if c >= utf8.RuneSelf && utf8.RuneStart(c) {
		return -1
	}
	return len(frequent)
}

// wordSize is the number of positions of a text that are compared at once.
const wordSize = 8

const eachByte = 0x0101010101010101

// hasZero reports whether one of the bytes of word is 0.
func hasZero(word uint64) bool { return (word-eachByte)&^word&(eachByte<<7) != 0 }

// in reports whether text contains the needle. It takes time linear in the length of text.
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
		if compared += len(window); compared > 4*len(text) { // the rest may have as many false candidates
			break
		}
	}
	return bytes.Contains(text[at:], n.text)
}
