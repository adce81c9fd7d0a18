package instructions

import (
	"instruction-catalog/catalog"
	"instruction-catalog/catalog/search/nearest"
)

// nearestIDs returns the ids in s most similar to an unknown one, best first.
func nearestIDs(s *catalog.Snapshot, asked string) []string {
	if id, ok := instructionID(asked); ok {
		asked = id
	}
	return nearest.Of(asked, idsOf(s))
}
