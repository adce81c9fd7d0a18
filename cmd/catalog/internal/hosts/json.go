package hosts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// maxDepth is the maximum nesting depth of a configuration. The parser is recursive.
const maxDepth = 1000

// document is a parsed text. Offsets of its values refer to the text.
type document struct {
	text []byte
	root object
}

// object is an object with its position.
type object struct {
	*hujson.Object
	from, to int
}

// member is a member of an object.
type member struct {
	object
	index int
	value hujson.Value
}

func parse(text []byte) (document, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return document{}, errorAt(text, 0, "the file is empty: remove it, or write {} into it")
	}
	if at, tooDeep := nesting(text); tooDeep {
		return document{}, errorAt(text, at, "the file is nested more than %d deep, which is not a configuration", maxDepth)
	}
	value, err := hujson.Parse(text)
	if err != nil {
		// The parser requires a newline after a final line comment.
		if value, other := hujson.Parse(append(text[:len(text):len(text)], '\n')); other == nil {
			return documentOf(text, value)
		}
		return document{}, parserError(text, err)
	}
	return documentOf(text, value)
}

func documentOf(text []byte, value hujson.Value) (document, error) {
	root, ok := asObject(value)
	if !ok {
		return document{}, errorAt(text, value.StartOffset, "the file should hold an object, as {}")
	}
	d := document{text, root}
	return d, d.checkNames(root)
}

func asObject(v hujson.Value) (object, bool) {
	o, ok := v.Value.(*hujson.Object)
	return object{o, v.StartOffset, v.EndOffset}, ok
}

// parserErrors matches an error of the parser. The position is only available in the
// error's text.
var parserErrors = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^hujson: line (\d+), column (\d+): `) })

// parserError rewords an error of the parser.
func parserError(text []byte, err error) error {
	match := parserErrors().FindStringSubmatch(err.Error())
	if match == nil {
		return &Error{Problem: "the file is not JSON"}
	}
	line, _ := strconv.Atoi(match[1])
	column, _ := strconv.Atoi(match[2])
	rest := text
	for range line - 1 {
		rest = rest[bytes.IndexByte(rest, '\n')+1:]
	}
	problem := "the file ends too early"
	if r, size := utf8.DecodeRune(rest[min(column-1, len(rest)):]); size > 0 && !errors.Is(err, io.ErrUnexpectedEOF) {
		problem = fmt.Sprintf("unexpected %q", r)
	}
	return &Error{Line: line, Column: column, Problem: problem}
}

// nesting reports whether a text is nested more than maxDepth deep, and the offset
// where it first is.
func nesting(text []byte) (at int, tooDeep bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				return i, true
			}
		case '}', ']':
			depth--
		case '"':
			i = stringEnd(text, i)
		case '/':
			i = commentEnd(text, i)
		}
	}
	return 0, false
}

// stringEnd returns the offset of the closing quote of the string that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// commentEnd returns the offset of the last byte of the comment that begins at i, or i
// if no comment does.
func commentEnd(text []byte, i int) int {
	rest := text[i:]
	end := ""
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		end = "\n"
	case bytes.HasPrefix(rest, []byte("/*")):
		end = "*/"
	default:
		return i
	}
	n := bytes.Index(rest[2:], []byte(end))
	if n < 0 {
		return len(text)
	}
	return i + 2 + n + len(end) - 1
}

// checkNames returns an error if an object has a duplicate name, because it is unknown
// which of the two members a host reads.
func (d document) checkNames(o object) error {
	seen := map[string]bool{}
	for _, m := range o.Members {
		name := nameOf(m)
		if seen[name] {
			return errorAt(d.text, m.Name.StartOffset, isTwice, name)
		}
		seen[name] = true
	}
	return nil
}

func nameOf(m hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

// find returns the member called name.
func (o object) find(name string) (member, bool) {
	for i, m := range o.Members {
		if nameOf(m) == name {
			return member{o, i, m.Value}, true
		}
	}
	return member{}, false
}

// findObject returns the member called name. It returns an error if the member is not
// an object or has duplicate names.
func (d document) findObject(in object, name string) (m member, o object, found bool, err error) {
	m, found = in.find(name)
	if !found {
		return m, o, false, nil
	}
	o, ok := asObject(m.value)
	if !ok {
		return m, o, false, errorAt(d.text, m.value.StartOffset, "the value of %q should be an object, as {}", name)
	}
	return m, o, true, d.checkNames(o)
}

// serverOf returns the server that an entry starts or reaches.
func (f entryForm) serverOf(entry object) Server {
	s := f.commandOf(entry)
	if at, found := entry.find(f.url.member); found && f.url.member != "" {
		s.URL, _ = stringOf(at.value)
	}
	if headers, found := entry.find("headers"); found {
		o, _ := asObject(headers.value)
		s.TokenEnv = f.url.tokenEnv(o.text("Authorization"))
	}
	return s
}

// text returns the value of the string member called name, or "" if there is no such
// member.
func (o object) text(name string) string {
	if o.Object == nil {
		return ""
	}
	m, _ := o.find(name)
	s, _ := stringOf(m.value)
	return s
}

// commandOf returns the command and arguments of an entry.
func (f entryForm) commandOf(entry object) Server {
	command, _ := entry.find("command")
	if f.joined {
		if list, ok := stringsOf(command.value); ok && len(list) > 0 {
			return Server{Command: list[0], Args: list[1:]}
		}
		return Server{}
	}
	args, _ := entry.find("args")
	list, _ := stringsOf(args.value)
	name, _ := stringOf(command.value)
	return Server{Command: name, Args: list}
}

func stringOf(v hujson.Value) (string, bool) {
	literal, ok := v.Value.(hujson.Literal)
	return literal.String(), ok && literal.Kind() == '"'
}

func stringsOf(v hujson.Value) ([]string, bool) {
	array, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, false
	}
	list := []string{}
	for _, element := range array.Elements {
		s, ok := stringOf(element)
		if !ok {
			return nil, false
		}
		list = append(list, s)
	}
	return list, true
}

// is reports whether v has the value of the property.
func (p property) is(v hujson.Value) bool {
	if want, ok := p.value.([]string); ok {
		got, ok := stringsOf(v)
		return ok && slices.Equal(got, want)
	}
	got, ok := stringOf(v)
	return ok && got == p.value
}
