package search

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A Text is what is searched: a title and a body, in any case and any encoding.
type Text struct {
	Title, Body string
}

// An Index answers which of its texts contain a string. It is immutable and
// safe for concurrent use. The zero Index has no texts.
type Index struct {
	texts  int
	shards []shard
}

// New folds and indexes texts, on as many goroutines as GOMAXPROCS allows. The
// result depends on texts alone.
func New(texts []Text) *Index {
	parts := partition(texts)
	x := &Index{texts: len(texts), shards: make([]shard, len(parts))}
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(parts)) {
		workers.Go(func() {
			var f folder
			for i := next.Add(1) - 1; i < int64(len(parts)); i = next.Add(1) - 1 {
				p := parts[i]
				x.shards[i] = newShard(&f, p.first, texts[p.first:p.end])
			}
		})
	}
	workers.Wait()
	return x
}

// Find returns the positions, ascending, of the texts whose folded title or
// folded body contains the folded q. An empty q is contained in every text. The
// result is never nil and belongs to the caller.
func (x *Index) Find(q string) []int {
	if q == "" {
		return x.all()
	}
	found := []int{}
	n := newNeedle(Fold(q))
	for i := range x.shards {
		found = x.shards[i].find(found, n)
	}
	return found
}

func (x *Index) all() []int {
	found := make([]int, x.texts)
	for i := range found {
		found[i] = i
	}
	return found
}

// shardBytes is the size of text at which a shard is full. Its filters, three
// quarters of that, stay in a core's second-level cache while they are built.
const shardBytes = 512 << 10

// A part is the half-open range of texts that makes one shard.
type part struct {
	first, end int
}

// partition cuts texts into parts of at least shardBytes, but for the last.
func partition(texts []Text) []part {
	var parts []part
	first, bytes := 0, 0
	for i, t := range texts {
		bytes += len(t.Title) + len(t.Body)
		if bytes >= shardBytes || i == len(texts)-1 {
			parts = append(parts, part{first, i + 1})
			first, bytes = i+1, 0
		}
	}
	return parts
}
