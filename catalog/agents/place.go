package agents

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
)

// Place describes an agent's file as far as its path determines it.
type Place struct {
	Kind Kind
	// Folder is the folder in which the file applies, with slashes; "." for the top.
	Folder string
	// Base is the name of the folder that contains the file. It is used for skills.
	Base string

	path  string
	never string
	aside bool
	home  string
	below bool
}

// At returns the place of the agent's file at p, a path within a repository, with
// slashes. It returns false if the path is not that of an agent's file.
func At(p string) (Place, bool) {
	folder, tail := split(p)
	for i, affix := range affixes() {
		r := &rows[i]
		if !affix.of(tail) || !doublestar.MatchUnvalidated(r.Pattern, tail) {
			continue
		}
		place := Place{
			Kind: r.Kind, Folder: ".", Base: path.Base(path.Dir(p)),
			path: p, never: r.never, aside: r.aside, home: r.home, below: r.scope == below,
		}
		if place.below {
			place.Folder = folder
		}
		return place, true
	}
	return Place{}, false
}

// affix holds the literal beginning and end of a pattern. Comparing them with a path is
// cheap and rules out nearly all files.
type affix struct{ begin, end string }

// affixes returns the affixes of the rows, in the same order.
var affixes = sync.OnceValue(func() []affix {
	all := make([]affix, len(rows))
	for i, r := range rows {
		all[i] = affixOf(r.Pattern)
	}
	return all
})

func affixOf(pattern string) affix {
	const wild = "*?[]{}"
	if at := strings.IndexAny(pattern, wild); at >= 0 {
		return affix{pattern[:at], pattern[strings.LastIndexAny(pattern, wild)+1:]}
	}
	return affix{pattern, pattern}
}

// matches reports whether path matches pattern.
func matches(pattern, path string) bool {
	return affixOf(pattern).of(path) && doublestar.MatchUnvalidated(pattern, path)
}

func (a affix) of(path string) bool {
	return strings.HasPrefix(path, a.begin) && strings.HasSuffix(path, a.end)
}

// IsUnread reports whether the agent does not load the file from this folder: it
// looks in another folder, or never loads the file.
func (p Place) IsUnread() bool { return p.home != "" || p.never != "" }

// ReadsYAML reports whether the agent reads front matter as YAML. Other agents read it
// line by line, so that a glob needs no quotes, or must not have them.
func (p Place) ReadsYAML() bool { return !forms[p.Kind].byLine }

// Reads returns the names of the fields of front matter that tell the agent what the
// file is about and when to load it.
func (p Place) Reads() []string { return forms[p.Kind].reads }

// Imported returns the place of a file that the file at p imports with @. ok is false
// if no agent loads such imports.
func (p Place) Imported() (imported Place, ok bool) {
	switch kind := forms[p.Kind].imports; kind {
	case "":
		return Place{}, false
	case ImportedFile:
		return Place{Kind: kind, Folder: p.Folder, below: true}, true
	default:
		return Place{Kind: kind, Folder: "."}, true
	}
}

// PassedOver returns the name of an agent that normally reads the file, but not if the
// top of the repository has files of the kinds in top. instead is the kind that the
// agent reads in place of this file. Both are "" if there is no such agent. Other
// agents may still read the file.
func (p Place) PassedOver(top map[Kind]bool) (agent string, instead Kind) {
	switch {
	case p.Folder != ".":
	case p.Kind == Agents && top[Zed]:
		return "Zed", Zed
	case p.Kind == Claude && top[OpenCodeConfig] && top[Agents]:
		return "OpenCode", Agents
	}
	return "", ""
}

// Plugin returns the place of a file in a folder called agents or commands that is
// outside an agent's dot folder, as in plugins and collections. It returns false unless
// the front matter is that of a persona or a command.
func Plugin(p string, f FrontMatter) (Place, bool) {
	folder := path.Base(path.Dir(p))
	described := f.Fields["description"].says()
	switch {
	case path.Ext(p) != ".md":
	case folder == "agents" && described && f.Fields["name"].says():
		return Place{Kind: ClaudeAgent, Folder: ".", Base: folder}, true
	case folder == "commands" && described:
		return Place{Kind: ClaudeCommand, Folder: ".", Base: folder}, true
	}
	return Place{}, false
}

// split splits a path before its first dot folder, or before its base name if it has no
// dot folder.
func split(p string) (folder, tail string) {
	i := 0
	if !strings.HasPrefix(p, ".") {
		if i = strings.Index(p, "/.") + 1; i == 0 {
			i = strings.LastIndexByte(p, '/') + 1
		}
	}
	return path.Clean(p[:i]), p[i:]
}

// folders lists the dot folders that contain agents' files.
var folders = []string{".agent", ".agents", ".ai", ".claude", ".clinerules", ".codex", ".cursor", ".devin", ".gemini", ".github", ".junie", ".kiro", ".opencode", ".windsurf"}

// IsFolder reports whether name is that of a dot folder that contains agents' files.
func IsFolder(name string) bool { return slices.Contains(folders, name) }
