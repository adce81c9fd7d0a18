package review

import (
	ahocorasick "github.com/BobuSumisu/aho-corasick"
)

// scanner finds in one pass over a text the keywords and the anchors of all rules.
type scanner struct {
	trie *ahocorasick.Trie
	uses [][]use // of each literal, by its number in the trie
	rest []int   // the rules that have no anchors
}

// use says what a literal means to a rule.
type use struct {
	rule   int
	anchor *anchor // nil for a keyword
}

// lead is what a scan found for one rule.
type lead struct {
	keyword bool   // whether one of the rule's keywords stands in the text
	windows []Span // where its pattern can match, sorted and apart from each other
	steps   int    // characters that were looked at to find that out
}

func newScanner(rules []*rule) *scanner {
	s := &scanner{}
	builder := ahocorasick.NewTrieBuilder()
	numbers := map[string]int{}
	add := func(literal string, u use) {
		number, known := numbers[literal]
		if !known {
			number = len(s.uses)
			numbers[literal] = number
			s.uses = append(s.uses, nil)
			builder.AddString(literal)
		}
		s.uses[number] = append(s.uses[number], u)
	}
	for i, r := range rules {
		for _, word := range r.keywords {
			add(word, use{rule: i})
		}
		for k := range r.anchors {
			add(r.anchors[k].literal, use{rule: i, anchor: &r.anchors[k]})
		}
		if len(r.anchors) == 0 {
			s.rest = append(s.rest, i)
		}
	}
	s.trie = builder.Build()
	return s
}

// scan returns what there is for each rule in a text.
func (s *scanner) scan(rules []*rule, text string) []lead {
	leads := make([]lead, len(rules))
	for _, i := range s.rest {
		leads[i].windows = []Span{{0, len(text)}}
	}
	folded, walk := foldText(text), newWalk(text)
	s.trie.Walk(folded.bytes, func(end, n, number int64) bool {
		at := folded.origin(int(end - n + 1))
		for _, u := range s.uses[number] {
			if u.anchor == nil {
				leads[u.rule].keyword = true
			} else {
				leads[u.rule].look(walk, u.anchor, at)
			}
		}
		return true
	})
	return leads
}

// look adds the window of an anchor that stands at a place. Where looking for windows
// has cost more than to match all of the text does, it adds all of it.
func (l *lead) look(w *walk, a *anchor, at int) {
	if l.steps > len(w.text) {
		return
	}
	before := w.steps
	l.add(w.window(a, at))
	if l.steps += w.steps - before; l.steps > len(w.text) {
		l.windows = append(l.windows[:0], Span{0, len(w.text)})
	}
}

// window returns the part of a text that a match with the literal at a place can
// reach, and a character more on each side: whoever matches within it sees the same
// boundaries of words and lines as in the whole.
func (w *walk) window(a *anchor, at int) Span {
	return Span{w.backward(oneMore, w.backward(a.behind, at)), w.forward(oneMore, w.forward(a.ahead, at))}
}

var oneMore = &reach{most: 1}

// add adds a window, and makes one of those that overlap. They come in the order
// of their literals' ends.
func (l *lead) add(w Span) {
	for len(l.windows) > 0 {
		last := l.windows[len(l.windows)-1]
		if last.End < w.Start {
			break
		}
		w = Span{min(w.Start, last.Start), max(w.End, last.End)}
		l.windows = l.windows[:len(l.windows)-1]
	}
	l.windows = append(l.windows, w)
}
