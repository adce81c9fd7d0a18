package search

import (
	"bytes"
	"slices"
)

// A token is a run of letters, digits, underscores and bytes beyond ASCII in a
// folded text, whole; or a phrase of two such runs, with a blank between them and
// one behind. What a token contains, each text that has the token contains.
//
// tokenSets hold in which texts of a shard its most frequent tokens are, exactly:
// a bitmap for each token.
type tokenSets struct {
	words []uint64
	width int // of a bitmap, in words
}

// of returns the bitmap of a token of the shard.
func (t *tokenSets) of(number int) []uint64 { return t.words[number*t.width:][:t.width] }

// A tokenList is tokens, numbered from 0.
type tokenList struct {
	text []byte   // end to end
	ends []uint32 // where each ends
}

func (l *tokenList) add(token []byte) {
	l.text = append(l.text, token...)
	l.ends = append(l.ends, uint32(len(l.text)))
}

func (l *tokenList) len() int { return len(l.ends) }

func (l *tokenList) token(number int) []byte {
	start := uint32(0)
	if number > 0 {
		start = l.ends[number-1]
	}
	return l.text[start:l.ends[number]]
}

// A dictionary knows the frequent tokens of up to 64 neighbouring shards, and
// which of the shards have them. A query that is a part of some of them is for
// certain in all their texts. So what is common is found by what is common, and
// only the other texts have to be looked at.
type dictionary struct {
	tokens tokenList
	starts []uint32 // of each token in places, and where the last ends
	places []tokenPlace
}

// A tokenPlace says that a token is the one of this number in a shard, that one
// counted within the dictionary.
type tokenPlace struct{ shard, number uint16 }

// newDictionary merges what is frequent in each of the shards.
func newDictionary(shards []tokenList) dictionary {
	var d dictionary
	known := map[string]int{}
	var numbers []int // of all tokens of all shards
	for i := range shards {
		for number := range shards[i].len() {
			token := shards[i].token(number)
			merged, ok := known[string(token)]
			if !ok {
				merged = d.tokens.len()
				known[string(token)] = merged
				d.tokens.add(token)
			}
			numbers = append(numbers, merged)
		}
	}
	d.tokens.text, d.tokens.ends = slices.Clip(d.tokens.text), slices.Clip(d.tokens.ends)
	d.place(shards, numbers)
	return d
}

// place sorts the tokens of all shards by their numbers in the dictionary.
func (d *dictionary) place(shards []tokenList, numbers []int) {
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
		for number := range shards[i].len() {
			n := numbers[0]
			numbers = numbers[1:]
			d.places[next[n]] = tokenPlace{uint16(i), uint16(number)}
			next[n]++
		}
	}
}

// each calls yield with the places of all tokens that contain n.
func (d *dictionary) each(n *needle, yield func(tokenPlace)) {
	text := d.tokens.text
	for at := 0; at < len(text); {
		skip := bytes.Index(text[at:], n.text)
		if skip < 0 {
			return
		}
		at += skip
		token, _ := slices.BinarySearch(d.tokens.ends, uint32(at+1))
		end := int(d.tokens.ends[token])
		if at+len(n.text) <= end {
			for _, p := range d.places[d.starts[token]:d.starts[token+1]] {
				yield(p)
			}
		}
		at = end
	}
}
