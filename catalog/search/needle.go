package search

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// A needle is a folded query, prepared for being looked for in many texts.
type needle struct {
	text   []byte
	rare   int       // index of its rarest byte
	common bool      // even that one is common
	head   uint64    // its first eight bytes, as far as it has them
	mask   uint64    // which of the bits of head count
	runs   []run     // by which outlines know it
	grams  []trigram // by which signatures know it

	run      bool // it is of the bytes of runs alone
	verbatim bool // texts are kept with these bytes in them as they are, but for their case
}

// newNeedle prepares a query that is folded and not empty.
func newNeedle(folded string) needle {
	n := needle{text: []byte(folded)}
	n.rare, n.common = rarest(n.text)
	var head [8]byte
	used := copy(head[:], n.text)
	n.head, n.mask = binary.LittleEndian.Uint64(head[:]), ^uint64(0)>>(64-8*used)
	n.runs, n.grams = runsOf(n.text), trigramsOf(n.text)
	n.run = !slices.ContainsFunc(n.text, func(c byte) bool { return !isTokenByte[c] })
	n.verbatim = !slices.ContainsFunc(n.text, func(c byte) bool {
		return c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf
	})
	return n
}

// After how many false starts a search gives up its way for a steadier one: for
// comparing three bytes in eight places at once, and then for an algorithm of
// linear time.
const (
	fewMisses = 3
	maxMisses = 32
)

// in reports whether text contains the needle. Looking for its rarest byte
// starts a comparison far less often than looking for its first.
func (n *needle) in(text []byte) bool {
	if n.common {
		return n.inSteadily(text)
	}
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
		if misses++; misses == fewMisses {
			return n.inSteadily(text[at-n.rare+1:])
		}
	}
	return false
}

// inSteadily looks for the needle's [ends], in eight places at a time.
func (n *needle) inSteadily(text []byte) bool {
	end := len(n.text) - 1
	places := len(text) - end // at which it may begin
	if places < 8 {
		return bytes.Contains(text, n.text)
	}
	e := ends{inEachByte(n.text[0]), inEachByte(n.text[n.rare]), inEachByte(n.text[end])}
	firsts, rares, lasts := text[:places], text[n.rare:][:places], text[end:][:places]
	misses := 0
	for at := 0; at < places; at += 8 {
		at = min(at, places-8) // the last eight may overlap those before
		for places := e.agree(binary.LittleEndian.Uint64(firsts[at:]), binary.LittleEndian.Uint64(rares[at:]), binary.LittleEndian.Uint64(lasts[at:])); places != 0; places &= places - 1 {
			if n.at(text[at+bits.TrailingZeros64(places)/8:]) {
				return true
			}
			if misses++; misses == maxMisses {
				return bytes.Contains(text[at:], n.text)
			}
		}
	}
	return false
}

// at reports whether text begins with the needle.
func (n *needle) at(text []byte) bool {
	if len(text) >= 8 && binary.LittleEndian.Uint64(text)&n.mask != n.head {
		return false
	}
	return len(text) >= 8 && len(n.text) <= 8 || bytes.HasPrefix(text, n.text)
}

// frequent lists the bytes that are common in folded prose and code, the most
// common first. The order is a guess that costs time where it is wrong, nothing
// else. All other bytes count as rare.
const frequent = " etaoinsrhldcumfpgwyb\n.,-vkxjqz"

// rarest returns the index of the byte of q that is probably rarest in texts, and
// whether that one is common, too.
func rarest(q []byte) (index int, common bool) {
	const manyTimesAPiece = 14 // so many of the frequent ones are
	best := -1
	for i, c := range q {
		rank := strings.IndexByte(frequent, c)
		if rank < 0 {
			return i, false
		}
		if rank > best {
			index, best = i, rank
		}
	}
	return index, best < manyTimesAPiece
}
