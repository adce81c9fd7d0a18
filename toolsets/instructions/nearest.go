package instructions

import (
	"instruction-catalog/catalog"
	"instruction-catalog/catalog/search/nearest"
)

// nearestIDs returns the ids of a snapshot that are most like one that is not
// there, best first.
func nearestIDs(s *catalog.Snapshot, asked string) []string {
	if id, ok := instructionID(asked); ok {
		asked = id
	}
	return nearest.Of(asked, idsOf(s))
}
