package search

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
)

const (
	// tokenShare is the part of a shard's bytes that its token sets may take.
	tokenShare = 12

	// frequentShare is the part of a shard's texts that must have a token for it
	// to be kept. A rarer one would save less than it costs.
	frequentShare = 32

	// mostTokens is how many different tokens of a shard are counted. What else
	// there is in it is passed over.
	mostTokens = 1 << 16
)

// A token is the number of one in a shard, from 1 on in the order in which they
// appear; 0 is none.
type token uint32

// A tokenCounter finds the frequent tokens of one shard after the other.
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

// collect returns the token sets of a shard, and what tokens they are of.
func (c *tokenCounter) collect(d *draft) (tokenSets, tokenList) {
	c.reset(d)
	for i := range d.len() {
		c.read(uint32(i), d.title(i))
		c.read(uint32(i), d.body(i))
	}
	c.joinFrequent(d.len())
	return c.arrange(d.len())
}

func (c *tokenCounter) reset(d *draft) {
	c.draft = d
	size := 1 << bits.Len(uint(min(len(d.bytes)/2, 2*mostTokens)))
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
		blank := at < len(folded) && folded[at] == ' '
		c.stream = append(c.stream, step{run, c.meet(run, text, hash), text, blank})
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
func (c *tokenCounter) meet(at place, text uint32, hash uint64) token {
	t := c.number(at, uint32(hash*0x9E3779B97F4A7C15>>32))
	seen := &c.seen[t]
	if t != 0 && seen.latest != text+1 {
		seen.latest = text + 1
		seen.texts++
		c.found = append(c.found, tokenInText{t, text})
	}
	return t
}

// number looks a token up, and enters it if it is new and there is room.
func (c *tokenCounter) number(at place, hash uint32) token {
	for slot := int(hash); ; slot++ {
		entry := &c.table[slot&(len(c.table)-1)]
		if *entry == 0 {
			if len(c.seen) > mostTokens {
				return 0
			}
			*entry = token(len(c.seen))
			c.seen = append(c.seen, seenToken{place: at, hash: hash})
			return *entry
		}
		if seen := &c.seen[*entry]; seen.hash == hash && bytes.Equal(c.draft.at(seen.place), c.draft.at(at)) {
			return *entry
		}
	}
}

// joinFrequent meets the phrases of two runs that are frequent by themselves.
func (c *tokenCounter) joinFrequent(texts int) {
	var last step
	for _, next := range c.stream {
		if c.frequent(last.token, texts) && c.frequent(next.token, texts) &&
			last.blank && next.blank && next.start == last.end+1 {
			c.meet(place{last.start, next.end + 1}, next.text, uint64(last.token)<<32|uint64(next.token))
		}
		last = next
	}
}

func (c *tokenCounter) frequent(t token, texts int) bool {
	return c.seen[t].texts > uint32(texts/frequentShare)
}

// arrange makes sets of the most frequent tokens for which there is room.
func (c *tokenCounter) arrange(texts int) (tokenSets, tokenList) {
	const bytesForPlace, bytesForWord = 4, 8
	sets, list := tokenSets{width: (texts + 63) / 64}, tokenList{}
	most := len(c.draft.bytes) / tokenShare / (bytesForPlace + bytesForWord*max(sets.width, 1))
	numbers := make([]int, len(c.seen)) // by token: its number among the kept, plus one
	for _, t := range c.mostFrequent(texts, most) {
		list.add(c.draft.at(c.seen[t].place))
		numbers[t] = list.len()
	}
	sets.words = make([]uint64, list.len()*sets.width)
	for _, f := range c.found {
		if n := numbers[f.token]; n > 0 {
			sets.of(n - 1)[f.text/64] |= 1 << (f.text % 64)
		}
	}
	return sets, list
}

// mostFrequent returns at most so many of the frequent tokens, those that are in
// most texts first.
func (c *tokenCounter) mostFrequent(texts, most int) []token {
	var frequent []token
	for t := range c.seen {
		if c.frequent(token(t), texts) {
			frequent = append(frequent, token(t))
		}
	}
	slices.SortFunc(frequent, func(a, b token) int {
		return cmp.Or(cmp.Compare(c.seen[b].texts, c.seen[a].texts), cmp.Compare(a, b))
	})
	return frequent[:min(len(frequent), most)]
}
