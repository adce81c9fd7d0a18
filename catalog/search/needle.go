package search

import (
	"bytes"
	"strings"
)

// A needle is a folded query, prepared for being looked for in many texts.
type needle struct {
	text  []byte
	rare  int // index of the byte of text to look for first
	grams []trigram
}

// newNeedle prepares a query that is folded and not empty.
func newNeedle(folded string) needle {
	text := []byte(folded)
	return needle{text, rarest(text), trigramsOf(text)}
}

// maxMisses is after how many false starts the search leaves the rare byte,
// which is not rare here, for an algorithm of linear time.
const maxMisses = 32

// in reports whether text contains the needle. Looking for its rarest byte
// starts a comparison far less often than looking for its first.
func (n *needle) in(text []byte) bool {
	rare, misses := n.text[n.rare], 0
	for at := n.rare; at < len(text); at++ {
		skip := bytes.IndexByte(text[at:], rare)
		if skip < 0 {
			return false
		}
		at += skip
		if bytes.HasPrefix(text[at-n.rare:], n.text) {
			return true
		}
		if misses++; misses == maxMisses {
			return bytes.Contains(text[at-n.rare+1:], n.text)
		}
	}
	return false
}

// frequent lists the bytes that are common in folded prose and code, the most
// common first. The order is a guess that costs time where it is wrong, nothing
// else. All other bytes count as rare.
const frequent = " etaoinsrhldcumfpgwyb\n.,-vkxjqz"

// rarest returns the index of the byte of q that is probably rarest in texts.
func rarest(q []byte) int {
	best, bestRank := 0, -1
	for i, c := range q {
		rank := strings.IndexByte(frequent, c)
		if rank < 0 {
			return i
		}
		if rank > bestRank {
			best, bestRank = i, rank
		}
	}
	return best
}
