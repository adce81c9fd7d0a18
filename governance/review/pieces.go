package review

import (
	"context"
	"strings"
	"unicode/utf8"
)

// overlap is the number of bytes that two adjacent pieces share, so that a match cut in
// one piece is whole in the other. Pieces may share as little as half of that, because
// a piece begins at a line or a word if possible.
const overlap = 2048

// ReviewText is [Criteria.Review] with detail for a text of any length. It reviews a
// text longer than [MaxPrompt] in overlapping pieces and returns their number. A
// required text is missing only if it is missing from all pieces.
func (c *Criteria) ReviewText(ctx context.Context, text string) (result Result, pieces int, err error) {
	all := piecesOf(text)
	result, err = c.review(ctx, text, all, true)
	return result, len(all), err
}

// piecesOf splits a text into pieces of at most [MaxPrompt] bytes, at line ends if
// possible.
func piecesOf(text string) []Span {
	var all []Span
	start := 0
	for len(text)-start > MaxPrompt {
		end := start + MaxPrompt
		if i := strings.LastIndexByte(text[end-MaxPrompt/2:end], '\n'); i >= 0 {
			end += i + 1 - MaxPrompt/2
		}
		for end > start+MaxPrompt-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		all = append(all, Span{start, end})
		start = beginning(text, end-overlap, end-overlap/2)
	}
	return append(all, Span{start, len(text)})
}

// beginning returns the first offset in from..before where a line begins, or else a
// word, or else a character.
func beginning(text string, from, before int) int {
	for _, end := range []string{"\n", " "} {
		if i := strings.Index(text[from:before], end); i >= 0 {
			return from + i + 1
		}
	}
	for range utf8.UTFMax {
		if !utf8.RuneStart(text[from]) {
			from++
		}
	}
	return from
}
