package search

import "math/bits"

// indexAnyCase returns where in a text that is not folded the needle stands first,
// in whatever case of ASCII, or -1. As inSteadily does, it looks for its [ends].
func (n *needle) indexAnyCase(text string) int {
	end := len(n.text) - 1
	places := len(text) - end // at which it may begin
	if places < 8 {
		return n.indexOneByOne(text, places)
	}
	e := ends{inAnyCase(n.text[0]), inAnyCase(n.text[n.rare]), inAnyCase(n.text[end])}
	firsts, rares, lasts := text[:places], text[n.rare:][:places], text[end:][:places]
	for at := 0; at < places; at += 8 {
		at = min(at, places-8) // the last eight may overlap those before
		for places := e.agree(load64(firsts[at:]), load64(rares[at:]), load64(lasts[at:])); places != 0; places &= places - 1 {
			if i := at + bits.TrailingZeros64(places)/8; n.atAnyCase(text[i:]) {
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
