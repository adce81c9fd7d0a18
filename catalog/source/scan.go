package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf16"
	"unicode/utf8"

	"instruction-catalog/catalog"
	"instruction-catalog/schemas/jsonscan"
)

var (
	errSyntax = errors.New("a syntax error")
	errDepth  = errors.New("too deep")
)

// scanner reads JSON (RFC 8259) from data, which must be valid UTF-8. It
// exists because a file is nearly all one long string: encoding/json looks at
// every byte of it three times, this scanner once. What lies below the top
// level is left to encoding/json.
type scanner struct {
	data  []byte
	pos   int
	spare []byte // what does not stand in data as it is read; only appended to
}

func (s *scanner) atEnd() bool { return s.pos >= len(s.data) }

func (s *scanner) skipBlanks() {
	for ; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
		default:
			return
		}
	}
}

// accept skips blanks and then c, if it is there.
func (s *scanner) accept(c byte) bool {
	s.skipBlanks()
	if s.atEnd() || s.data[s.pos] != c {
		return false
	}
	s.pos++
	return true
}

// end checks that nothing but blanks is left.
func (s *scanner) end() error {
	if s.skipBlanks(); !s.atEnd() {
		return errSyntax
	}
	return nil
}

// members calls yield with the name, the offset and the value of each member
// of an object, in order.
func (s *scanner) members(yield func(name string, at int, v value)) error {
	if !s.accept('{') {
		return errSyntax
	}
	if s.accept('}') {
		return nil
	}
	for {
		s.skipBlanks()
		at := s.pos
		name, v, err := s.member()
		if err != nil {
			return err
		}
		yield(name, at, v)
		if s.accept('}') {
			return nil
		}
		if !s.accept(',') {
			return errSyntax
		}
	}
}

func (s *scanner) member() (name string, v value, err error) {
	if name, err = s.name(); err != nil {
		return "", value{}, err
	}
	if !s.accept(':') {
		return "", value{}, errSyntax
	}
	s.skipBlanks()
	v, err = s.value()
	return name, v, err
}

func (s *scanner) value() (value, error) {
	if s.atEnd() {
		return value{}, errSyntax
	}
	switch s.data[s.pos] {
	case '"':
		content, repaired, err := s.string()
		return value{kind: text, text: content, repaired: repaired}, err
	case '[':
		raw, err := s.composite()
		return value{kind: list, text: raw}, err
	case '{':
		raw, err := s.composite()
		return value{kind: object, text: raw}, err
	case 'n':
		return value{}, s.word("null")
	case 't':
		return value{kind: boolean, text: "true"}, s.word("true")
	case 'f':
		return value{kind: boolean, text: "false"}, s.word("false")
	}
	start := s.pos
	end, ok := scanNumber(s.data, start)
	if !ok {
		return value{}, errSyntax
	}
	s.pos = end
	return value{kind: number, text: string(s.data[start:end])}, nil
}

func (s *scanner) word(word string) error {
	if !bytes.HasPrefix(s.data[s.pos:], []byte(word)) {
		return errSyntax
	}
	s.pos += len(word)
	return nil
}

// composite returns the list or the object that begins here, compact.
func (s *scanner) composite() (string, error) {
	start, depth := s.pos, 0
	for ; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		case '"':
			s.skipString()
		case '[', '{':
			if depth++; depth > maxDepth {
				return "", errDepth
			}
		case ']', '}':
			if depth--; depth == 0 {
				s.pos++
				return s.compact(s.data[start:s.pos])
			}
		}
	}
	return "", errSyntax
}

// skipString goes from the opening quote of a string to its closing one, or
// to the end.
func (s *scanner) skipString() {
	for s.pos++; s.pos < len(s.data) && s.data[s.pos] != '"'; s.pos++ {
		if s.data[s.pos] == '\\' {
			s.pos++
		}
	}
}

// compact checks a list or an object and removes its blanks.
func (s *scanner) compact(data []byte) (string, error) {
	start := len(s.spare)
	buf := bytes.NewBuffer(s.spare)
	if err := json.Compact(buf, data); err != nil {
		return "", errSyntax
	}
	s.spare = buf.Bytes()
	return string(s.spare[start:]), nil
}

// string reads a string, and reports whether half a surrogate pair in it had
// to be replaced.
func (s *scanner) string() (content string, repaired bool, err error) {
	bytes, repaired, err := s.bytes()
	return string(bytes), repaired, err
}

// name reads a string that names a member. The names of the contract take no
// memory: they are in every file.
func (s *scanner) name() (string, error) {
	bytes, _, err := s.bytes()
	if name, ok := fieldNames[string(bytes)]; ok {
		return name, err
	}
	return string(bytes), err
}

var fieldNames = func() map[string]string {
	names := map[string]string{}
	for _, f := range catalog.Fields() {
		names[string(f)] = string(f)
	}
	return names
}()

// bytes is string, with another form of the result.
func (s *scanner) bytes() (content []byte, repaired bool, err error) {
	if !s.accept('"') {
		return nil, false, errSyntax
	}
	start := len(s.spare)
	for {
		run := s.plainRun()
		if s.atEnd() {
			return nil, false, errSyntax
		}
		c := s.data[s.pos]
		s.pos++
		switch {
		case c == '"' && len(s.spare) == start:
			return run, repaired, nil
		case c == '"':
			s.spare = append(s.spare, run...)
			return s.spare[start:], repaired, nil
		case c != '\\':
			return nil, false, errSyntax
		}
		s.spare = append(s.spare, run...)
		half, ok := s.escape()
		if !ok {
			return nil, false, errSyntax
		}
		repaired = repaired || half
	}
}

// plainRun reads up to the next byte that does not stand for itself in a string.
func (s *scanner) plainRun() []byte {
	start := s.pos
	for s.pos = jsonscan.Plain(s.data, s.pos); !s.atEnd() && s.data[s.pos] >= utf8.RuneSelf; s.pos = jsonscan.Plain(s.data, s.pos) {
		for !s.atEnd() && s.data[s.pos] >= utf8.RuneSelf {
			s.pos++
		}
	}
	return s.data[start:s.pos]
}

// escape reads what follows a backslash and appends what it means to spare.
// It reports whether that was half a surrogate pair.
func (s *scanner) escape() (half, ok bool) {
	if s.atEnd() {
		return false, false
	}
	c := s.data[s.pos]
	s.pos++
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		return s.unicodeEscape()
	default:
		return false, false
	}
	s.spare = append(s.spare, c)
	return false, true
}

// unicodeEscape reads what follows \u: a code unit, or a surrogate pair of
// which the second half is an escape of its own.
func (s *scanner) unicodeEscape() (half, ok bool) {
	unit, ok := s.hex4()
	if !ok {
		return false, false
	}
	if utf16.IsSurrogate(unit) {
		before := s.pos
		pair := rune(utf8.RuneError)
		if bytes.HasPrefix(s.data[s.pos:], []byte(`\u`)) {
			s.pos += 2
			second, ok := s.hex4()
			if !ok {
				return false, false
			}
			pair = utf16.DecodeRune(unit, second)
		}
		if half = pair == utf8.RuneError; half {
			s.pos = before
		}
		unit = pair
	}
	s.spare = utf8.AppendRune(s.spare, unit)
	return half, true
}

func (s *scanner) hex4() (unit rune, ok bool) {
	if len(s.data)-s.pos < 4 {
		return 0, false
	}
	for _, c := range s.data[s.pos : s.pos+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(c)
	}
	s.pos += 4
	return unit, true
}

// scanNumber returns the end of the number that begins at start.
func scanNumber(data []byte, start int) (end int, ok bool) {
	at := func(c byte) bool { return end < len(data) && data[end] == c }
	digits := func() bool {
		first := end
		for end < len(data) && data[end] >= '0' && data[end] <= '9' {
			end++
		}
		return end > first
	}
	end = start
	if at('-') {
		end++
	}
	if at('0') {
		end++
	} else if !digits() {
		return start, false
	}
	if at('.') {
		if end++; !digits() {
			return start, false
		}
	}
	if at('e') || at('E') {
		if end++; at('+') || at('-') {
			end++
		}
		if !digits() {
			return start, false
		}
	}
	return end, true
}
