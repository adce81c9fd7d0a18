package schemas

import (
	"unicode/utf8"

	"instruction-catalog/schemas/jsonscan"
)

// uncertain is what a match returns in place of where the value ends.
const uncertain = -1

// match returns where the value that begins at at ends, if it is well-formed and
// fits.
func (m *matcher) match(text []byte, at int, l Listener) int {
	switch m.form {
	case objectForm:
		return m.object(text, at, l)
	case arrayForm:
		return m.array(text, at, l)
	case stringForm:
		return m.string(text, at)
	case integerForm:
		return m.integer(text, at)
	}
	return boolean(text, at)
}

func (m *matcher) object(text []byte, at int, l Listener) int {
	if !is(text, at, '{') {
		return uncertain
	}
	var seen propertySet
	if at = blanks(text, at+1); !is(text, at, '}') {
		if at, seen = m.members(text, at, l); at == uncertain {
			return uncertain
		}
	}
	if !is(text, at, '}') || !seen.hasAll(m.required) {
		return uncertain
	}
	return at + 1
}

// members returns where the members of an object end, and which they are.
func (m *matcher) members(text []byte, at int, l Listener) (end int, seen propertySet) {
	for p := -1; ; {
		p = m.property(text, at, p+1)
		if p < 0 || seen.has(p) {
			return uncertain, seen
		}
		seen = seen.with(p)
		at = blanks(text, at+len(m.properties[p].quoted))
		if !is(text, at, ':') {
			return uncertain, seen
		}
		if at = m.properties[p].value.match(text, blanks(text, at+1), l); at == uncertain {
			return uncertain, seen
		}
		if at = blanks(text, at); !is(text, at, ',') {
			return at, seen
		}
		at = blanks(text, at+1)
	}
}

// property returns the index of the property whose name stands at at, probably
// the next one; -1 where there is none.
func (m *matcher) property(text []byte, at, next int) int {
	if next < len(m.properties) && startsWith(text, at, m.properties[next].quoted) {
		return next
	}
	for i := range m.properties {
		if startsWith(text, at, m.properties[i].quoted) {
			return i
		}
	}
	return -1
}

func (m *matcher) array(text []byte, at int, l Listener) int {
	if !is(text, at, '[') {
		return uncertain
	}
	var n int64
	start := at
	if at = blanks(text, at+1); !is(text, at, ']') {
		if at, n = m.elements(text, at, l); at == uncertain {
			return uncertain
		}
	}
	if !is(text, at, ']') || !m.count.has(n) {
		return uncertain
	}
	if l != nil {
		l.End(text[start : at+1])
	}
	return at + 1
}

// elements returns where the elements of an array end, and how many there are.
func (m *matcher) elements(text []byte, at int, l Listener) (end int, n int64) {
	for {
		if at = m.element(text, at, l); at == uncertain {
			return uncertain, n
		}
		n++
		if at = blanks(text, at); !is(text, at, ',') {
			return at, n
		}
		at = blanks(text, at+1)
	}
}

func (m *matcher) element(text []byte, at int, l Listener) int {
	if l == nil {
		return m.items.match(text, at, nil)
	}
	if length := l.Familiar(text[at:]); length > 0 {
		return at + length
	}
	end := m.items.match(text, at, nil)
	if end != uncertain {
		l.Element(text[at:end])
	}
	return end
}

func (m *matcher) string(text []byte, at int) int {
	if !is(text, at, '"') {
		return uncertain
	}
	start := at + 1
	end := jsonscan.Plain(text, start)
	if !is(text, end, '"') {
		return m.unusual(text, start, end)
	}
	if inside := text[start:end]; !m.length.has(int64(len(inside))) || !m.lists(inside) {
		return uncertain
	}
	return end + 1
}

// unusual goes on with a string that begins at start and in which the byte at at
// is not plain.
func (m *matcher) unusual(text []byte, start, at int) int {
	escapes := false
	for ; !is(text, at, '"'); at = jsonscan.Plain(text, at) {
		switch n := escape(text[at:]); {
		case at == len(text) || text[at] < ' ':
			return uncertain
		case text[at] != '\\':
			at++
		case n > 0:
			at, escapes = at+n, true
		default:
			return uncertain
		}
	}
	inside := text[start:at]
	if !utf8.Valid(inside) {
		return uncertain
	}
	fits := m.length.has(int64(utf8.RuneCount(inside))) && m.lists(inside)
	if escapes {
		// It is not decoded: it has a character at least, and as many as bytes at most.
		fits = m.length.has(1) && m.length.has(int64(len(inside))) && m.enum == nil
	}
	if !fits {
		return uncertain
	}
	return at + 1
}

// lists reports whether a string without escapes is one of the enum.
func (m *matcher) lists(inside []byte) bool {
	for _, value := range m.enum {
		if value == string(inside) {
			return true
		}
	}
	return m.enum == nil
}

// integer takes what is written as an integer of at most 18 digits, which an
// int64 holds.
func (m *matcher) integer(text []byte, at int) int {
	negative := is(text, at, '-')
	if negative {
		at++
	}
	start, n := at, int64(0)
	for ; at < len(text) && isDigit(text[at]); at++ {
		if at-start == 18 {
			return uncertain
		}
		n = n*10 + int64(text[at]-'0')
	}
	if at == start || text[start] == '0' && at > start+1 {
		return uncertain
	}
	if negative {
		n = -n
	}
	if !m.size.has(n) {
		return uncertain
	}
	return at
}

func boolean(text []byte, at int) int {
	for _, literal := range [...]string{"true", "false"} {
		if startsWith(text, at, literal) {
			return at + len(literal)
		}
	}
	return uncertain
}

// escape returns the length of the escape that text begins with, 0 where it
// begins with none that JSON has.
func escape(text []byte) int {
	if len(text) < 2 || text[0] != '\\' {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		const length = len(`\u0000`)
		if len(text) >= length && isHex(text[2]) && isHex(text[3]) && isHex(text[4]) && isHex(text[5]) {
			return length
		}
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|' ' && c|' ' <= 'f' }

func is(text []byte, at int, c byte) bool { return at < len(text) && text[at] == c }

func startsWith(text []byte, at int, prefix string) bool {
	return len(text)-at >= len(prefix) && string(text[at:at+len(prefix)]) == prefix
}

// blanks returns where the blanks from at on end. Usually there are none.
func blanks(text []byte, at int) int {
	if at < len(text) && text[at] > ' ' {
		return at
	}
	return allBlanks(text, at)
}

func allBlanks(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
		at++
	}
	return at
}
