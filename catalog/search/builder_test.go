package search

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Several groups, of which the second does not begin with a word of a bitmap: what
// they have in common must be right in each.
func TestFindAcrossGroups(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 1))
	texts := slices.Concat(jumble(random, 300), newAuthor(11, 300).texts(300, 700))
	random.Shuffle(len(texts), func(i, k int) { texts[i], texts[k] = texts[k], texts[i] })
	kept := textsOf(texts)
	b := NewBuilder(kept)
	b.parts = nil
	for first := 0; first < len(texts); first = b.parts[len(b.parts)-1].end {
		one := part{first: first, end: min(first+1+random.IntN(4), len(texts))}
		for i := one.first; i < one.end; i++ {
			one.bytes += kept.size(i)
		}
		b.parts = append(b.parts, one)
	}
	b.groups = newGroupDrafts(b.parts)
	b.missing.Store(int64(len(b.parts)))
	together(2, b.Work)
	x, slow := b.Index(), newNaive(texts)
	if len(x.groups) < 3 || x.groups[1].first%64 == 0 || x.known.len() == 0 {
		t.Fatalf("%d groups, the second from %d on, %d clusters: they do not test what they should", len(x.groups), x.groups[1].first, x.known.len())
	}
	queries := []string{"the", "e, ", ". th", ". The"}
	for range 400 {
		queries = append(queries, excerpt(random, pick(random, texts), pick(random, []int{1, 2, 3, 4, 6, 12, 40})))
	}
	for _, q := range queries {
		if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
			t.Fatalf("Find(%q) = %v, want %v", q, got, want)
		}
		first := random.IntN(len(texts))
		want := slices.DeleteFunc(slow.find(q), func(i int) bool { return i < first })
		if got := slices.AppendSeq([]int{}, x.FindFrom(q, first)); !slices.Equal(got, want) {
			t.Fatalf("FindFrom(%q, %d) = %v, want %v", q, first, got, want)
		}
	}
}

// TestLateWorkerNeedsNothing: who comes to help when all is done takes no memory.
func TestLateWorkerNeedsNothing(t *testing.T) {
	// Not parallel: it counts what is allocated.
	b := NewBuilder(textsOf([]Text{{Title: "title", Body: "body"}}))
	b.Work()
	if n := testing.AllocsPerRun(10, b.Work); n > 0 {
		t.Errorf("%v pieces of memory for no work", n)
	}
}
