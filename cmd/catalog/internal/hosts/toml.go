package hosts

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	decoder "github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// expression is a table header in TOML, or a key with its value, which may span several
// lines.
type expression struct {
	index    int      // index among the expressions of the text
	path     []string // keys from the root to the table or value
	head     bool     // whether it is a table header
	from, to int      // offsets of its lines, including the last newline
	value    splice   // position of the value
}

// is reports whether the expression is at path or below it.
func (e expression) is(path ...string) bool {
	return len(e.path) >= len(path) && slices.Equal(e.path[:len(path)], path)
}

// parseTOML returns the content of a text in two forms: as values and as expressions.
func parseTOML(text []byte) (values map[string]any, lines []expression, err error) {
	if err := decoder.Unmarshal(text, &values); err != nil {
		return nil, nil, decodeError(err)
	}
	var p unstable.Parser
	p.Reset(text)
	var table []string
	for p.NextExpression() {
		e := expressionOf(text, p.Expression(), table)
		e.index = len(lines)
		if e.head {
			table = e.path
		}
		lines = append(lines, e)
	}
	return values, lines, p.Error()
}

func decodeError(err error) error {
	at, ok := errors.AsType[*decoder.DecodeError](err)
	if !ok {
		return &Error{Problem: notTOML}
	}
	line, column := at.Position()
	return &Error{Line: line, Column: column, Problem: notTOML}
}

const notTOML = "this is not valid TOML: write each name once, as name = value, and strings in quotes"

// expressionOf converts a node of the parser. table is the path of the last table
// header, to which the key of a value is relative.
func expressionOf(text []byte, node *unstable.Node, table []string) expression {
	e := expression{head: node.Kind != unstable.KeyValue}
	if !e.head {
		e.path = slices.Clone(table)
	}
	var first, last int // offsets of the key
	for key := node.Key(); key.Next(); {
		raw := key.Node().Raw
		if last == 0 {
			first = int(raw.Offset)
		}
		last = int(raw.Offset + raw.Length)
		e.path = append(e.path, string(key.Node().Data))
	}
	end := last
	if !e.head {
		end = int(node.Raw.Offset + node.Raw.Length)
		e.value = splice{from: valueStart(text, last), to: end}
	}
	e.from = bytes.LastIndexByte(text[:first], '\n') + 1
	e.to = len(text)
	if i := bytes.IndexByte(text[end:], '\n'); i >= 0 {
		e.to = end + i + 1
	}
	return e
}

// valueStart returns the offset of the value whose key ends at the given offset.
func valueStart(text []byte, at int) int {
	rest := bytes.TrimLeft(text[at:], " \t")
	rest = bytes.TrimLeft(rest[len("="):], " \t")
	return len(text) - len(rest)
}

// tomlEntry is the entry of our server.
type tomlEntry struct {
	there  bool
	server Server       // the server that it describes
	lines  []expression // the expressions that belong to it
}

// findTOML returns our entry. It returns an error if the value of h.key is not written
// as tables.
func (h Host) findTOML(text []byte) (tomlEntry, error) {
	values, lines, err := parseTOML(text)
	if err != nil {
		return tomlEntry{}, err
	}
	within := slices.DeleteFunc(slices.Clone(lines), func(e expression) bool { return !e.is(h.key) })
	for _, e := range within {
		if len(e.path) == 1 && !e.head {
			return tomlEntry{}, errorAt(text, e.from, "%s is a value here: write each server as a table, [%s.NAME]", h.key, h.key)
		}
	}
	servers, ok := values[h.key].(map[string]any)
	if !ok && len(within) > 0 {
		return tomlEntry{}, errorAt(text, within[0].from, "%s should be a table", h.key)
	}
	of := slices.DeleteFunc(within, func(e expression) bool { return !e.is(h.key, ServerName) })
	if len(of) == 0 {
		return tomlEntry{}, nil
	}
	entry, _ := servers[ServerName].(map[string]any) // a missing table yields an entry that is not ours
	return tomlEntry{true, h.tomlServer(entry), of}, nil
}

func (h Host) tomlServer(entry map[string]any) Server {
	var s Server
	s.URL, _ = entry[h.entry.url.member].(string)
	s.TokenEnv, _ = entry[h.entry.url.tokenMember].(string)
	s.Command, _ = entry["command"].(string)
	list, _ := entry["args"].([]any)
	for _, element := range list {
		arg, ok := element.(string)
		if !ok {
			return Server{}
		}
		s.Args = append(s.Args, arg)
	}
	return s
}

// tomlTable formats our entry as a table.
func (h Host) tomlTable(s Server, end string) string {
	table := "[" + h.key + "." + ServerName + "]" + end
	for _, p := range h.entry.kept(s) {
		table += p.name + " = " + oneLine.write(p.value) + end
	}
	return table
}

// addTOML implements [Host.Add] for TOML.
func (h Host) addTOML(text []byte, s Server) ([]byte, error) {
	entry, err := h.findTOML(text)
	switch {
	case err != nil:
		return nil, err
	case !entry.there:
		return h.appendTOML(text, s)
	case entry.server.refuses(s) != "":
		return nil, errorAt(text, entry.lines[0].from, "%s", entry.server.refuses(s))
	case s.URL != "" && entry.server.TokenEnv != s.TokenEnv && s.TokenEnv != "":
		return nil, errorAt(text, entry.lines[0].from, "the server %s has another token: remove it first", ServerName)
	case s.URL != "":
		return text, nil
	}
	return entry.update(text, s)
}

// appendTOML appends our table after a blank line. If the text does not end in a
// newline, neither does the result.
func (h Host) appendTOML(text []byte, s Server) ([]byte, error) {
	end := lineEnd(text)
	table := end + h.tomlTable(s, end)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		table = end + strings.TrimSuffix(table, end)
	}
	longer := slices.Concat(text, []byte(table))
	if _, _, err := parseTOML(longer); err != nil {
		return nil, errorAt(text, len(text), "the table [%s.%s] cannot follow here: %v", h.key, ServerName, err)
	}
	return longer, nil
}

// update replaces the command and the arguments of our entry if they differ.
func (e tomlEntry) update(text []byte, s Server) ([]byte, error) {
	var changes []splice
	for _, line := range e.lines {
		now := ""
		switch name := line.path[len(line.path)-1]; {
		case line.head || len(line.path) > 3:
			continue
		case len(line.path) == 2:
			if s.Command == e.server.Command && slices.Equal(s.Args, e.server.Args) {
				return text, nil
			}
			return nil, errorAt(text, line.value.from, "the server %s is a value here and out of date: remove it and try again", ServerName)
		case name == "command" && s.Command != e.server.Command:
			now = quote(s.Command)
		case name == "args" && !slices.Equal(s.Args, e.server.Args):
			now = quoteAll(s.Args)
		default:
			continue
		}
		changes = append(changes, splice{line.value.from, line.value.to, now})
	}
	return apply(text, changes...), nil
}

// removeTOML implements [Host.Remove] for TOML.
func (h Host) removeTOML(text []byte, s Server) (rest []byte, nothingElse bool, err error) {
	entry, err := h.findTOML(text)
	switch {
	case err != nil:
		return nil, false, err
	case !entry.there:
		return text, false, nil
	case entry.server.refuses(s) != "":
		return nil, false, errorAt(text, entry.lines[0].from, "%s", entry.server.refuses(s))
	}
	var cuts []splice
	for _, b := range entry.blocks() {
		cuts = append(cuts, withSpace(text, b))
	}
	return apply(text, cuts...), string(text) == h.tomlTable(entry.server, "\n"), nil
}

// blocks returns the lines of the entry, with adjacent expressions joined.
func (e tomlEntry) blocks() []splice {
	var blocks []splice
	for i, line := range e.lines {
		if i > 0 && e.lines[i-1].index == line.index-1 {
			blocks[len(blocks)-1].to = line.to
			continue
		}
		blocks = append(blocks, splice{from: line.from, to: line.to})
	}
	return blocks
}

// withSpace extends block to cover the blank line before it. If block ends the file
// without a newline, it also covers the newline before it. A block at the start also
// covers the blank line after it.
func withSpace(text []byte, block splice) splice {
	before := text[:block.from]
	if empty := cutLineEnd(before); len(empty) == 0 || empty[len(empty)-1] == '\n' {
		before = empty
	}
	if block.to == len(text) && text[len(text)-1] != '\n' {
		before = cutLineEnd(before)
	}
	if block.from == 0 {
		rest := bytes.TrimPrefix(text[block.to:], []byte("\r"))
		rest = bytes.TrimPrefix(rest, []byte("\n"))
		block.to = len(text) - len(rest)
	}
	block.from = len(before)
	return block
}

func cutLineEnd(text []byte) []byte {
	text, _ = bytes.CutSuffix(text, []byte("\n"))
	text, _ = bytes.CutSuffix(text, []byte("\r"))
	return text
}
