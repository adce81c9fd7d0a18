package search

// groupShards is how many shards make a group.
const groupShards = 64

// A group is some neighbouring shards, and what they share.
type group struct {
	first, texts int // the position of the first text, and their number
	shards       []shard
	grams        grams
	dictionary   dictionary
	clusters     bitmap // for each known cluster, end to end, the texts that have it
	rest         bitmap // the texts that have a token without a set; nil where there is none
}

// words is the length of a bitmap of the texts.
func (g *group) words() int { return bitmapWords(g.texts) }

// having returns which texts have the known cluster of a number.
func (g *group) having(cluster int) bitmap { return g.clusters[cluster*g.words():][:g.words()] }

// settle enters the texts of which it is known that they contain a needle, and
// returns a bitmap of those that may, nil where none may.
func (g *group) settle(n *needle, m *Matches) bitmap {
	switch {
	case n.gram != 0:
		m.enter(g.first, g.grams.having([]gram{n.gram}))
		return nil
	case n.isCluster:
		m.enter(g.first, g.having(n.clusters[0]))
		return nil
	case n.run:
		g.find(&n.part, m, 0)
		return g.rest
	}
	open := g.grams.having(n.grams)
	if open == nil {
		return nil
	}
	for _, number := range n.clusters {
		open.keep(g.having(number))
	}
	if len(n.part.text) >= shortestPart && open.count() >= textsForPart {
		open.keep(g.havingPart(&n.part))
	}
	return open
}

// shortestPart is how long a fragment is to be looked for among tokens, in bytes.
// Shorter ones are in too many.
const shortestPart = 4

// textsForPart is how many texts of a group must be open for that to pay.
const textsForPart = 500

// find enters the texts of tokens that have a fragment. The matches begin with the
// text at a position: 0, or the first of the group.
func (g *group) find(f *fragment, m *Matches, from int) {
	g.dictionary.each(f, func(shard int, set tokenSet) {
		m.reserve()
		s := &g.shards[shard]
		s.tokens.addTo(m.words, s.first-from, set)
	})
}

// havingPart returns which texts may have a token with a fragment.
func (g *group) havingPart(f *fragment) bitmap {
	having := newMatches(g.texts)
	having.reserve()
	g.find(f, having, g.first)
	having.words.setAll(0, g.rest)
	return having.words
}

// open appends the shards that have texts of a bitmap.
func (g *group) open(open []openShard, among bitmap) []openShard {
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
