package search

import (
	"sync"
	"sync/atomic"
)

// groupShards is how many shards make a group.
const groupShards = 64

// A group is some neighbouring shards, and what they share.
type group struct {
	first, texts int // the position of the first text, and their number
	shards       []shard
	grams        grams
	dictionary   dictionary
	rest         []uint64 // bitmap of the texts that have a token without a set; nil where there is none
}

// settle enters the texts of which it is known that they contain a needle, and
// returns a bitmap of those that may, nil where none may.
func (g *group) settle(n *needle, m *Matches) []uint64 {
	switch {
	case n.gram != 0:
		if set := g.grams.set(n.gram); set != nil {
			found := make([]uint64, (g.texts+63)/64)
			g.grams.enter(found, set)
			for i, word := range found {
				m.setFrom(g.first+64*i, word)
			}
		}
		return nil
	case n.run:
		g.find(&n.part, m, 0)
		return g.rest
	}
	open := g.grams.having(n.grams)
	if len(n.part.text) >= shortestPart && onesIn(open) >= textsToShare {
		g.keep(open, &n.part)
	}
	return open
}

// shortestPart is how long a fragment is to be looked for among tokens, in bytes.
// Shorter ones are in too many.
const shortestPart = 4

// find enters the texts of tokens that have a fragment, at their positions less that
// of the text from which the matches begin.
func (g *group) find(f *fragment, m *Matches, from int) {
	g.dictionary.each(f, func(shard int, set tokenSet) {
		s := &g.shards[shard]
		s.tokens.addTo(m, s.first-from, set)
	})
}

// keep leaves only those texts open that may have a token with a fragment.
func (g *group) keep(open []uint64, f *fragment) {
	having := newMatches(g.texts)
	g.find(f, having, g.first)
	for i, rest := range g.rest {
		having.words[i] |= rest
	}
	for i := range open {
		open[i] &= having.words[i]
	}
}

// open appends the shards that have texts of a bitmap.
func (g *group) open(open []openShard, among []uint64) []openShard {
	if among == nil {
		return open
	}
	for i := range g.shards {
		s := openShard{&g.shards[i], among, g.shards[i].first - g.first}
		if s.has() {
			open = append(open, s)
		}
	}
	return open
}

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

// make makes the ith shard.
func (d *groupDraft) make(w *worker, texts *Texts, i int) {
	d.shards[i], d.contributions[i] = w.newShard(texts, d.parts[i])
	if d.missing.Add(-1) == 0 {
		d.share(w)
	}
}

// share makes what the shards share.
func (d *groupDraft) share(w *worker) {
	var dictionary sync.WaitGroup
	dictionary.Go(func() { d.dictionary = newDictionary(d.contributions) })
	d.grams = w.merger.merge(d.contributions, d.parts, d.texts)
	for i := range d.contributions {
		c := &d.contributions[i]
		d.leave(c.tokens.rest, d.parts[i].first-d.first)
		w.used.giveBack(c.grams)
	}
	dictionary.Wait()
	d.contributions = nil
}

// leave notes the texts of a shard that have a token without a set. Of the group
// the first of them has the given position.
func (d *groupDraft) leave(rest []uint64, first int) {
	if rest != nil && d.rest == nil {
		d.rest = make([]uint64, (d.texts+63)/64)
	}
	all := Matches{d.rest}
	for i, word := range rest {
		all.setFrom(first+64*i, word)
	}
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
