package search

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// A needle is a folded query, prepared for being looked for in many texts.
type needle struct {
	text   []byte
	rare   int    // index of its rarest byte
	common bool   // even that one is common
	ends   ends   // of it
	head   uint64 // its first eight bytes, as far as it has them
	mask   uint64 // which of the bits of head count

	// By one of these an index knows it.
	gram  gram     // it is one itself; else 0
	run   bool     // no byte of it separates tokens
	grams []gram   // what has it has these, too
	part  fragment // and a token with this: the longest run in it

	clusters  []int // numbers of those known clusters that it has
	isCluster bool  // it is the first of them itself

	keys []key // by which signatures know it

	// How it stands in a title and in a body as that is kept, but for its case;
	// nil where not all of it is ASCII.
	inTitle, inBody *spelling
}

// mostGrams is how many of the grams of a query an index looks at.
const mostGrams = 16

// newNeedle prepares a query that is folded and not empty, for looking into texts.
func newNeedle(folded string, texts *Texts) needle {
	n := needle{text: []byte(folded)}
	n.rare, n.common = rarest(n.text)
	n.ends = ends{inEachByte(n.text[0]), inEachByte(n.text[n.rare]), inEachByte(n.text[len(n.text)-1])}
	n.head, n.mask = headOf(n.text)
	n.run, n.keys = isRun(n.text), keysOf(n.text)
	if len(n.text) < 3 || len(n.text) == 3 && !n.run {
		n.gram = gramOf(n.text)
	}
	n.grams, n.part = gramsOf(n.text, mostGrams), longestRun(n.text)
	if isASCII(n.text) {
		title, body := newSpelling(n.text), newSpelling(texts.Encode(nil, folded))
		n.inTitle, n.inBody = &title, &body
	}
	return n
}

// longestRun returns the first of the longest runs in a text, or the text itself
// where it is one.
func longestRun(text []byte) fragment {
	var f fragment
	for start := 0; start < len(text); start++ {
		end := start
		for end < len(text) && separates[text[end]] == 0 {
			end++
		}
		if end-start > len(f.text) {
			f = fragment{text: text[start:end], first: start > 0, last: end < len(text)}
		}
		start = end
	}
	f.keys = keysOf(f.text)
	return f
}

// headOf returns the first eight bytes of a text, as far as it has them, and which
// of the bits count.
func headOf(text []byte) (head, mask uint64) {
	var eight [8]byte
	used := copy(eight[:], text)
	return binary.LittleEndian.Uint64(eight[:]), ^uint64(0) >> (64 - 8*used)
}

func isASCII(text []byte) bool {
	return !slices.ContainsFunc(text, func(c byte) bool { return c >= utf8.RuneSelf })
}

// After how many false starts a search gives up its way for a steadier one: for
// comparing three bytes in several places at once, and then for an algorithm of
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

// inSteadily looks for the needle's [ends].
func (n *needle) inSteadily(text []byte) bool {
	end := len(n.text) - 1
	folded := unsafe.String(unsafe.SliceData(text), len(text))
	for misses := 0; len(folded) >= end+8 && misses < maxMisses; misses++ {
		at := n.ends.next(folded[:len(folded)-end], folded[n.rare:], folded[end:])
		if at < 0 {
			return false
		}
		if n.at(text[len(text)-len(folded)+at:]) {
			return true
		}
		folded = folded[at+1:]
	}
	return bytes.Contains(text[len(text)-len(folded):], n.text)
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
