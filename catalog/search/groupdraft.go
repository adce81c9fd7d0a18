package search

import (
	"slices"
	"sync"
	"sync/atomic"
)

// A groupDraft is a group in the making. Several goroutines make its shards, and the
// last of them what they share.
type groupDraft struct {
	group
	parts         []part
	contributions []contribution
	missing       atomic.Int64
}

// A contribution is what a shard adds to its group.
type contribution struct {
	tokens shardTokens
	grams  shardGrams
}

func newGroupDrafts(parts []part) []*groupDraft {
	var all []*groupDraft
	for ; len(parts) > 0; parts = parts[min(groupShards, len(parts)):] {
		own := parts[:min(groupShards, len(parts))]
		d := &groupDraft{
			group:         group{first: own[0].first, texts: own[len(own)-1].end - own[0].first, shards: make([]shard, len(own))},
			parts:         own,
			contributions: make([]contribution, len(own)),
		}
		d.missing.Store(int64(len(own)))
		all = append(all, d)
	}
	return all
}

// makeShard makes the ith shard.
func (d *groupDraft) makeShard(w *worker, texts *Texts, i int) {
	d.shards[i], d.contributions[i] = w.newShard(texts, d.parts[i])
	if w.known.len() > 0 {
		d.enterClusters(w, i)
	}
	if d.missing.Add(-1) == 0 {
		d.share(w)
	}
}

// enterClusters enters the clusters of the ith shard, which the worker has just
// drafted.
func (d *groupDraft) enterClusters(w *worker, i int) {
	words := bitmapWords(w.draft.len())
	found := w.findClusters(words)
	first := d.parts[i].first - d.first
	for number, shorter := range slices.Backward(w.known.shorter) {
		for k, word := range found[number*words:][:words] {
			d.clusters.addFrom(number*d.words()*64+first+64*k, word)
			if shorter >= 0 {
				found[shorter*words+k] |= word
			}
		}
	}
}

// findClusters returns a bitmap of so many words for each known cluster, of the texts
// in the draft that have it, but not all that have a longer one.
func (w *worker) findClusters(words int) []uint64 {
	length := w.known.len() * words
	w.clusters = slices.Grow(w.clusters[:0], length)[:length]
	clear(w.clusters)
	for text := range w.draft.len() {
		at, bit := text/64, uint64(1)<<(text%64)
		for _, p := range [...]place{w.draft.title(text), w.draft.body(text)} {
			w.places = w.known.find(w.draft.at(p), w.places, func(number int) { w.clusters[number*words+at] |= bit })
		}
	}
	return w.clusters
}

// share makes what the shards share.
func (d *groupDraft) share(w *worker) {
	var dictionary sync.WaitGroup
	dictionary.Go(func() { d.dictionary = newDictionary(d.contributions) })
	d.grams = w.merger.merge(d.contributions, d.parts, d.texts)
	for i := range d.contributions {
		c := &d.contributions[i]
		d.enterRest(c.tokens.rest, d.parts[i].first-d.first)
		w.used.giveBack(c.grams)
	}
	dictionary.Wait()
	d.contributions = nil
}

// enterRest enters the texts of a shard that have a token without a set. In the group
// the first text of the shard has the given position.
func (d *groupDraft) enterRest(rest bitmap, first int) {
	if rest == nil {
		return
	}
	if d.rest == nil {
		d.rest = newBitmap(d.texts)
	}
	d.rest.setAll(first, rest)
}

// usedGrams are those of shards that have been merged, whose memory others may have:
// new memory is dear.
type usedGrams struct {
	mu  sync.Mutex
	all []shardGrams
}

func (u *usedGrams) take() (used shardGrams) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if last := len(u.all) - 1; last >= 0 {
		used, u.all = u.all[last], u.all[:last]
	}
	return used
}

func (u *usedGrams) giveBack(used shardGrams) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all = append(u.all, used)
}
