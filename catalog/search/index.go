package search

import (
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

// An Index answers which of its texts contain a string. It is immutable and
// safe for concurrent use, as its texts must be. The zero Index has no texts.
type Index struct {
	texts  Texts
	known  *clusters
	groups []*group
}

// together runs work on several goroutines at once, the caller's among them, and
// returns when all are done.
func together(goroutines int, work func()) {
	var others sync.WaitGroup
	for range goroutines - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// Find returns all texts whose folded title or folded body contains the folded
// q. An empty q is contained in every text. Where there is much to compare, it
// uses every processor.
func (x *Index) Find(q string) *Matches {
	if q == "" || x.texts.Len == 0 {
		return allMatches(x.texts.Len)
	}
	n, m := x.needle(q), newMatches(x.texts.Len)
	var open []openShard
	texts := 0
	for _, g := range x.groups {
		among := g.settle(&n, m)
		open = g.open(open, among)
		texts += among.count()
	}
	if len(open) == 0 {
		return m
	}
	if m.reserve(); texts < textsToShare {
		x.look(open, &n, m, new(atomic.Int64))
	} else {
		x.lookTogether(open, &n, m)
	}
	return m
}

// needle prepares a query that is not empty.
func (x *Index) needle(q string) needle {
	n := newNeedle(Fold(q), &x.texts)
	x.known.find(n.text[:min(len(n.text), filteredBytes)], nil, func(number int) {
		n.clusters = append(n.clusters, number)
	})
	n.isCluster = len(n.text) <= longestCluster && x.known.number(clusterOf(n.text)) >= 0 // the longest at the first place
	return n
}

// textsToShare is how many texts there must be left to look at for a second
// goroutine to pay. Where it was measured it took 120 µs to wake one up, and 0.1 to
// look at a text.
const textsToShare = 500

// look looks into those shards that nobody else does.
func (x *Index) look(open []openShard, n *needle, m *Matches, next *atomic.Int64) {
	l := newLook(&x.texts, n, m)
	for i := int(next.Add(1)) - 1; i < len(open); i = int(next.Add(1)) - 1 {
		open[i].sift(l)
	}
}

// lookTogether does the same on every processor. What goroutines share is allocated,
// which takes as long as a search for what is rare, and so is not done in Find.
func (x *Index) lookTogether(open []openShard, n *needle, m *Matches) {
	var next atomic.Int64
	together(min(runtime.GOMAXPROCS(0), len(open)), func() { x.look(open, n, m, &next) })
}

// FindFrom returns, one after the other in ascending order, what [Index.Find]
// does, beginning with the text at the position first. It looks into no shard
// behind that of the last text that is asked for.
func (x *Index) FindFrom(q string, first int) iter.Seq[int] {
	return func(yield func(int) bool) {
		first := max(first, 0)
		if q == "" || x.texts.Len == 0 {
			for i := first; i < x.texts.Len && yield(i); i++ {
			}
			return
		}
		n, m := x.needle(q), newMatches(x.texts.Len)
		l := newLook(&x.texts, &n, m)
		for _, g := range x.groups {
			if g.first+g.texts > first && !g.findFrom(l, first, yield) {
				return
			}
		}
	}
}

// findFrom calls yield with the positions of texts in the group until it returns
// false, and then does so too.
func (g *group) findFrom(l *look, first int, yield func(int) bool) bool {
	among := g.settle(l.needle, l.matches)
	for i := range g.shards {
		s := openShard{&g.shards[i], among, g.shards[i].first - g.first}
		end := s.first + s.len()
		if end <= first {
			continue
		}
		if among != nil && s.has() {
			l.matches.reserve()
			s.sift(l)
		}
		for text := range l.matches.words.between(max(first, s.first), end) {
			if !yield(text) {
				return false
			}
		}
	}
	return true
}

const (
	// largestShard is the size of text at which a shard is full at the latest, in
	// bytes. What is built of it stays in a core's second-level cache.
	largestShard = 512 << 10

	// smallestShard is the same for indexes of little text, which are cut so that
	// a group has many.
	smallestShard = 32 << 10

	// mostTexts in a shard.
	mostTexts = 1 << 15
)

// A part is the half-open range of texts that makes one shard.
type part struct {
	first, end int
	bytes      int // in them, as they are kept
}

// partition cuts texts into parts of about the same size.
func partition(texts *Texts) []part {
	total := 0
	sizes := make([]int, texts.Len)
	for i := range sizes {
		sizes[i] = texts.size(i)
		total += sizes[i]
	}
	full := min(max(total/groupShards+1, smallestShard), largestShard)
	var parts []part
	next := part{}
	for i, size := range sizes {
		next.end, next.bytes = i+1, next.bytes+size
		if next.bytes >= full || next.end-next.first == mostTexts || next.end == texts.Len {
			parts = append(parts, next)
			next = part{first: next.end}
		}
	}
	return parts
}
