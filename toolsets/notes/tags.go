package notes

import "slices"

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
	var keys []string
	for _, tag := range tags {
		keys = append(keys, Key(tag))
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	var places []int32 // as often as they have one of the tags
	for _, key := range keys {
		places = append(places, s.tags()[key]...)
	}
	slices.Sort(places)
	if all {
		places = repeated(places, len(keys))
	}
	return s.at(slices.Compact(places))
}

// repeated returns those of sorted places that stand there so many times.
func repeated(places []int32, times int) (found []int32) {
	for i := times - 1; i < len(places); i++ {
		if places[i] == places[i-times+1] {
			found = append(found, places[i])
		}
	}
	return found
}
