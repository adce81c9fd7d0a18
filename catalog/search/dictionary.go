package search

import (
	"bytes"
	"math/bits"
	"slices"
)

// A dictionary knows the tokens of the shards of a group, and where their sets are.
// So a query that is a part of tokens is answered by them: what is common costs no
// more than what is rare.
type dictionary struct {
	tokens  tokenList
	starts  []uint32 // of each token in places, and where the last ends
	places  []tokenPlace
	blocks  []uint32   // of neighbouring tokens: the first of each, and the number of all
	filters signatures // one column per block
}

const (
	// tokenBlock is about the length of a block, in bytes.
	tokenBlock = 64

	// tokenBits is how much filter a byte of a dictionary gets.
	tokenBits = 4
)

// A tokenPlace is a [tokenSet] and, in the highest bits, the number of its shard
// within the dictionary.
type tokenPlace uint32

const setBits = 26

// shardTokens are the tokens of a shard that have a set.
type shardTokens struct {
	list tokenList
	sets []tokenSet
	rest bitmap // the texts that have a token without one; nil where there is none
}

// newDictionary merges the tokens of shards.
func newDictionary(shards []contribution) dictionary {
	var d dictionary
	known := map[string]uint32{}
	var numbers []uint32 // of all tokens of all shards
	for i := range shards {
		list := &shards[i].tokens.list
		for number := range list.len() {
			token := list.token(number)
			merged, ok := known[string(token)]
			if !ok {
				merged = uint32(d.tokens.len())
				known[string(token)] = merged
				d.tokens.add(token)
			}
			numbers = append(numbers, merged)
		}
	}
	d.tokens = tokenList{slices.Clone(d.tokens.text), slices.Clone(d.tokens.ends)} // without what is left over
	d.place(shards, numbers)
	d.filter()
	return d
}

// filter cuts the tokens into blocks, and makes the filters of these.
func (d *dictionary) filter() {
	begin := -tokenBlock
	for t := range d.tokens.len() {
		if start := d.tokens.start(t); start-begin >= tokenBlock {
			d.blocks, begin = append(d.blocks, uint32(t)), start
		}
	}
	d.filters = newSignatures(len(d.blocks), len(d.tokens.text)*tokenBits)
	d.blocks = slices.Clip(append(d.blocks, uint32(d.tokens.len())))
	for i, first := range d.blocks[:len(d.blocks)-1] {
		for t := first; t < d.blocks[i+1]; t++ {
			d.filters.addRuns(i, d.tokens.token(int(t)))
		}
	}
}

// place sorts the sets of all shards by the numbers of their tokens.
func (d *dictionary) place(shards []contribution, numbers []uint32) {
	d.starts = make([]uint32, d.tokens.len()+1)
	for _, n := range numbers {
		d.starts[n+1]++
	}
	for n := range d.tokens.len() {
		d.starts[n+1] += d.starts[n]
	}
	next := slices.Clone(d.starts)
	d.places = make([]tokenPlace, len(numbers))
	for i := range shards {
		for _, set := range shards[i].tokens.sets {
			n := numbers[0]
			numbers = numbers[1:]
			d.places[next[n]] = tokenPlace(i)<<setBits | tokenPlace(set)
			next[n]++
		}
	}
}

// A fragment is a part of a token, of three bytes or more.
type fragment struct {
	text        []byte
	keys        []key
	first, last bool // a token begins or ends with it
}

// each calls yield with the sets of all tokens that have a fragment.
func (d *dictionary) each(f *fragment, yield func(shard int, set tokenSet)) {
	if len(f.text) > longestToken {
		return
	}
	var rows [mostKeys]int
	at := d.filters.locate(rows[:0], f.keys)
	for word := range d.filters.width {
		for left := d.filters.candidates(word, at); left != 0; left &= left - 1 {
			d.eachOf(word*64+bits.TrailingZeros64(left), f, yield)
		}
	}
}

// eachOf does so for the tokens of a block.
func (d *dictionary) eachOf(block int, f *fragment, yield func(shard int, set tokenSet)) {
	token, last := int(d.blocks[block]), d.tokens.start(int(d.blocks[block+1]))
	for at := d.tokens.start(token); ; at++ {
		skip := bytes.Index(d.tokens.text[at:last], f.text)
		if skip < 0 {
			return
		}
		for at += skip; d.tokens.start(token+1) <= at; token++ {
		}
		start, end := d.tokens.start(token), d.tokens.start(token+1)
		// What begins in one token may end in another.
		if behind := at + len(f.text); behind <= end && (!f.first || at == start) && (!f.last || behind == end) {
			for _, p := range d.places[d.starts[token]:d.starts[token+1]] {
				yield(int(p>>setBits), tokenSet(p&(1<<setBits-1)))
			}
			at = end - 1
		}
	}
}
