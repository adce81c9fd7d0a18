package review

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
)

// ignoreCase is prepended to each pattern. The pattern is not put in parentheses,
// which would make the invalid pattern "a)|(b" valid.
const ignoreCase = "(?i)"

// maxPatternSize is the maximum size of a compiled pattern, in instructions. The cost
// per byte of text grows with it.
const maxPatternSize = 5000

// checkedPattern is a pattern that compiles and whose matches are never empty.
type checkedPattern struct {
	text string
	tree *syntax.Regexp
	size int // approximate, in instructions
}

// checkPattern parses and checks a pattern. It does not compile it, since every
// pattern that parses compiles. Its errors are worded to follow the name of the
// pattern.
func checkPattern(text string) (checkedPattern, error) {
	tree, err := syntax.Parse(ignoreCase+text, syntax.Perl)
	if err != nil {
		return checkedPattern{}, patternError(err)
	}
	if matchesNothing(tree) {
		return checkedPattern{}, fmt.Errorf("%q can match without reading a character, so it matches any text: make it require some text", text)
	}
	size := sizeOf(tree)
	if size > maxPatternSize {
		return checkedPattern{}, fmt.Errorf("compiles to some %d instructions, and at most %d are allowed: repeat less often, or make two rules of it", size, maxPatternSize)
	}
	return checkedPattern{text: text, tree: tree, size: size}, nil
}

func patternError(err error) error {
	problem := err.Error()
	if e, ok := errors.AsType[*syntax.Error](err); ok {
		problem = fmt.Sprintf("%s: %q", e.Code, strings.TrimPrefix(e.Expr, ignoreCase))
	}
	return fmt.Errorf("does not compile: %s; it must be a regular expression in the syntax of RE2, without look-around and back-references", problem)
}

// matchesNothing reports whether the expression can match without reading a character,
// as a*, ^ and \b can.
func matchesNothing(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpNoMatch, syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return matchesNothing(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min == 0 || matchesNothing(re.Sub[0])
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, matchesNothing)
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !matchesNothing(sub) })
	}
	return true // anchors, boundaries, x* and x? can match without reading a character
}

// sizeOf returns the approximate number of instructions that an expression compiles
// to.
func sizeOf(re *syntax.Regexp) int {
	size := 1
	for _, sub := range re.Sub {
		size = limited(size + sizeOf(sub))
	}
	switch re.Op {
	case syntax.OpLiteral:
		size = len(re.Rune)
	case syntax.OpRepeat:
		size = limited(size * max(1, re.Min, re.Max))
	}
	return size
}

// unlimited is the maximum size that sizeOf returns. It is above every limit.
const unlimited = 1 << 30

// limited returns n, or [unlimited] if n is greater.
func limited(n int) int { return min(n, unlimited) }
