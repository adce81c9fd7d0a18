// Package jsonscan provides the helpers for JSON text that the whole project uses, based
// on jsontext. The values that they return may share memory with the input, and a syntax
// error is an [*Error]. Like encoding/json, they accept duplicate names and invalid
// UTF-8. [Repeated] finds duplicate names.
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

// NewDecoder returns a decoder for text. The values that it returns share memory with
// text.
func NewDecoder(text []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// Error is the first syntax error in a JSON text.
type Error struct {
	Line, Column int    // both from 1; Column counts bytes
	Problem      string // such as "unexpected '}'"
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// Check returns an [*Error] unless text is exactly one JSON value.
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

// Member is a member of a JSON object.
type Member struct {
	Name      []byte // decoded
	Value     []byte // undecoded JSON text
	Start, At int    // byte offsets of the name and the value in the text
}

// Members yields the members of an object. It yields no members for any other value. If
// text is not valid JSON, the last pair that it yields holds an [*Error].
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

// checkEnd returns nil if only the last token of text is left in d. Otherwise it returns
// the result of [Check].
func checkEnd(d *jsontext.Decoder, text []byte) error {
	_, err := d.ReadToken()
	if _, end := d.ReadToken(); err == nil && end == io.EOF {
		return nil
	}
	return Check(text)
}

// unquoted decodes a quoted JSON string.
func unquoted(quoted []byte) []byte {
	if len(quoted) >= 2 && bytes.IndexByte(quoted, '\\') < 0 && utf8.Valid(quoted) {
		return quoted[1 : len(quoted)-1]
	}
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return text
}

// Elements yields the elements of an array, and errors as [Members] does.
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

// Step is one step of a path: to a member of an object or to an element of an array.
type Step struct {
	Name    string // of the member
	Index   int    // of the element, if IsIndex is set
	IsIndex bool
}

// Repeated finds the first member whose name already occurs in the same object. Parsers
// handle such members differently (RFC 8259, section 4). It returns the path to the
// member and the byte offset of its name, or a nil path. It stops at the first syntax
// error and at a depth of 10,000 levels.
func Repeated(text []byte) (path []Step, offset int) {
	anyUTF8 := jsontext.AllowInvalidUTF8(true)
	if jsontext.Value(text).IsValid(anyUTF8) {
		return nil, 0 // fast path for nearly all texts: no path is needed
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

// Structure yields the byte offsets of all brackets, braces, commas and colons outside
// strings, each with its character. It does not validate text.
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

// stringEnd returns the offset of the closing quote of the string that begins at start,
// or len(text) if there is none.
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
