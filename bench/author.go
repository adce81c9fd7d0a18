package bench

import (
	"math/rand/v2"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// author writes texts that read like instructions, though they mean nothing.
// The frequencies of the words fall as those of a natural language do (Zipf's
// law), within each class of words.
type author struct {
	random *rand.Rand
	ranks  map[string]*rand.Zipf
}

// newAuthor returns the author of one block of a catalog.
func newAuthor(seed, block uint64) *author {
	a := &author{random: rand.New(rand.NewPCG(seed, block)), ranks: map[string]*rand.Zipf{}}
	for class, words := range lexicons() {
		a.ranks[class] = rand.NewZipf(a.random, 1.1, 3, uint64(len(words)-1))
	}
	return a
}

// word returns a word of the class.
func (a *author) word(class string) string { return lexicons()[class][a.ranks[class].Uint64()] }

// write fills one of the patterns.
func (a *author) write(patterns []string) string {
	return os.Expand(patterns[a.random.IntN(len(patterns))], a.word)
}

func (a *author) sentence() string {
	patterns := sentences
	if a.random.IntN(15) == 0 {
		patterns = foreignSentences
	}
	return capital(a.write(patterns))
}

// title writes a title without a full stop.
func (a *author) title() string {
	return capital(os.Expand("$verb the $adjective $noun $preposition the $noun", a.word))
}

// body writes Markdown of about size bytes, with the extra sentence in it
// unless that is empty.
func (a *author) body(title string, size int, extra string) string {
	var text strings.Builder
	text.WriteString("# " + title + "\n\n")
	if extra != "" {
		text.WriteString(extra + "\n\n")
	}
	text.WriteString(a.sentence() + "\n")
	for text.Len() < size {
		text.WriteString("\n" + a.part(size-text.Len()))
	}
	return text.String()
}

// part writes a paragraph, a list, a section or some code, a paragraph where
// there is little room.
func (a *author) part(room int) string {
	if room < 200 {
		return a.sentence() + "\n"
	}
	switch a.random.IntN(8) {
	case 0:
		return a.write(blocks)
	case 1, 2:
		return "## " + a.title() + "\n\n" + a.paragraph()
	case 3, 4:
		return a.list()
	}
	return a.paragraph()
}

func (a *author) paragraph() string {
	lines := make([]string, 1+a.random.IntN(4))
	for i := range lines {
		lines[i] = a.sentence()
	}
	return strings.Join(lines, " ") + "\n"
}

func (a *author) list() string {
	var text strings.Builder
	for range 2 + a.random.IntN(4) {
		text.WriteString("- " + capital(a.write(bullets)) + "\n")
	}
	return text.String()
}

func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
