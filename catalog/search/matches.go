package search

import "iter"

// Matches are the texts that a search found: positions, each once, without an
// order of their own.
type Matches struct {
	words bitmap // nil until something is found
	texts int    // of how many
}

func newMatches(texts int) *Matches { return &Matches{texts: texts} }

// reserve makes room for what is found. What is nowhere takes none: of a million
// texts it would be as much as the answer to many a search.
func (m *Matches) reserve() {
	if m.words == nil {
		m.words = newBitmap(m.texts)
	}
}

// enter enters those of a bitmap of which the first bit stands for a text.
func (m *Matches) enter(text int, found bitmap) {
	if found != nil {
		m.reserve()
		m.words.setAll(text, found)
	}
}

// allMatches are all of so many texts.
func allMatches(texts int) *Matches {
	m := newMatches(texts)
	m.reserve()
	for i := range m.words {
		m.words[i] = ^uint64(0)
	}
	if rest := texts % 64; rest != 0 {
		m.words[len(m.words)-1] = 1<<rest - 1
	}
	return m
}

// Count returns how many there are.
func (m *Matches) Count() int { return m.words.count() }

// From returns the positions from first on, ascending.
func (m *Matches) From(first int) iter.Seq[int] { return m.words.between(first, m.texts) }
