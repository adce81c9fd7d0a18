package review

import (
	"context"
	"strings"
	"unicode/utf8"
)

// overlap is how many bytes of a piece stand in the next one, too, so that what is
// cut in one is whole in the other. Where the pieces end at lines, it may be half.
const overlap = 2048

// ReviewText is [Criteria.Review], with detail, for a text of any length: one that
// is longer than a prompt is reviewed in pieces, which overlap, and it tells in how
// many. A text that is missing is missing in all of them.
func (c *Criteria) ReviewText(ctx context.Context, text string) (result Result, pieces int, err error) {
	all := piecesOf(text)
	result, err = c.review(ctx, text, all, true)
	return result, len(all), err
}

// piecesOf cuts a text into pieces of at most [MaxPrompt] bytes, at the ends of
// lines where it can.
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

// beginning returns the first place from which a piece may begin: of a line, of a
// word, or of a character.
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
