package agents

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
)

// Place is what the path of a file says.
type Place struct {
	Kind Kind
	// Folder is that in which the file counts, with slashes; "." for the top.
	Folder string
	// Base is the name of the file's own folder, for a skill.
	Base string

	path  string
	never string
	aside bool
	home  string
	below bool
}

// At tells what kind of agent's file lies at a path within a repository, with
// slashes. It is ok only if it is one.
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

// affix is what a path that fits a pattern begins and ends with. Nearly no file is
// an agent's, and nearly always its first or last letters already tell.
type affix struct{ begin, end string }

// affixes are those of the rows.
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

// matches reports whether a path fits a pattern.
func matches(pattern, path string) bool {
	return affixOf(pattern).of(path) && doublestar.MatchUnvalidated(pattern, path)
}

func (a affix) of(path string) bool {
	return strings.HasPrefix(path, a.begin) && strings.HasSuffix(path, a.end)
}

// IsMisplaced reports whether the agent looks for such a file in another folder.
func (p Place) IsMisplaced() bool { return p.home != "" || p.never != "" }

// ReadsYAML reports whether the agent takes front matter for YAML. Others read it
// line by line, so that a glob needs no quotes, or must not have them.
func (p Place) ReadsYAML() bool { return !forms[p.Kind].byLine }

// Reads names the fields of front matter by which the agent tells what the file is
// about and when to load it.
func (p Place) Reads() []string { return forms[p.Kind].reads }

// Imported is the place of a file that the file of this place imports with @. It is ok
// only if an agent loads such imports.
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

// PassedOver names an agent that reads the file, but not in a repository with
// files of these kinds at its top, and the kind that it reads instead. Other
// agents may read it all the same.
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

// Plugin is the place of a file in a folder called agents or commands that is
// not within an agent's dot folder, as plugins and collections have them. It is
// ok only if the front matter is that of a persona or a command.
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

// split cuts a path before its first dot folder, or else before its base name.
func split(p string) (folder, tail string) {
	i := 0
	if !strings.HasPrefix(p, ".") {
		if i = strings.Index(p, "/.") + 1; i == 0 {
			i = strings.LastIndexByte(p, '/') + 1
		}
	}
	return path.Clean(p[:i]), p[i:]
}

// folders are the dot folders in which agents' files lie.
var folders = []string{".agent", ".agents", ".claude", ".clinerules", ".codex", ".cursor", ".devin", ".gemini", ".github", ".junie", ".kiro", ".opencode", ".windsurf"}

// IsFolder reports whether the name is that of a dot folder in which agents'
// files lie.
func IsFolder(name string) bool { return slices.Contains(folders, name) }
