package crosscheck

import (
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog"
)

// reach describes which agent reads an entry, and where.
type reach struct {
	// agent is the format of the entry's file, followed by its dot folder. Skills have the
	// same format for all agents, but each agent reads its own folder.
	agent string
	home  string // the folder that contains the file, or its dot folder, container or skill; "." for the top
	alone bool   // whether a person or the model chooses it, so that it may be loaded without any other entry
	// placed reports whether an agent reads the file where it is. A rule in a collection
	// must be copied elsewhere first.
	placed bool
	aside  bool   // whether it is not an instruction but a file that many folders have, such as a readme
	name   string // name of the content, independent of the agent
}

// ofCatalog is the agent of entries that are written only for the catalog.
const ofCatalog = "catalog"

// containers are the folders where agents, plugins and collections keep files of one
// kind.
var containers = wordSet("rules skills agents commands prompts instructions chatmodes steering workflows guidelines")

// rootNames are the names of files with an agent's general instructions for a folder.
var rootNames = wordSet(`agents.md agent.md agents.override.md claude.md claude.local.md gemini.md copilot-instructions.md
	.cursorrules .windsurfrules .clinerules .rules guidelines.md playbook.md`)

// rootName is the value of reach.name for every file in rootNames.
const rootName = "the folder"

// asides are the names, without extension, of files for people that many folders have.
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
		r.agent = e.Origin.Format // CLAUDE.md is read both in .claude and in its parent folder
		r.name = rootName
	} else if base == "SKILL.md" {
		r.name = strings.ToLower(path.Base(path.Dir(file)))
	} else {
		r.name = strings.TrimSuffix(strings.TrimSuffix(r.name, ".instructions"), ".prompt")
	}
	r.home = path.Join(append([]string{"."}, folders...)...)
	return r
}

// meets reports whether both texts are in a model's context at the same time without
// either being chosen by a person or the model.
func (r reach) meets(other reach) bool {
	return !r.alone && !other.alone && r.placed && other.placed && (within(r.home, other.home) || within(other.home, r.home))
}

// within reports whether folder is other or below it.
func within(folder, other string) bool {
	return other == "." || folder == other || strings.HasPrefix(folder, other+"/")
}
