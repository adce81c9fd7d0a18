package ranked

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"instruction-catalog/catalog/search/fold"
)

// A word, for ranking, is a run of letters, digits and their marks. Its boundaries are the
// default word boundaries of Unicode (UAX #29), with four exceptions:
//
//   - Characters that join the parts of an identifier or a number separate words:
//     error_values, errors.Is and 1.5 are two words each, and so is project's.
//   - A run whose case shows where its parts begin counts as a whole and as its
//     parts: camelCase, HTTPServer.
//   - C#, C++, .NET and Node.js are words, signs included: csharp, cpp, dotnet and
//     nodejs. Node.js also counts as node and as js.
//   - Text in scripts written without spaces is split into overlapping pairs of
//     characters: finding its words would take a dictionary.
//
// Words are compared after folding (see package fold), and only by their first maxWord
// bytes.

// maxWord is the number of bytes of a folded word that count. It limits what a text without
// spaces adds to the vocabulary.
const maxWord = 64

// A wordScanner finds the words of a text from left to right. It returns each run as a
// whole and then its parts. For a run in a script without spaces, it returns only pairs.
type wordScanner struct {
	text  string
	at    int        // offset at which the search for the next run starts
	parts fold.Match // rest of the last run, still to be split into parts
	pairs bool       // split parts into pairs of characters

	word []byte
}

// next returns the range of the next word. It returns false at the end of the text.
func (s *wordScanner) next() (fold.Match, bool) {
	if s.parts.Start < s.parts.End {
		return s.part(), true
	}
	run, ok := s.run()
	if ok && s.pairs {
		return s.part(), true
	}
	return run, ok
}

// compound reports whether last, the last word that next returned, is a whole run whose
// parts next returns afterwards.
func (s *wordScanner) compound(last fold.Match) bool {
	return !s.pairs && s.parts.Start == last.Start && s.parts.Start < s.parts.End
}

// skipParts skips the parts of the last run.
func (s *wordScanner) skipParts() { s.parts = fold.Match{} }

// run returns the next run and sets parts to the range to split.
func (s *wordScanner) run() (fold.Match, bool) {
	start, kind := s.start()
	if kind == separator {
		return fold.Match{}, false
	}
	s.pairs = kind == unspaced
	capitals := false // whether a capital follows the first character
	for s.at < len(s.text) {
		next, size := class(0), 1
		if c := s.text[s.at]; c < utf8.RuneSelf {
			next = classesOfASCII[c]
		} else {
			next, size = classAt(s.text, s.at)
		}
		if next == separator || next != mark && (next == unspaced) != s.pairs {
			break
		}
		capitals = capitals || next == capital
		s.at += size
	}
	start = s.affixes(start)
	run := fold.Match{Start: start, End: s.at}
	s.parts = run
	dotted := strings.Contains(s.text[start:s.at], ".")
	if !s.pairs && !dotted && (!capitals || s.hump(start) == run.End) {
		s.parts = fold.Match{} // a run with a single part is not split
	}
	return run, true
}

// affixes extends a run by the signs in names of some languages and platforms: C#, C++,
// .NET, Node.js. It returns the new start of the run. Node.js is also split into its parts,
// so that queries for node and js find it.
func (s *wordScanner) affixes(start int) int {
	run, rest := s.text[start:s.at], s.text[s.at:]
	switch {
	case len(run) == 1 && strings.HasPrefix(rest, "#") && s.ends(1):
		s.at++
	case len(run) == 1 && strings.HasPrefix(rest, "++") && s.ends(2):
		s.at += 2
	case len(run) == 3 && strings.EqualFold(run, "net") && s.dotted(start):
		return start - 1
	case len(rest) >= 3 && rest[0] == '.' && strings.EqualFold(rest[1:3], "js") && s.ends(3):
		s.at += 3
	}
	return start
}

// ends reports whether a word ends n bytes after the run.
func (s *wordScanner) ends(n int) bool {
	if s.at+n >= len(s.text) {
		return true
	}
	kind, _ := classAt(s.text, s.at+n)
	return kind == separator
}

// dotted reports whether the run at start follows a dot that does not follow a word.
func (s *wordScanner) dotted(start int) bool {
	if start == 0 || s.text[start-1] != '.' {
		return false
	}
	if start == 1 {
		return true
	}
	kind, _ := classAt(s.text[:start-1], start-2)
	return kind == separator
}

// start moves s.at past the first character of the next run. It returns the offset and the
// class of that character, or separator if there is no further run.
func (s *wordScanner) start() (int, class) {
	for s.at < len(s.text) {
		start := s.at
		kind, size := classAt(s.text, start)
		s.at += size
		if kind != separator && kind != mark {
			return start, kind
		}
	}
	return len(s.text), separator
}

// part removes the next part from parts and returns it.
func (s *wordScanner) part() fold.Match {
	start := s.parts.Start
	if s.text[start] == '.' {
		start++
	}
	if !s.pairs {
		s.parts.Start = s.hump(start)
		return fold.Match{Start: start, End: s.parts.Start}
	}
	first := s.character(start)
	second := s.character(first)
	if s.parts.Start = first; second == s.parts.End {
		s.parts.Start = second // this was the last pair, or a single character
	}
	return fold.Match{Start: start, End: second}
}

// hump returns the end of the part that begins at i in a camelCase run. The next part
// begins at a capital that follows another kind of character, or at the last of several
// capitals if a lowercase letter or a digit follows it.
func (s *wordScanner) hump(i int) int {
	last, size := classAt(s.text, i)
	lastAt := i
	for at := i + size; at < s.parts.End; {
		kind, size := classAt(s.text, at)
		switch {
		case kind == separator, kind == capital && last != capital:
			return at
		case kind == small && last == capital && lastAt > i:
			return lastAt
		}
		if kind != mark {
			last, lastAt = kind, at
		}
		at += size
	}
	return s.parts.End
}

// character returns the end of the character at i, including its marks, within the run.
func (s *wordScanner) character(i int) int {
	for first := true; i < s.parts.End; first = false {
		kind, size := classAt(s.text, i)
		if kind != mark && !first {
			break
		}
		i += size
	}
	return i
}

// fold returns the word at a range in the form used to compare words. The result is valid
// until the next call.
func (s *wordScanner) fold(at fold.Match) []byte {
	s.word = s.word[:0]
	for i := at.Start; i < at.End; i++ {
		c := s.text[i]
		if c >= utf8.RuneSelf {
			return s.foldBeyondASCII(at)
		}
		if len(s.word) >= maxWord {
			break
		}
		switch c {
		case '#':
			s.word = append(s.word, "sharp"...)
			continue
		case '+':
			c = 'p'
		case '.':
			if i == at.Start {
				s.word = append(s.word, "dot"...)
			}
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		s.word = append(s.word, c)
	}
	return s.word
}

func (s *wordScanner) foldBeyondASCII(at fold.Match) []byte {
	// Folding shrinks a character to no less than a third of its size.
	text := s.text[at.Start:min(at.End, at.Start+3*maxWord+utf8.UTFMax)]
	s.word = fold.Append(s.word[:0], text)
	return s.word[:wholeCharacters(s.word, maxWord)]
}

// wholeCharacters returns the length of the longest prefix of text that has at most n bytes
// and ends at the end of a character.
func wholeCharacters(text []byte, n int) int {
	if len(text) <= n {
		return len(text)
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// class is the role of a character in a word.
type class uint8

const (
	separator class = iota
	mark            // continues the character before it
	small           // a letter or digit that does not start a part of a camelCase run
	capital         // a letter that may start a part
	unspaced        // a letter of a script without spaces
)

var classesOfASCII = func() (table [utf8.RuneSelf]class) {
	for c := range table {
		table[c] = classOf(rune(c))
	}
	return table
}()

// classAt returns the class of the character at i and its size in bytes. Bytes that are not
// valid UTF-8 are separators.
func classAt(text string, i int) (class, int) {
	if c := text[i]; c < utf8.RuneSelf {
		return classesOfASCII[c], 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	return classOf(r), size
}

func classOf(r rune) class {
	switch {
	case unicode.IsMark(r), r == '\u200C', r == '\u200D': // zero-width non-joiner and joiner
		return mark
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		return separator
	case unicode.IsUpper(r):
		return capital
	case r > unicode.MaxLatin1 && unicode.In(r, withoutBlanks...):
		return unspaced
	}
	return small
}

var withoutBlanks = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}
