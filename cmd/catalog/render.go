package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/render"
	"instruction-catalog/catalog/worktree"
	"instruction-catalog/governance/gates"
	"instruction-catalog/governance/report"
)

// renderOptions holds the flags of the render command.
type renderOptions struct {
	out           string
	check, dryRun bool
	force         []string
	format        string
	failOn        string
}

func (a *app) renderCommand() *cobra.Command {
	var o renderOptions
	cmd := &cobra.Command{
		Use:   "render [TARGET…]",
		Short: "Write the catalog's entries into the files that agents load",
		Long: `Writes the entries of the catalog into a repository, as the files that coding agents
load: AGENTS.md, .claude/rules, .cursor/rules and so on. The targets are ` + targetList() + `.
Without targets, .catalog/render.json in the repository names them:

  {"catalog": "instructions", "targets": ["agents", "claude-code"],
   "where": {"field": "status", "op": "eq", "value": "approved"}}

"catalog" is a folder or a bundle, relative to the repository; --dir overrides it.
"where" chooses entries as in gates.json. In AGENTS.md and other files that people
also write, only the text between two comments is written.

A file that was edited by hand is not overwritten but listed: "catalog adopt" copies
the edit into the catalog. --force overwrites one file and saves the old one beside it.
.catalog/rendered.json records what was written: commit it.

--check writes nothing, and reports each file that differs from the catalog, in the
formats of verify, for CI.

Exits 1 if a file was left, or with --check if a file differs from the catalog.`,
		Example: `  catalog render
  catalog render agents cursor --dry-run
  catalog render --check --format github`,
		ValidArgs: targetNames(),
		RunE: func(cmd *cobra.Command, targets []string) error {
			if err := a.checkRenderOptions(cmd, o); err != nil {
				return seeHelp(cmd, err)
			}
			return a.render(cmd, targets, o)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.out, "out", "", "the repository's `folder` (default the one around the working directory)")
	flags.BoolVar(&o.check, "check", false, "write nothing, and report the files that differ from the catalog")
	flags.BoolVar(&o.dryRun, "dry-run", false, "print what would be done, and write nothing")
	flags.StringArrayVar(&o.force, "force", nil, "overwrite the file at this `path` of the repository, and save the old one as PATH.orig")
	flags.StringVar(&o.format, "format", string(textFormat), "of --check: "+report.List(verifyFormats))
	flags.StringVar(&o.failOn, "fail-on", string(report.Warning), "with --check: the lowest `severity` that counts, error or warning")
	oneOf(cmd, "format", verifyFormats...)
	oneOf(cmd, "fail-on", report.Error, report.Warning)
	return cmd
}

func targetNames() (names []string) {
	for _, t := range agents.Targets() {
		names = append(names, t.Name)
	}
	return names
}

func targetList() string { return strings.Join(targetNames(), ", ") }

// checkRenderOptions returns an error for options that are invalid, alone or together.
func (a *app) checkRenderOptions(cmd *cobra.Command, o renderOptions) error {
	given := cmd.Flags().Changed
	switch {
	case given("out") && o.out == "":
		return emptyFlag("out")
	case !slices.Contains(verifyFormats, report.Format(o.format)):
		return fmt.Errorf("--format: %q is not a format: name one of %s", o.format, report.List(verifyFormats))
	case o.failOn != string(report.Error) && o.failOn != string(report.Warning):
		return fmt.Errorf("--fail-on: %q is neither error nor warning", o.failOn)
	case !o.check && (given("format") || given("fail-on")):
		return errors.New("--format and --fail-on are about the report of --check: add it, or leave them out")
	case a.json && given("format"):
		return errors.New("--json prints the action for each file, and --format a report: leave one out")
	case o.check && len(o.force) > 0:
		return errors.New("--check writes nothing, and --force overwrites: leave one out")
	}
	return nil
}

// render renders the catalog into a repository.
func (a *app) render(cmd *cobra.Command, named []string, o renderOptions) error {
	ctx, stop := untilSignal(cmd.Context())
	defer stop()
	plan, err := a.renderPlan(cmd, named, o.out)
	if err != nil {
		return err
	}
	rendered, err := a.applyPlan(ctx, plan, o)
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted: each file has either its old or its new content; render again")
	case err != nil:
		return err
	}
	return a.printRender(rendered, o)
}

// rendered is the JSON output of render.
type rendered struct {
	Revision string `json:"revision"`
	worktree.RenderResult
	Warnings []renderWarning `json:"warnings"`
}

// renderWarning is a warning as JSON.
type renderWarning struct {
	ID      string `json:"id,omitempty"`
	Target  string `json:"target,omitempty"`
	Path    string `json:"path,omitempty"`
	Field   string `json:"field,omitempty"`
	Message string `json:"message"`
}

// renderPlan says what to render, and into which repository.
type renderPlan struct {
	repository string
	settings   worktree.Settings
	selection  *gates.Selection // nil selects all entries
	isNamed    bool             // the targets were given on the command line
}

// renderPlan determines the repository, the targets and the selection, and sets a.dir
// to the catalog that the settings name.
func (a *app) renderPlan(cmd *cobra.Command, named []string, out string) (p renderPlan, err error) {
	if p.repository, err = repositoryOf(out); err != nil {
		return p, err
	}
	p.settings, err = worktree.ReadSettings(p.repository, func(where json.RawMessage) (err error) {
		p.selection, err = gates.ParseSelection(where)
		return err
	})
	if worktree.IsMissing(err) {
		if len(named) == 0 {
			return p, seeHelp(cmd, fmt.Errorf("there is no %s in %s: write one, or name targets (%s)", worktree.SettingsPath, p.repository, targetList()))
		}
		err = nil
	}
	if err != nil {
		return p, err
	}
	if len(named) > 0 {
		p.settings.Targets, p.isNamed = named, true
	}
	if err := checkTargets(p.settings.Targets); err != nil {
		return p, err
	}
	a.useCatalogOf(cmd, p)
	return p, a.refuseOwnRepository(p.repository)
}

// repositoryOf returns the real path of the folder in --out, or of the top of the
// repository around the working directory if out is empty.
func repositoryOf(out string) (string, error) {
	if out == "" {
		out = hereTop()
	}
	abs, err := filepath.Abs(out)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	return abs, err
}

func checkTargets(names []string) error {
	for i, name := range names {
		if agents.TargetNamed(name) == nil {
			return didYouMean(fmt.Errorf("%q is not a target: name one of %s", name, targetList()), name, targetNames())
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("the target %q is named twice: leave one out", name)
		}
	}
	return nil
}

// useCatalogOf selects the catalog that the settings name, unless --dir is given.
func (a *app) useCatalogOf(cmd *cobra.Command, p renderPlan) {
	if p.settings.Catalog == "" || cmd.Flags().Changed("dir") {
		return
	}
	a.above, a.dir = above{}, p.settings.Catalog
	if !filepath.IsAbs(a.dir) && !strings.Contains(a.dir, "://") {
		a.dir = filepath.Join(p.repository, filepath.FromSlash(a.dir))
	}
}

// refuseOwnRepository returns an error if the catalog contains the repository, because
// the rendered files would become entries, or if the catalog is a link that leads out
// of its repository.
func (a *app) refuseOwnRepository(repository string) error {
	if leadsOut(a.dir) {
		return fmt.Errorf("%s is a link that leads out of the repository, and is not read: name the folder that it leads to with --dir if you trust its content", a.dir)
	}
	if a.isBundle() {
		return nil
	}
	if below, err := isBelow(repository, a.dir); err != nil || below {
		return fmt.Errorf("the catalog %s contains the repository %s, so rendered files would become its entries: run \"catalog import --dir instructions\" there first, and render from that folder", a.dir, repository)
	}
	return nil
}

// renderSet is the rendered content of a catalog.
type renderSet struct {
	revision string
	unread   []string // paths of invalid files of the catalog
	sources  []render.Source
	targets  []*agents.Target
	due      []render.File
	warnings []render.Warning
}

// renderSet loads the catalog and renders it in memory.
func (a *app) renderSet(ctx context.Context, p renderPlan) (set renderSet, err error) {
	s, err := a.load(ctx)
	if err != nil {
		return set, err
	}
	set.revision = string(s.Revision())
	for _, d := range s.Diagnostics() {
		if d.Severity == catalog.SeverityError {
			set.unread = append(set.unread, d.Path)
			set.warnings = append(set.warnings, render.Warning{Path: d.Path, Message: "not rendered: " + d.Message})
		}
	}
	if set.sources, err = a.renderSources(ctx, s, p.selection); err != nil {
		return set, err
	}
	for _, name := range p.settings.Targets {
		set.targets = append(set.targets, agents.TargetNamed(name))
	}
	due, warnings := render.Files(set.sources, set.targets)
	set.due, set.warnings = due, slices.Concat(set.warnings, a.bundleWarning(s), warnings, render.Check(due, existsIn(p.repository)))
	return set, nil
}

// applyPlan renders the files and updates the repository. It writes nothing with
// --dry-run or --check.
func (a *app) applyPlan(ctx context.Context, p renderPlan, o renderOptions) (rendered, error) {
	r := rendered{Warnings: []renderWarning{}}
	set, err := a.renderSet(ctx, p)
	if err != nil {
		return r, err
	}
	r.Revision = set.revision
	for _, w := range set.warnings {
		r.Warnings = append(r.Warnings, renderWarning{string(w.ID), w.Target, w.Path, w.Field, w.Message})
	}
	run, err := a.renderRun(p, set)
	if err != nil {
		return r, err
	}
	show, finish := a.showing("files")
	defer finish()
	run.Force, run.DryRun, run.Progress = o.force, o.dryRun || o.check, show
	r.RenderResult, err = run.Run(ctx)
	return r, err
}

// renderRun returns the [worktree.Render] that compares the repository with the
// rendered files and updates it.
func (a *app) renderRun(p renderPlan, set renderSet) (worktree.Render, error) {
	state, err := a.stateFolder()
	if err != nil {
		return worktree.Render{}, fmt.Errorf("%w: set XDG_STATE_HOME or HOME", err)
	}
	root, err := os.OpenRoot(a.source().Folder())
	if err != nil {
		return worktree.Render{}, files.Cause(err)
	}
	defer root.Close()
	imported, err := a.imported(root)
	if err != nil {
		return worktree.Render{}, err
	}
	run := worktree.Render{
		Repository: p.repository, Files: set.due, Revision: set.revision, Unread: set.unread,
		MayWrite: mayWrite, IsImported: imported.HasSource, IsCommitted: committedIn(p.repository),
		State: filepath.Join(state, "rendered"), Changes: filepath.Join(state, "changes"),
		Log: a.logger(), Progress: func(int, int) {},
	}
	if p.isNamed {
		run.Targets = p.settings.Targets
	}
	return run, nil
}

// existsIn returns a function that reports whether a repository has a regular file at a
// path.
func existsIn(repository string) func(path string) bool {
	return func(path string) bool {
		info, err := os.Stat(filepath.Join(repository, filepath.FromSlash(path)))
		return err == nil && info.Mode().IsRegular()
	}
}

// mayWrite reports whether rendering could ever write a file at path for the target.
func mayWrite(target, path string) bool {
	t := agents.TargetNamed(target)
	return t != nil && t.MayWrite(path)
}
