package search

import (
	"bytes"
	"slices"
)

// A dictionary knows the tokens of up to 64 neighbouring shards, and where their
// sets are. So a query that is a part of tokens is answered by them: what is
// common costs no more than what is rare.
type dictionary struct {
	tokens tokenList
	starts []uint32 // of each token in places, and where the last ends
	places []tokenPlace
}

// A tokenPlace is a [tokenSet] and, in the highest bits, the number of its shard
// within the dictionary.
type tokenPlace uint32

const setBits = 26

// shardTokens are the tokens of a shard, each with its set.
type shardTokens struct {
	list tokenList
	sets []tokenSet
}

// newDictionary merges the tokens of shards.
func newDictionary(shards []shardTokens) dictionary {
	var d dictionary
	known := map[string]uint32{}
	var numbers []uint32 // of all tokens of all shards
	for i := range shards {
		list := &shards[i].list
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
	return d
}

// place sorts the sets of all shards by the numbers of their tokens.
func (d *dictionary) place(shards []shardTokens, numbers []uint32) {
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
		for _, set := range shards[i].sets {
			n := numbers[0]
			numbers = numbers[1:]
			d.places[next[n]] = tokenPlace(i)<<setBits | tokenPlace(set)
			next[n]++
		}
	}
}

// each calls yield with all sets of the tokens that contain n, but for those of
// phrases where a run is looked for, since the sets of their runs have it all.
func (d *dictionary) each(n *needle, yield func(shard int, set tokenSet)) {
	all := d.tokens.text
	for at := 0; at < len(all); {
		skip := bytes.Index(all[at:], n.text)
		if skip < 0 {
			return
		}
		at += skip
		token := d.tokens.at(at)
		end := int(d.tokens.ends[token])
		within := at+len(n.text) <= end // else it begins in one and ends in the next
		if at = end; !within || n.run && all[end-1] == ' ' {
			continue
		}
		for _, p := range d.places[d.starts[token]:d.starts[token+1]] {
			yield(int(p>>setBits), tokenSet(p&(1<<setBits-1)))
		}
	}
}
