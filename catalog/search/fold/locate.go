package fold

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// A Match is a place in a text: the bytes from Start up to, and not including,
// End, of the text as it was given and not as it was folded.
type Match struct {
	Start, End int
}

// Locate returns where q occurs in text whatever the case, from left to right and
// without overlaps.
//
// Folding changes lengths, and a match may begin or end amid what one character
// folds to. It then covers the whole character: s is found in ß (folded: ss)
// once, as ß. An empty q is found nowhere.
//
// It takes time linear in the length of the text, whatever q.
func Locate(text, q string) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		q := String(q)
		if q == "" {
			return
		}
		a := alignment{text: text, folded: String(text)}
		for {
			skipped := strings.Index(a.folded[a.foldedAt:], q)
			if skipped < 0 || !yield(a.match(a.foldedAt+skipped, len(q))) {
				return
			}
		}
	}
}

// An alignment walks through a text and its folding side by side, character by
// character: folded[:foldedAt] is what text[:at] folds to.
type alignment struct {
	text, folded string
	at, foldedAt int
}

// match walks over the n bytes of the folding from start on, and returns what
// they come from.
func (a *alignment) match(start, n int) Match {
	size, foldedSize := a.next()
	for a.foldedAt+foldedSize <= start {
		a.at += size
		a.foldedAt += foldedSize
		size, foldedSize = a.next()
	}
	m := Match{Start: a.at}
	for a.foldedAt < start+n {
		size, foldedSize = a.next()
		a.at += size
		a.foldedAt += foldedSize
	}
	m.End = a.at
	return m
}

// next returns how long the next character is, and what it folds to, in bytes.
// There must be one.
func (a *alignment) next() (size, foldedSize int) {
	r, size := utf8.DecodeRuneInString(a.text[a.at:])
	f := foldingOf(r)
	if r < utf8.RuneSelf || f == unchanged {
		return size, size
	}
	var folded [32]byte
	return size, len(f.append(folded[:0], r))
}
