package search

import "slices"

// A token is a run of letters, digits, underscores and bytes beyond ASCII in a
// folded text, whole; or a phrase of two such runs, with a blank between them and
// one behind. What a token contains, each text that has the token contains; and
// what consists of such bytes alone is in no other text than those that have a run
// which contains it.
//
// tokenSets hold in which texts of a shard tokens are, exactly: all runs, as far
// as there is room for them, and the frequent phrases.
type tokenSets struct {
	data  []uint16 // see [tokenSet]
	texts int
	rest  []uint64 // bitmap of the texts that have a run without a set; nil where there is none
}

// A tokenSet says where the set of a token is. With singleText it is the position
// of one text itself, else a place in the data: there are so many positions,
// ascending, behind their number; or, behind a zero, a bitmap of all texts.
type tokenSet uint32

const singleText tokenSet = 1 << 25

// addTo adds a set to matches, of which nobody else may make use at the time. The
// first text of the shard has a position in them.
func (t *tokenSets) addTo(m *Matches, first int, set tokenSet) {
	if set&singleText != 0 {
		m.set(first + int(set&^singleText))
		return
	}
	number, data := int(t.data[set]), t.data[set+1:]
	if number == 0 {
		m.addBitmap(first, data[:t.bitmapLength()])
		return
	}
	for _, text := range data[:number] {
		m.set(first + int(text))
	}
}

func (t *tokenSets) bitmapLength() int { return (t.texts + 15) / 16 }

// A tokenList is tokens, numbered from 0.
type tokenList struct {
	text []byte   // end to end
	ends []uint32 // where each ends
}

func newTokenList(tokens, bytes int) tokenList {
	return tokenList{make([]byte, 0, bytes), make([]uint32, 0, tokens)}
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

// at returns the number of the token to which a byte of the text belongs.
func (l *tokenList) at(byte int) int {
	number, _ := slices.BinarySearch(l.ends, uint32(byte+1))
	return number
}
