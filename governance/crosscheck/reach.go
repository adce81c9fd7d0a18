package crosscheck

import (
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog"
)

// reach is who reads an entry, and where.
type reach struct {
	// agent is the format of the entry's file and the dot folder that it is in:
	// skills are the same for all agents, but each looks into its own folder.
	agent string
	home  string // the folder whose dot folder, plugin or package the file belongs to; "." for the top
	alone bool   // a person or the model chooses it: it need not meet any other entry
	// placed says that an agent reads the file where it is. A rule in a collection
	// must be copied somewhere else first.
	placed bool
	aside  bool   // it is no instruction, but something that many folders have
	name   string // of what the file holds, whatever agent it is for
}

// ofCatalog is the agent of entries that are written for the catalog alone.
const ofCatalog = "catalog"

// containers are the folders in which agents, plugins and collections keep files of
// one kind.
var containers = wordSet("rules skills agents commands prompts instructions chatmodes steering workflows guidelines")

// rootNames are the files that say in one text what an agent should know of a folder.
var rootNames = wordSet(`agents.md agent.md agents.override.md claude.md claude.local.md gemini.md copilot-instructions.md
	.cursorrules .windsurfrules .clinerules .rules guidelines.md playbook.md`)

// rootName is the name of all of them.
const rootName = "the folder"

// asides are the names of files for people that a repository has in many folders.
var asides = wordSet("readme changelog changes history license contributing code_of_conduct security index")

func reachOf(e *catalog.Entry) reach {
	file := e.Origin.Path
	base := path.Base(file)
	r := reach{agent: ofCatalog, home: ".", name: strings.ToLower(strings.TrimSuffix(base, path.Ext(base))), placed: true}
	switch e.Load {
	case catalog.LoadAlways, catalog.LoadGlob, catalog.LoadDirectory, "":
	default:
		r.alone = true
	}
	if !e.Origin.OfAgent() || e.Origin.Format == "" {
		r.aside = asides[r.name]
		return r
	}
	folders := strings.Split(path.Dir(file), "/")
	dot := slices.IndexFunc(folders, func(f string) bool { return strings.HasPrefix(f, ".") && f != "." })
	kept := slices.IndexFunc(folders, func(f string) bool { return containers[f] })
	isRoot := rootNames[strings.ToLower(base)]
	r.agent = e.Origin.Format
	r.placed = dot >= 0 || isRoot
	switch {
	case dot >= 0 && (dot == len(folders)-1 || containers[folders[dot+1]]):
		folders, r.agent = folders[:dot], r.agent+" "+folders[dot]
	case kept >= 0 && !isRoot:
		folders = folders[:kept]
	case base == "SKILL.md":
		folders = folders[:len(folders)-1]
	}
	if isRoot {
		r.agent = e.Origin.Format // CLAUDE.md is read beside .claude and in it
		r.name = rootName
	} else if base == "SKILL.md" {
		r.name = strings.ToLower(path.Base(path.Dir(file)))
	} else {
		r.name = strings.TrimSuffix(strings.TrimSuffix(r.name, ".instructions"), ".prompt")
	}
	r.home = path.Join(append([]string{"."}, folders...)...)
	return r
}

// meets reports whether both texts are in a model's context at once without anybody
// choosing one of them.
func (r reach) meets(other reach) bool {
	return !r.alone && !other.alone && r.placed && other.placed && (within(r.home, other.home) || within(other.home, r.home))
}

// within reports whether a folder is another one, or below it.
func within(folder, other string) bool {
	return other == "." || folder == other || strings.HasPrefix(folder, other+"/")
}
