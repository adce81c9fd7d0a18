package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog/render"
	"instruction-catalog/catalog/worktree"
)

// adoptOptions holds the flags of the adopt command.
type adoptOptions struct {
	out    string
	dryRun bool
}

func (a *app) adoptCommand() *cobra.Command {
	var o adoptOptions
	cmd := &cobra.Command{
		Use:   "adopt [PATH…]",
		Short: "Take edits of rendered files into the catalog",
		Long: `Copies edits of rendered files back into the entries that the files came from.
Without PATH it adopts all files that were edited since they were rendered. PATH is a
path in the repository, which needs a .catalog/render.json.

From a file with one entry it takes the body and the fields that the agent's files can
express, or the whole file if it was imported; from a region it takes the sections that
changed. All other bytes of the entries stay. An edit is adopted only if rendering the
entry yields the edited file. Otherwise the file stays as it is and is reported with
the reason. Then "catalog render" updates the other agents' files.

If the catalog has changed, too, both changes are merged, provided that git has a
commit of the rendered file and the changes do not overlap. Otherwise the file is left,
and both changes are shown.

Exits 1 if a file was left.`,
		Example: `  catalog adopt
  catalog adopt AGENTS.md --dry-run`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if cmd.Flags().Changed("out") && o.out == "" {
				return seeHelp(cmd, emptyFlag("out"))
			}
			plan, err := a.renderPlan(cmd, nil, o.out)
			if err != nil {
				return err
			}
			return a.adopt(cmd.Context(), plan, paths, o)
		},
	}
	cmd.Flags().StringVar(&o.out, "out", "", "the repository's `folder` (default the one around the working directory)")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "print what would be adopted, and write nothing")
	return cmd
}

// adopt adopts the edits and prints the outcome for each file. It returns errFindings
// if a file was left.
func (a *app) adopt(ctx context.Context, p renderPlan, paths []string, o adoptOptions) error {
	if a.isBundle() {
		return fmt.Errorf("%s: a bundle is never written: name the folder that it was made from with --dir", a.dir)
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	set, err := a.renderSet(ctx, p)
	if err != nil {
		return err
	}
	run, err := a.renderRun(p, set)
	if err != nil {
		return err
	}
	run.DryRun = o.dryRun
	adopted, err := worktree.Adopt{
		Render: run, Sources: set.sources, Catalog: a.dir, Paths: paths, Base: committedBase(p.repository),
		Due: func(sources []render.Source) []render.File {
			due, _ := render.Files(sources, set.targets)
			return due
		},
	}.Run(ctx)
	if err != nil && len(adopted) == 0 {
		return err
	}
	if a.json {
		err = errors.Join(a.printValue(map[string][]worktree.AdoptedFile{"files": adopted}), err)
	} else {
		a.printAdopted(adopted, o.dryRun)
	}
	if err == nil && slices.ContainsFunc(adopted, func(f worktree.AdoptedFile) bool { return f.Action == worktree.NotTaken }) {
		err = errFindings
	}
	return err
}

func (a *app) printAdopted(adopted []worktree.AdoptedFile, dryRun bool) {
	taken := 0
	for _, f := range adopted {
		if f.Action == worktree.NotTaken {
			fmt.Fprintln(a.stdout, oneLine(fmt.Sprintf("left %s: %s", f.Path, f.Why)))
			fmt.Fprint(a.stdout, printable(f.Diff))
			continue
		}
		taken++
		line := strings.TrimSuffix(fmt.Sprintf("%s %s into %s", f.Action, f.Path, f.ID), " into ")
		if f.Why != "" {
			line += ": " + f.Why
		}
		fmt.Fprintln(a.stdout, oneLine(line))
		if dryRun {
			fmt.Fprint(a.stdout, printable(f.Diff))
		}
	}
	line := fmt.Sprintf("%s adopted, %d left", count(taken, "edit", "edits"), len(adopted)-taken)
	if dryRun {
		line += "; nothing was written"
	} else if taken > 0 {
		line += `; next: "catalog render"`
	}
	fmt.Fprintln(a.stdout, line)
}
