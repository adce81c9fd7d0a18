package instructions

import (
	"fmt"
	"slices"

	"instruction-catalog/catalog"
)

// byForce returns the entries sorted from most to least binding.
func byForce(entries []*catalog.Entry) []*catalog.Entry {
	return slices.SortedFunc(slices.Values(entries), catalog.CompareForce)
}

// importance returns an entry's resource priority, from 0 to 1 in steps of 0.01. With p
// = (100 - priority) / 99, which is 1 for priority 1 and 0 for priority 100, it is
//
//	critical, mandatory     0.5 + p/2
//	recommended, optional   p/2
//	deprecated              0
//
// Binding entries therefore never rank below the others.
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

// standing returns how binding an entry is, such as "[mandatory, priority 20]". For a
// deprecated entry it names the replacement.
func standing(e *catalog.Entry) string {
	if e.Requirement == catalog.Deprecated {
		return fmt.Sprintf("[deprecated, use %s]", quoted(e.DeprecatedBy))
	}
	return fmt.Sprintf("[%s, priority %d]", e.Requirement, e.Priority)
}
