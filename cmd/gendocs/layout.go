package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"instruction-catalog/schemas/jsonscan"
)

// detail says how much of a JSON text is shown.
type detail struct {
	text  int // characters of a string
	hash  int // characters of a fingerprint
	list  int // characters of the elements of a list together, but one element always
	depth int // lists and objects in each other, but short ones always
}

var (
	whole = detail{text: 1000, hash: 64, list: 10_000, depth: 100}
	brief = detail{text: 160, hash: 12, list: 400, depth: 4}
)

// omission stands for what is left out.
const omission = "…"

// lineWidth is how long a line may be before what is in it is spread out, in
// characters.
const lineWidth = 100

// node is a JSON value, its members in the order in which they are written.
type node struct {
	scalar   string // of a list or an object its opening bracket
	names    []string
	children []*node
}

// layOut writes JSON for a reader. What is left out leaves a … behind.
func layOut(text []byte, d detail) (string, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	n, err := readNode(dec)
	if err != nil {
		return "", err
	}
	if _, err := dec.Token(); err != io.EOF {
		return "", fmt.Errorf("there is more after the JSON: %w", err)
	}
	var out strings.Builder
	n.writeMessage(&out, d)
	return out.String(), nil
}

func readNode(dec *json.Decoder) (*node, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	bracket, composite := token.(json.Delim)
	if !composite {
		return &node{scalar: string(jsonscan.MustEncode(token))}, nil
	}
	n := &node{scalar: bracket.String()}
	for dec.More() {
		if bracket == '{' {
			name, err := dec.Token()
			if err != nil {
				return nil, err
			}
			n.names = append(n.names, string(jsonscan.MustEncode(name)))
		}
		child, err := readNode(dec)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
	}
	_, err = dec.Token() // the closing bracket
	return n, err
}

func (n *node) composite() bool { return n.scalar == "{" || n.scalar == "[" }

func (n *node) closing() string {
	if n.scalar == "{" {
		return "}"
	}
	return "]"
}

// writeMessage writes a JSON-RPC message: in one line, or with its last member,
// which holds what matters, spread out.
func (n *node) writeMessage(out *strings.Builder, d detail) {
	last := len(n.children) - 1
	if n.scalar != "{" || len([]rune(n.line(d))) <= lineWidth {
		n.write(out, d, 0, "")
		return
	}
	d.depth--
	out.WriteString("{")
	for i, child := range n.children[:last] {
		out.WriteString(n.lead(i) + child.line(d) + ", ")
	}
	out.WriteString(n.lead(last))
	n.children[last].write(out, d, lineWidth, "")
	out.WriteString("}")
}

// write writes the node, which begins at the end of a line that is indented by
// indent and has used so many characters.
func (n *node) write(out *strings.Builder, d detail, used int, indent string) {
	line := n.line(d)
	if !n.composite() || len(n.children) == 0 || used+len([]rune(line)) <= lineWidth || d.depth <= 0 {
		out.WriteString(line)
		return
	}
	inner, deeper := d, indent+"  "
	inner.depth--
	shown := n.shown(inner)
	out.WriteString(n.scalar + "\n")
	for i, child := range n.children[:shown] {
		lead := deeper + n.lead(i)
		out.WriteString(lead)
		child.write(out, inner, len([]rune(lead)), deeper)
		if i < len(n.children)-1 {
			out.WriteString(",")
		}
		out.WriteString("\n")
	}
	if more := len(n.children) - shown; more > 0 {
		fmt.Fprintf(out, "%s%s %d more\n", deeper, omission, more)
	}
	out.WriteString(indent + n.closing())
}

// shown is how many children are shown: of an object all.
func (n *node) shown(d detail) int {
	if n.scalar == "{" {
		return len(n.children)
	}
	used := 0
	for i, child := range n.children {
		used += len([]rune(child.line(d)))
		if i > 0 && used > d.list {
			return i
		}
	}
	return len(n.children)
}

// lead is what is written before a child.
func (n *node) lead(i int) string {
	if n.scalar == "[" {
		return ""
	}
	return n.names[i] + ": "
}

// short is how long a list or an object that lies too deep may be to be shown
// all the same, in characters.
const short = 60

// line is the node in one line.
func (n *node) line(d detail) string {
	if !n.composite() {
		return shorten(n.scalar, d)
	}
	inner := d
	inner.depth--
	shown := n.shown(inner)
	var parts []string
	for i, child := range n.children[:shown] {
		parts = append(parts, n.lead(i)+child.line(inner))
	}
	if more := len(n.children) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("%s %d more", omission, more))
	}
	line := n.scalar + strings.Join(parts, ", ") + n.closing()
	if d.depth <= 0 && len([]rune(line)) > short {
		return n.scalar + omission + n.closing()
	}
	return line
}

var fingerprint = regexp.MustCompile(`^[0-9a-f]{64}$`)

// shorten cuts a long string.
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
