package search

import "math/bits"

// Ends are three bytes of a needle: its first, its rarest and its last. They are
// looked for in many places of a text at a time. Words joined of common ones seldom
// have the same ends as what stands there.
type ends struct{ first, rare, last eightTimes }

// eightTimes is a byte eight times, and what makes the upper case of it the same,
// where that counts for it.
type eightTimes struct{ bytes, upper uint64 }

func inEachByte(c byte) eightTimes { return eightTimes{bytes: eachByte * uint64(c)} }

// inAnyCase is for texts that are not folded.
func inAnyCase(c byte) eightTimes {
	e := inEachByte(c)
	if 'a' <= c && c <= 'z' {
		e.upper = eachByte * ('a' - 'A')
	}
	return e
}

// nextEights returns the first place at which all three bytes are right, or -1. It
// is given what may be the first, the rarest and the last byte at each place, eight
// places at least, and compares eight at a time.
func (e *ends) nextEights(firsts, rares, lasts string) int {
	places := len(firsts)
	rares, lasts = rares[:places], lasts[:places]
	for at := 0; at < places; at += 8 {
		at = min(at, places-8) // the last eight may overlap those before
		if right := e.agree(load64(firsts[at:]), load64(rares[at:]), load64(lasts[at:])); right != 0 {
			return at + bits.TrailingZeros64(right)/8
		}
	}
	return -1
}

// agree returns the high bit of each of the eight places at which all three bytes
// are right. Above a place that is right there may be one too many.
func (e *ends) agree(firsts, rares, lasts uint64) uint64 {
	differ := e.first.differs(firsts) | e.rare.differs(rares) | e.last.differs(lasts)
	return (differ - eachByte) &^ differ & highBits
}

// differs returns eight bytes of which those are zero that are the same.
func (e eightTimes) differs(eight uint64) uint64 { return (eight | e.upper) ^ e.bytes }
