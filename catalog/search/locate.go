package search

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

// Locate returns where q occurs in text, from left to right and without
// overlaps. It finds something exactly where an [Index] of the text would: case
// is compared under [Fold].
//
// Folding changes lengths, and a match may begin or end amid what one character
// folds to. It then covers the whole character: s is found in ß (folded: ss)
// once, as ß. An empty q is found nowhere.
//
// It takes time linear in the length of the text, whatever q.
func Locate(text, q string) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		needle := Fold(q)
		if needle == "" {
			return
		}
		a := alignment{text: text, folded: Fold(text)}
		for {
			skipped := strings.Index(a.folded[a.foldedAt:], needle)
			if skipped < 0 || !yield(a.match(a.foldedAt+skipped, len(needle))) {
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

	folder  folder
	scratch []byte
}

// match walks over the n bytes of the folding from start on, and returns what
// they come from.
func (a *alignment) match(start, n int) Match {
	size, folds := a.next()
	for a.foldedAt+folds <= start {
		a.at += size
		a.foldedAt += folds
		size, folds = a.next()
	}
	m := Match{Start: a.at}
	for a.foldedAt < start+n {
		size, folds = a.next()
		a.at += size
		a.foldedAt += folds
	}
	m.End = a.at
	return m
}

// next returns how long the next character is, and what it folds to, in bytes.
// There must be one.
func (a *alignment) next() (size, folds int) {
	if a.text[a.at] < utf8.RuneSelf {
		return 1, 1
	}
	_, size = utf8.DecodeRuneInString(a.text[a.at:])
	character := a.text[a.at:][:size]
	// No folding begins with the character that it replaces, since what is
	// folded does not change when it is folded again.
	if strings.HasPrefix(a.folded[a.foldedAt:], character) {
		return size, size
	}
	a.scratch = a.folder.append(a.scratch[:0], character)
	return size, len(a.scratch)
}
