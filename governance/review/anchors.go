package review

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// anchors are literals of which every match of a pattern has one, folded, and
// how far around it such a match reaches. So a text is searched for all literals
// of all rules at once, and a pattern is held against a window around each of
// its own. Without literals it is held against the whole text.
type anchors struct {
	literals []string
	before   int // the most bytes that a match has before the literal, or [unlimited]
	after    int // the most bytes that it has from there to its end, or [unlimited]
}

const (
	minLiteral  = 3   // bytes of a literal that is rare enough to be looked for, if it is ASCII
	maxLiteral  = 8   // bytes: what is longer is looked for by its beginning
	maxLiterals = 512 // of a pattern
	maxProduct  = 64  // literals that are made by putting others one behind the other
)

// anchorsOf returns the anchors of an expression: of those that can be had, the
// ones with the longest literals, and of these the fewest.
func anchorsOf(re *syntax.Regexp) anchors {
	if a := anchorsAt(textsOf(re), 0, maxLength(re)); a.literals != nil {
		return a
	}
	switch re.Op {
	case syntax.OpCapture:
		return anchorsOf(re.Sub[0])
	case syntax.OpPlus: // the literal of its first round
		a := anchorsOf(re.Sub[0])
		a.after = unlimited
		return a
	case syntax.OpRepeat:
		if re.Min == 0 {
			return anchors{}
		}
		a := anchorsOf(re.Sub[0])
		a.after = maxLength(re)
		return a
	case syntax.OpConcat:
		return anchorsOfSequence(re.Sub)
	case syntax.OpAlternate:
		return anchorsOfAlternatives(re.Sub)
	}
	return anchors{}
}

// anchorsAt makes anchors of literals if each of them is worth looking for.
func anchorsAt(literals []string, before, after int) anchors {
	a := anchors{before: before, after: after}
	for _, s := range literals {
		if len(s) < minLiteral && !hasMore(s) {
			return anchors{}
		}
		a.literals = append(a.literals, cut(s))
	}
	slices.Sort(a.literals)
	a.literals = slices.Compact(a.literals)
	return a
}

// hasMore reports whether a text has more than ASCII in it, which is rare.
func hasMore(s string) bool {
	return slices.ContainsFunc([]byte(s), func(b byte) bool { return b >= utf8.RuneSelf })
}

// cut returns the first characters of a literal.
func cut(s string) string {
	end := 0
	for i, r := range s {
		if i > 0 && i+utf8.RuneLen(r) > maxLiteral {
			return s[:i]
		}
		end = i + utf8.RuneLen(r)
	}
	return s[:end]
}

// anchorsOfSequence chooses between the parts of a sequence, and the literals of
// neighbours put together.
func anchorsOfSequence(parts []*syntax.Regexp) anchors {
	following := make([]int, len(parts)+1) // the most bytes from each part on
	for i := len(parts) - 1; i >= 0; i-- {
		following[i] = limited(maxLength(parts[i]) + following[i+1])
	}
	var best anchors
	before := 0
	for i, part := range parts {
		literals, _ := joined(parts[i:])
		best = better(best, anchorsAt(literals, before, following[i]))
		inner := anchorsOf(part)
		inner.before = limited(before + inner.before)
		inner.after = limited(inner.after + following[i+1])
		best = better(best, inner)
		before = limited(before + maxLength(part))
	}
	return best
}

// joined returns the texts that the first parts make one behind the other, as far
// as they are no more than [maxProduct], and how many parts that are.
func joined(parts []*syntax.Regexp) (product []string, used int) {
	product = []string{""}
	for i, part := range parts {
		next := textsOf(part)
		if next == nil || len(next)*len(product) > maxProduct {
			return product, i
		}
		product = times(product, next)
	}
	return product, len(parts)
}

func times(heads, tails []string) []string {
	var all []string
	for _, head := range heads {
		for _, tail := range tails {
			all = append(all, head+tail)
		}
	}
	return all
}

func anchorsOfAlternatives(alternatives []*syntax.Regexp) anchors {
	var all anchors
	for _, re := range alternatives {
		a := anchorsOf(re)
		if a.literals == nil || len(all.literals)+len(a.literals) > maxLiterals {
			return anchors{}
		}
		all.literals = append(all.literals, a.literals...)
		all.before, all.after = max(all.before, a.before), max(all.after, a.after)
	}
	return all
}

// better returns those anchors that fewer texts have.
func better(a, b anchors) anchors {
	shortest := func(a anchors) int {
		least := 0
		for _, s := range a.literals {
			if least == 0 || len(s) < least {
				least = len(s)
			}
		}
		return least
	}
	switch x, y := shortest(a), shortest(b); {
	case y > x, y == x && len(b.literals) < len(a.literals):
		return b
	}
	return a
}

// textsOf returns every text that an expression can match, folded, or nil where
// they are more than [maxLiterals].
func textsOf(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{fold(string(re.Rune))}
	case syntax.OpCharClass:
		return textsOfClass(re.Rune)
	case syntax.OpCapture:
		return textsOf(re.Sub[0])
	case syntax.OpQuest:
		if inner := textsOf(re.Sub[0]); inner != nil {
			return append(inner, "")
		}
	case syntax.OpConcat:
		if product, used := joined(re.Sub); used == len(re.Sub) {
			return product
		}
	case syntax.OpAlternate:
		return textsOfAlternatives(re.Sub)
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}
	}
	return nil
}

// textsOfClass returns the characters of a class, which is given as pairs of a
// first and a last.
func textsOfClass(pairs []rune) []string {
	var all []string
	for i := 0; i < len(pairs); i += 2 {
		if int(pairs[i+1]-pairs[i])+len(all) >= 2*maxLiterals {
			return nil
		}
		for r := pairs[i]; r <= pairs[i+1]; r++ {
			all = append(all, string(foldRune(r)))
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > maxLiterals {
		return nil
	}
	return all
}

func textsOfAlternatives(alternatives []*syntax.Regexp) []string {
	var all []string
	for _, re := range alternatives {
		some := textsOf(re)
		if some == nil || len(all)+len(some) > maxLiterals {
			return nil
		}
		all = append(all, some...)
	}
	return all
}

// maxLength returns the most bytes that an expression can match, or [unlimited].
func maxLength(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		length := 0
		for _, r := range re.Rune {
			length += maxRuneLength(r)
		}
		return length
	case syntax.OpCharClass:
		if len(re.Rune) == 0 {
			return 0
		}
		return runeLength(re.Rune[len(re.Rune)-1]) // the last is the greatest
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return utf8.UTFMax
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
	for _, sub := range re.Sub { // of a sequence, a capture, x?
		total = limited(total + maxLength(sub))
	}
	return total
}

// maxRuneLength returns the most bytes of a letter or another that differs only in
// case.
func maxRuneLength(r rune) int {
	length := runeLength(r)
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		length = max(length, runeLength(other))
	}
	return length
}

// runeLength is [utf8.RuneLen], of what is no character too: it is read as one of
// three bytes, as [utf8.RuneError] is.
func runeLength(r rune) int { return len(string(r)) }
