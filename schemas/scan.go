package schemas

import (
	"bytes"
	"encoding/json"
	"iter"
)

// scanner walks over the text of a JSON value that is known to be well-formed,
// and decodes only what it is asked for.
type scanner struct {
	text []byte
	at   int // the next byte
}

// next returns the first byte of the next value or name, or the bracket that
// closes the present one; 0 at the end of the text.
func (s *scanner) next() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
		default:
			return c
		}
	}
	return 0
}

// members goes through the object that comes next and yields the name of each
// member. The body of the loop reads or skips each value. Any other value is
// skipped.
func (s *scanner) members() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if s.next() != '{' {
			s.skip()
			return
		}
		s.at++
		for s.next() != '}' {
			if !yield(s.string()) {
				return
			}
		}
		s.at++
	}
}

// elements goes through an array as members does through an object.
func (s *scanner) elements() iter.Seq[int] {
	return func(yield func(int) bool) {
		if s.next() != '[' {
			s.skip()
			return
		}
		s.at++
		for i := 0; s.next() != ']'; i++ {
			if !yield(i) {
				return
			}
		}
		s.at++
	}
}

// raw returns the text of the value that comes next.
func (s *scanner) raw() json.RawMessage {
	s.next()
	start := s.at
	s.skip()
	return json.RawMessage(s.text[start:s.at:s.at])
}

// string returns the string that comes next, decoded; nothing where the value
// is none.
func (s *scanner) string() []byte {
	raw := s.raw()
	if raw[0] != '"' {
		return nil
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return unquoted(raw)
	}
	var decoded string
	must(json.Unmarshal(raw, &decoded))
	return []byte(decoded)
}

// unquoted returns the text of a string without its quotes. It is not decoded.
func unquoted(raw []byte) []byte { return raw[1 : len(raw)-1] }

// skip moves behind the value that comes next.
func (s *scanner) skip() {
	switch s.next() {
	case '"':
		s.skipString()
	case '{', '[':
		s.skipBrackets()
	default:
		n := bytes.IndexAny(s.text[s.at:], ",]} \t\r\n")
		if n < 0 {
			n = len(s.text) - s.at
		}
		s.at += n
	}
}

func (s *scanner) skipString() {
	s.at++
	for {
		n := bytes.IndexByte(s.text[s.at:], '"')
		escape := bytes.IndexByte(s.text[s.at:s.at+n], '\\')
		if escape < 0 {
			s.at += n + 1
			return
		}
		s.at += escape + 2
	}
}

func (s *scanner) skipBrackets() {
	for depth := 0; ; {
		switch s.text[s.at] {
		case '"':
			s.skipString()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.at++
		if depth == 0 {
			return
		}
	}
}
