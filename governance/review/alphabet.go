package review

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// alphabet maps characters to classes. Characters that a pattern does not distinguish
// are in the same class.
type alphabet struct {
	ascii   [utf8.RuneSelf]uint16 // the class of each ASCII character
	starts  []rune                // the first character of each range of characters with the same class; sorted, beginning with 0
	classes []uint16              // the class of each range in starts
	samples []rune                // one character of each class
}

func newAlphabet(instructions []syntax.Inst) alphabet {
	tests := distinct(instructions)
	a := alphabet{starts: startsOf(tests)}
	known := map[string]uint16{}
	for _, c := range a.starts {
		answers := make([]byte, 0, len(tests)+1)
		for i := range tests {
			answers = append(answers, bit(tests[i].MatchRune(c)))
		}
		answers = append(answers, byte(kind(c)))
		class, ok := known[string(answers)]
		if !ok {
			class = uint16(len(a.samples))
			known[string(answers)] = class
			a.samples = append(a.samples, c)
		}
		a.classes = append(a.classes, class)
	}
	for c := range a.ascii {
		a.ascii[c] = a.class(rune(c))
	}
	return a
}

func bit(yes bool) byte {
	if yes {
		return 1
	}
	return 0
}

// class returns the class of a character.
func (a *alphabet) class(c rune) uint16 {
	i, exact := slices.BinarySearch(a.starts, c)
	if !exact {
		i--
	}
	return a.classes[i]
}

// distinct returns the instructions that test a character, without those that repeat
// another's test.
func distinct(instructions []syntax.Inst) []syntax.Inst {
	var tests []syntax.Inst
	known := map[string]bool{}
	for _, i := range instructions {
		switch i.Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			key := string(append(slices.Clip(i.Rune), rune(i.Arg)))
			if !known[key] {
				known[key] = true
				tests = append(tests, i)
			}
		}
	}
	return tests
}

// startsOf returns, sorted, the characters at which the result of a test, or the kind
// of a character, can change.
func startsOf(tests []syntax.Inst) []rune {
	starts := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}
	for _, i := range tests {
		if len(i.Rune) == 1 {
			for _, c := range caseOf(i.Rune[0]) {
				starts = append(starts, c, c+1)
			}
			continue
		}
		for pair := range slices.Chunk(i.Rune, 2) {
			starts = append(starts, pair[0], pair[1]+1)
		}
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}
