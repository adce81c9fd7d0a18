package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/render"
	"instruction-catalog/catalog/worktree"
	"instruction-catalog/schemas/jsonscan"
)

// initImport is the outcome of "init --import", as printed by --json.
type initImport struct {
	Wrote   []string `json:"wrote"`
	Targets []string `json:"targets"`
	dropped []droppedTarget
}

// droppedTarget is a target that init leaves out because an agent would load an entry
// twice with it.
type droppedTarget struct{ name, why string }

// offerImport asks a person on a terminal whether to import the agents' files of the
// repository. It returns false without asking if there is no terminal or no such file.
func (a *app) offerImport(ctx context.Context) (bool, error) {
	if a.json || !isTerminal(a.stdin) || !isTerminal(a.stderr) {
		return false, nil
	}
	found := a.importable(ctx)
	if n := len(found); n > 0 {
		return a.confirm(fmt.Sprintf("This repository has %s for coding agents, such as %s.\nCopy them into %s, and write %s, so that they can be rendered from there?",
			count(n, "file", "files"), found[0].From, a.dir, worktree.SettingsPath))
	}
	return false, nil
}

// importable returns the agents' files of the repository, or nil if they cannot be
// imported.
func (a *app) importable(ctx context.Context) []worktree.ImportFile {
	found, err := a.runImport(ctx, hereTop(), importOptions{dryRun: true})
	if err != nil {
		return nil
	}
	return found.Files
}

// confirm asks a question on standard error. It returns true if the answer is y or yes.
func (a *app) confirm(question string) (bool, error) {
	fmt.Fprint(a.stderr, printable(question)+" [y/N] ")
	answer, err := bufio.NewReader(a.stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes", nil
}

// initByImport makes a catalog from the agents' files of the repository around the
// working directory, and writes the settings to render it.
func (a *app) initByImport(ctx context.Context) error {
	ctx, stop := untilSignal(ctx)
	defer stop()
	repository, err := repositoryOf("")
	if err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join(repository, filepath.FromSlash(worktree.SettingsPath))); !errors.Is(err, fs.ErrNotExist) {
		return cmp.Or(err, fmt.Errorf(`%s exists already: nothing was written; "catalog import" imports again`, worktree.SettingsPath))
	}
	found, err := a.runImport(ctx, repository, importOptions{dryRun: true})
	if err == nil && len(found.Files) == 0 {
		err = fmt.Errorf("%s has no files for coding agents: nothing was written; leave --import out to get a starter catalog", repository)
	}
	if err != nil {
		return err
	}
	imported, err := a.runImport(ctx, repository, importOptions{})
	if err != nil {
		return err
	}
	result, err := a.configureImported(ctx, repository, imported)
	if err != nil {
		return err
	}
	if a.json {
		err = a.printValue(result)
	} else {
		a.printInitImport(result, imported)
	}
	if err == nil && imported.Summary[worktree.Left] > 0 {
		err = errFindings
	}
	return err
}

// configureImported writes the settings for rendering and the configuration of the
// catalog.
func (a *app) configureImported(ctx context.Context, repository string, imported worktree.ImportResult) (result initImport, err error) {
	for _, f := range imported.Files {
		if f.Action == worktree.Copied || f.Action == worktree.Updated {
			result.Wrote = append(result.Wrote, path.Join(filepath.ToSlash(a.dir), f.To))
		}
	}
	if result.Targets, result.dropped, err = a.proposeTargets(ctx, repository, imported); err != nil {
		return result, err
	}
	config, err := startConfig(a.dir)
	if err != nil {
		return result, err
	}
	settings, err := a.writeSettings(repository, result.Targets)
	result.Wrote = append(result.Wrote, slices.DeleteFunc([]string{config, settings}, func(name string) bool { return name == "" })...)
	return result, err
}

// proposeTargets returns the targets that the imported files belong to. It leaves out a
// target if an agent would load the same entry both from that target's files and from
// those of an earlier target.
func (a *app) proposeTargets(ctx context.Context, repository string, imported worktree.ImportResult) (names []string, dropped []droppedTarget, err error) {
	s, err := a.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	sources, err := a.renderSources(ctx, s, nil)
	if err != nil {
		return nil, nil, err
	}
	var chosen []*agents.Target
	for _, t := range agents.Targets() {
		if !hasFileOf(t, imported) {
			continue
		}
		more := append(slices.Clip(chosen), t)
		due, _ := render.Files(sources, more)
		warnings := render.Check(due, existsIn(repository))
		if i := slices.IndexFunc(warnings, func(w render.Warning) bool { return w.ID == "" }); i >= 0 {
			why, _, _ := strings.Cut(warnings[i].Message, ": drop")
			dropped = append(dropped, droppedTarget{t.Name, why})
			continue
		}
		chosen, names = more, append(names, t.Name)
	}
	if len(names) == 0 {
		names = []string{agents.Targets()[0].Name}
	}
	return names, dropped, nil
}

// hasFileOf reports whether an imported file belongs to the target.
func hasFileOf(t *agents.Target, imported worktree.ImportResult) bool {
	return slices.ContainsFunc(imported.Files, func(f worktree.ImportFile) bool { return t.MayWrite(f.From) })
}

// writeSettings writes the settings for rendering and returns their path as shown to
// people.
func (a *app) writeSettings(repository string, targets []string) (string, error) {
	catalog, err := filepath.Abs(a.dir)
	if err == nil {
		catalog, err = filepath.EvalSymlinks(catalog)
	}
	if err == nil {
		catalog, err = filepath.Rel(repository, catalog)
	}
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(repository)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if err := files.MakeFolders(root, path.Dir(worktree.SettingsPath)); err != nil {
		return "", err
	}
	text := fmt.Sprintf("{\n  \"catalog\": %s,\n  \"targets\": %s\n}\n",
		jsonscan.MustEncode(filepath.ToSlash(catalog)), strings.ReplaceAll(string(jsonscan.MustEncode(targets)), `","`, `", "`))
	err = files.CreateNewIn(root, filepath.FromSlash(worktree.SettingsPath), []byte(text), 0o666)
	return shownFrom(filepath.Join(repository, filepath.FromSlash(worktree.SettingsPath))), err
}

func (a *app) printInitImport(result initImport, imported worktree.ImportResult) {
	for _, f := range imported.Files {
		if f.Action == worktree.Left {
			fmt.Fprintln(a.stdout, oneLine(fmt.Sprintf("left %s: %s", f.From, f.Why)))
		}
	}
	for _, name := range result.Wrote {
		fmt.Fprintln(a.stdout, oneLine("wrote "+name))
	}
	for _, d := range result.dropped {
		fmt.Fprintln(a.stdout, oneLine(fmt.Sprintf("left the target %s out: with it, %s; its own files stay and are not kept in step", d.name, d.why)))
	}
	fmt.Fprintf(a.stdout, "Next: \"catalog render --dry-run\" shows what would be written for the targets %s, which %s names.\n",
		strings.Join(result.Targets, ", "), worktree.SettingsPath)
}
