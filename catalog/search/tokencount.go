package search

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
)

const (
	// runShare and phraseShare are the parts of a shard's bytes that its runs and
	// its phrases may take. Few catalogs have so many different words that the
	// first is reached; then more texts have runs without a set.
	runShare    = 3
	phraseShare = 16

	// frequentShare is the part of a shard's texts that must have a phrase, and
	// both its runs, for it to be kept.
	frequentShare = 16

	// longestToken is the length of the longest that is kept, in bytes. Longer
	// ones are hardly ever the same: data, and what is written without blanks.
	longestToken = 64

	// mostTokens is how many different tokens of a shard are counted.
	mostTokens = 1 << 16
)

// A token is the number of one in a shard, from 1 on in the order in which they
// appear.
type token uint32

// uncounted stands for all runs that are not counted by themselves.
const uncounted token = 0

// A tokenCounter finds the tokens of one shard after the other.
type tokenCounter struct {
	draft  *draft
	table  []token       // by hash, with open addressing
	seen   []seenToken   // by token
	found  []tokenInText // each token of a text once
	stream []step        // all runs of all texts
}

type seenToken struct {
	place
	hash   uint32
	latest uint32 // the last text that has it, counted from 1
	texts  uint32 // how many have it
	kept   bool   // it has a set
	next   uint32 // where in the data of the sets its next text goes; 0 for a single text
	bitmap bool   // next is the beginning of a bitmap
}

type tokenInText struct {
	token token
	text  uint32
}

// A step is a run on its place, or where a title or a body begins.
type step struct {
	place
	token token
	text  uint32
	blank bool // a blank follows
}

// collect returns the token sets of a shard, and the tokens that have one.
func (c *tokenCounter) collect(d *draft) (tokenSets, shardTokens) {
	c.reset(d)
	for i := range d.len() {
		c.read(uint32(i), d.title(i))
		c.read(uint32(i), d.body(i))
	}
	runs := token(len(c.seen))
	c.joinFrequent(d.len())
	sets := tokenSets{texts: d.len()}
	tokens := c.choose(&sets, runs)
	c.fill(&sets, runs)
	return sets, tokens
}

func (c *tokenCounter) reset(d *draft) {
	c.draft = d
	// There are fewer runs and phrases than bytes and one, and always a slot is free.
	size := 1 << bits.Len(uint(min(len(d.bytes)+1, 2*mostTokens-1)))
	if len(c.table) != size {
		c.table = make([]token, size)
	}
	clear(c.table)
	c.seen = append(c.seen[:0], seenToken{})
	c.found, c.stream = c.found[:0], c.stream[:0]
}

// read meets the runs of a title or a body.
func (c *tokenCounter) read(text uint32, field place) {
	c.stream = append(c.stream, step{})
	folded := c.draft.at(field)
	for at := 0; at < len(folded); at++ {
		if !isTokenByte[folded[at]] {
			continue
		}
		start, hash := at, uint64(0)
		for ; at < len(folded) && isTokenByte[folded[at]]; at++ {
			hash = bits.RotateLeft64(hash, 5) ^ uint64(folded[at])
		}
		run := place{field.start + uint32(start), field.start + uint32(at)}
		number := c.number(run, hash)
		c.meet(number, text)
		blank := number != uncounted && at < len(folded) && folded[at] == ' '
		c.stream = append(c.stream, step{run, number, text, blank})
	}
}

// isTokenByte tells the bytes that runs are of.
var isTokenByte = func() (table [256]bool) {
	for c := range table {
		table[c] = c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || c >= 0x80
	}
	return table
}()

// meet counts a token in a text.
func (c *tokenCounter) meet(t token, text uint32) {
	if seen := &c.seen[t]; seen.latest != text+1 {
		seen.latest = text + 1
		seen.texts++
		c.found = append(c.found, tokenInText{t, text})
	}
}

// number looks a token up, and enters it if it is new and can be counted.
func (c *tokenCounter) number(at place, hash uint64) token {
	if at.end-at.start > longestToken {
		return uncounted
	}
	mixed := uint32(hash * 0x9E3779B97F4A7C15 >> 32)
	for slot := int(mixed); ; slot++ {
		entry := &c.table[slot&(len(c.table)-1)]
		if *entry == 0 {
			if len(c.seen) > mostTokens {
				return uncounted
			}
			*entry = token(len(c.seen))
			c.seen = append(c.seen, seenToken{place: at, hash: mixed})
			return *entry
		}
		if seen := &c.seen[*entry]; seen.hash == mixed && bytes.Equal(c.draft.at(seen.place), c.draft.at(at)) {
			return *entry
		}
	}
}

// joinFrequent meets the phrases of two runs that are frequent by themselves.
func (c *tokenCounter) joinFrequent(texts int) {
	var last step
	for _, next := range c.stream {
		if last.blank && next.blank && next.start == last.end+1 &&
			c.frequent(last.token, texts) && c.frequent(next.token, texts) {
			phrase := place{last.start, next.end + 1}
			if t := c.number(phrase, uint64(last.token)<<32|uint64(next.token)); t != uncounted {
				c.meet(t, next.text)
			}
		}
		last = next
	}
}

func (c *tokenCounter) frequent(t token, texts int) bool {
	return c.seen[t].texts > uint32(texts/frequentShare)
}

// choose gives sets to the tokens that are to have one: to all runs and to the
// frequent phrases, as far as there is room for them, and first to those that are
// in most texts. Tokens from the given number on are phrases.
func (c *tokenCounter) choose(sets *tokenSets, phrases token) shardTokens {
	var chosen []token
	for t := uncounted + 1; t < phrases; t++ {
		chosen = append(chosen, t)
	}
	runs := c.fit(sets, chosen, len(c.draft.bytes)/runShare)
	chosen = chosen[len(chosen):]
	for t := phrases; int(t) < len(c.seen); t++ {
		if c.frequent(t, sets.texts) {
			chosen = append(chosen, t)
		}
	}
	return c.reserve(sets, slices.Concat(runs, c.fit(sets, chosen, len(c.draft.bytes)/phraseShare)))
}

// fit returns the tokens that fit into so many bytes: all, or those that are in
// most texts.
func (c *tokenCounter) fit(sets *tokenSets, tokens []token, room int) []token {
	for _, t := range tokens {
		room -= c.cost(t, sets)
	}
	if room >= 0 {
		return tokens
	}
	slices.SortFunc(tokens, func(a, b token) int {
		return cmp.Or(cmp.Compare(c.seen[b].texts, c.seen[a].texts), cmp.Compare(a, b))
	})
	for ; room < 0; tokens = tokens[:len(tokens)-1] {
		room += c.cost(tokens[len(tokens)-1], sets)
	}
	return tokens
}

// cost is about how many bytes a token takes. What is in one text alone is probably
// in no other shard, which would share in the word itself.
func (c *tokenCounter) cost(t token, sets *tokenSets) int {
	const place, end = 4, 8
	seen := &c.seen[t]
	if seen.texts == 1 {
		return place + end + int(seen.end-seen.start)
	}
	return place + 2*c.dataLength(t, sets)
}

// reserve makes room for the sets of tokens, and lists them.
func (c *tokenCounter) reserve(sets *tokenSets, tokens []token) shardTokens {
	length, data := 0, 0
	for _, t := range tokens {
		length += int(c.seen[t].end - c.seen[t].start)
		data += c.dataLength(t, sets)
	}
	sets.data = make([]uint16, 0, data)
	kept := shardTokens{newTokenList(len(tokens), length), make([]tokenSet, len(tokens))}
	for i, t := range tokens {
		kept.list.add(c.draft.at(c.seen[t].place))
		kept.sets[i] = c.reserveOne(sets, t)
	}
	return kept
}

func (c *tokenCounter) reserveOne(sets *tokenSets, t token) tokenSet {
	seen := &c.seen[t]
	seen.kept = true
	if seen.texts == 1 {
		return singleText | tokenSet(seen.latest-1)
	}
	set := tokenSet(len(sets.data))
	sets.data = sets.data[:len(sets.data)+c.dataLength(t, sets)]
	if seen.bitmap = int(seen.texts) >= sets.bitmapLength(); !seen.bitmap {
		sets.data[set] = uint16(seen.texts)
	}
	seen.next = uint32(set) + 1
	return set
}

// dataLength is how much data the set of a token takes.
func (c *tokenCounter) dataLength(t token, sets *tokenSets) int {
	if c.seen[t].texts == 1 {
		return 0
	}
	return 1 + min(int(c.seen[t].texts), sets.bitmapLength())
}

// fill enters the texts into the sets.
func (c *tokenCounter) fill(sets *tokenSets, phrases token) {
	for _, f := range c.found {
		switch seen := &c.seen[f.token]; {
		case !seen.kept && f.token < phrases:
			if sets.rest == nil {
				sets.rest = make([]uint64, (sets.texts+63)/64)
			}
			sets.rest[f.text/64] |= 1 << (f.text % 64)
		case seen.bitmap:
			sets.data[seen.next+f.text/16] |= 1 << (f.text % 16)
		case seen.next != 0:
			sets.data[seen.next] = uint16(f.text)
			seen.next++
		}
	}
}
