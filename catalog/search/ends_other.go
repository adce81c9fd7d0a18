//go:build !amd64

package search

func (e *ends) next(firsts, rares, lasts string) int { return e.nextEights(firsts, rares, lasts) }
