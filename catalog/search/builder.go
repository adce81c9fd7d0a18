package search

import "sync/atomic"

// A Builder makes an [Index], on as many goroutines as have time for it.
type Builder struct {
	parts    []part
	index    *Index
	sketches sketches
	begun    atomic.Int64 // parts
	missing  atomic.Int64 // parts that are not done
	done     chan struct{}
}

// NewBuilder returns a builder of an index of texts. It does nothing by itself.
func NewBuilder(texts Texts) *Builder {
	b := &Builder{parts: partition(&texts), index: &Index{texts: texts}, done: make(chan struct{})}
	b.index.shards = make([]shard, len(b.parts))
	b.sketches = newSketches(b.parts)
	b.missing.Store(int64(len(b.parts)))
	if len(b.parts) == 0 {
		close(b.done)
	}
	return b
}

// Work does parts of the work until all are begun. The more goroutines are at it,
// the earlier it is done.
func (b *Builder) Work() {
	var w worker
	for i := int(b.begun.Add(1)) - 1; i < len(b.parts); i = int(b.begun.Add(1)) - 1 {
		shard, tokens := w.newShard(&b.index.texts, b.parts[i])
		b.index.shards[i] = shard
		b.sketches.draw(i, &w.draft, &w.pen, tokens)
		if b.missing.Add(-1) == 0 {
			b.index.outlines, b.sketches = b.sketches.outlines(), nil
			close(b.done)
		}
	}
}

// Index waits until all is done, which somebody must have begun, and returns the
// index.
func (b *Builder) Index() *Index {
	<-b.done
	return b.index
}
