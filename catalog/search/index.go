package search

import (
	"iter"
	"math/bits"
	"runtime"
	"slices"
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
	m, open := x.settle(&n)
	if len(open) == 0 {
		return m
	}
	l, looks := newLook(&x.texts, &n, m), 0
	for i, s := range open {
		// Going by the shards so far, is there enough to do for others?
		if left := len(open) - i; i > 0 && looks*left > i*looksToShare {
			x.findShared(open[i:], &n, m)
			break
		}
		looks += s.findAll(l, m)
	}
	return m
}

// settle returns the matches that dictionaries know of, and the shards in which
// there may be others.
func (x *Index) settle(n *needle) (*Matches, []openShard) {
	m := &Matches{}
	var open []openShard
	for i := range x.outlines {
		o, shards := &x.outlines[i], x.shards[i*outlined:]
		holding := o.holding(n)
		if holding != 0 && m.words == nil {
			m = newMatches(x.texts.Len)
		}
		// In few shards looking at pieces is less than going through a dictionary.
		consulted := 4*bits.OnesCount64(holding) > o.shards && len(n.text) >= gramBytes
		if consulted {
			o.dictionary.each(n, func(shard int, set tokenSet) {
				shards[shard].tokens.addTo(m, shards[shard].first, set)
			})
		}
		open = slices.Grow(open, bits.OnesCount64(holding))
		for ; holding != 0; holding &= holding - 1 {
			s := openShard{shard: &shards[bits.TrailingZeros64(holding)]}
			if consulted && n.run {
				if s.among = s.tokens.rest; s.among == nil {
					continue // the dictionary knows all
				}
			}
			open = append(open, s)
		}
	}
	return m, open
}

// looksToShare is how many pieces there must be left to look at for a second
// goroutine to pay. It takes some microseconds to wake one up, and a tenth of
// one to look at a piece.
const looksToShare = 500

func (x *Index) findShared(open []openShard, n *needle, m *Matches) {
	var next atomic.Int64
	together(min(runtime.GOMAXPROCS(0), len(open)), func() {
		l := newLook(&x.texts, n, m)
		for i := int(next.Add(1)) - 1; i < len(open); i = int(next.Add(1)) - 1 {
			open[i].findAll(l, m)
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
		l := newLook(&x.texts, &n, nil)
		for i := range x.outlines {
			for holding := x.outlines[i].holding(&n); holding != 0; holding &= holding - 1 {
				s := &x.shards[i*outlined+bits.TrailingZeros64(holding)]
				if s.first+s.len() <= first {
					continue
				}
				more := true
				openShard{shard: s}.find(l, max(0, first-s.first), func(i int) bool {
					more = yield(s.first + i)
					return more
				})
				if !more {
					return
				}
			}
		}
	}
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
	full := min(max(total/outlined+1, smallestShard), largestShard)
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
