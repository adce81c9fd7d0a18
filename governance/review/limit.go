package review

import (
	"fmt"
	"io"
	"regexp"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// Limits on the cost of rules from a file. Such rules may come with a repository, and a
// regular expression can be written so that matching each character of a text takes
// time proportional to the size of the expression. Carefully written rules need a
// thousandth of these limits.
const (
	timeOfText   = 5 * time.Second // time for one text, plus timeOfPiece for each of its pieces
	timeOfPiece  = time.Second
	timeInAll    = time.Minute // time for all texts, plus timeInPieces for each of their pieces
	timeInPieces = 200 * time.Millisecond
	placesOfText = 200_000  // matches of all rules in one text
	maxAutomata  = 32 << 20 // total size of the states of all automata, in bytes
	checkEvery   = 64       // characters between checks of the clock
)

// CostError reports that a rule from a file takes too long for a text, or matches too
// often in it. The text then has no result.
type CostError struct{ Rule string } // category/rule

// Error describes the problem and how to fix it.
func (e *CostError) Error() string {
	return fmt.Sprintf("criteria: rule %s: the rules of its file take too long for this text, or find too much in it: make its pattern narrower", e.Rule)
}

// usage is the total cost of the rules of a file so far.
type usage struct{ pieces, nanoseconds atomic.Int64 }

// limit bounds the cost of the rules from files for one text. A nil limit sets no
// bound.
type limit struct {
	usage   *usage
	allowed time.Duration // time left
	running time.Time     // when the current rule started
	places  int           // matches so far
	reached bool
}

// newLimit returns the limit for a text with the given number of pieces. It adds the
// pieces to u.
func newLimit(u *usage, pieces int) *limit {
	n := time.Duration(u.pieces.Add(int64(pieces)))
	left := timeInAll + n*timeInPieces - time.Duration(u.nanoseconds.Load())
	return &limit{usage: u, allowed: min(left, timeOfText+time.Duration(pieces)*timeOfPiece)}
}

// begin starts measuring the cost of a rule. Call end when the rule is done.
func (l *limit) begin() {
	if l != nil {
		l.running = time.Now()
	}
}

func (l *limit) end(places int) {
	if l == nil {
		return
	}
	took := time.Since(l.running)
	l.usage.nanoseconds.Add(int64(took))
	l.allowed -= took
	l.places += places
	l.reached = l.reached || l.allowed < 0 || l.places > placesOfText
}

// isReached reports whether the current rule must stop.
func (l *limit) isReached() bool {
	if l != nil && !l.reached {
		l.reached = time.Since(l.running) > l.allowed
	}
	return l != nil && l.reached
}

// limitedText is an [io.RuneReader] over a text. It returns [io.EOF] early if the
// limit is reached.
type limitedText struct {
	text  string
	limit *limit
	read  int
}

// ReadRune implements [io.RuneReader].
func (t *limitedText) ReadRune() (c rune, size int, err error) {
	if t.read++; t.text == "" || t.read%checkEvery == 0 && t.limit.isReached() {
		return 0, 0, io.EOF
	}
	c, size = utf8.DecodeRuneInString(t.text)
	t.text = t.text[size:]
	return c, size, nil
}

// locate returns the matches of a pattern, as FindAllStringSubmatchIndex does: all of
// them if every is true, otherwise the first. To find a match after the first, it runs
// later from the character before the search position, because the match may depend on
// that character. It stops early if the limit is reached.
func (l *limit) locate(first, later *regexp.Regexp, text string, every bool) [][]int {
	var all [][]int
	for at := 0; ; {
		from, match := at, []int(nil)
		if at == 0 {
			match = first.FindReaderSubmatchIndex(&limitedText{text: text, limit: l})
		} else {
			_, before := utf8.DecodeLastRuneInString(text[:at])
			from = at - before
			match = later.FindReaderSubmatchIndex(&limitedText{text: text[from:], limit: l})
			match = match[min(2, len(match)):] // drop the whole match; group 1 is the pattern's match
		}
		if len(match) == 0 || l.isReached() || len(all)+l.places > placesOfText {
			return all
		}
		for i := range match {
			if match[i] >= 0 {
				match[i] += from
			}
		}
		all = append(all, match)
		if at = match[1]; !every || at == len(text) {
			return all
		}
	}
}
