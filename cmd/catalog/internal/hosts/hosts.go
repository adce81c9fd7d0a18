// Package hosts knows the programs that start MCP servers: where each keeps its
// configuration, what an entry of ours looks like there, and how to merge that
// entry into a file that somebody else keeps and to take it back. It works on
// bytes: it never reads or writes a file, and never starts a server.
//
// An edit changes the bytes of our entry and nothing else. Comments, order,
// indentation, trailing commas and line ends of the rest stay, and taking back
// what was added gives the very bytes that were there before.
package hosts

import (
	"bytes"
	"fmt"
	"strings"
)

// ServerName is what our server is called in every configuration.
const ServerName = "catalog"

// MaxFile is how large a configuration may be, in bytes.
const MaxFile = 4 << 20

// A Server is how a host starts us, or where it reaches us.
type Server struct {
	Command string // a name to look up on the PATH, or an absolute path
	Args    []string

	URL      string // of a server that is there already; "" for one that the host starts
	TokenEnv string // the environment variable that holds its token; "" for none
}

// A Host is a program that starts MCP servers.
type Host struct {
	Name  string // on the command line: "vscode"
	Title string // for people: "VS Code"

	// NeedsPath says that the host is started from a desktop and does not see
	// the PATH of a shell: the command has to be an absolute path.
	NeedsPath bool
	// Workspace is what the host replaces by the folder of the project, where
	// it starts servers elsewhere; else it is empty.
	Workspace string
	// Elsewhere says that the host starts servers elsewhere and replaces nothing,
	// or that its documents do not say where: paths have to be absolute.
	Elsewhere bool
	// Settings is where a user pastes an entry, of a host that keeps them in no
	// file that its documents name; else it is empty.
	Settings string

	format  format
	key     string                 // the member that holds the servers, by name
	entry   entryForm              // what an entry looks like
	project []string               // the files in a project, with slashes; nil without one
	user    func(*places) []string // the files of the user
}

type format int

const (
	jsonc format = iota // JSON, with comments and trailing commas tolerated
	toml
)

// Find returns the host of that name. The error lists those that there are.
func Find(name string) (Host, error) {
	var names []string
	for _, h := range All() {
		if h.Name == name {
			return h, nil
		}
		names = append(names, h.Name)
	}
	return Host{}, fmt.Errorf("unknown host %q: it is one of %s", name, strings.Join(names, ", "))
}

// ProjectFiles returns the file that the host reads in a project, relative to
// the folder of the project, and after it those that, where they exist, are to
// be edited instead of it. It returns none if the host knows no projects.
func (h Host) ProjectFiles(m Machine) []string {
	var files []string
	for _, file := range h.project {
		files = append(files, m.join(strings.Split(file, "/")...))
	}
	return files
}

// UserFiles returns, in the same way, the files that the host reads for every
// project of the user. The paths are absolute. It fails if the environment does
// not tell where they are, or names a folder by a relative path.
func (h Host) UserFiles(m Machine) ([]string, error) {
	p := places{Machine: m}
	files := h.user(&p)
	if p.err != nil {
		return nil, p.err
	}
	return files, nil
}

// File returns a whole configuration that holds our entry alone: what to write
// where there is no file, and what to paste into one by hand.
func (h Host) File(s Server) []byte {
	if h.format == toml {
		return []byte(h.tomlTable(s, "\n"))
	}
	return []byte(h.jsonFile(s))
}

// Add returns the configuration with our entry in it. An entry of ours that is
// there already is brought up to date: its command and arguments are replaced,
// what somebody added to it stays. If it is up to date, the text is returned as
// it is.
//
// The error is an [*Error] if the text is too large or cannot be understood, if
// what is to be edited has a name twice, or if an entry of our name is not ours.
func (h Host) Add(text []byte, s Server) ([]byte, error) {
	if len(text) > MaxFile {
		return nil, errTooLarge
	}
	mark, rest := cutMark(text)
	add := h.addJSON
	if h.format == toml {
		add = h.addTOML
	}
	rest, err := add(rest, s)
	if err != nil {
		return nil, err
	}
	return append(mark, rest...), nil
}

// Entry returns what the entry of our name has the host start or reach, and false
// if there is none or the text cannot be understood.
func (h Host) Entry(text []byte) (Server, bool) {
	_, rest := cutMark(text)
	if len(text) > MaxFile {
		return Server{}, false
	}
	if h.format == toml {
		entry, err := h.findTOML(rest)
		return entry.server, err == nil && entry.there
	}
	d, err := parse(rest)
	if err != nil {
		return Server{}, false
	}
	_, servers, found, err := d.findObject(d.root, h.key)
	if err != nil || !found {
		return Server{}, false
	}
	_, entry, found, err := d.findObject(servers, ServerName)
	if err != nil || !found {
		return Server{}, false
	}
	return h.entry.serverOf(entry), true
}

// Remove returns the configuration without our entry, or as it is if there is
// none. It reports whether the text was a [Host.File] to the byte: then the file
// may go, for nobody else has put anything into it. Of the server, Command is the
// path of the program, for it may have been renamed and still is ours; or URL is
// where it is reached.
//
// The error is an [*Error], as for [Host.Add].
func (h Host) Remove(text []byte, s Server) (rest []byte, nothingElse bool, err error) {
	if len(text) > MaxFile {
		return nil, false, errTooLarge
	}
	mark, rest := cutMark(text)
	remove := h.removeJSON
	if h.format == toml {
		remove = h.removeTOML
	}
	rest, nothingElse, err = remove(rest, s)
	if err != nil {
		return nil, false, err
	}
	return append(mark, rest...), nothingElse && mark == nil, nil
}

// cutMark cuts a byte order mark off. Appending to the mark makes a new array.
func cutMark(text []byte) (mark, rest []byte) {
	const utf8Mark = "\xef\xbb\xbf"
	if rest, found := bytes.CutPrefix(text, []byte(utf8Mark)); found {
		return []byte(utf8Mark), rest
	}
	return nil, text
}

// An Error says why a configuration was not edited, and where. Nothing of it has
// been changed.
type Error struct {
	Line, Column int // from 1, the column in bytes; 0 where it is the file as a whole
	Problem      string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Problem
	}
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Problem)
}

var errTooLarge = &Error{Problem: fmt.Sprintf("the file has more than %d bytes, which is no configuration", MaxFile)}

// errorAt makes an error of a place in a text.
func errorAt(text []byte, offset int, problem string, args ...any) *Error {
	before := text[:offset]
	return &Error{
		Line:    1 + bytes.Count(before, []byte("\n")),
		Column:  offset - bytes.LastIndexByte(before, '\n'),
		Problem: fmt.Sprintf(problem, args...),
	}
}

// The same problems in both formats.
const (
	notOurs   = "the server " + ServerName + ` is not ours, as it does not run "catalog serve": rename or remove it first`
	isAtURL   = "the server " + ServerName + ` is one at a URL: rename it, or take it back first, with "catalog uninstall" and that URL behind --http`
	isStarted = "the server " + ServerName + ` is started by the host: take it back first, with "catalog uninstall" without --http`
	isTwice   = "the name %q is here a second time: remove one of the two"
)
