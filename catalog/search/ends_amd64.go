package search

import "unsafe"

// next does what nextEights does. Of sixteen places or more it compares sixteen at a
// time, as every processor of this architecture can (SSE2), which takes a third of
// the time.
func (e *ends) next(firsts, rares, lasts string) int {
	places := len(firsts)
	if places < 16 {
		return e.nextEights(firsts, rares, lasts)
	}
	rares, lasts = rares[:places], lasts[:places]
	return nextSixteens(unsafe.StringData(firsts), unsafe.StringData(rares), unsafe.StringData(lasts), places, e)
}

//go:noescape
func nextSixteens(firsts, rares, lasts *byte, places int, e *ends) int
