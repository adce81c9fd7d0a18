package markdown

import (
	"slices"
	"strings"
)

// plainFront reads front matter of the plain kind that most notes have, a dozen
// times as fast as the library: lines "name: value", lists of plain words in
// brackets or on lines of their own, comments. Ok is false for everything else,
// which the library then reads.
type plainFront struct {
	frontMatter
	names  []string
	name   string // of the field that the items of a list belong to, "" for none
	indent int    // of those items, -1 before the first
}

func readPlainFront(file []byte, span Span) (front frontMatter, ok bool) {
	p := plainFront{}
	at := span.Start
	for line := range strings.Lines(string(span.Of(file))) {
		if !p.line(strings.TrimRight(line, " \r\n"), at) {
			return frontMatter{}, false
		}
		at += len(line)
	}
	return p.frontMatter, true
}

func (p *plainFront) line(line string, at int) bool {
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	if item, ok := strings.CutPrefix(text, "- "); ok {
		return p.item(strings.TrimLeft(item, " "), indent)
	}
	if text == "" || indent == 0 && text[0] == '#' && isASCII(text) {
		return true
	}
	name, value, ok := strings.Cut(text, ":")
	if !ok || indent > 0 || !isWord(name) || slices.Contains(p.names, name) || value != "" && value[0] != ' ' {
		return false
	}
	p.names = append(p.names, name)
	p.name, p.indent = "", -1
	value = strings.TrimLeft(value, " ")
	if value == "" {
		p.name = name
		return true
	}
	return p.field(name, value, at+len(line)-len(value))
}

// item takes up an item of a list.
func (p *plainFront) item(text string, indent int) bool {
	value, ok := plainValue(text)
	if p.name == "" || !ok || p.indent >= 0 && indent != p.indent {
		return false
	}
	p.indent = indent
	p.tag(p.name, value, text)
	return true
}

// field takes up a field with a value on its line.
func (p *plainFront) field(name, text string, at int) bool {
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		return p.list(name, text[1:len(text)-1])
	}
	value, ok := plainValue(text)
	if ok && name == "title" && !isNull(text) {
		p.title, p.titleStart = notBlank(value), at
	}
	p.tag(name, value, text)
	return ok
}

func (p *plainFront) list(name, inner string) bool {
	if strings.TrimSpace(inner) == "" {
		return inner == ""
	}
	for item := range strings.SplitSeq(inner, ",") {
		item = strings.TrimSpace(item)
		value, ok := plainValue(item)
		if !ok || strings.ContainsAny(value, ":") {
			return false
		}
		p.tag(name, value, item)
	}
	return true
}

func (p *plainFront) tag(name, value, text string) {
	if name == "tags" && !isNull(text) {
		p.tags = append(p.tags, value)
	}
}

func isNull(text string) bool { return text == "null" || text == "Null" || text == "NULL" }

// plainValue returns the value of a scalar that can mean nothing else: one that
// begins with a letter or a digit, or has quotation marks around it.
func plainValue(text string) (string, bool) {
	if len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
		inner := text[1 : len(text)-1]
		return inner, !strings.ContainsAny(inner, `"\[`) && isASCII(inner)
	}
	if text == "" || !isLetter(text[0]) {
		return "", false
	}
	for i := range len(text) {
		c := text[i]
		last := i == len(text)-1
		if !isLetter(c) && !strings.ContainsRune(" _./-", rune(c)) && (c != ':' || last || text[i+1] == ' ') {
			return "", false
		}
	}
	return text, true
}

func isWord(text string) bool {
	return text != "" && isLetter(text[0]) && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

// isASCII reports whether a text has visible characters of ASCII, and blanks, only.
func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}
