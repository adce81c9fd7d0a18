package segment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func rowOf(texts []string, before Row[[]string]) Row[[]string] {
	return NewRow(len(texts), func(i int) uint64 { return Hash(texts[i]) }, before, func(first, end int) []string {
		return slices.Clone(texts[first:end])
	})
}

// TestRowsHaveAllTexts checks that the segments cover all texts in order after any changes.
func TestRowsHaveAllTexts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	var texts []string
	var row Row[[]string]
	for range 40 {
		for range random.IntN(3000) {
			texts = append(texts, fmt.Sprint(random.IntN(5000)))
		}
		if len(texts) > 1000 {
			at := random.IntN(len(texts) - 1000)
			texts = slices.Delete(texts, at, at+random.IntN(1000))
		}
		row = rowOf(texts, row)
		var all []string
		for _, s := range row {
			if s.First != len(all) || s.End != s.First+len(s.Content) || s.End == s.First || s.End-s.First > longest*maxAverage {
				t.Fatalf("a segment from %d to %d has %d texts, after %d", s.First, s.End, len(s.Content), len(all))
			}
			all = append(all, s.Content...)
		}
		if !slices.Equal(all, texts) {
			t.Fatal("the segments have other texts")
		}
	}
}

// TestSegmentsHaveAGreatestLength checks that no segment is too long even if all texts are
// equal, so that no hash ends a segment.
func TestSegmentsHaveAGreatestLength(t *testing.T) {
	t.Parallel()
	for _, s := range rowOf(make([]string, 100_000), nil) {
		if s.End-s.First > longest*maxAverage {
			t.Errorf("a segment has %d texts", s.End-s.First)
		}
	}
}

func TestHashTellsFieldsApart(t *testing.T) {
	t.Parallel()
	if Hash("ab", "c") == Hash("a", "bc") || Hash("a") == Hash("a", "") {
		t.Error("fields are mixed up")
	}
}

func ExampleNewRow() {
	texts := []string{"one", "two", "three"}
	var before Row[int]
	for range 2 {
		before = NewRow(len(texts), func(i int) uint64 { return Hash(texts[i]) }, before, func(first, end int) int {
			fmt.Println("count the letters of", texts[first:end])
			return len(fmt.Sprint(texts[first:end]))
		})
	}
	fmt.Println(len(before), "segment is used again")
	// Output:
	// count the letters of [one two three]
	// 1 segment is used again
}
