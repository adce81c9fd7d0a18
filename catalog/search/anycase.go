package search

import "math/bits"

// indexAnyCase returns where in a text that is not folded the needle stands first,
// in whatever case of ASCII, or -1. As inSteadily does, it looks for the first, the
// rarest and the last byte at their distances, in eight places at a time.
func (n *needle) indexAnyCase(text string) int {
	end := len(n.text) - 1
	places := len(text) - end // at which it may begin
	if places < 8 {
		return n.indexOneByOne(text, places)
	}
	first, firstCase := inEachByte(n.text[0])
	rare, rareCase := inEachByte(n.text[n.rare])
	last, lastCase := inEachByte(n.text[end])
	firsts, rares, lasts := text[:places], text[n.rare:][:places], text[end:][:places]
	for at := 0; at < places; at += 8 {
		at = min(at, places-8) // the last eight may overlap those before
		differ := (load64(firsts[at:]) | firstCase) ^ first |
			(load64(rares[at:]) | rareCase) ^ rare |
			(load64(lasts[at:]) | lastCase) ^ last
		for zeros := (differ - eachByte) &^ differ & highBits; zeros != 0; zeros &= zeros - 1 {
			if i := at + bits.TrailingZeros64(zeros)/8; n.atAnyCase(text[i:]) {
				return i
			}
		}
	}
	return -1
}

func (n *needle) indexOneByOne(text string, places int) int {
	for i := range max(places, 0) {
		if n.atAnyCase(text[i:]) {
			return i
		}
	}
	return -1
}

// inEachByte returns a byte of a needle eight times, and what makes the upper case
// of it, where it is a letter, the same.
func inEachByte(c byte) (bytes, upper uint64) {
	if 'a' <= c && c <= 'z' {
		upper = eachByte * ('a' - 'A')
	}
	return eachByte * uint64(c), upper
}

// atAnyCase reports whether a text that is not folded begins with the needle.
func (n *needle) atAnyCase(text string) bool {
	for i, want := range n.text {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c |= 'a' - 'A'
		}
		if c != want {
			return false
		}
	}
	return true
}
