package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog/files"
)

//go:embed starter
var starter embed.FS

func (a *app) initCommand() *cobra.Command {
	identity, imports := false, false
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a small starter catalog, or import agents' files",
		Long: `Writes a small catalog to start from: a few Markdown files and a gates.json, in
./instructions or the folder of --dir. It overwrites nothing: if one of its files
already exists, it writes no file.

In a repository that has files for coding agents, such as AGENTS.md or .cursor/rules,
--import makes the catalog from those instead, byte for byte, and writes
.catalog/render.json, with targets from which no agent loads an entry twice. On a
terminal the command asks whether to import.

The file .catalog/config.json at the top of the repository gets a random id, under
which counts of use are kept, so that they survive a move and a clone. --identity
writes nothing but that, for a catalog that exists, and moves its counts there.`,
		Example: `  catalog init
  catalog init --dir rules
  catalog init --import
  catalog init --identity`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			switch {
			case identity && imports:
				return seeHelp(cmd, errors.New("--identity writes only an id, --import a catalog: leave one out"))
			case identity:
				return a.addIdentity()
			case !cmd.Flags().Changed("import"):
				if imports, err = a.offerImport(cmd.Context()); err != nil {
					return err
				}
			}
			if imports {
				return a.initByImport(cmd.Context())
			}
			return a.initByStarter(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&identity, "identity", false, "only give an existing catalog an id")
	cmd.Flags().BoolVar(&imports, "import", false, "make the catalog from the repository's files for coding agents")
	return cmd
}

// initByStarter writes the starter catalog and its configuration.
func (a *app) initByStarter(ctx context.Context) error {
	names, err := writeStarter(a.dir)
	if err != nil {
		return err
	}
	config, err := startConfig(a.dir)
	if err != nil {
		return err
	}
	if config != "" {
		names = append(names, config)
	}
	if a.json {
		return a.printValue(map[string][]string{"wrote": names})
	}
	for _, name := range names {
		fmt.Fprintln(a.stdout, "wrote "+name)
	}
	if n := len(a.importable(ctx)); n > 0 {
		fmt.Fprintf(a.stdout, "This repository has %s for coding agents: \"catalog import\" copies them into the catalog.\n", count(n, "file", "files"))
	}
	fmt.Fprintln(a.stdout, `Next: edit the files, then "catalog verify".`)
	return nil
}

// writeStarter writes the starter catalog into dir and returns the files. It does not
// write through symbolic links.
func writeStarter(dir string) ([]string, error) {
	texts, err := fs.Sub(starter, "starter")
	if err != nil {
		return nil, err
	}
	names, err := starterNames(dir, texts)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return names, fs.WalkDir(texts, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return root.MkdirAll(path, 0o777)
		}
		text, err := fs.ReadFile(texts, path)
		if err != nil {
			return err
		}
		return files.CreateNewIn(root, path, text, 0o666)
	})
}

// starterNames returns the files of the starter catalog in dir. It returns an error if
// a file exists or cannot be created.
func starterNames(dir string, texts fs.FS) (names []string, _ error) {
	if err := staysHere(filepath.Dir(dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: nothing can be written there (%w): name a folder with --dir", dir, err)
	}
	return names, fs.WalkDir(texts, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(path))
		info, err := os.Lstat(target)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case d.IsDir() && info.Mode().Type() == fs.ModeSymlink:
			return fmt.Errorf("%s is a link: nothing was written; name the folder that it leads to, or another, with --dir", target)
		case d.IsDir() && !info.IsDir():
			return fmt.Errorf("%s is a file: name a folder with --dir", target)
		case !d.IsDir():
			return fmt.Errorf("%s already exists: nothing was written; name another folder with --dir", target)
		}
		if !d.IsDir() {
			names = append(names, target)
		}
		return nil
	})
}
