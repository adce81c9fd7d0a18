package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	repoconfig "instruction-catalog/catalog/config"
	"instruction-catalog/catalog/worktree"
)

// importOptions holds the flags of the import command.
type importOptions struct {
	into   string
	dryRun bool
}

func (a *app) importCommand() *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import [REPO]",
		Short: "Copy a repository's agents' files into the catalog",
		Long: `Copies the files that coding agents load (AGENTS.md, CLAUDE.md, .cursor/rules and
so on) from a repository into the catalog, byte for byte. Without REPO that is the
repository around the working directory. Each file keeps its path, below a folder of
the catalog that has the repository's name. Files that git ignores are not copied.

A second import copies the files that have changed in the repository. If a file was
edited in the catalog since the last import, it stays as it is and is listed.
.catalog/imported.json in the catalog records what was imported: commit it.

Exits 1 if a file was left.`,
		Example: `  catalog import
  catalog import ../shop --into shop --dry-run`,
		Args: arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("into") && o.into == "" {
				return seeHelp(cmd, emptyFlag("into"))
			}
			return a.importFiles(cmd.Context(), cmp.Or(append(args, "")[0], hereTop()), o)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	cmd.Flags().StringVar(&o.into, "into", "", "the `folder` of the catalog for the files (default the repository's name)")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "print what would be done, and write nothing")
	return cmd
}

// hereTop returns the top of the repository around the working directory, or the
// working directory itself.
func hereTop() string {
	wd, err := os.Getwd()
	if err != nil {
		return "."
	}
	return repoconfig.Top(wd)
}

func (a *app) importFiles(ctx context.Context, repository string, o importOptions) error {
	if a.above.repository { // the catalog is created in the repository
		a.dir, a.above = filepath.Join(a.dir, defaultDir), above{}
	}
	a.sayAbove()
	if a.isBundle() {
		return fmt.Errorf("%s: files are imported into a folder: name one with --dir", a.dir)
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	result, err := a.runImport(ctx, repository, o)
	switch {
	case err != nil:
		return err
	case a.json:
		err = a.printValue(result)
	default:
		a.printImport(result, o.dryRun)
	}
	if err == nil && result.Summary[worktree.Left] > 0 {
		return errFindings
	}
	return err
}

// runImport imports the agents' files of a repository into the catalog.
func (a *app) runImport(ctx context.Context, repository string, o importOptions) (worktree.ImportResult, error) {
	state, err := a.changesFolder()
	if err != nil {
		return worktree.ImportResult{}, err
	}
	show, finish := a.showing("files")
	defer finish()
	result, err := worktree.Import{
		Repository: repository, Catalog: a.dir, Into: o.into,
		State: state, Origins: filepath.Join(filepath.Dir(state), "imported"), IsSame: haveSameRoot,
		DryRun: o.dryRun, Log: a.logger(), Progress: show,
	}.Run(ctx)
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted: run the command again to import the rest")
	}
	return result, err
}

// changesFolder returns the folder where texts are staged before they replace files.
func (a *app) changesFolder() (string, error) {
	folder, err := a.stateFolder()
	if err != nil {
		return "", fmt.Errorf("%w: set XDG_STATE_HOME or HOME", err)
	}
	return filepath.Join(folder, "changes"), nil
}

func (a *app) printImport(result worktree.ImportResult, dryRun bool) {
	for _, f := range result.Files {
		to := path.Join(filepath.ToSlash(a.dir), f.To)
		switch f.Action {
		case worktree.Left:
			fmt.Fprintln(a.stdout, oneLine(fmt.Sprintf("left %s: %s", f.From, f.Why)))
		case worktree.Copied, worktree.Updated:
			fmt.Fprintln(a.stdout, oneLine(fmt.Sprintf("%s %s to %s", f.Action, f.From, to)))
		}
	}
	s := result.Summary
	line := fmt.Sprintf("%s: %d copied, %d updated, %d unchanged, %d left",
		count(len(result.Files), "file", "files"), s[worktree.Copied], s[worktree.Updated], s[worktree.Unchanged], s[worktree.Left])
	if dryRun {
		line += "; nothing was written"
	}
	fmt.Fprintln(a.stdout, line)
}
