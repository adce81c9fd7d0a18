// Package jsonscan holds the few helpers on JSON text that all rooms share. They
// read with jsontext, share the memory of the text that they are given, and report
// faults in words of our own. As encoding/json does, they accept repeated names and
// bytes that are not UTF-8; [Repeated] finds the former.
package jsonscan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// NewDecoder returns a decoder of text. Values that it returns are part of text.
func NewDecoder(text []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// Error is the first fault of a JSON text.
type Error struct {
	Line, Column int    // from 1, the column in bytes
	Problem      string // such as "unexpected '}'"
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// Check returns an [*Error] unless text is one JSON value.
func Check(text []byte) error {
	d := NewDecoder(text)
	_, err := d.ReadValue()
	syntactic, _ := errors.AsType[*jsontext.SyntacticError](err)
	at := 0
	switch {
	case err == nil:
		at = int(d.InputOffset())
		at += len(text[at:]) - len(bytes.TrimLeft(text[at:], blanks))
		if at == len(text) {
			return nil
		}
	case syntactic == nil || errors.Is(err, io.ErrUnexpectedEOF):
		return errorAt(text, len(bytes.TrimRight(text, blanks)), "it ends too early")
	default:
		at = int(syntactic.ByteOffset)
	}
	r, _ := utf8.DecodeRune(text[at:])
	return errorAt(text, at, fmt.Sprintf("unexpected %q", r))
}

const blanks = " \t\r\n"

func errorAt(text []byte, at int, problem string) *Error {
	before := text[:at]
	return &Error{1 + bytes.Count(before, []byte("\n")), at - bytes.LastIndexByte(before, '\n'), problem}
}

// Member is a member of an object.
type Member struct {
	Name      []byte // decoded
	Value     []byte // as it is written
	Start, At int    // the offsets of name and value in the text
}

// Members yields the members of an object, none of any other value. An [*Error] is
// the last that it yields if text is not JSON.
func Members(text []byte) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		d := NewDecoder(text)
		if jsontext.Value(text).Kind() == '{' {
			_, err := d.ReadToken()
			for err == nil && d.PeekKind() == '"' {
				name, _ := d.ReadValue()
				m := Member{Name: unquoted(name), Start: int(d.InputOffset()) - len(name)}
				if m.Value, err = d.ReadValue(); err == nil {
					m.Value, m.At = slices.Clip(m.Value), int(d.InputOffset())-len(m.Value)
					if !yield(m, nil) {
						return
					}
				}
			}
		}
		if err := checkEnd(d, text); err != nil {
			yield(Member{}, err)
		}
	}
}

// checkEnd returns what [Check] does of a text whose decoder has read all but the last
// token, or else nothing.
func checkEnd(d *jsontext.Decoder, text []byte) error {
	_, err := d.ReadToken()
	if _, end := d.ReadToken(); err == nil && end == io.EOF {
		return nil
	}
	return Check(text)
}

// unquoted returns the text of a string.
func unquoted(quoted []byte) []byte {
	if len(quoted) >= 2 && bytes.IndexByte(quoted, '\\') < 0 && utf8.Valid(quoted) {
		return quoted[1 : len(quoted)-1]
	}
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return text
}

// Elements yields the elements of an array as [Members] does those of an object.
func Elements(text []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		d := NewDecoder(text)
		if jsontext.Value(text).Kind() == '[' {
			_, err := d.ReadToken()
			for err == nil && d.PeekKind() != ']' {
				var element []byte
				if element, err = d.ReadValue(); err == nil && !yield(slices.Clip(element), nil) {
					return
				}
			}
		}
		if err := checkEnd(d, text); err != nil {
			yield(nil, err)
		}
	}
}

// Step leads from an object to a member of it, or from an array to an element.
type Step struct {
	Name    string // of the member
	Index   int    // of the element
	IsIndex bool
}

// Repeated finds the first member whose object has one of that name before it, which
// every reader counts in its own way (RFC 8259, section 4). It returns the path to
// the member and the offset of its name, or nil. It looks no further than the first
// fault in the text, and 10,000 levels deep.
func Repeated(text []byte) (path []Step, offset int) {
	anyUTF8 := jsontext.AllowInvalidUTF8(true)
	if jsontext.Value(text).IsValid(anyUTF8) {
		return nil, 0 // nearly always, and without the path
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(text), anyUTF8)
	var err error
	for err == nil {
		_, err = d.ReadToken()
	}
	repeated, _ := errors.AsType[*jsontext.SyntacticError](err)
	if !errors.Is(err, jsontext.ErrDuplicateName) {
		return nil, 0
	}
	for name := range repeated.JSONPointer.Tokens() {
		step := Step{Name: name}
		if kind, _ := d.StackIndex(len(path) + 1); kind == '[' {
			index, _ := strconv.Atoi(name)
			step = Step{Index: index, IsIndex: true}
		}
		path = append(path, step)
	}
	return path, int(repeated.ByteOffset)
}

// Structure yields the brackets, braces, commas and colons of a JSON text outside its
// strings, and their offsets. It does not check the text.
func Structure(text []byte) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		for at := 0; at < len(text); at++ {
			switch c := text[at]; c {
			case '"':
				at = stringEnd(text, at)
			case '{', '}', '[', ']', ',', ':':
				if !yield(at, c) {
					return
				}
			}
		}
	}
}

// stringEnd returns the offset of the quote that ends the string which begins at start.
func stringEnd(text []byte, start int) int {
	for at := start + 1; at < len(text); at++ {
		next := bytes.IndexByte(text[at:], '"')
		if next < 0 {
			break
		}
		at += next
		inside := text[start+1 : at]
		if escapes := len(inside) - len(bytes.TrimRight(inside, `\`)); escapes%2 == 0 {
			return at
		}
	}
	return len(text)
}
