package search

import (
	"iter"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
)

// An Index answers which of its texts contain a string. It is immutable and
// safe for concurrent use, as its texts must be. The zero Index has no texts.
type Index struct {
	texts    Texts
	shards   []shard
	outlines []outline // each of up to outlined shards
}

// New indexes texts on up to so many goroutines, at least one. The result depends
// on the texts alone, and asks for them again where it has to look at them.
func New(texts Texts, goroutines int) *Index {
	parts := partition(&texts)
	x := &Index{texts: texts, shards: make([]shard, len(parts))}
	sketches := newSketches(&texts, parts)
	var next atomic.Int64
	together(min(goroutines, len(parts)), func() {
		var w worker
		for i := int(next.Add(1)) - 1; i < len(parts); i = int(next.Add(1)) - 1 {
			var tokens tokenList
			x.shards[i], tokens = w.newShard(&texts, parts[i])
			sketches.draw(i, &w.draft, tokens)
		}
	})
	x.outlines = sketches.outlines()
	return x
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
	if q == "" {
		return allMatches(x.texts.Len)
	}
	n := newNeedle(Fold(q))
	shards := x.holding(&n, 0)
	if len(shards) == 0 {
		return &Matches{}
	}
	m, looks := newMatches(x.texts.Len), 0
	x.findCertain(&n, m)
	l := newLook(&x.texts, &n)
	for i, s := range shards {
		// Going by the shards so far, is there enough to do for others?
		if left := len(shards) - i; i > 0 && looks*left > i*looksToShare {
			x.findShared(shards[i:], &n, m)
			break
		}
		looks += s.findAll(l, m)
	}
	return m
}

// findCertain enters texts of which the dictionaries know that they contain n.
func (x *Index) findCertain(n *needle, m *Matches) {
	const few = outlined / 4 // shards, of which to look at the pieces is less than going through a dictionary
	for i := range x.outlines {
		if o := &x.outlines[i]; bits.OnesCount64(o.shardsWith(n)) > few {
			o.dictionary.each(n, func(p tokenPlace) {
				s := &x.shards[i*outlined+int(p.shard)]
				m.addBitmap(s.first, s.tokens.of(int(p.number)))
			})
		}
	}
}

// looksToShare is how many pieces there must be left to look at for a second
// goroutine to pay. It takes some microseconds to wake one up, and a tenth of
// one to look at a piece.
const looksToShare = 500

func (x *Index) findShared(shards []*shard, n *needle, m *Matches) {
	var next atomic.Int64
	together(min(runtime.GOMAXPROCS(0), len(shards)), func() {
		l := newLook(&x.texts, n)
		for i := int(next.Add(1)) - 1; i < len(shards); i = int(next.Add(1)) - 1 {
			shards[i].findAll(l, m)
		}
	})
}

// FindFrom returns, one after the other in ascending order, what [Index.Find]
// does, beginning with the text at the position first. It looks no further than
// it is asked to.
func (x *Index) FindFrom(q string, first int) iter.Seq[int] {
	return func(yield func(int) bool) {
		first := max(first, 0)
		if q == "" {
			for i := first; i < x.texts.Len && yield(i); i++ {
			}
			return
		}
		n := newNeedle(Fold(q))
		l := newLook(&x.texts, &n)
		for _, s := range x.holding(&n, first) {
			more := true
			s.find(l, max(0, first-s.first), nil, func(i int) bool {
				more = yield(s.first + i)
				return more
			})
			if !more {
				return
			}
		}
	}
}

// holding returns the shards that may hold n, in order, from that of the text
// at the position first on.
func (x *Index) holding(n *needle, first int) []*shard {
	var shards []*shard
	for i := range x.outlines {
		for k := range x.outlines[i].holding(n) {
			s := &x.shards[i*outlined+k]
			if s.first+s.len() > first {
				shards = append(shards, s)
			}
		}
	}
	return shards
}

const (
	// largestShard is the size of text at which a shard is full at the latest, in
	// bytes. What is built of it stays in a core's second-level cache.
	largestShard = 512 << 10

	// smallestShard is the same for indexes of little text, which are cut so that
	// a word of the outline is well used.
	smallestShard = 32 << 10

	// mostTexts in a shard.
	mostTexts = 1 << 15
)

// A part is the half-open range of texts that makes one shard.
type part struct {
	first, end int
}

// partition cuts texts into parts of about the same size.
func partition(texts *Texts) []part {
	full := min(max(texts.bytes(part{0, texts.Len})/outlined+1, smallestShard), largestShard)
	var parts []part
	first, bytes := 0, 0
	for i := range texts.Len {
		bytes += texts.size(i)
		if bytes >= full || i+1-first == mostTexts || i == texts.Len-1 {
			parts = append(parts, part{first, i + 1})
			first, bytes = i+1, 0
		}
	}
	return parts
}
