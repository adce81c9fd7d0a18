package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/render"
	"instruction-catalog/catalog/source"
	"instruction-catalog/catalog/worktree"
	"instruction-catalog/governance/gates"
)

// renderSources returns the selected entries with their files.
func (a *app) renderSources(ctx context.Context, s *catalog.Snapshot, selection *gates.Selection) ([]render.Source, error) {
	entries := s.Entries()
	if selection != nil {
		entries = selection.Of(gates.NewTable(s), time.Now())
	}
	withheld := selection == nil || !selection.Names("status") && !selection.Names("requirement")
	root, err := os.OpenRoot(a.source().Folder())
	if err != nil {
		return nil, files.Cause(err)
	}
	defer root.Close()
	imported, err := a.imported(root)
	if err != nil {
		return nil, err
	}
	var sources []render.Source
	for _, e := range entries {
		if withheld && render.Withheld(e) {
			continue
		}
		src, err := a.renderSource(ctx, root, e, imported)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Origin.Path, files.Cause(err))
		}
		sources = append(sources, src)
	}
	return sources, nil
}

// imported returns the record of imported files in the folder of the catalog.
func (a *app) imported(root *os.Root) (worktree.Imported, error) {
	imported, err := worktree.ReadImported(root)
	if err != nil {
		err = fmt.Errorf("%s: %w", a.dir, err)
	}
	return imported, err
}

// renderSource returns an entry with its file and, if it is a skill, the skill's other
// files.
func (a *app) renderSource(ctx context.Context, root *os.Root, e *catalog.Entry, imported worktree.Imported) (render.Source, error) {
	src := render.Source{Entry: e}
	if e.Origin.Line > 0 { // of a bundle
		return src, nil
	}
	f, err := files.ReadIn(root, filepath.FromSlash(e.Origin.Path), source.MaxFile)
	if err != nil {
		return src, err
	}
	src.Data, src.Path = f.Data, e.Origin.Path
	if from, ok := imported.At(e.Origin.Path); ok {
		src.Path, src.Imported = from.Path, true
	}
	if e.Load != catalog.LoadSkill {
		return src, nil
	}
	from := a.source()
	names, err := from.SkillFiles(ctx, e)
	src.Files = map[string][]byte{}
	for _, name := range names {
		if err == nil {
			src.Files[name], err = from.ReadSkillFile(e, name)
		}
	}
	return src, err
}

// bundleWarning returns a warning if the catalog is a bundle: its entries have no files
// and cannot be written back as they were imported.
func (a *app) bundleWarning(s *catalog.Snapshot) []render.Warning {
	for _, e := range s.Entries() {
		if e.Origin.Line > 0 {
			return []render.Warning{{Message: "the catalog is a bundle, which has no files: its entries are rendered like any others, not written back as they were imported"}}
		}
	}
	return nil
}
