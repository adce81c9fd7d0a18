package jsonscan

import (
	"bytes"
	"encoding/json"
	"iter"
	"unicode/utf8"
)

// Scanner walks once over a JSON text that is known to be well-formed. Whoever
// meets a value reads it or skips it, and with that stands behind it.
type Scanner struct {
	text []byte
	at   int // the next byte
}

// New returns a scanner that stands before the value that text holds. The text
// must not change while what the scanner returned is in use.
func New(text []byte) *Scanner { return &Scanner{text: text} }

// Offset returns how many bytes have been read.
func (s *Scanner) Offset() int { return s.at }

// Next returns the first byte of the next value or name, or the bracket that
// closes the present one; 0 at the end of the text.
func (s *Scanner) Next() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
		default:
			return c
		}
	}
	return 0
}

// Members goes through the object that comes next and yields the name of each
// member, decoded. The body of the loop reads or skips each value. Any other
// value is skipped.
func (s *Scanner) Members() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if s.Next() != '{' {
			s.Skip()
			return
		}
		s.at++
		for s.Next() != '}' {
			if !yield(s.Text()) {
				return
			}
		}
		s.at++
	}
}

// Elements goes through an array as [Scanner.Members] does through an object.
func (s *Scanner) Elements() iter.Seq[int] {
	return func(yield func(int) bool) {
		if s.Next() != '[' {
			s.Skip()
			return
		}
		s.at++
		for i := 0; s.Next() != ']'; i++ {
			if !yield(i) {
				return
			}
		}
		s.at++
	}
}

// SkipText moves behind the value that comes next where that is written just as
// text, which must be that of an object, array or string, and reports whether it
// is.
func (s *Scanner) SkipText(text []byte) bool {
	s.Next()
	if len(text) == 0 || !bytes.HasPrefix(s.text[s.at:], text) {
		return false
	}
	s.at += len(text)
	return true
}

// Raw returns the text of the value that comes next. It shares the memory of the
// whole.
func (s *Scanner) Raw() json.RawMessage {
	s.Next()
	start := s.at
	s.Skip()
	return json.RawMessage(s.text[start:s.at:s.at])
}

// Text returns the string that comes next, decoded as encoding/json does;
// nothing where the value is none. A string that needs no decoding shares the
// memory of the text.
func (s *Scanner) Text() []byte {
	if s.Next() != '"' {
		s.Skip()
		return nil
	}
	start := s.at + 1
	if end := Plain(s.text, start); s.text[end] == '"' {
		s.at = end + 1
		return s.text[start:end:end]
	}
	return decoded(s.Raw())
}

// decoded returns what a string stands for. Escapes, and bytes that are no
// UTF-8, are left to encoding/json.
func decoded(quoted []byte) []byte {
	inside := quoted[1 : len(quoted)-1]
	if utf8.Valid(inside) && !hasEscape(inside) {
		return inside
	}
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		panic("jsonscan: the text is not well-formed: " + err.Error())
	}
	return []byte(text)
}

// Skip moves behind the value that comes next.
func (s *Scanner) Skip() {
	switch s.Next() {
	case '"':
		s.at = StringEnd(s.text, s.at)
	case '{', '[':
		s.skipBrackets()
	default:
		for s.at < len(s.text) && !endsScalar(s.text[s.at]) {
			s.at++
		}
	}
}

func endsScalar(c byte) bool { return c <= ' ' || c == ',' || c == ']' || c == '}' }

func (s *Scanner) skipBrackets() {
	for depth := 0; ; {
		switch s.text[s.at] {
		case '"':
			s.at = StringEnd(s.text, s.at)
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
