// Package hosts describes the programs that start MCP servers: where each keeps its
// configuration and what our entry looks like there. It adds the entry to an existing
// configuration and removes it. It works on bytes: it never reads or writes a file, and
// never starts a server.
//
// An edit changes only the bytes of our entry. Comments, order, indentation, trailing
// commas and line endings of the rest stay. Removing an added entry restores the
// previous bytes.
package hosts

import (
	"bytes"
	"fmt"
	"strings"
)

// ServerName is the name of our server in every configuration.
const ServerName = "catalog"

// MaxFile is the maximum size of a configuration, in bytes.
const MaxFile = 4 << 20

// A Server describes how a host starts or reaches our server.
type Server struct {
	Command string // a name to look up on the PATH, or an absolute path
	Args    []string

	URL      string // of an already running server; "" for one that the host starts
	TokenEnv string // environment variable with its token; "" for none
}

// A Host is a program that starts MCP servers.
type Host struct {
	Name  string // on the command line, such as "vscode"
	Title string // for people, such as "VS Code"

	// NeedsPath means that the host is started from a desktop and does not see the PATH
	// of a shell. The command must be an absolute path.
	NeedsPath bool
	// Workspace is the placeholder that the host replaces with the project's folder. It
	// is set only if the host starts servers in another folder.
	Workspace string
	// Elsewhere means that the host starts servers in another folder and has no
	// placeholder, or that its documentation does not say where it starts them. Paths
	// must be absolute.
	Elsewhere bool
	// Settings is the place in the host's user interface where a user pastes an entry.
	// It is set only if the host documents no configuration file.
	Settings string

	format  format
	key     string                 // member that maps names to servers
	entry   entryForm              // layout of an entry
	project []string               // files in a project, with slashes; nil if the host has none
	user    func(*places) []string // returns the files of the user
}

type format int

const (
	jsonc format = iota // JSON, with comments and trailing commas tolerated
	toml
)

// Find returns the host called name. If there is no such host, the error lists all
// hosts.
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

// ProjectFiles returns the file that the host reads in a project, relative to the
// project's folder. The files after the first are alternatives to edit instead if they
// exist. It returns nil if the host has no project configuration.
func (h Host) ProjectFiles(m Machine) []string {
	var files []string
	for _, file := range h.project {
		files = append(files, m.join(strings.Split(file, "/")...))
	}
	return files
}

// UserFiles returns the files that the host reads for every project of the user, as
// absolute paths. The files after the first are alternatives, as in
// [Host.ProjectFiles]. It fails if the environment does not define where they are, or
// names a folder by a relative path.
func (h Host) UserFiles(m Machine) ([]string, error) {
	p := places{Machine: m}
	files := h.user(&p)
	if p.err != nil {
		return nil, p.err
	}
	return files, nil
}

// File returns a configuration with only our entry, to write if there is no file, or to
// paste into one.
func (h Host) File(s Server) []byte {
	if h.format == toml {
		return []byte(h.tomlTable(s, "\n"))
	}
	return []byte(h.jsonFile(s))
}

// Add returns the configuration with our entry added. If our entry exists, Add replaces
// its command and arguments and keeps other members. If the entry is up to date, Add
// returns the text unchanged.
//
// The error is an [*Error] if the text is too large or invalid, if an object to edit
// has a duplicate name, or if an entry called [ServerName] is not ours.
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

// Entry returns the server that the entry called [ServerName] starts or reaches. It
// returns false if there is no such entry or the text is invalid.
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

// Remove returns the configuration without our entry, or unchanged if it has none.
// nothingElse reports whether the text equalled [Host.File], so that the file may be
// removed.
//
// Remove uses only s.Command and s.URL. Command is the program's path, by which it
// recognises the entry even if the program was renamed.
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

// cutMark splits off a byte order mark. Appending to mark does not modify text.
func cutMark(text []byte) (mark, rest []byte) {
	const utf8Mark = "\xef\xbb\xbf"
	if rest, found := bytes.CutPrefix(text, []byte(utf8Mark)); found {
		return []byte(utf8Mark), rest
	}
	return nil, text
}

// An Error reports why a configuration was not edited, and where. Nothing was changed.
type Error struct {
	Line, Column int // from 1, the column in bytes; 0 if the problem is the whole file
	Problem      string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Problem
	}
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Problem)
}

var errTooLarge = &Error{Problem: fmt.Sprintf("the file has more than %d bytes, which is not a configuration", MaxFile)}

// errorAt returns an error for an offset in a text.
func errorAt(text []byte, offset int, problem string, args ...any) *Error {
	before := text[:offset]
	return &Error{
		Line:    1 + bytes.Count(before, []byte("\n")),
		Column:  offset - bytes.LastIndexByte(before, '\n'),
		Problem: fmt.Sprintf(problem, args...),
	}
}

// Problems that both formats report.
const (
	notOurs   = "the server " + ServerName + ` is not ours, because it does not run "catalog serve": rename or remove it first`
	isAtURL   = "the server " + ServerName + ` is one at a URL: rename it, or remove it first, with "catalog uninstall --http" and that URL`
	isStarted = "the server " + ServerName + ` is started by the host: remove it first, with "catalog uninstall" without --http`
	isTwice   = "the name %q appears twice: remove one of the two"
)
