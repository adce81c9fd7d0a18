package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"instruction-catalog/schemas/jsonscan"
)

// detail limits how much of a JSON text is shown. Numbers are in characters, except for
// depth.
type detail struct {
	text  int // characters of a string
	hash  int // characters of a fingerprint
	list  int // characters of all elements of a list together; the first element is always shown
	depth int // levels of nested lists and objects; short ones are always shown
}

var (
	whole = detail{text: 1000, hash: 64, list: 10_000, depth: 100}
	brief = detail{text: 160, hash: 12, list: 400, depth: 4}
)

// omission replaces text that is left out.
const omission = "…"

// lineWidth is the maximum length of a line, in characters, before it is split.
const lineWidth = 100

// short is the maximum length, in characters, of a list or object that is shown below
// the depth limit.
const short = 60

// node is a JSON value that keeps the order of members.
type node struct {
	lead     string // text before the value: the name of a member
	text     string // the scalar, or the opening bracket of a list or object
	closing  string // the closing bracket; "" for a scalar
	children []*node
}

// layOut formats JSON for reading. It replaces what is left out with "…".
func layOut(text []byte, d detail) (string, error) {
	if err := jsonscan.Check(text); err != nil {
		return "", err
	}
	return newNode(bytes.TrimSpace(text)).message(d), nil
}

// newNode returns the node of a valid JSON text.
func newNode(text []byte) *node {
	n := &node{text: string(text)}
	switch text[0] {
	case '{':
		n.text, n.closing = "{", "}"
		for m := range jsonscan.Members(text) {
			child := newNode(m.Value)
			child.lead = string(jsonscan.MustEncode(string(m.Name))) + ": "
			n.children = append(n.children, child)
		}
	case '[':
		n.text, n.closing = "[", "]"
		for element := range jsonscan.Elements(text) {
			n.children = append(n.children, newNode(element))
		}
	}
	return n
}

// message formats a JSON-RPC message. If it does not fit on one line, only its last
// member, the params or the result, is split into lines.
func (n *node) message(d detail) string {
	if n.text != "{" || fits(n.line(d), lineWidth) {
		return n.spread(d, 0, "")
	}
	d.depth--
	text, last := "{", len(n.children)-1
	for _, child := range n.children[:last] {
		text += child.lead + child.line(d) + ", "
	}
	return text + n.children[last].lead + n.children[last].spread(d, lineWidth, "") + "}"
}

func fits(text string, characters int) bool { return utf8.RuneCountInString(text) <= characters }

// spread formats the node on several lines if it does not fit on the rest of its line.
// used is the number of characters that precede the node on that line, and indent is
// the line's indentation.
func (n *node) spread(d detail, used int, indent string) string {
	line := n.line(d)
	if n.closing == "" || len(n.children) == 0 || fits(line, lineWidth-used) || d.depth <= 0 {
		return line
	}
	d.depth--
	deeper := indent + "  "
	rows := n.shown(d, func(child *node) string {
		return child.lead + child.spread(d, utf8.RuneCountInString(deeper+child.lead), deeper)
	})
	return n.text + "\n" + deeper + strings.Join(rows, ",\n"+deeper) + "\n" + indent + n.closing
}

// shown formats the children with show. Beyond the limit of a list it stops and adds
// the number of omitted elements.
func (n *node) shown(d detail, show func(*node) string) (all []string) {
	used := 0
	for i, child := range n.children {
		if n.text == "[" {
			used += utf8.RuneCountInString(child.line(d))
		}
		if i > 0 && used > d.list {
			return append(all, fmt.Sprintf("%s %d more", omission, len(n.children)-i))
		}
		all = append(all, show(child))
	}
	return all
}

// line formats the node on one line.
func (n *node) line(d detail) string {
	if n.closing == "" {
		return shorten(n.text, d)
	}
	inner := d
	inner.depth--
	line := n.text + strings.Join(n.shown(inner, func(child *node) string { return child.lead + child.line(inner) }), ", ") + n.closing
	if d.depth <= 0 && !fits(line, short) {
		return n.text + omission + n.closing
	}
	return line
}

var fingerprint = regexp.MustCompile(`^[0-9a-f]{64}$`)

// shorten shortens a string that is longer than the limit. Other scalars are returned
// unchanged.
func shorten(scalar string, d detail) string {
	var text string
	if err := json.Unmarshal([]byte(scalar), &text); err != nil {
		return scalar // a number, a boolean or null
	}
	limit := d.text
	if fingerprint.MatchString(text) {
		limit = d.hash
	}
	runes := []rune(text)
	if len(runes) <= limit {
		return scalar
	}
	return string(jsonscan.MustEncode(string(runes[:limit]) + omission))
}
