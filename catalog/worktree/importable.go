package worktree

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/source"
)

// findFiles finds the agents' files of the repository that git does not ignore, and the
// files that they import.
func (run *importing) findFiles(ctx context.Context) error {
	tree, err := source.New(run.Repository).Tree(ctx)
	if err != nil {
		return err
	}
	regular := map[string]bool{}
	found := map[string]bool{}
	for _, p := range tree.Files {
		if p, ok := run.inRepository(tree.Catalog, p); ok {
			regular[p] = true
			found[p] = isAgentsFile(p)
		}
	}
	run.addSkillFiles(regular, found)
	run.addImports(regular, found)
	for p := range tree.Links {
		if p, ok := run.inRepository(tree.Catalog, p); ok && isAgentsFile(p) {
			run.addLink(p, regular, found)
		}
	}
	maps.DeleteFunc(found, func(_ string, is bool) bool { return !is })
	run.paths = slices.Sorted(maps.Keys(found))
	return nil
}

// inRepository converts a path relative to the top of the work tree to one relative to
// the imported repository, which may be a folder of the work tree. It returns false if
// the path is outside that folder or inside the catalog.
func (run *importing) inRepository(folder, p string) (string, bool) {
	if folder != "." {
		var ok bool
		if p, ok = strings.CutPrefix(p, folder+"/"); !ok {
			return "", false
		}
	}
	return p, !within(run.Catalog, filepath.Join(run.Repository, filepath.FromSlash(p)))
}

func isAgentsFile(p string) bool {
	_, ok := agents.At(p)
	return ok && !isVendored(p)
}

// isVendored reports whether a path is below a vendor or node_modules folder.
func isVendored(p string) bool {
	return strings.Contains("/"+p, "/vendor/") || strings.Contains("/"+p, "/node_modules/")
}

// addSkillFiles adds all files in the folders of skills, except vendored files.
func (run *importing) addSkillFiles(regular, found map[string]bool) {
	skills := map[string]bool{}
	for p := range found {
		if found[p] && path.Base(p) == "SKILL.md" && path.Dir(p) != "." {
			skills[path.Dir(p)] = true
		}
	}
	for p := range regular {
		for dir := path.Dir(p); dir != "." && len(skills) > 0; dir = path.Dir(dir) {
			if skills[dir] {
				found[p] = !isVendored(p)
			}
		}
	}
}

// addImports adds the Markdown files that agents' files import with @, directly or
// through other imports, up to [agents.ClaudeImportHops] levels deep.
func (run *importing) addImports(regular, found map[string]bool) {
	places := map[string]agents.Place{}
	for p := range found {
		if place, ok := agents.At(p); ok && found[p] {
			places[p] = place
		}
	}
	next := slices.Collect(maps.Keys(places))
	for range agents.ClaudeImportHops {
		var added []string
		for _, p := range next {
			imported, ok := places[p].Imported()
			if !ok {
				continue
			}
			for _, target := range run.importsOf(p) {
				if regular[target] && !found[target] {
					found[target], places[target] = true, imported
					added = append(added, target)
				}
			}
		}
		next = added
	}
}

// importsOf returns the paths of the Markdown files that the file at p imports.
func (run *importing) importsOf(p string) (targets []string) {
	f, err := files.ReadIn(run.repository, filepath.FromSlash(p), source.MaxFile)
	if err != nil {
		return nil // file reports the error
	}
	for i := range agents.Imports(string(f.Data)) {
		target := path.Join(path.Dir(p), i.Path)
		if ext := path.Ext(target); ext == ".md" || ext == ".mdc" {
			targets = append(targets, target)
		}
	}
	return targets
}

// addLink adds a symbolic link at the path of an agent's file. It ignores the link if
// its target is imported itself, is in the catalog or is a folder.
func (run *importing) addLink(p string, regular, found map[string]bool) {
	target, err := files.Resolve(run.repository, p)
	if err == nil {
		info, err := run.repository.Stat(filepath.FromSlash(target))
		_, ours := run.inRepository(".", target)
		if found[target] || !ours || err == nil && info.IsDir() {
			return
		}
	}
	found[p] = true
	switch {
	case err != nil:
		run.links[p] = "it is a link that leads to no file of the repository"
	case !regular[target]:
		run.links[p] = "it is a link to a file that git ignores"
	}
}
