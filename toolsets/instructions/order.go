package instructions

import (
	"fmt"
	"slices"

	"instruction-catalog/catalog"
)

// byForce returns the entries with the most binding first.
func byForce(entries []*catalog.Entry) []*catalog.Entry {
	return slices.SortedFunc(slices.Values(entries), catalog.CompareForce)
}

// importance is an entry's priority as resources have it, from 0 to 1. With p
// for (100 - priority) / 99, which is 1 for priority 1 and 0 for priority 100,
// it is
//
//	critical, mandatory     0.5 + p/2
//	recommended, optional   p/2
//	deprecated              0
//
// so that what is binding is never below what is not. It has two decimals.
func importance(e *catalog.Entry) float64 {
	const span = catalog.LowestPriority - catalog.HighestPriority
	half := (catalog.LowestPriority - e.Priority) * 50 / span
	switch e.Requirement {
	case catalog.Critical, catalog.Mandatory:
		return float64(50+half) / 100
	case catalog.Deprecated:
		return 0
	}
	return float64(half) / 100
}

// standing says in brackets how binding an entry is: "[mandatory, priority 20]",
// or what to use instead of it.
func standing(e *catalog.Entry) string {
	if e.Requirement == catalog.Deprecated {
		return fmt.Sprintf("[deprecated, use %s]", quoted(e.DeprecatedBy))
	}
	return fmt.Sprintf("[%s, priority %d]", e.Requirement, e.Priority)
}
