package search

import (
	"sync"
	"sync/atomic"
)

// A Builder makes an [Index], on as many goroutines as have time for it.
type Builder struct {
	texts   Texts
	parts   []part
	groups  []*groupDraft
	used    usedGrams
	known   func() *clusters
	begun   atomic.Int64 // parts
	missing atomic.Int64 // parts that are not done
	done    chan struct{}
}

// NewBuilder returns a builder of an index of texts. It does nothing by itself.
func NewBuilder(texts Texts) *Builder {
	b := &Builder{texts: texts, parts: partition(&texts), done: make(chan struct{})}
	b.groups = newGroupDrafts(b.parts)
	b.known = sync.OnceValue(b.choose)
	b.missing.Store(int64(len(b.parts)))
	if len(b.parts) == 0 {
		close(b.done)
	}
	return b
}

// Work does parts of the work until all are begun. The more goroutines are at it,
// the earlier it is done. One that comes too late needs no memory: a worker has
// half a megabyte to count in.
func (b *Builder) Work() {
	i, ok := b.begin()
	if !ok {
		return
	}
	w := worker{used: &b.used, known: b.known()}
	for ; ok; i, ok = b.begin() {
		b.groups[i/groupShards].makeShard(&w, &b.texts, i%groupShards)
		if b.missing.Add(-1) == 0 {
			close(b.done)
		}
	}
}

// begin returns a part that nobody is at, if there is one left.
func (b *Builder) begin() (part int, ok bool) {
	part = int(b.begun.Add(1)) - 1
	return part, part < len(b.parts)
}

// choose chooses the clusters that are to be known.
func (b *Builder) choose() *clusters {
	bytes := 0
	for _, p := range b.parts {
		bytes += p.bytes
	}
	known := chooseClusters(&b.texts, bytes)
	for _, d := range b.groups {
		d.clusters = make(bitmap, known.len()*d.words())
	}
	return known
}

// Index waits until all is done, which somebody must have begun, and returns the
// index.
func (b *Builder) Index() *Index {
	<-b.done
	x := &Index{texts: b.texts, known: b.known(), groups: make([]*group, len(b.groups))}
	for i, draft := range b.groups {
		x.groups[i] = &draft.group
	}
	return x
}
