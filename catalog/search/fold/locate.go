package fold

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// A Match is a range of bytes in a text: from Start up to, but not including, End. Offsets
// refer to the original text, not to the folded one.
type Match struct {
	Start, End int
}

// Locate returns the occurrences of q in text, ignoring case, from left to right and
// without overlaps.
//
// Folding changes lengths, and a match may begin or end in the middle of the folded form of
// a character. Such a match covers the whole character: s is found in ß (folded: ss) once,
// as ß. An empty q is found nowhere.
//
// Locate takes time linear in the length of text, for any q.
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

// An alignment steps through a text and its folded form in parallel, one character at a
// time: folded[:foldedAt] is the folded form of text[:at].
type alignment struct {
	text, folded string
	at, foldedAt int
}

// match advances past the n bytes at offset start of the folded text. It returns the part
// of the original text that they come from.
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

// next returns the size, in bytes, of the next character and of its folded form. The text
// must have a next character.
func (a *alignment) next() (size, foldedSize int) {
	r, size := utf8.DecodeRuneInString(a.text[a.at:])
	f := foldingOf(r)
	if r < utf8.RuneSelf || f == unchanged {
		return size, size
	}
	var folded [32]byte
	return size, len(f.append(folded[:0], r))
}
