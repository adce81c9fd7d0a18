package notes

import (
	"maps"
	"slices"
)

func (s *Snapshot) indexTags() map[string][]int32 {
	tagged := map[string][]int32{}
	for i, n := range s.notes {
		for _, tag := range n.Parts.Tags {
			key := Key(tag)
			if places := tagged[key]; len(places) == 0 || places[len(places)-1] != int32(i) {
				tagged[key] = append(places, int32(i))
			}
		}
	}
	return tagged
}

// Tagged returns the notes that have any of the tags, or all of them, whatever
// their case, by id.
func (s *Snapshot) Tagged(tags []string, all bool) []*Note {
	keys := map[string]bool{}
	for _, tag := range tags {
		keys[Key(tag)] = true
	}
	counts := map[int32]int{}
	for key := range keys {
		for _, place := range s.tags()[key] {
			counts[place]++
		}
	}
	if all {
		maps.DeleteFunc(counts, func(_ int32, n int) bool { return n < len(keys) })
	}
	return s.at(slices.Sorted(maps.Keys(counts)))
}
