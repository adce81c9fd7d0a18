package rpc

// MaxDepth is how deep the objects and arrays of params may be nested.
const MaxDepth = 64

// Depth returns how deep the arrays and objects of a JSON text are nested: 0
// for a scalar. It costs no stack and does not check the text.
func Depth(text []byte) int {
	depth, deepest := 0, 0
	walkBrackets(text, func(_, delta int) {
		depth += delta
		deepest = max(deepest, depth)
	})
	return deepest
}

// Prune returns the JSON text without what is nested deeper than depth, so
// that a parser that recurses may read the rest. What is cut leaves an empty
// array or object behind.
func Prune(text []byte, depth int) []byte {
	kept := make([]byte, 0, len(text))
	level, from := 0, 0
	walkBrackets(text, func(at, delta int) {
		if delta > 0 && level == depth {
			kept = append(kept, text[from:at+1]...)
		}
		level += delta
		if delta < 0 && level == depth {
			from = at
		}
	})
	if level > depth {
		return kept
	}
	return append(kept, text[from:]...)
}

// walkBrackets calls visit for each bracket and brace outside strings, with
// +1 where one opens and -1 where one closes.
func walkBrackets(text []byte, visit func(at, delta int)) {
	inString := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '[' || c == '{':
			visit(i, +1)
		case c == ']' || c == '}':
			visit(i, -1)
		}
	}
}
