package search

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

// sketches are outlines in the making. Shards are drawn by several goroutines
// into filters of their own, which the last of 64 turns into rows.
type sketches []*sketch

type sketch struct {
	height  int
	papers  *papers
	filters [][]uint64 // per shard, one bit per row
	tokens  []shardTokens
	missing atomic.Int64
	outline outline
}

func newSketches(parts []part) sketches {
	var all sketches
	papers := new(papers)
	for ; len(parts) > 0; parts = parts[min(outlined, len(parts)):] {
		own := parts[:min(outlined, len(parts))]
		bytes := 0
		for _, p := range own {
			bytes += p.bytes
		}
		s := &sketch{
			height: max(64, bytes*outlineBits/outlined), papers: papers,
			filters: make([][]uint64, len(own)), tokens: make([]shardTokens, len(own)),
		}
		s.missing.Store(int64(len(own)))
		all = append(all, s)
	}
	return all
}

// draw enters the runs of shard i, and its tokens.
func (all sketches) draw(i int, d *draft, p *pen, tokens shardTokens) {
	sketch := all[i/outlined]
	p.begin(sketch.height, sketch.papers)
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
	height uint64
	filter []uint64
}

func (p *pen) begin(height int, from *papers) {
	p.height, p.filter = uint64(height), from.take((height+63)/64)
}

// draw enters the runs of a title or a body.
func (p *pen) draw(text []byte) {
	var last uint64
	for i, c := range text[:min(len(text), longestRun-1)] {
		last = last<<8 | uint64(c)
		if i >= 3 {
			p.set(hashRun(last & (1<<32 - 1)))
		}
		if i >= 2 {
			p.set(hashRun(last & (1<<24 - 1)))
			p.set(hashAgain(last & (1<<24 - 1)))
		}
	}
	if len(text) >= longestRun {
		p.drawOn(last, text[longestRun-1:])
	}
}

// drawOn enters the runs that end in text, behind four bytes at least.
func (p *pen) drawOn(last uint64, text []byte) {
	pen := *p
	for _, c := range text {
		last = last<<8 | uint64(c)
		pen.set(hashRun(last & (1<<40 - 1)))
		pen.set(hashRun(last & (1<<32 - 1)))
		pen.set(hashRun(last & (1<<24 - 1)))
		pen.set(hashAgain(last & (1<<24 - 1)))
	}
}

func (p *pen) set(r run) {
	row := uint64(r) * p.height >> 32
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
	s.papers.giveBack(s.filters)
	s.filters, s.tokens = nil, nil
}

func (all sketches) outlines() []outline {
	outlines := make([]outline, len(all))
	for i, s := range all {
		outlines[i] = s.outline
	}
	return outlines
}

// papers are filters that were used before: new memory is dear.
type papers struct {
	mu    sync.Mutex
	spare [][]uint64
}

// take returns an empty filter of so many words.
func (p *papers) take(words int) []uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.spare); n > 0 && cap(p.spare[n-1]) >= words {
		filter := p.spare[n-1][:words]
		p.spare = p.spare[:n-1]
		clear(filter)
		return filter
	}
	return make([]uint64, words)
}

func (p *papers) giveBack(filters [][]uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spare = append(p.spare, filters...)
}
