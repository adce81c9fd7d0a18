package search

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestCluster(t *testing.T) {
	t.Parallel()
	for _, text := range []string{". th", "\x00\x00\x00\x00", "\xff\xff\xff\xff", ". the", ". the ", "\x00\x00\x00\x00\x00\x00"} {
		c := clusterOf([]byte(text))
		if c.length() != len(text) || c.firstFour() != uint32(firstEight([]byte(text))>>32) {
			t.Errorf("%q is of length %d and begins with %x", text, c.length(), c.firstFour())
		}
		if shorter := clusterOf([]byte(text[:len(text)-1])); c.shorter() != shorter {
			t.Errorf("%q without its last byte is %x, want %x", text, c.shorter(), shorter)
		}
		if c != firstEight([]byte(text+"more")).cluster(len(text)) {
			t.Errorf("%q is another cluster where more stands behind it", text)
		}
	}
}

// Of known clusters the longest is found at each place, also at the end of a text.
func TestFindClusters(t *testing.T) {
	t.Parallel()
	var all []cluster
	for _, text := range []string{". th", ". the", ". the ", "the ", " end", "\x00\x00\x00\x00"} {
		all = append(all, clusterOf([]byte(text)))
	}
	c := newClusters(all)
	if want := []int{-1, 0, 1, -1, -1, -1}; !slices.Equal(c.shorter, want) {
		t.Errorf("without the last byte: %v, want %v", c.shorter, want)
	}
	for text, want := range map[string][]int{
		"": nil, ". t": nil, ". th": {0}, ". the": {1}, ". the ": {2, 3}, ". the end": {2, 3, 4}, " the ende": {3, 4}, "the": nil,
		"\x00\x00\x00\x00\x00": {5, 5},
	} {
		var got []int
		c.find([]byte(text), nil, func(number int) { got = append(got, number) })
		if !slices.Equal(got, want) {
			t.Errorf("in %q: %v, want %v", text, got, want)
		}
	}
}

// What is common is known, with its texts, and needs no look at one.
func TestClustersLookAtNoText(t *testing.T) {
	t.Parallel()
	a := newAuthor(5, 200)
	texts := a.texts(900, 900)
	for i := range texts {
		if i%3 > 0 {
			texts[i].Body += ". Therefore, "
		}
		if i%5 > 0 {
			texts[i].Title += " (then) "
		}
	}
	x, seen := watched(texts)
	slow := newNaive(texts)
	for _, q := range []string{". the", ". THER", "fore, ", "n) ", "hen) ", " (th", " (the", ". th"} {
		if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
			t.Errorf("Find(%q) = %v, want %v", q, got, want)
		}
	}
	if len(seen) > 0 {
		t.Errorf("looked at %d texts", len(seen))
	}
	checked := 0
	for number := range x.known.len() {
		for _, g := range x.groups {
			having := g.having(number)
			checked += having.count()
		}
	}
	if checked == 0 {
		t.Error("no clusters are known: the texts do not test what they should")
	}
}

func TestChooseClusters(t *testing.T) {
	t.Parallel()
	texts := newAuthor(6, 200).texts(600, 400)
	kept := textsOf(texts)
	const bytes300 = 600 * 300
	known := chooseClusters(&kept, bytes300)
	if got := known.len(); got == 0 || got > 300*6/8 {
		t.Errorf("%d clusters, want some, and at most six bits for eight bytes", got)
	}
	for _, none := range []*clusters{
		chooseClusters(&kept, mostClustered+1), chooseClusters(&Texts{}, 0),
		chooseClusters(new(textsOf([]Text{{Body: "one text, alone"}})), 15),
		chooseClusters(new(textsOf(slices.Repeat([]Text{{Title: "runs", Body: "alone"}}, 100))), 900),
	} {
		if none.len() > 0 {
			t.Errorf("%d clusters, want none", none.len())
		}
	}
}

// The sample takes no more of a long text than it should.
func TestSampleOfLongTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("-", sampledBytes)
	texts := textsOf([]Text{{Body: long + ", and"}, {Body: long + ", and"}})
	known := chooseClusters(&texts, 2*sampledBytes)
	if known.number(clusterOf([]byte(", an"))) >= 0 || known.number(clusterOf([]byte("----"))) < 0 {
		t.Error("what is beyond the sample is known, or what is in it is not")
	}
}

// Of a term that is no gram and no cluster, the longest word says which texts may
// have it: whole, or as the beginning or the end of a token. Texts with tokens that
// have no set must stay.
func TestFragments(t *testing.T) {
	t.Parallel()
	words := []string{"then", "thence", "lengthen", "strengthens", "Then", "the", "hen", "athenaeum"}
	texts := make([]Text, 4*textsForPart)
	for i := range texts {
		first, second := words[i%len(words)], words[i/len(words)%len(words)]
		texts[i].Body = "so " + first + ", " + second + "; and " + second + " of " + first
		if i%9 == 0 {
			texts[i].Title = strings.Repeat("long", longestToken) + second + " of"
		}
	}
	x, slow := indexOf(texts), newNaive(texts)
	for _, q := range []string{
		" then", "then ", "then,", "then;", " then ", "so then", "so then,", "hen, the", "gthen of", " thenc", "henae", " athenaeum, a", "lengthen, strengthens; ",
		"hens of", "nd then o", "so lengthe", "longthen o", "longthe of", "longhen of", " then of the",
	} {
		if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
			t.Errorf("Find(%q): %d texts, want %d", q, len(got), len(want))
		}
	}
	n := x.needle("gthen of")
	if n.isCluster || !n.part.last || n.part.first || !bytes.Equal(n.part.text, []byte("gthen")) {
		t.Errorf("the longest run is %+v", n.part)
	}
	open := x.groups[0].settle(&n, newMatches(len(texts)))
	if left := open.count(); left == 0 || left*2 > len(texts) {
		t.Errorf("%d of %d texts are left to look at", left, len(texts))
	}
}
