package review

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// reach bounds how far a part of a pattern can go in a text, from any place up to
// one that is given. It is a number of characters of a set, or the parts of a
// sequence, or of alternatives the one that goes furthest.
type reach struct {
	most     int      // characters, or [unlimited]
	set      charset  // that they are of; nil for any
	sequence []*reach // each from where the one before ended
	either   []*reach
}

// walk is a text in which reaches are looked up. It remembers the last run of
// characters that each of those which have no bound went along, either way.
type walk struct {
	text   string
	steps  int             // characters that were looked at
	ahead  map[*reach]Span // to where the run ends
	behind map[*reach]Span // from where it begins
}

func newWalk(text string) *walk {
	return &walk{text: text, ahead: map[*reach]Span{}, behind: map[*reach]Span{}}
}

// forward returns the furthest place, in bytes, at which a part can end.
func (w *walk) forward(r *reach, at int) int {
	for _, part := range r.sequence {
		at = w.forward(part, at)
	}
	furthest := at
	for _, alternative := range r.either {
		furthest = max(furthest, w.forward(alternative, at))
	}
	if run, known := w.ahead[r]; known && run.Start <= furthest && furthest < run.End {
		return run.End
	}
	start := furthest
	for n := 0; n < r.most && furthest < len(w.text); n++ {
		c, size := utf8.DecodeRuneInString(w.text[furthest:])
		if !r.set.has(c) {
			break
		}
		furthest += size
		w.steps++
	}
	if r.most == unlimited {
		w.ahead[r] = Span{start, furthest}
	}
	return furthest
}

// backward returns the first place, in bytes, at which a part can begin that ends
// where another begins.
func (w *walk) backward(r *reach, at int) int {
	for _, part := range slices.Backward(r.sequence) {
		at = w.backward(part, at)
	}
	first := at
	for _, alternative := range r.either {
		first = min(first, w.backward(alternative, at))
	}
	run, known := w.behind[r]
	for n := 0; n < r.most && first > 0; n++ {
		if known && first == run.End {
			first = run.Start
			break
		}
		c, size := utf8.DecodeLastRuneInString(w.text[:first])
		if !r.set.has(c) {
			break
		}
		first -= size
		w.steps++
	}
	if r.most == unlimited {
		w.behind[r] = Span{first, at}
	}
	return first
}

// reachOf returns the reach of an expression.
func reachOf(re *syntax.Regexp) *reach {
	switch re.Op {
	case syntax.OpLiteral:
		return &reach{most: len(re.Rune)}
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return &reach{most: 1, set: charsOf(re)}
	case syntax.OpStar, syntax.OpPlus:
		return &reach{most: unlimited, set: charsOf(re)}
	case syntax.OpRepeat:
		return &reach{most: maxLength(re), set: charsOf(re)}
	case syntax.OpAlternate:
		return &reach{either: reachesOf(re.Sub)}
	}
	return &reach{sequence: reachesOf(re.Sub)} // of a sequence, a capture, x?; of a boundary, nothing
}

func reachesOf(parts []*syntax.Regexp) []*reach {
	all := make([]*reach, len(parts))
	for i, part := range parts {
		all[i] = reachOf(part)
	}
	return all
}

// maxLength returns the most characters that an expression can match, or
// [unlimited].
func maxLength(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpStar, syntax.OpPlus:
		return unlimited
	case syntax.OpRepeat:
		if re.Max < 0 {
			return unlimited
		}
		return limited(re.Max * maxLength(re.Sub[0]))
	case syntax.OpAlternate:
		most := 0
		for _, sub := range re.Sub {
			most = max(most, maxLength(sub))
		}
		return most
	}
	total := 0
	for _, sub := range re.Sub {
		total = limited(total + maxLength(sub))
	}
	return total
}

// charset is a set of characters, as pairs of a first and a last, sorted. Nil is
// the set of all.
type charset []rune

func (s charset) has(r rune) bool {
	if s == nil {
		return true
	}
	i, found := slices.BinarySearch(s, r)
	return found || i%2 == 1
}

// charsOf returns which characters an expression can match.
func charsOf(re *syntax.Regexp) charset {
	pairs, all := appendChars(nil, re)
	if all {
		return nil
	}
	return union(pairs)
}

// appendChars appends the pairs of all characters in an expression, sorted by
// nothing, and reports whether it can match any character.
func appendChars(pairs []rune, re *syntax.Regexp) (_ []rune, all bool) {
	switch re.Op {
	case syntax.OpAnyChar:
		return nil, true
	case syntax.OpAnyCharNotNL:
		pairs = append(pairs, 0, '\n'-1, '\n'+1, utf8.MaxRune)
	case syntax.OpCharClass:
		pairs = append(pairs, re.Rune...)
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			for _, same := range caseOf(r) {
				pairs = append(pairs, same, same)
			}
		}
	}
	for _, sub := range re.Sub {
		if pairs, all = appendChars(pairs, sub); all {
			return nil, true
		}
	}
	return pairs, false
}

// union sorts pairs, and puts those together that touch.
func union(pairs []rune) charset {
	ranges := make([][2]rune, 0, len(pairs)/2)
	for pair := range slices.Chunk(pairs, 2) {
		ranges = append(ranges, [2]rune(pair))
	}
	slices.SortFunc(ranges, func(a, b [2]rune) int { return int(a[0] - b[0]) })
	set := charset{}
	for _, r := range ranges {
		if n := len(set); n > 0 && r[0] <= set[n-1]+1 {
			set[n-1] = max(set[n-1], r[1])
			continue
		}
		set = append(set, r[0], r[1])
	}
	return set
}
