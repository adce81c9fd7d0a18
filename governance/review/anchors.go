package review

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// anchor is a literal, folded, and how far around it a match of a pattern goes
// that has it. Every match of the pattern has one of its anchors. So a text is
// searched for the literals of all rules at once, and each pattern is held against
// a window around each of its own. One that has none is held against the whole text.
type anchor struct {
	literal string
	behind  *reach // of what stands before the literal
	ahead   *reach // of the literal and what stands behind it
}

const (
	minLiteral  = 2   // bytes of a literal that is rare enough to be looked for, if it is ASCII
	maxLiteral  = 8   // bytes: what is longer is looked for by its beginning
	maxLiterals = 512 // of a pattern
	maxProduct  = 64  // literals that are made by putting others one behind the other
)

// anchorsOf returns the anchors of an expression: of those that can be had, the
// ones with the longest literals, and of these the fewest.
func anchorsOf(re *syntax.Regexp) []anchor {
	if own := anchorsAt(textsOf(re), &reach{}, reachOf(re)); own != nil {
		return own
	}
	switch re.Op {
	case syntax.OpCapture:
		return anchorsOf(re.Sub[0])
	case syntax.OpPlus:
		return anchorsOfFirstRound(re)
	case syntax.OpRepeat:
		if re.Min > 0 {
			return anchorsOfFirstRound(re)
		}
	case syntax.OpConcat:
		return anchorsOfSequence(re.Sub)
	case syntax.OpAlternate:
		return ofAlternatives(re.Sub, anchorsOf)
	}
	return nil
}

// anchorsAt makes anchors of literals if each of them is worth looking for.
func anchorsAt(literals []string, behind, ahead *reach) []anchor {
	var all []anchor
	taken := map[string]bool{}
	for _, s := range literals {
		if len(s) < minLiteral && isASCII(s) { // other characters are rare
			return nil
		}
		if s = cut(s); !taken[s] {
			taken[s] = true
			all = append(all, anchor{literal: s, behind: behind, ahead: ahead})
		}
	}
	return all
}

// cut returns the first characters of a literal.
func cut(s string) string {
	for i, r := range s {
		if i > 0 && i+utf8.RuneLen(r) > maxLiteral {
			return s[:i]
		}
	}
	return s
}

// extended returns the anchors of a part of an expression as those of the whole,
// in which something stands around it.
func extended(inner []anchor, before, after *reach) []anchor {
	var all []anchor
	for _, a := range inner {
		all = append(all, anchor{
			literal: a.literal,
			behind:  &reach{sequence: []*reach{before, a.behind}},
			ahead:   &reach{sequence: []*reach{a.ahead, after}},
		})
	}
	return all
}

// anchorsOfFirstRound returns those of what is repeated, and at least once.
func anchorsOfFirstRound(re *syntax.Regexp) []anchor {
	return extended(anchorsOf(re.Sub[0]), &reach{}, reachOf(re))
}

// anchorsOfSequence chooses between the parts of a sequence, and the literals of
// neighbours put together.
func anchorsOfSequence(parts []*syntax.Regexp) []anchor {
	reaches := reachesOf(parts)
	var best []anchor
	for i, part := range parts {
		before, after := &reach{sequence: reaches[:i]}, &reach{sequence: reaches[i+1:]}
		literals, _ := joined(parts[i:])
		best = better(best, anchorsAt(literals, before, &reach{sequence: reaches[i:]}))
		best = better(best, extended(anchorsOf(part), before, after))
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

// ofAlternatives returns what a function returns for each of some alternatives, nil where
// one has nothing or they have more than [maxLiterals].
func ofAlternatives[T any](alternatives []*syntax.Regexp, of func(*syntax.Regexp) []T) []T {
	var all []T
	for _, re := range alternatives {
		some := of(re)
		if some == nil || len(all)+len(some) > maxLiterals {
			return nil
		}
		all = append(all, some...)
	}
	return all
}

// better returns those anchors that fewer texts have.
func better(a, b []anchor) []anchor {
	if x, y := shortest(a), shortest(b); y > x || y == x && len(b) < len(a) {
		return b
	}
	return a
}

// shortest is the length of the shortest literal, 0 where there are none.
func shortest(all []anchor) int {
	if len(all) == 0 {
		return 0
	}
	least := maxLiteral
	for _, a := range all {
		least = min(least, len(a.literal))
	}
	return least
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
		return ofAlternatives(re.Sub, textsOf)
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
