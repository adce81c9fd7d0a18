package search

import (
	"bytes"
	"slices"
)

// tokenSets hold in which texts of a shard its most frequent tokens are, exactly.
// A token is a run of letters, digits, underscores and bytes beyond ASCII, whole;
// or a phrase of two such runs, with a blank between them and one behind.
//
// What a token contains, each text that has the token contains. So a query that is
// a part of frequent tokens is known to be in most of its texts, without a look at
// any; the others are looked at.
type tokenSets struct {
	text  []byte   // the tokens, end to end
	ends  []uint32 // where each ends
	texts []uint64 // a bitmap for each token
	width int      // of a bitmap, in words
}

// addAll adds to known the texts that have a token which contains n.
func (t *tokenSets) addAll(n *needle, known bitmap) {
	for at := 0; at < len(t.text); {
		skip := bytes.Index(t.text[at:], n.text)
		if skip < 0 {
			return
		}
		at += skip
		token, _ := slices.BinarySearch(t.ends, uint32(at+1))
		end := int(t.ends[token])
		if at+len(n.text) <= end {
			known.add(t.bitmap(token))
		}
		at = end
	}
}

func (t *tokenSets) bitmap(token int) bitmap { return t.texts[token*t.width:][:t.width] }

// A bitmap has a bit for each text of a shard.
type bitmap []uint64

// bitmapWidth is the length of a bitmap of so many texts.
func bitmapWidth(texts int) int { return (texts + 63) / 64 }

func (b bitmap) has(text int) bool { return b[text/64]>>(text%64)&1 != 0 }

func (b bitmap) set(text int) { b[text/64] |= 1 << (text % 64) }

// add sets what is set in another bitmap of the same length.
func (b bitmap) add(other bitmap) {
	for i, word := range other {
		b[i] |= word
	}
}
