package source

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/format"
)

// unread counts the files and folders that are not read, by reason. The zero value has
// none.
type unread map[skipReason]*count

// skipReason names a kind of file, in the singular and the plural, and says why such
// files are not read.
type skipReason struct{ one, many, why string }

type count struct {
	n     int
	first string // path of the first, in byte order
}

// The kinds of files that are not read. Other files are classified by their extension.
var (
	aSkillsFile  = skipReason{"file of a skill", "files of skills", "the skill says when to read it"}
	aSkillsLink  = skipReason{"symbolic link in a skill", "symbolic links in skills", "links in the folder of a skill are not followed"}
	anAgentsConf = skipReason{"file", "files", "an agent's settings"}
	aReadme      = skipReason{"README.md", "files README.md", "written for people"}
	anIgnored    = skipReason{"file or folder", "files and folders", "ignored by git"}
	anExcluded   = skipReason{"file", "files", "excluded by .catalog/config.json"}
	aSample      = skipReason{"agent's file of a sample", "agents' files of samples", "written for other repositories; --include reads it"}
	aDependency  = skipReason{"folder of dependencies", "files and folders of dependencies", "somebody else's"}
	aLink        = skipReason{"symbolic link to a folder", "symbolic links to folders", "the files in the folder are read in their own place"}
	aDotFolder   = skipReason{"folder", "folders", "no agent's files are known in a folder of that name"}
	aDotFile     = skipReason{"dot file", "dot files", "no agent is known to load a file of that name"}
	notPersona   = skipReason{"file in a folder agents or commands", "files in folders agents and commands", "a persona has a name and a description in its front matter, a command a description"}
)

const (
	noInstruction = "neither an entry nor a file that an agent is known to load"
	noAgentsFile  = "no agent loads it by itself, and in a repository only files in instructions/ are entries; name another folder with --dir to read that as a catalog"
)

func (u *unread) add(b skipReason, p string) {
	if *u == nil {
		*u = unread{}
	}
	c := (*u)[b]
	if c == nil {
		c = &count{first: p}
		(*u)[b] = c
	}
	c.n++
	c.first = min(c.first, p)
}

// addFile counts a file by its extension.
func (u *unread) addFile(p, why string) {
	name := " without an extension"
	if ext := strings.ToLower(path.Ext(p)); ext != "" {
		name = " *" + ext
	}
	u.add(skipReason{"file" + name, "files" + name, why}, p)
}

// maxUnread is the maximum number of kinds that get a note of their own. A repository
// may have hundreds of kinds; the most frequent ones characterise it.
const maxUnread = 20

// notes returns a note for each of the most frequent kinds, and one note for all others.
func (u unread) notes() []catalog.Diagnostic {
	kinds := make([]skipReason, 0, len(u))
	for b := range u {
		kinds = append(kinds, b)
	}
	slices.SortFunc(kinds, func(a, b skipReason) int {
		return cmp.Or(cmp.Compare(u[b].n, u[a].n), strings.Compare(a.many, b.many), strings.Compare(a.why, b.why))
	})
	var notes []catalog.Diagnostic
	rest := 0
	for i, b := range kinds {
		if i >= maxUnread {
			rest += u[b].n
			continue
		}
		notes = append(notes, u[b].note(b))
	}
	if rest > 0 {
		notes = append(notes, noteOf("not read: %d files of %d other kinds", rest, len(kinds)-maxUnread))
	}
	return notes
}

func (c *count) note(b skipReason) catalog.Diagnostic {
	if c.n == 1 {
		return noteOf("not read: 1 %s, %s: %s", b.one, format.Quote(c.first), b.why)
	}
	return noteOf("not read: %d %s, the first is %s: %s", c.n, b.many, format.Quote(c.first), b.why)
}

func noteOf(format string, args ...any) catalog.Diagnostic {
	return catalog.Diagnostic{Path: ".", Severity: catalog.SeverityNote, Message: fmt.Sprintf(format, args...), Rule: FileNotRead}
}
