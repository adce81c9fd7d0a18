package main

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

//go:embed starter
var starter embed.FS

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a small starter catalog",
		Long: `Writes a small catalog to start from: a few Markdown files and a gates.json, in
./instructions or the folder of --dir. It overwrites nothing: where one of its
files exists already, it writes none.`,
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			names, err := writeStarter(a.dir)
			if err != nil {
				return err
			}
			if a.json {
				return json.NewEncoder(a.stdout).Encode(map[string][]string{"wrote": names})
			}
			for _, name := range names {
				fmt.Fprintln(a.stdout, "wrote "+name)
			}
			fmt.Fprintln(a.stdout, `Next: edit the files, then "catalog verify".`)
			return nil
		},
	}
}

// writeStarter writes the starter catalog into dir and returns the files.
func writeStarter(dir string) ([]string, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is a file: name a folder with --dir", dir)
	}
	files, err := fs.Sub(starter, "starter")
	if err != nil {
		return nil, err
	}
	var names []string
	err = fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(path))
		names = append(names, target)
		if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s exists already: nothing was written; name another folder with --dir", target)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return names, os.CopyFS(dir, files) // refuses to overwrite, too
}
