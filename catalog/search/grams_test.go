package search

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Of all grams of all texts, and of some that none has, the sets must be right.
func TestGramsAreExact(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(2, 8))
	texts := slices.Concat(jumble(random, 300), newAuthor(2, 300).texts(700, 900))
	want := map[gram][]int{}
	for i, text := range texts {
		for _, field := range []string{Fold(text.Title), Fold(text.Body)} {
			for at := range len(field) {
				for length := 1; length <= min(3, len(field)-at); length++ {
					if bytes := []byte(field[at:][:length]); length < 3 || !isRun(bytes) {
						if g := gramOf(bytes); !slices.Contains(want[g], i) {
							want[g] = append(want[g], i)
						}
					}
				}
			}
		}
	}
	x := indexOf(texts)
	for _, g := range x.groups {
		if len(g.grams.known) > len(want) {
			t.Errorf("%d grams are known, the texts have %d", len(g.grams.known), len(want))
		}
	}
	want[gramOf([]byte("\x07\x08"))], want[gramOf([]byte("..\x07"))] = nil, nil
	for g, texts := range want {
		var got []int
		for _, group := range x.groups {
			having := group.grams.having([]gram{g})
			for i := range having.between(0, 64*len(having)) {
				got = append(got, group.first+i)
			}
		}
		if !slices.Equal(got, texts) {
			t.Fatalf("%x is in %v, want %v", g, got, texts)
		}
	}
}

// Texts that have all grams of a query are found together, of however many sets.
func TestGramsTogether(t *testing.T) {
	t.Parallel()
	texts := make([]Text, 3000)
	for i := range texts {
		for k, part := range []string{"a, b", "c; d", "e. f", "g! h", "i? j", "k: l", "m/ n", "o* p", "q# r", "s+ t"} {
			if i%(k+2) > 0 {
				texts[i].Body += part + " "
			}
		}
	}
	x := indexOf(texts)
	all := gramsOf([]byte("a, b c; d e. f g! h i? j k: l m/ n o* p q# r s+ t"), 100)
	for most := 1; most <= len(all); most++ {
		having := x.groups[0].grams.having(all[:most])
		for i, text := range texts[:x.groups[0].texts] {
			hasAll := !slices.ContainsFunc(all[:most], func(g gram) bool {
				return !strings.Contains(text.Body, string([]byte{byte(g >> 16), byte(g >> 8), byte(g)}))
			})
			// It may leave more: only some sets are joined.
			if hasAll && !having.has(i) {
				t.Fatalf("%d has all of %d grams and is left out", i, most)
			}
			if most <= enough && !hasAll && having.has(i) {
				t.Fatalf("%d has not all of %d grams and is left in", i, most)
			}
		}
	}
}

// The longest distance there can be takes four bytes: from the place before all texts
// of the largest group to the last of them.
func TestTheLongestDistanceHasRoom(t *testing.T) {
	t.Parallel()
	const last = groupShards*mostTexts - 1
	one := contribution{grams: shardGrams{
		known: []gram{oneByte | 'a', oneByte | 'b'}, starts: []uint32{0, 1, 2}, data: []uint16{1, 1}, bitmap: 1,
	}}
	var m gramMerger
	gs := m.merge([]contribution{{}, one}, []part{{first: 0, end: last}, {first: last, end: last + 1}}, last+1)
	for _, g := range one.grams.known {
		having := gs.having([]gram{g})
		if got := slices.Collect(having.between(0, 64*len(having))); !slices.Equal(got, []int{last}) {
			t.Errorf("%x is in %v, want %d alone", g, got, last)
		}
	}
}
