package jsonscan

import (
	"bytes"
	"encoding/json"
	"iter"
)

// Scanner walks over a JSON text. Whoever meets a value reads it or skips it, and
// with that stands behind it. From the first fault on there is nothing more in
// the text; [Scanner.End] tells whether there was one.
type Scanner struct {
	text []byte
	at   int // the next byte; beyond the text after a fault

	depth, deepest int // of arrays and objects
	values, names  int
	entered        bool // the array or object, and met nothing in it yet
}

// New returns a scanner that stands before the value that text holds. The text
// must not change while what the scanner returned is in use.
func New(text []byte) *Scanner { return &Scanner{text: text, values: 1} }

// Offset returns how many bytes have been read.
func (s *Scanner) Offset() int { return s.at }

// Depth returns how deep the arrays and objects that were met are nested, 0
// for a scalar.
func (s *Scanner) Depth() int { return s.deepest }

// Values returns how many values there were at most, at all levels together: an
// empty array counts as if it had an element.
func (s *Scanner) Values() int { return s.values }

// Names returns how many members there were in the objects, at all levels together.
func (s *Scanner) Names() int { return s.names }

// End reports whether the text was one JSON value, which has been read.
func (s *Scanner) End() bool { return s.Next() == 0 && s.at == len(s.text) && len(s.text) > 0 }

// Next returns the first byte of the next value, 0 where there is none.
func (s *Scanner) Next() byte {
	for s.at < len(s.text) && s.text[s.at] <= ' ' && isBlank(s.text[s.at]) {
		s.at++
	}
	return s.byte(s.at)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// byte returns the byte at i, 0 past the end: the grammar has no place for a 0.
func (s *Scanner) byte(i int) byte {
	if i < len(s.text) {
		return s.text[i]
	}
	return 0
}

// fault gives up the rest of the text.
func (s *Scanner) fault() bool {
	s.at = len(s.text) + 1
	return false
}

// Enter enters the array or object that begins with this bracket, and reports
// whether that comes next. What is in it is then met one after the other:
//
//	for s.Enter('{'); s.More('}'); {
//		name := s.Name()
//		value := s.Raw()
//	}
func (s *Scanner) Enter(opening byte) bool {
	if s.Next() != opening {
		return s.fault()
	}
	s.at++
	s.values++
	s.depth++
	s.deepest = max(s.deepest, s.depth)
	s.entered = true
	return true
}

// More reports whether there is another member or element before the closing
// bracket, and stands before it or behind the bracket.
func (s *Scanner) More(closing byte) bool {
	first := s.entered
	s.entered = false
	switch c := s.Next(); {
	case c == closing:
		s.at++
		s.depth--
		return false
	case first:
		return c != 0 || s.fault()
	case c == ',':
		s.at++
		s.values++
		return true
	}
	return s.fault()
}

// Name reads the name of a member and the colon, and returns the name decoded.
func (s *Scanner) Name() []byte {
	name := s.decoded(s.Literal())
	if name == nil || s.Next() != ':' {
		s.fault()
		return nil
	}
	s.at++
	s.names++
	return name
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
		for s.Enter('{'); s.More('}'); {
			if name := s.Name(); name == nil || !yield(name) {
				return
			}
		}
	}
}

// Elements goes through an array as [Scanner.Members] does through an object.
func (s *Scanner) Elements() iter.Seq[int] {
	return func(yield func(int) bool) {
		if s.Next() != '[' {
			s.Skip()
			return
		}
		s.Enter('[')
		for i := 0; s.More(']'); i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// Raw returns the text of the value that comes next, nil after a fault. It shares
// the memory of the whole.
func (s *Scanner) Raw() json.RawMessage {
	s.Next()
	start := s.at
	s.Skip()
	if s.at > len(s.text) {
		return nil
	}
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
	return s.decoded(s.Literal())
}

// decoded returns what a string stands for that has been read just now.
func (s *Scanner) decoded(inside []byte, plain bool) []byte {
	if plain || inside == nil {
		return inside
	}
	text, _ := Unquote(s.text[s.at-len(inside)-len(`""`) : s.at])
	return []byte(text)
}

// Skip moves behind the value that comes next. However deep that is nested, it
// takes no stack.
func (s *Scanner) Skip() {
	within := make([]byte, 0, 32) // the closing brackets of what has been entered
	for {
		if c := s.Next(); c == '{' || c == '[' {
			s.Enter(c)
			within = append(within, c+2) // as ASCII has it
		} else {
			s.skipScalar(c)
		}
		for len(within) > 0 && !s.More(within[len(within)-1]) {
			within = within[:len(within)-1]
		}
		if len(within) == 0 {
			return
		}
		if within[len(within)-1] == '}' {
			s.skipName()
		}
	}
}

func (s *Scanner) skipName() {
	if s.Literal(); s.Next() != ':' {
		s.fault()
		return
	}
	s.at++
	s.names++
}

func (s *Scanner) skipScalar(first byte) {
	switch first {
	case '"':
		s.skipString()
	case 't':
		s.skipWord("true")
	case 'f':
		s.skipWord("false")
	case 'n':
		s.skipWord("null")
	default:
		s.skipNumber()
	}
}

func (s *Scanner) skipWord(word string) {
	if !bytes.HasPrefix(s.text[s.at:], []byte(word)) {
		s.fault()
		return
	}
	s.at += len(word)
}

func (s *Scanner) skipNumber() {
	if s.byte(s.at) == '-' {
		s.at++
	}
	if s.byte(s.at) == '0' {
		s.at++
	} else {
		s.skipDigits()
	}
	if s.byte(s.at) == '.' {
		s.at++
		s.skipDigits()
	}
	if c := s.byte(s.at); c != 'e' && c != 'E' {
		return
	}
	s.at++
	if c := s.byte(s.at); c == '+' || c == '-' {
		s.at++
	}
	s.skipDigits()
}

// skipDigits skips one digit or more.
func (s *Scanner) skipDigits() {
	if !isDigit(s.byte(s.at)) {
		s.fault()
		return
	}
	for isDigit(s.byte(s.at)) {
		s.at++
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
