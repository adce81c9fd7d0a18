package review

import (
	"regexp/syntax"
	"strings"

	"instruction-catalog/governance/strict"
)

// need is what a text must hold to match a pattern, after [strict.Fold]: a literal,
// all of some needs, or any of them. Looking for it costs far less than looking
// for the pattern, and most prompts do not hold it. A nil need is always met.
type need struct {
	literal string
	all     []*need
	any     []*need
}

// minLiteral is the length in bytes of a literal that is rare enough to be
// worth looking for.
const minLiteral = 3

func (n *need) metBy(folded string) bool {
	if n == nil {
		return true
	}
	for _, part := range n.all {
		if !part.metBy(folded) {
			return false
		}
	}
	for _, part := range n.any {
		if part.metBy(folded) {
			return true
		}
	}
	return len(n.any) == 0 && strings.Contains(folded, n.literal)
}

// needOf returns what every match of the expression holds, as far as it can
// tell.
func needOf(re *syntax.Regexp) *need {
	switch re.Op {
	case syntax.OpLiteral:
		if text := strict.Fold(string(re.Rune)); len(text) >= minLiteral {
			return &need{literal: text}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needOf(re.Sub[0])
		}
	case syntax.OpConcat:
		return needAll(re.Sub)
	case syntax.OpAlternate:
		return needAny(re.Sub)
	}
	return nil
}

func needAll(parts []*syntax.Regexp) *need {
	var n need
	for _, re := range parts {
		if part := needOf(re); part != nil {
			n.all = append(n.all, part)
		}
	}
	if n.all == nil {
		return nil
	}
	return &n
}

func needAny(alternatives []*syntax.Regexp) *need {
	var n need
	for _, re := range alternatives {
		part := needOf(re)
		if part == nil {
			return nil
		}
		n.any = append(n.any, part)
	}
	return &n
}
