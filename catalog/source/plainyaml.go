package source

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// parsePlain takes front matter apart that is written as nearly all is, and
// reports false of any other, of which it keeps nothing: a YAML library needs
// half of the time that a Markdown file takes from the disk to an entry. What it
// does read it reads as the library does (YAML 1.2.2); where only that knows what
// a line means, it leaves all of them to it.
//
//	name: a text, or a number
//	name: "a text" # with \" and \\ for escapes; or 'a text'; no comment
//	name: [text, "text"]
//	name:
//	  - text
//	# a comment on a line of its own
func (d *document) parsePlain(front []byte) bool {
	r := plainReader{rest: front, line: frontLine - 1}
	for r.next() {
		if len(r.text) == 0 || r.text[0] == '#' {
			continue
		}
		name, written, ok := cutName(r.text)
		if !ok {
			break
		}
		line := r.line
		v, ok := r.value(written)
		if !ok || r.continues() {
			break
		}
		d.fields = append(d.fields, field{name, v, line})
	}
	if !r.ended {
		clear(d.fields)
		d.fields = d.fields[:0]
	}
	return r.ended
}

// plainReader goes through the lines of front matter.
type plainReader struct {
	rest  []byte
	text  []byte // of the present line, without what ends it
	line  int    // of the file, from 1
	ended bool   // there is no further line, and all of them could be read
}

// next goes on to the next line, if it is one of usual characters.
func (r *plainReader) next() bool {
	if len(r.rest) == 0 {
		r.ended = true
		return false
	}
	line, rest := cutLine(r.rest)
	text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
	if !usual(text) {
		return false
	}
	r.text, r.rest = text, rest
	r.line++
	return true
}

// unusual are the line and paragraph separators, the byte order mark, and what is
// no character.
var unusual = []rune{'\u2028', '\u2029', '\uFEFF', '\uFFFE', '\uFFFF'}

// usual reports whether a text has no control characters, which YAML refuses or
// takes for the end of a line, and no others that it might.
func usual(text []byte) bool {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if c < ' ' || c == 0x7F {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if size == 1 || r < 0xA0 || slices.Contains(unusual, r) {
			return false
		}
		i += size
	}
	return true
}

// cutName cuts a line behind the name that it begins with.
func cutName(line []byte) (name string, value []byte, ok bool) {
	const longest = 100 // of a name that YAML tells from a text by looking ahead, much more
	end := 0
	for end < len(line) && isNameByte(line[end]) {
		end++
	}
	if end == 0 || end > longest || end == len(line) || line[end] != ':' || !isLetter(line[0]) {
		return "", nil, false
	}
	value = line[end+1:]
	if len(value) > 0 && value[0] != ' ' || string(line[:end]) == "body" {
		return "", nil, false
	}
	return string(line[:end]), bytes.Trim(value, " "), true
}

func isNameByte(c byte) bool { return strings.IndexByte(nameCharacters, c) >= 0 }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// value reads what stands behind a name, and the lines of a list that may follow.
func (r *plainReader) value(written []byte) (value, bool) {
	switch {
	case len(written) == 0:
		return r.block()
	case written[0] == '[':
		return flowList(written)
	case isDigit(written[0]):
		return digits(written)
	}
	content, ok := plainText(written)
	return value{kind: text, text: content}, ok
}

// continues reports whether what follows may belong to the value that was read.
func (r *plainReader) continues() bool {
	rest := bytes.TrimLeft(r.rest, "\r\n")
	return len(rest) > 0 && !isLetter(rest[0]) && rest[0] != '#'
}

// block reads the list on the lines that follow, or null where a name does.
func (r *plainReader) block() (value, bool) {
	if len(r.rest) == 0 || isLetter(r.rest[0]) {
		return value{}, true
	}
	indent := len(r.rest) - len(bytes.TrimLeft(r.rest, " "))
	bullet := string(r.rest[:indent]) + "- "
	var items []byte
	for bytes.HasPrefix(r.rest, []byte(bullet)) {
		if !r.next() {
			return value{}, false
		}
		var ok bool
		if items, ok = appendItem(items, bytes.Trim(r.text[len(bullet):], " ")); !ok {
			return value{}, false
		}
	}
	return listOf(items), len(items) > 0
}

// flowList reads a list in brackets.
func flowList(written []byte) (value, bool) {
	last := len(written) - 1
	if last < 1 || written[last] != ']' {
		return value{}, false
	}
	inner := bytes.Trim(written[1:last], " ")
	if bytes.ContainsAny(inner, "[]{}:#") {
		return value{}, false
	}
	var items []byte
	for len(inner) > 0 {
		item, rest, more := bytes.Cut(inner, []byte{','})
		var ok bool
		if items, ok = appendItem(items, bytes.Trim(item, " ")); !ok || more && len(rest) == 0 {
			return value{}, false
		}
		inner = rest
	}
	return listOf(items), true
}

// appendItem appends an item of a list as JSON, with a comma before it. What JSON
// would have to escape is left to the library.
func appendItem(items, item []byte) ([]byte, bool) {
	content, ok := plainText(item)
	if !ok || strings.ContainsAny(content, `"\`) {
		return items, false
	}
	return append(append(append(items, ',', '"'), content...), '"'), true
}

// listOf makes a list of the items.
func listOf(items []byte) value {
	return value{kind: list, text: "[" + strings.TrimPrefix(string(items), ",") + "]"}
}

// plainText reads a text with or without quotes.
func plainText(written []byte) (string, bool) {
	last := len(written) - 1
	switch {
	case last < 0:
		return "", false
	case written[0] == '"' && last > 0 && written[last] == '"':
		return unquoted(written[1:last])
	case written[0] == '\'' && last > 0 && written[last] == '\'':
		return string(written[1:last]), bytes.IndexByte(written[1:last], '\'') < 0
	}
	return string(written), (isLetter(written[0]) || written[0] >= utf8.RuneSelf) && !mayMeanMore(written)
}

// unquoted reads what stands in double quotes.
func unquoted(inner []byte) (string, bool) {
	if bytes.IndexByte(inner, '"') < 0 && bytes.IndexByte(inner, '\\') < 0 {
		return string(inner), true
	}
	content := make([]byte, 0, len(inner))
	for i := 0; i < len(inner); i++ {
		switch inner[i] {
		case '"':
			return "", false
		case '\\':
			if i++; i == len(inner) || inner[i] != '"' && inner[i] != '\\' {
				return "", false
			}
		}
		content = append(content, inner[i])
	}
	return string(content), true
}

// ambiguous are the texts that stand for something else than themselves, in one
// of the versions of YAML and in lower case.
var ambiguous = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// mayMeanMore reports whether a text without quotes might be something else.
func mayMeanMore(written []byte) bool {
	if len(written) <= len("false") && slices.Contains(ambiguous, strings.ToLower(string(written))) {
		return true
	}
	return written[len(written)-1] == ':' || bytes.Contains(written, []byte(": ")) || bytes.Contains(written, []byte(" #"))
}

// digits reads what begins with a digit: a number of the plainest form, or a
// text: a date, alone or with a time, or a version of three numbers.
func digits(written []byte) (value, bool) {
	v := value{kind: number, text: string(written)}
	if isDate(written) || isVersion(written) {
		v.kind = text
		return v, true
	}
	whole, fraction, found := bytes.Cut(written, []byte{'.'})
	const most = 9
	ok := allDigits(whole) && len(whole) <= most && (whole[0] != '0' || len(whole) == 1)
	return v, ok && (!found || allDigits(fraction) && len(fraction) <= most)
}

func allDigits(s []byte) bool { return len(s) > 0 && len(bytes.Trim(s, "0123456789")) == 0 }

func isVersion(s []byte) bool {
	numbers := 0
	for number := range bytes.SplitSeq(s, []byte{'.'}) {
		if !allDigits(number) {
			return false
		}
		numbers++
	}
	return numbers == 3
}

// isDate reports whether a text is a date, or one with a time behind a T.
func isDate(s []byte) bool {
	const date = "2006-01-02"
	if len(s) < len(date) {
		return false
	}
	for i := range date {
		if isDigit(date[i]) != isDigit(s[i]) || !isDigit(s[i]) && s[i] != '-' {
			return false
		}
	}
	time, last := s[len(date):], s[len(s)-1]
	return len(time) == 0 ||
		time[0] == 'T' && (isDigit(last) || last == 'Z') && len(bytes.Trim(time[1:], "0123456789:.+-Z")) == 0
}
