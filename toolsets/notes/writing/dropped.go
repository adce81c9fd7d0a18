package writing

import (
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog/files"
	"instruction-catalog/toolsets/notes"
)

// keepDropped puts a copy of a note into the trash if the change may drop what its
// author never saw.
func (c change) keepDropped(s *files.Session, note *notes.Note) error {
	if c.Content == nil || !drops(note.Content(), *c.Content) {
		return nil
	}
	_, err := s.Keep(string(note.ID), note.File)
	return err
}

// drops reports whether a text is less than half of the old one, or has lost its end,
// as one that was saved by somebody who was shown the beginning. Short texts are shown
// whole. Of one that no answer shows whole, no more than a little may be missing, however
// long the text is.
func drops(old, text string) bool {
	const short, end, whole, little = 200, 100, 10_000, 500 // code points
	old, text = unixLines(old), unixLines(text)
	runes, length := []rune(strings.TrimSpace(old)), utf8.RuneCountInString(text)
	switch {
	case 2*length < len(runes):
		return true
	case len(runes) <= short, len(runes) <= whole && length >= len(runes):
		return false
	case len(runes) > whole && missing(old, text) > little:
		return true
	}
	last := string(runes[len(runes)-end:])
	return strings.Count(text, last) < strings.Count(old, last)
}

// missing counts the code points of the lines that a text does not have any more.
func missing(old, text string) (n int) {
	left := map[string]int{}
	for line := range strings.SplitSeq(text, "\n") {
		left[strings.TrimSpace(line)]++
	}
	for line := range strings.SplitSeq(old, "\n") {
		line = strings.TrimSpace(line)
		if left[line]--; left[line] < 0 {
			n += utf8.RuneCountInString(line)
		}
	}
	return n
}

func unixLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
