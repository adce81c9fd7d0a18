package hosts

import (
	"bytes"
	"strings"

	"instruction-catalog/schemas/jsonscan"
)

// entryForm is what an entry looks like, beyond command and args.
type entryForm struct {
	kind   string     // the member "type"; "" for none
	joined bool       // whether "command" is one list, of the program and its arguments
	first  []property // what an entry starts with and the user may change afterwards
	url    urlForm    // of a server that is there already
}

// property is a member of an object: its value is a string, a bool, a list of
// strings or, for an object, a list of properties.
type property struct {
	name  string
	value any
}

// kept are the members of an entry that are ours to keep up to date.
func (f entryForm) kept(s Server) []property {
	if s.URL != "" {
		return f.url.kept(s)
	}
	var all []property
	if f.kind != "" {
		all = append(all, property{"type", f.kind})
	}
	if f.joined {
		return append(all, property{"command", append([]string{s.Command}, s.Args...)})
	}
	return append(all, property{"command", s.Command}, property{"args", append([]string{}, s.Args...)})
}

// whole are the members of a new entry.
func (f entryForm) whole(s Server) []property { return append(f.kept(s), f.first...) }

// ours reports whether what a host starts is this program as a server: by its
// name, wherever it is, or by its path, whatever its name.
func (s Server) ours(program string) bool {
	if len(s.Args) == 0 || s.Args[0] != "serve" {
		return false
	}
	name := s.Command[strings.LastIndexAny(s.Command, `/\`)+1:]
	if suffix := ".exe"; len(name) > len(suffix) && strings.EqualFold(name[len(name)-len(suffix):], suffix) {
		name = name[:len(name)-len(suffix)]
	}
	return name == ServerName || s.Command == program
}

// quote writes a string so that JSON and TOML read it alike.
func quote(s string) string {
	return strings.ReplaceAll(string(jsonscan.MustEncode(s)), "\x7f", `\u007f`) // TOML wants it escaped
}

// quoteAll writes a list on one line, for JSON and TOML alike.
func quoteAll(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// lineEnd is that of a text: the first that it has.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// splice replaces text[from:to].
type splice struct {
	from, to int
	text     string
}

// apply makes the replacements, which are in the order of the text.
func apply(text []byte, splices ...splice) []byte {
	var out bytes.Buffer
	at := 0
	for _, s := range splices {
		out.Write(text[at:s.from])
		out.WriteString(s.text)
		at = s.to
	}
	out.Write(text[at:])
	return out.Bytes()
}
