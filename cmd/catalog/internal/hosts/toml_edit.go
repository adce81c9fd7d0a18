package hosts

import (
	"bytes"
	"slices"
	"strings"
)

// tomlTable is our entry, as a table.
func (h Host) tomlTable(s Server, end string) string {
	table := "[" + h.key + "." + ServerName + "]" + end
	for _, p := range h.entry.kept(s) {
		table += p.name + " = " + oneLine.write(p.value) + end
	}
	return table
}

// addTOML is [Host.Add].
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
		return nil, errorAt(text, entry.lines[0].from, "the server %s has another token: take it back first", ServerName)
	case s.URL != "":
		return text, nil
	}
	return entry.update(text, s)
}

// appendTOML adds our table at the end, behind an empty line. A text whose last
// line has no end gets none.
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

// update replaces what our server starts, if that is another command.
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

// removeTOML is [Host.Remove].
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

// blocks returns the lines of the entry, those together that follow each other.
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

// withSpace widens a block by what was added around it: the empty line before
// it and, if it is the last and has no end of line, that of the text before. A
// block at the top takes the empty line that follows.
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
