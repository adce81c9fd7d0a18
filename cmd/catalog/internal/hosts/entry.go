package hosts

import (
	"bytes"
	"fmt"
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

// urlForm is what an entry looks like that names a server which is there already,
// over HTTP.
type urlForm struct {
	kind   string // the member "type"; "" for none
	member string // that holds the URL; "" where the host takes none
	// token is what the host replaces by an environment variable in a header, with
	// %s for the variable's name; "" where its documents tell of nothing like that.
	token string
	// tokenMember is the member that names the variable, where there is one.
	tokenMember string
}

// TakesURL reports whether an entry of the host may name a server by its URL.
func (h Host) TakesURL() bool { return h.entry.url.member != "" }

// TakesToken reports whether an entry may name the environment variable that
// holds the token of such a server.
func (h Host) TakesToken() bool { return h.entry.url.token != "" || h.entry.url.tokenMember != "" }

// kept are the members of an entry that are ours to keep up to date.
func (f urlForm) kept(s Server) []property {
	var all []property
	if f.kind != "" {
		all = append(all, property{"type", f.kind})
	}
	all = append(all, property{f.member, s.URL})
	switch {
	case s.TokenEnv == "":
	case f.tokenMember != "":
		all = append(all, property{f.tokenMember, s.TokenEnv})
	default:
		all = append(all, property{"headers", []property{{"Authorization", "Bearer " + fmt.Sprintf(f.token, s.TokenEnv)}}})
	}
	return all
}

// tokenEnv is the variable that the header of an entry of ours names.
func (f urlForm) tokenEnv(header string) string {
	before, after, _ := strings.Cut("Bearer "+f.token, "%s")
	name, ours := strings.CutPrefix(header, before)
	name, also := strings.CutSuffix(name, after)
	if f.token == "" || !ours || !also {
		return ""
	}
	return name
}

// refuses says why an entry cannot be made to run a server, or be taken back as
// one; "" if it can.
func (there Server) refuses(s Server) string {
	switch {
	case there.URL != "" && there.Command == "" && there.URL == s.URL:
		return ""
	case there.URL != "" && there.Command == "":
		return isAtURL
	case !there.ours(s.Command):
		return notOurs
	case s.URL != "":
		return isStarted
	}
	return ""
}
