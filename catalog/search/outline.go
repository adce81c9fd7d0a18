package search

import (
	"math/bits"
	"sync/atomic"
)

const (
	// outlined is how many shards an outline is of.
	outlined = 64

	// outlineBits is how much outline a byte of text gets. A shard of prose or
	// code has one distinct run of three, four or five bytes in two to six bytes,
	// depending on its size.
	outlineBits = 1

	// The outline knows runs of these lengths. Of a query it looks at the longest
	// it can, since those are the ones that a text may lack though it has all
	// their parts.
	shortestRun = 3
	longestRun  = 5
)

// An outline is a coarse index over up to 64 neighbouring shards: Bloom filters,
// one for each shard, of the runs of three, four and five bytes in it. It is
// bit-sliced as [signatures] are, so that a few words say which shards can be
// passed over. It tells apart what signatures of trigrams cannot: a word joined
// of two common ones has the trigrams of many texts, but runs of five that none
// has.
type outline struct {
	rows       []uint64 // bit i stands for shard i
	shards     int
	dictionary dictionary
}

// holding returns a bit for each of the shards that may hold n.
func (o *outline) holding(n *needle) uint64 {
	left := ^uint64(0) >> (64 - o.shards)
	for _, r := range n.runs {
		if left &= o.rows[r.row(len(o.rows))]; left == 0 {
			break
		}
	}
	return left
}

// A run is the hash of three to five neighbouring bytes, spread over 32 bits.
type run uint64

// hashRun hashes bytes, the last in the lowest, by multiplication (Knuth, The
// Art of Computer Programming, vol. 3, 6.4).
func hashRun(bytes uint64) run { return run(bytes * 0x9E3779B97F4A7C15 >> 32) }

// hashAgain is a second hash of three bytes. A query of three bytes has but one
// run; where it shares a row with a run that every shard has, the other row has
// to tell.
func hashAgain(bytes uint64) run { return run((bytes + 1<<40) * 0xD6E8FEB86659FD93 >> 32) }

// row scales the hash to a number of rows.
func (r run) row(rows int) int { return int(uint64(r) * uint64(rows) >> 32) }

// runsOf returns the runs by which the outline knows a query: those of the
// greatest length within its first filteredBytes bytes, and shorter ones where
// these are few. A query of one or two bytes has none.
func runsOf(text []byte) []run {
	const enough = 8
	text = text[:min(len(text), filteredBytes)]
	runs := make([]run, 0, filteredBytes)
	for length := longestRun; length >= shortestRun && len(runs) < enough; length-- {
		for at := 0; at+length <= len(text); at++ {
			var bytes uint64
			for _, c := range text[at:][:length] {
				bytes = bytes<<8 | uint64(c)
			}
			runs = append(runs, hashRun(bytes))
			if length == shortestRun {
				runs = append(runs, hashAgain(bytes))
			}
		}
	}
	return runs
}

// sketches are outlines in the making. Shards are drawn by several goroutines
// into filters of their own, which the last of 64 turns into rows.
type sketches []*sketch

type sketch struct {
	height  int
	filters [][]uint64 // per shard, one bit per row
	tokens  []shardTokens
	missing atomic.Int64
	outline outline
}

func newSketches(parts []part) sketches {
	var all sketches
	for ; len(parts) > 0; parts = parts[min(outlined, len(parts)):] {
		own := parts[:min(outlined, len(parts))]
		bytes := 0
		for _, p := range own {
			bytes += p.bytes
		}
		s := &sketch{height: max(64, bytes*outlineBits/outlined), filters: make([][]uint64, len(own)), tokens: make([]shardTokens, len(own))}
		s.missing.Store(int64(len(own)))
		all = append(all, s)
	}
	return all
}

// draw enters the runs of shard i, and its tokens.
func (all sketches) draw(i int, d *draft, p *pen, tokens shardTokens) {
	sketch := all[i/outlined]
	p.begin(sketch.height)
	for k := range d.len() {
		p.draw(d.at(d.title(k)))
		p.draw(d.at(d.body(k)))
	}
	sketch.filters[i%outlined], sketch.tokens[i%outlined] = p.filter, tokens
	if sketch.missing.Add(-1) == 0 {
		sketch.finish()
	}
}

// A pen draws one shard after the other.
type pen struct {
	height int
	filter []uint64
}

func (p *pen) begin(height int) { p.height, p.filter = height, make([]uint64, (height+63)/64) }

// draw enters the runs of a title or a body.
func (p *pen) draw(text []byte) {
	var last uint64
	for i, c := range text {
		last = last<<8 | uint64(c)
		if i >= 4 {
			p.set(hashRun(last & (1<<40 - 1)))
		}
		if i >= 3 {
			p.set(hashRun(last & (1<<32 - 1)))
		}
		if i >= 2 {
			p.set(hashRun(last & (1<<24 - 1)))
			p.set(hashAgain(last & (1<<24 - 1)))
		}
	}
}

func (p *pen) set(r run) {
	row := r.row(p.height)
	p.filter[row/64] |= 1 << (row % 64)
}

// finish makes rows of the filters and drops them.
func (s *sketch) finish() {
	s.outline = outline{make([]uint64, s.height), len(s.filters), newDictionary(s.tokens)}
	for shard, filter := range s.filters {
		for w, word := range filter {
			for ; word != 0; word &= word - 1 {
				s.outline.rows[w*64+bits.TrailingZeros64(word)] |= 1 << shard
			}
		}
	}
	s.filters, s.tokens = nil, nil
}

func (all sketches) outlines() []outline {
	outlines := make([]outline, len(all))
	for i, s := range all {
		outlines[i] = s.outline
	}
	return outlines
}
