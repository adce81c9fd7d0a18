package search

import (
	"slices"
	"sort"
	"strings"
)

// A vocabulary holds words, sorted, each once. The number of a word is its
// place among them.
type vocabulary struct {
	text string   // the words, end to end
	ends []uint32 // where each ends
}

func vocabularyOf(tallies []*tally) vocabulary {
	var all []string
	for _, t := range tallies {
		all = append(all, t.words...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	v := vocabulary{text: strings.Join(all, ""), ends: make([]uint32, len(all))}
	end := uint32(0)
	for i, word := range all {
		end += uint32(len(word))
		v.ends[i] = end
	}
	return v
}

func (v *vocabulary) len() int { return len(v.ends) }

func (v *vocabulary) word(number int) string {
	start := uint32(0)
	if number > 0 {
		start = v.ends[number-1]
	}
	return v.text[start:v.ends[number]]
}

// number returns the number of a word, if it is there.
func (v *vocabulary) number(word string) (int, bool) {
	return sort.Find(v.len(), func(i int) int { return strings.Compare(word, v.word(i)) })
}

// from returns the number of the first word that is not before another.
func (v *vocabulary) from(word string) int {
	return sort.Search(v.len(), func(i int) bool { return v.word(i) >= word })
}
