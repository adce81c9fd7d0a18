package rpc

import (
	"bytes"
	"unicode/utf8"

	"instruction-catalog/schemas"
	"instruction-catalog/schemas/jsonscan"
)

// Scanned is what one pass over a valid JSON text finds out.
type Scanned struct {
	Depth, Values int  // as [Measure] has them, or more where params were checked
	UTF8          bool // it is that for certain

	object  bool
	members envelope // of an object
}

// Scan looks at a text. Its verdict is that of json.Valid, in a fraction of the
// time: ok is false where the text is not one JSON value (RFC 8259), and where
// it is nested deeper than the 10,000 levels that encoding/json reads. It decodes
// nothing and allocates nothing; what it finds are parts of the text.
func Scan(text []byte) (found Scanned, ok bool) { return scan(text, nil) }

// Scan is [Scan], and in the same pass holds the params of a request against the
// schema of its method, where that is named before them: they may be all that is
// long in a text.
func (r *Registry) Scan(text []byte) (found Scanned, ok bool) { return scan(text, r.methods) }

func scan(text []byte, methods map[string]*Method) (found Scanned, ok bool) {
	s := scanner{text: text, methods: methods, values: 1}
	i := s.blanks(0)
	if s.at(i) == '{' {
		i, found.object = s.object(i, 1, &found.members), true
	} else {
		i = s.value(i, 0)
	}
	if i == invalid || s.blanks(i) < len(text) {
		return Scanned{}, false
	}
	found.Depth, found.Values, found.UTF8 = s.deepest, s.values, !s.wide
	return found, true
}

// deepestValid is how deep encoding/json lets arrays and objects be nested.
const deepestValid = 10_000

// scanner reads a text by the grammar of JSON. Its methods take the index where
// something should begin and return that where it ends, or invalid.
type scanner struct {
	text    []byte
	methods map[string]*Method // whose params are checked
	values  int                // at most, so far
	deepest int                // how deep they were nested
	wide    bool               // not all of them ASCII, and who knows whether UTF-8
}

const invalid = -1

// value is any value, within depth arrays and objects.
func (s *scanner) value(i, depth int) int {
	if i >= len(s.text) {
		return invalid
	}
	switch c := s.text[i]; c {
	case '"':
		return s.string(i)
	case '{':
		return s.object(i, depth+1, nil)
	case '[':
		return s.array(i, depth+1)
	case 't':
		return s.word(i, "true")
	case 'f':
		return s.word(i, "false")
	case 'n':
		return s.word(i, "null")
	default:
		return s.number(i)
	}
}

// object is an object. Its members go into e, if there is one.
func (s *scanner) object(i, depth int, e *envelope) int {
	if !s.enter(depth) {
		return invalid
	}
	i = s.blanks(i + 1)
	if s.at(i) == '}' {
		return i + 1
	}
	for {
		if i = s.member(i, depth, e); i == invalid {
			return invalid
		}
		i = s.blanks(i)
		switch s.at(i) {
		case ',':
			s.values++
			i = s.blanks(i + 1)
		case '}':
			return i + 1
		default:
			return invalid
		}
	}
}

func (s *scanner) member(i, depth int, e *envelope) int {
	if s.at(i) != '"' {
		return invalid
	}
	nameEnd := s.string(i)
	if nameEnd == invalid {
		return invalid
	}
	colon := s.blanks(nameEnd)
	if s.at(colon) != ':' {
		return invalid
	}
	value := s.blanks(colon + 1)
	if e == nil {
		return s.value(value, depth)
	}
	name := s.text[i:nameEnd]
	if end, checked := s.params(name, value, e); checked.Method != nil {
		e.params, e.checked = s.text[value:end:end], checked
		return end
	}
	end := s.value(value, depth)
	if end != invalid {
		e.set(name, s.text[value:end:end])
	}
	return end
}

// params is a member that is the params of a known method and fits its schema
// for certain; any other is not checked, nor are params that come again: to hear
// them may take memory for each entry of a catalog, each time.
func (s *scanner) params(name []byte, i int, e *envelope) (end int, checked Checked) {
	if s.methods == nil || len(e.method) < len(`""`) || e.params != nil || string(name) != `"params"` {
		return invalid, Checked{}
	}
	m, ok := s.methods[string(e.method[1:len(e.method)-1])]
	if !ok || m.UserParam != "" || i > len(s.text) {
		return invalid, Checked{}
	}
	listener := m.listener()
	length, values, ok := m.contract.Params.Match(s.text[i:], listener)
	if !ok {
		return invalid, Checked{}
	}
	s.values += values
	s.deepest = max(s.deepest, 1+schemas.MostNested)
	return i + length, Checked{m, listener}
}

func (s *scanner) array(i, depth int) int {
	if !s.enter(depth) {
		return invalid
	}
	i = s.blanks(i + 1)
	if s.at(i) == ']' {
		return i + 1
	}
	for {
		if i = s.value(i, depth); i == invalid {
			return invalid
		}
		i = s.blanks(i)
		switch s.at(i) {
		case ',':
			s.values++
			i = s.blanks(i + 1)
		case ']':
			return i + 1
		default:
			return invalid
		}
	}
}

// enter takes note of an array or object, which is nested so deep, and reports
// whether it may be.
func (s *scanner) enter(depth int) bool {
	s.values++
	s.deepest = max(s.deepest, depth)
	return depth <= deepestValid
}

// at returns the byte at i, 0 past the end: the grammar has no place for a 0.
func (s *scanner) at(i int) byte {
	if i < len(s.text) {
		return s.text[i]
	}
	return 0
}

func (s *scanner) blanks(i int) int {
	for i < len(s.text) && s.text[i] <= ' ' && isBlank(s.text[i]) {
		i++
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (s *scanner) word(i int, word string) int {
	if bytes.HasPrefix(s.text[i:], []byte(word)) {
		return i + len(word)
	}
	return invalid
}

func (s *scanner) number(i int) int {
	if s.at(i) == '-' {
		i++
	}
	if s.at(i) == '0' {
		i++
	} else if i = s.digits(i); i == invalid {
		return invalid
	}
	if s.at(i) == '.' {
		if i = s.digits(i + 1); i == invalid {
			return invalid
		}
	}
	if c := s.at(i); c != 'e' && c != 'E' {
		return i
	}
	i++
	if c := s.at(i); c == '+' || c == '-' {
		i++
	}
	return s.digits(i)
}

// digits is one digit or more.
func (s *scanner) digits(i int) int {
	from := i
	for '0' <= s.at(i) && s.at(i) <= '9' {
		i++
	}
	if i == from {
		return invalid
	}
	return i
}

func (s *scanner) string(i int) int {
	for i++; ; {
		i = jsonscan.Plain(s.text, i)
		switch c := s.at(i); {
		case c == '"':
			return i + 1
		case c == '\\':
			if i = s.escape(i); i == invalid {
				return invalid
			}
		case c >= utf8.RuneSelf:
			s.wide = true
			for i++; s.at(i) >= utf8.RuneSelf; i++ {
			}
		default:
			return invalid
		}
	}
}

func (s *scanner) escape(i int) int {
	switch s.at(i + 1) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		for k := i + 2; k < i+6; k++ {
			if !isHex(s.at(k)) {
				return invalid
			}
		}
		return i + 6
	}
	return invalid
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
