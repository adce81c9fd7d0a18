package notes

import (
	"cmp"
	"slices"
	"strings"
)

// indexTags returns the indexes of notes by the keys of their tags and of all parent
// tags: a note with the tag a/b is also indexed under a.
func (s *Snapshot) indexTags() map[string][]int32 {
	tagged := map[string][]int32{}
	for i, n := range s.notes {
		for _, tag := range n.Parts.Tags {
			for key := Key(tag); key != ""; key = key[:max(0, strings.LastIndexByte(key, '/'))] {
				if places := tagged[key]; len(places) == 0 || places[len(places)-1] != int32(i) {
					tagged[key] = append(places, int32(i))
				}
			}
		}
	}
	return tagged
}

// TagCount is a tag and the number of notes that have it.
type TagCount struct {
	Tag   string
	Count int
}

// Tags returns the tags that begin with prefix, ignoring case, sorted by descending
// count and then by name. If a tag has several spellings, it uses the one in the first
// note that has it.
func (s *Snapshot) Tags(prefix string) []TagCount {
	prefix = Key(prefix)
	counts := map[string]*TagCount{}
	last := map[string]int{} // by key: 1 + the index of the last note counted
	for i, n := range s.notes {
		for _, tag := range n.Parts.Tags {
			key := Key(tag)
			if !strings.HasPrefix(key, prefix) || last[key] == i+1 {
				continue
			}
			last[key] = i + 1
			if counts[key] == nil {
				counts[key] = &TagCount{Tag: tag}
			}
			counts[key].Count++
		}
	}
	all := make([]TagCount, 0, len(counts))
	for _, c := range counts {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b TagCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Tag, b.Tag))
	})
	return all
}

// Tagged returns the notes that have any of the tags, or all of them if all is set,
// sorted by id. It ignores case. A note with the tag a/b also has the tag a.
func (s *Snapshot) Tagged(tags []string, all bool) []*Note {
	var keys []string
	for _, tag := range tags {
		keys = append(keys, Key(tag))
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	var places []int32 // each note occurs once per matching tag
	for _, key := range keys {
		places = append(places, s.tags()[key]...)
	}
	slices.Sort(places)
	if all {
		places = repeated(places, len(keys))
	}
	return s.at(slices.Compact(places))
}

// repeated returns the places that occur at least the given number of times. places must
// be sorted.
func repeated(places []int32, times int) (found []int32) {
	for i := times - 1; i < len(places); i++ {
		if places[i] == places[i-times+1] {
			found = append(found, places[i])
		}
	}
	return found
}
