package frontmatter

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// ErrUnreadable reports that the front matter is not a YAML mapping, or that the value
// cannot be changed without changing something else. The error that wraps it says why.
var ErrUnreadable = errors.New("the front matter cannot be changed without damage: correct it in an editor")

func unreadable(reason string, args ...any) error {
	return fmt.Errorf("%w (%s)", ErrUnreadable, fmt.Sprintf(reason, args...))
}

// SetText returns the front matter (the text between the lines "---") with text as the
// value of a field. It adds the field if it is missing. New lines end like the first line
// of front, or in newline if front has no line end. The error wraps [ErrUnreadable].
func SetText(front []byte, newline, name, text string) ([]byte, error) {
	return set(front, newline, name, []string{text}, func(e editor, key, value *yaml.Node) [][]byte {
		return [][]byte{e.replace(key, value, quoteLike(value, text))}
	}, quote(text))
}

// SetList is like [SetText] for a list of texts. If possible, it preserves the form of the
// list and of the items that remain.
func SetList(front []byte, newline, name string, items []string) ([]byte, error) {
	return set(front, newline, name, items, func(e editor, key, value *yaml.Node) [][]byte {
		attempts := [][]byte{e.replace(key, value, flow(items)), e.lift(key, value, flow(items))}
		if value.Kind == yaml.SequenceNode && len(value.Content) > 0 && len(items) > 0 {
			attempts = append([][]byte{e.items(key, value, items)}, attempts...)
		}
		return attempts
	}, flow(items))
}

// Texts returns the text of a field, or its items if it is a list. It returns an error if
// the field is missing.
func Texts(front []byte, name string) ([]string, error) {
	root, err := parse(front)
	if err != nil {
		return nil, err
	}
	key, value := field(root, name)
	if key == nil {
		return nil, unreadable("it has no %s", name)
	}
	return texts(value), nil
}

// Unset returns the front matter without the lines of a field. If the field is missing, it
// returns front unchanged.
func Unset(front []byte, name string) ([]byte, error) {
	root, err := parse(front)
	if err != nil {
		return nil, err
	}
	key, value := field(root, name)
	if key == nil {
		return front, nil
	}
	e := editor{NewText(front), ""}
	start, end := e.Start(key), e.end(value)
	if value.Kind == yaml.ScalarNode && value.Value == "" && value.Style&quoted == 0 {
		end = e.afterColon(key)
	}
	if start >= 0 && end >= start {
		text := e.splice(e.lineStart(start), e.lineEnd(end), "")
		if now, err := parse(text); err == nil && slices.EqualFunc(others(root, key), others(now, nil), alike) {
			return text, nil
		}
	}
	return nil, unreadable("the value of %s has a form that is not understood", name)
}

// set adds a field, or tries several ways to change its value. It returns the first result
// that reads back correctly.
func set(front []byte, newline, name string, want []string, change func(e editor, key, value *yaml.Node) [][]byte, written string) ([]byte, error) {
	root, err := parse(front)
	if err != nil {
		return nil, err
	}
	e := editor{NewText(front), newline}
	if at := bytes.IndexByte(front, '\n'); at >= 0 {
		e.newline = "\n"
		if at > 0 && front[at-1] == '\r' {
			e.newline = "\r\n"
		}
	}
	var attempts [][]byte
	switch key, value := field(root, name); {
	case key == nil:
		attempts = [][]byte{e.add(root, quote(name)+": "+written)}
	case value.Kind == yaml.ScalarNode && value.Value == "" && value.Style&quoted == 0:
		attempts = [][]byte{e.fill(key, written), e.replace(key, value, written)}
	default:
		attempts = change(e, key, value)
	}
	for _, text := range attempts {
		if text != nil && readsBack(root, text, name, want) {
			return text, nil
		}
	}
	return nil, unreadable("the value of %s has a form that is not understood", name)
}

// parse returns the mapping node of the front matter, or nil if it has no fields.
func parse(front []byte) (*yaml.Node, error) {
	if len(front) > MaxSize {
		return nil, unreadable("it has %d bytes, and only 64 KiB are read", len(front))
	}
	root, err := Parse(front)
	if e, ok := errors.AsType[*Error](err); ok {
		return nil, unreadable("line %d: %s", e.Line, e.Err)
	}
	return root, nil
}

// field returns the nodes of a field, or nil if it is missing. If the field occurs several
// times, field returns the first occurrence, which is also the one that readers use.
func field(root *yaml.Node, name string) (key, value *yaml.Node) {
	if root == nil {
		return nil, nil
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if key := root.Content[i]; key.Kind == yaml.ScalarNode && key.Value == name {
			return key, root.Content[i+1]
		}
	}
	return nil, nil
}

// readsBack reports whether the field called name in text has the values in want, and every
// other field is the same as in old.
func readsBack(old *yaml.Node, text []byte, name string, want []string) bool {
	root, err := parse(text)
	if err != nil || root == nil {
		return false
	}
	key, value := field(root, name)
	if key == nil || !slices.Equal(texts(value), want) {
		return false
	}
	if oldKey, _ := field(old, name); oldKey == nil {
		return slices.EqualFunc(others(old, nil), others(root, key), alike)
	} else {
		return slices.EqualFunc(others(old, oldKey), others(root, key), alike)
	}
}

// texts returns the text of a scalar, or the texts of the scalars in a list, without nulls.
func texts(value *yaml.Node) []string {
	nodes := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		nodes = value.Content
	}
	found := []string{}
	for _, n := range nodes {
		n = Resolve(n)
		if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
			continue
		}
		found = append(found, n.Value)
	}
	return found
}

// others returns the nodes of all fields except the one with the given key node.
func others(root, key *yaml.Node) (nodes []*yaml.Node) {
	if root == nil {
		return nil
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i] != key {
			nodes = append(nodes, root.Content[i], root.Content[i+1])
		}
	}
	return nodes
}

// alike reports whether two nodes are equal, apart from their positions and comments.
func alike(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Style == b.Style && a.Tag == b.Tag && a.Value == b.Value && a.Anchor == b.Anchor &&
		slices.EqualFunc(a.Content, b.Content, alike)
}

// editor creates edited versions of front matter.
type editor struct {
	*Text
	newline string
}

func (e editor) splice(start, end int, text string) []byte {
	return slices.Concat(e.front[:start], []byte(text), e.front[end:])
}

// replace replaces a value with text. If the value begins on a line below its name, text
// goes on the line of the name.
func (e editor) replace(key, value *yaml.Node, text string) []byte {
	start, end := e.Start(value), e.end(value)
	if start < 0 || end < start {
		return nil
	}
	if colon := e.afterColon(key); colon >= 0 && colon <= start && len(bytes.TrimSpace(e.front[colon:start])) == 0 &&
		bytes.ContainsRune(e.front[colon:start], '\n') {
		return e.splice(colon, end, " "+text)
	}
	return e.splice(start, end, text)
}

// lift replaces a value that begins below the line of its name. It writes text after the
// name, before any comment on that line, and removes the lines of the value.
func (e editor) lift(key, value *yaml.Node, text string) []byte {
	colon, start, end := e.afterColon(key), e.Start(value), e.end(value)
	if colon < 0 || start < colon || end < start || !bytes.ContainsRune(e.front[colon:start], '\n') {
		return nil
	}
	return slices.Concat(e.front[:colon], []byte(" "+text), e.front[colon:e.lineStart(start)], e.front[e.lineEnd(end):])
}

// fill writes text as the value of a name that has no value.
func (e editor) fill(key *yaml.Node, text string) []byte {
	at := e.afterColon(key)
	if at < 0 {
		return nil
	}
	return e.splice(at, at, " "+text)
}

// add adds a field after the others, or as the first one if the mapping is in braces.
func (e editor) add(root *yaml.Node, line string) []byte {
	switch {
	case root == nil:
		return e.append(line)
	case root.Style&yaml.FlowStyle != 0:
		at := e.Start(root) + 1
		if len(root.Content) > 0 {
			line += ", "
		}
		return e.splice(at, at, line)
	}
	return e.append(strings.Repeat(" ", root.Column-1) + line)
}

func (e editor) append(line string) []byte {
	text := e.front
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		line = e.newline + line
	}
	return append(slices.Clip(text), line+e.newline...)
}

// items changes a list item by item. The items that remain and the text between them keep
// their bytes.
func (e editor) items(key, list *yaml.Node, items []string) []byte {
	if list.Style&yaml.FlowStyle != 0 {
		return e.flowItems(key, list, items)
	}
	lines := e.itemLines(list)
	if lines == nil {
		return nil
	}
	begin := e.front[lines[0][0]:]
	dash := bytes.IndexByte(begin, '-')
	if dash < 0 {
		return nil
	}
	prefix := string(begin[:dash]) + "- "
	var out bytes.Buffer
	done, left := 0, items
	for i, item := range list.Content {
		start, end := lines[i][0], lines[i][1]
		out.Write(e.front[done:start])
		done = end
		if at := slices.Index(left, Resolve(item).Value); at >= 0 {
			e.lines(&out, prefix, left[:at])
			out.Write(e.front[start:end])
			left = left[at+1:]
		}
	}
	if n := out.Len(); n > 0 && len(left) > 0 && out.Bytes()[n-1] != '\n' {
		out.WriteString(e.newline)
	}
	e.lines(&out, prefix, left)
	out.Write(e.front[done:])
	return out.Bytes()
}

// itemLines returns the offsets of the start and the end of the lines of each item, or nil
// if they cannot be determined.
func (e editor) itemLines(list *yaml.Node) (lines [][2]int) {
	done := 0
	for i, item := range list.Content {
		start, end := e.Start(item), e.end(item)
		if start < 0 || end < start {
			return nil
		}
		start, end = e.lineStart(start), e.lineEnd(end)
		if i+1 < len(list.Content) {
			end = min(end, e.lineStart(e.Start(list.Content[i+1])))
		}
		if start < done || end < start {
			return nil
		}
		lines = append(lines, [2]int{start, end})
		done = end
	}
	return lines
}

func (e editor) lines(out *bytes.Buffer, prefix string, items []string) {
	for _, item := range items {
		out.WriteString(prefix + quote(item) + e.newline)
	}
}

// flowItems rewrites a list in brackets. The items that remain keep their bytes.
func (e editor) flowItems(key, list *yaml.Node, items []string) []byte {
	raw := map[string]string{}
	for _, item := range list.Content {
		if start, end := e.Start(item), e.end(item); start >= 0 && end > start {
			raw[Resolve(item).Value] = string(e.front[start:end])
		}
	}
	written := make([]string, len(items))
	for i, item := range items {
		if written[i] = raw[item]; written[i] == "" {
			written[i] = quote(item)
		}
	}
	return e.replace(key, list, "["+strings.Join(written, ", ")+"]")
}
