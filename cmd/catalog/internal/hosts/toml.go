package hosts

import (
	"bytes"
	"errors"
	"slices"

	decoder "github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// expression is a line of TOML that says something: the head of a table, or a
// key with its value, which may go over several lines.
type expression struct {
	index    int      // among the expressions of the text
	path     []string // of the table or the value, from the top
	head     bool     // of a table
	from, to int      // its lines, with the end of the last
	value    splice   // where the value is
}

// is reports whether the expression is about a path or something below it.
func (e expression) is(path ...string) bool {
	return len(e.path) >= len(path) && slices.Equal(e.path[:len(path)], path)
}

// parseTOML returns what a text says, twice: as values, and line by line.
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
		return &Error{Problem: err.Error()}
	}
	line, column := at.Position()
	return &Error{Line: line, Column: column, Problem: at.Error()}
}

// expressionOf takes a node apart. A value is in the table of the last head.
func expressionOf(text []byte, node *unstable.Node, table []string) expression {
	e := expression{head: node.Kind != unstable.KeyValue}
	if !e.head {
		e.path = slices.Clone(table)
	}
	var first, last int // the key
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

// valueStart returns where the value begins whose key ends at an offset.
func valueStart(text []byte, at int) int {
	rest := bytes.TrimLeft(text[at:], " \t")
	rest = bytes.TrimLeft(rest[len("="):], " \t")
	return len(text) - len(rest)
}

// tomlEntry is the table of our server.
type tomlEntry struct {
	there  bool
	server Server       // what it starts
	lines  []expression // that say something of it
}

// findTOML returns our entry, which must be written as a table of its own.
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
	entry, _ := servers[ServerName].(map[string]any) // none is not ours
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
