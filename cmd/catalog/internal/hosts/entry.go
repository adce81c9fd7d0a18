package hosts

import (
	"bytes"
	"fmt"
	"strings"

	"instruction-catalog/schemas/jsonscan"
)

// entryForm describes the layout of an entry.
type entryForm struct {
	kind   string     // value of the member "type"; "" for no such member
	joined bool       // whether "command" is a list of the program and its arguments
	first  []property // initial members that the user may change afterwards
	url    urlForm    // layout of an entry for an already running server
}

// property is a member of an object. Its value is a string, a bool, a list of strings
// or, for an object, a list of properties.
type property struct {
	name  string
	value any
}

// kept returns the members of an entry that Add keeps up to date.
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

// whole returns the members of a new entry.
func (f entryForm) whole(s Server) []property { return append(f.kept(s), f.first...) }

// ours reports whether the entry starts this program as a server. It recognises the
// program by its name in any folder, or by its path under any name.
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

// quote quotes a string for both JSON and TOML.
func quote(s string) string {
	return strings.ReplaceAll(string(jsonscan.MustEncode(s)), "\x7f", `\u007f`) // TOML requires this escape
}

// quoteAll formats a list on one line for both JSON and TOML.
func quoteAll(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// lineEnd returns the line ending of the first line of a text, or "\n" if it has none.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// splice is an edit: it replaces the bytes [from, to) with text.
type splice struct {
	from, to int
	text     string
}

// apply applies splices, which must be sorted and must not overlap.
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

// urlForm describes an entry for an already running server that the host reaches over
// HTTP.
type urlForm struct {
	kind   string // value of the member "type"; "" for no such member
	member string // member that holds the URL; "" if the host does not support URLs
	// token is the placeholder that the host replaces, in a header, with the value of
	// an environment variable. It has %s for the variable's name. It is "" if the
	// host's documentation describes no placeholder.
	token string
	// tokenMember is the member that names the variable; "" if the host has no such
	// member.
	tokenMember string
}

// TakesURL reports whether an entry of the host can name a server by its URL.
func (h Host) TakesURL() bool { return h.entry.url.member != "" }

// TakesToken reports whether an entry with a URL can name the environment variable that
// holds the token.
func (h Host) TakesToken() bool { return h.entry.url.token != "" || h.entry.url.tokenMember != "" }

// kept returns the members of an entry that Add keeps up to date.
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

// tokenEnv returns the name of the variable in a header that matches token, or "" if
// the header does not match.
func (f urlForm) tokenEnv(header string) string {
	before, after, _ := strings.Cut("Bearer "+f.token, "%s")
	name, ours := strings.CutPrefix(header, before)
	name, also := strings.CutSuffix(name, after)
	if f.token == "" || !ours || !also {
		return ""
	}
	return name
}

// refuses returns why an existing entry cannot be updated to s or removed as s; "" if
// it can.
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
