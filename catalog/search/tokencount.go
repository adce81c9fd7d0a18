package search

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
)

const (
	// tokenShare is the part of a shard's bytes that its tokens may take. Few catalogs
	// have so many different words that it is reached; then more texts have tokens
	// without a set.
	tokenShare = 3

	// longestToken is the length of the longest that is kept, in bytes. Longer
	// ones are hardly ever the same: data, and what is written without blanks.
	longestToken = 64

	// mostTokens is how many different tokens of a shard are counted.
	mostTokens = 1 << 16
)

// A token is the number of one in a shard, from 1 on in the order in which they
// appear.
type token uint32

// uncounted stands for all tokens that are not counted by themselves.
const uncounted token = 0

// A tokenCounter finds the tokens of one shard after the other.
type tokenCounter struct {
	draft  *draft
	table  numbering
	seed   maphash.Seed // of the hashes of long ones
	seen   []seenToken  // by token
	found  []token      // of each text its tokens, each once, and uncounted for each other
	ends   []uint32     // where in found each of these ends
	chosen []token      // scratch
	next   []uint32     // by token: where in the data of the sets its next text goes, or its bitmap is; 0 without a set
}

type seenToken struct {
	place
	texts uint32 // how many have it
	first uint32 // of them
}

// collect returns the token sets of a shard, and its tokens.
func (c *tokenCounter) collect(d *draft) (tokenSets, shardTokens) {
	c.reset(d)
	for i := range d.len() {
		c.read(uint32(i), d.title(i))
		c.read(uint32(i), d.body(i))
		c.ends = append(c.ends, uint32(len(c.found)))
	}
	sets := tokenSets{texts: d.len()}
	tokens := c.choose(&sets)
	tokens.rest = c.fill(&sets)
	return sets, tokens
}

func (c *tokenCounter) reset(d *draft) {
	c.draft = d
	c.table.reset()
	if c.seed == (maphash.Seed{}) {
		c.seed = maphash.MakeSeed()
	}
	c.seen = append(c.seen[:0], seenToken{})
	c.found, c.ends = c.found[:0], c.ends[:0]
}

// read meets the tokens of a title or a body. It goes through eight bytes at a time:
// most tokens have no more.
func (c *tokenCounter) read(text uint32, field place) {
	padded := c.draft.padded()
	at, end := int(field.start), int(field.end)
	for at < end {
		eight := binary.LittleEndian.Uint64(padded[at:])
		inToken := tokenBytes(eight)
		if inToken&0x80 == 0 {
			at += bits.TrailingZeros64(inToken) / 8 // behind all eight where none is
			continue
		}
		length := bits.TrailingZeros64(^inToken&highBits) / 8
		for whole := length; whole == 8 && at+length < end; length += whole {
			whole = bits.TrailingZeros64(^tokenBytes(binary.LittleEndian.Uint64(padded[at+length:]))&highBits) / 8
		}
		length = min(length, end-at)
		switch {
		case length <= 8:
			c.meet(text, at, length, eight&(1<<(8*length)-1))
		case length <= longestToken:
			c.meet(text, at, length, c.hashLong(padded[at:at+length]))
		default:
			c.found = append(c.found, uncounted)
		}
		at += length + 1 // no token begins where one ends
	}
}

// tokenBytes returns the high bit of each of eight bytes that tokens are of. The
// additions carry into the high bit of a byte, and never out of it.
func tokenBytes(eight uint64) uint64 {
	ascii := eight &^ highBits
	letters := (ascii + (0x80-'a')*eachByte) &^ (ascii + (0x80-'z'-1)*eachByte)
	digits := (ascii + (0x80-'0')*eachByte) &^ (ascii + (0x80-'9'-1)*eachByte)
	underscores := (ascii + (0x80-'_')*eachByte) &^ (ascii + (0x80-'_'-1)*eachByte)
	return (letters | digits | underscores | eight) & highBits
}

// hashLong hashes a token of more than eight bytes. The lowest byte is zero, so that
// it is the key of no shorter one.
func (c *tokenCounter) hashLong(token []byte) uint64 { return maphash.Bytes(c.seed, token) &^ 0xFF }

// meet counts a token in a text. Its key is itself where it has up to eight bytes,
// else its hash.
func (c *tokenCounter) meet(text uint32, at, length int, key uint64) {
	slot := c.table.slot(key)
	for length > 8 && slot.number != 0 && !c.is(token(slot.number), at, length) {
		key = key*c.table.spread + 1<<8 // of another token
		slot = c.table.slot(key)
	}
	if slot.number == 0 {
		if len(c.seen) > mostTokens {
			c.found = append(c.found, uncounted)
			return
		}
		slot = c.table.enter(slot, key, uint32(len(c.seen)))
		c.seen = append(c.seen, seenToken{place: place{uint32(at), uint32(at + length)}, first: text})
	}
	if slot.latest != text+1 {
		slot.latest = text + 1
		c.seen[slot.number].texts++
		c.found = append(c.found, token(slot.number))
	}
}

// is reports whether a token is the one that stands somewhere.
func (c *tokenCounter) is(t token, at, length int) bool {
	return bytes.Equal(c.draft.at(c.seen[t].place), c.draft.bytes[at:at+length])
}

// choose gives sets to the tokens that are to have one: to all, as far as there is
// room for them, and first to those that are in most texts.
func (c *tokenCounter) choose(sets *tokenSets) shardTokens {
	c.chosen = c.chosen[:0]
	for t := uncounted + 1; int(t) < len(c.seen); t++ {
		c.chosen = append(c.chosen, t)
	}
	return c.reserve(sets, c.fit(sets, c.chosen, len(c.draft.bytes)/tokenShare))
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
	if c.seen[t].texts == 1 {
		return place + end + c.length(t)
	}
	return place + 2*c.dataLength(t, sets)
}

// length is that of a token, in bytes.
func (c *tokenCounter) length(t token) int {
	at := c.seen[t].place
	return int(at.end - at.start)
}
