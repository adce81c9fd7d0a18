package search

// A token is a run of letters, digits, underscores and bytes beyond ASCII in a
// folded text, whole. What a token contains, each text that has the token contains;
// and what consists of such bytes alone is in no other text than those that have a
// token which contains it.
//
// tokenSets hold in which texts of a shard tokens are, exactly, as far as there is
// room for them.
type tokenSets struct {
	data  []uint16 // see [tokenSet]
	texts int
}

// A tokenSet says where the set of a token is. With singleText it is the position
// of one text itself, else a place in the data: there are so many positions,
// ascending, behind their number; or, behind a zero, a bitmap of all texts.
type tokenSet uint32

const singleText tokenSet = 1 << 25

// addTo adds a set to texts, of which nobody else may make use at the time. The first
// text of the shard has a position among them.
func (t *tokenSets) addTo(texts bitmap, first int, set tokenSet) {
	if set&singleText != 0 {
		texts.set(first + int(set&^singleText))
		return
	}
	number, data := int(t.data[set]), t.data[set+1:]
	if number == 0 {
		for i, found := range data[:t.bitmapLength()] {
			texts.setFrom(first+16*i, uint64(found))
		}
		return
	}
	for _, text := range data[:number] {
		texts.set(first + int(text))
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

// start returns where a token begins in the text; of the number of all, where the
// last ends.
func (l *tokenList) start(number int) int {
	if number == 0 {
		return 0
	}
	return int(l.ends[number-1])
}

func (l *tokenList) token(number int) []byte { return l.text[l.start(number):l.ends[number]] }

// separates has a 1 for each byte that tokens are not of.
var separates = func() (table [256]uint32) {
	for c := range table {
		table[c] = uint32(^tokenBytes(uint64(c)) >> 7 & 1)
	}
	return table
}()

// isRun reports whether a text has no byte that separates tokens.
func isRun(text []byte) bool {
	for _, c := range text {
		if separates[c] != 0 {
			return false
		}
	}
	return true
}
