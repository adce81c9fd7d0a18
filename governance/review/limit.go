package review

import (
	"fmt"
	"io"
	"regexp"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// What rules from a file may cost. They may have come with a repository, and regular
// expressions can be written so that each character of a text costs as much as the whole
// expression. Rules that are written with care need a thousandth of it.
const (
	timeOfText   = 5 * time.Second // of one text, and of each of its pieces
	timeOfPiece  = time.Second
	timeInAll    = time.Minute // of all texts, and of each of their pieces
	timeInPieces = 200 * time.Millisecond
	placesOfText = 200_000  // that all rules find in one text
	maxAutomata  = 32 << 20 // bytes of the states of all automata
	checkEvery   = 64       // characters, between two looks at the clock
)

// CostError says that a rule from a file takes too long for a text, or finds too much
// in it. Nothing is known of the text.
type CostError struct{ Rule string } // category/rule

// Error implements error. It says what to do.
func (e *CostError) Error() string {
	return fmt.Sprintf("criteria: rule %s: the rules of its file take too long for this text, or find too much in it: make its pattern narrower", e.Rule)
}

// usage is what the rules of a file have cost so far.
type usage struct{ pieces, nanoseconds atomic.Int64 }

// limit bounds what the rules from files cost for one text. The nil limit bounds
// nothing.
type limit struct {
	usage   *usage
	allowed time.Duration // that is left
	running time.Time     // since when a rule has been running
	places  int           // that were found
	reached bool
}

// newLimit returns the limit of a text of so many pieces.
func newLimit(u *usage, pieces int) *limit {
	n := time.Duration(u.pieces.Add(int64(pieces)))
	left := timeInAll + n*timeInPieces - time.Duration(u.nanoseconds.Load())
	return &limit{usage: u, allowed: min(left, timeOfText+time.Duration(pieces)*timeOfPiece)}
}

// begin and end stand around what a rule does.
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

// isReached reports whether a rule has to end now.
func (l *limit) isReached() bool {
	if l != nil && !l.reached {
		l.reached = time.Since(l.running) > l.allowed
	}
	return l != nil && l.reached
}

// limitedText is a text that ends early where a limit is reached.
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

// locate returns where a pattern matches, as FindAllStringSubmatchIndex does. A match
// that is not the first is looked for by another expression, from the character before
// it on, for it may depend on that.
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
			match = match[min(2, len(match)):] // without the whole of it
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
