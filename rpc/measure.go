package rpc

import (
	"instruction-catalog/schemas"
	"instruction-catalog/schemas/jsonscan"
)

// The bounds of what a caller may send. They are checked before anything is
// decoded, which costs many times the memory of the text.
const (
	MaxDepth  = 64      // of objects and arrays within params
	MaxValues = 500_000 // of members and elements in a whole message
)

// What fits a schema for certain need not be measured.
const _ = uint(MaxDepth - schemas.MostNested)

// Measure returns how deep the arrays and objects of a JSON text are nested, 0
// for a scalar, and how many values it holds at most, at all levels together.
// It costs no stack and does not check the text.
func Measure(text []byte) (depth, values int) {
	level := 0
	walkPunctuation(text, func(_ int, c byte) {
		step := nesting(c)
		level += step
		depth = max(depth, level)
		if step >= 0 {
			values++
		}
	})
	return depth, values + 1
}

// Prune returns the JSON text without what lies in arrays and objects that are
// nested deeper than depth, so that a parser that recurses may read the rest.
// They stay as empty ones.
func Prune(text []byte, depth int) []byte {
	kept := make([]byte, 0, len(text))
	level, from := 0, 0
	walkPunctuation(text, func(at int, c byte) {
		step := nesting(c)
		if step > 0 && level == depth {
			kept = append(kept, text[from:at+1]...)
		}
		level += step
		if step < 0 && level == depth {
			from = at
		}
	})
	if level > depth {
		return kept
	}
	return append(kept, text[from:]...)
}

// nesting is +1 for what opens an array or object and -1 for what closes one.
func nesting(c byte) int {
	switch c {
	case '[', '{':
		return +1
	case ']', '}':
		return -1
	}
	return 0
}

// walkPunctuation calls visit for each bracket, brace and comma outside strings.
func walkPunctuation(text []byte, visit func(at int, c byte)) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			i = jsonscan.StringEnd(text, i) - 1
		case ',', '[', ']', '{', '}':
			visit(i, c)
		}
	}
}
