package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	repoconfig "instruction-catalog/catalog/config"
	"instruction-catalog/catalog/source"
)

// defaultDir is the catalog's folder if none is given.
const defaultDir = "./instructions"

// above is the result of looking for the catalog at and above the working directory.
// The zero value means that the catalog is the folder instructions right here, or was
// named.
type above struct {
	project    string // the folder that holds the catalog, relative; "" for the working directory
	configured string // the catalog, from project, if the configuration there names it
	repository bool   // the catalog is project itself, a repository without a folder instructions
	top        string // where the search ended without a result, absolute; "" if it had one
	foreign    string // a catalog there that belongs to another user, absolute; "" for none
}

// lookUpward finds the catalog if --dir does not name one: the nearest folder
// instructions at or above the working directory, or else the repository around it.
// The search ends at a folder with .git, at the home folder, and at the root of the
// file system. Commands that make a catalog make it here.
//
// A folder that is a link out of its repository is an error: it may have come with a
// clone, and what it leads to is nobody's catalog.
func (a *app) lookUpward(cmd *cobra.Command) error {
	if cmd.Flags().Changed("dir") || slices.Contains([]string{"init", "install", "uninstall", "version", "help"}, cmd.Name()) {
		return nil
	}
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return nil // there is nothing above a folder that is gone
	}
	switch a.above = a.findAbove(here); {
	case a.above.configured != "":
		a.dir = filepath.Join(a.above.project, filepath.FromSlash(a.above.configured))
		return nil
	case a.above.repository:
		a.dir = a.above.project
		return nil
	case a.above.project != "":
		a.dir = filepath.Join(a.above.project, defaultDir)
	}
	if leadsOut(a.dir) {
		return fmt.Errorf("%s is a link that leads out of the repository, and is not read: name the folder that it leads to with --dir if you trust what it says", a.dir)
	}
	return nil
}

// leadsOut reports whether a folder is a link to one outside of the repository that the
// link lies in, or without one of the folder that it lies in.
func leadsOut(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || info.Mode().Type() != fs.ModeSymlink {
		return false
	}
	target, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false // it leads nowhere, as whoever reads it says
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil {
		return true
	}
	target, err = filepath.Abs(target)
	parent, err2 := filepath.Abs(parent)
	within, err3 := filepath.Rel(repoconfig.Top(parent), target)
	return errors.Join(err, err2, err3) != nil || !filepath.IsLocal(within)
}

// sayAbove says which folder is read if it is not the folder instructions here. It is
// called when the catalog is first read.
func (a *app) sayAbove() {
	switch {
	case a.above.configured != "":
		fmt.Fprintln(a.stderr, "catalog: reading "+a.dir+", as "+repoconfig.Path+" says")
	case a.above.repository:
		fmt.Fprintln(a.stderr, "catalog: reading the repository "+a.dir+", as it has no folder instructions")
	case a.above.project != "":
		fmt.Fprintln(a.stderr, "catalog: reading "+a.dir+", as there is no folder instructions here")
	case a.above.foreign != "":
		fmt.Fprintln(a.stderr, oneLine("catalog: "+a.above.foreign+" belongs to another user and is not read: name it with --dir if you trust what it says"))
	}
}

// findAbove goes from the working directory upward.
func (a *app) findAbove(here string) above {
	project := "."
	for dir := here; ; dir = filepath.Dir(dir) {
		if named := configuredDir(dir); named != "" {
			return configuredAt(dir, named, here, project)
		}
		if _, err := os.Lstat(filepath.Join(here, defaultDir)); dir == here && !errors.Is(err, fs.ErrNotExist) {
			return above{} // whatever it is
		}
		info, err := os.Stat(filepath.Join(dir, defaultDir))
		switch {
		case err == nil && info.IsDir() && !trusted(info, here):
			return above{top: dir, foreign: filepath.Join(dir, defaultDir)}
		case err == nil && info.IsDir():
			return above{project: project}
		case a.isHome(dir), dir == filepath.Dir(dir):
			return above{top: dir}
		case repoconfig.HasGit(dir):
			return repositoryAt(dir, here, project)
		}
		project = filepath.Join(project, "..")
	}
}

// configuredDir returns the folder of the catalog that the configuration of the repository
// in dir names; "" if it names none. If it cannot be read, the error is that of loading
// the catalog.
func configuredDir(dir string) string {
	if !repoconfig.HasGit(dir) {
		return ""
	}
	c, err := repoconfig.Read(dir)
	if err != nil {
		return ""
	}
	return c.Dir
}

// configuredAt returns the folder that a configuration names as the catalog, unless it
// lies above here and belongs to another user.
func configuredAt(top, named, here, project string) above {
	folder := filepath.Join(top, filepath.FromSlash(named))
	if info, err := os.Stat(folder); top != here && err == nil && !trusted(info, here) {
		return above{top: top, foreign: folder}
	}
	return above{project: project, configured: named}
}

// repositoryAt returns the repository in dir as the catalog, unless it lies above here
// and belongs to another user.
func repositoryAt(dir, here, project string) above {
	if info, err := os.Stat(dir); dir != here && (err != nil || !trusted(info, here)) {
		return above{top: dir, foreign: dir}
	}
	return above{project: project, repository: true}
}

func (a *app) isHome(dir string) bool {
	variable := "HOME"
	if runtime.GOOS == "windows" {
		variable = "USERPROFILE"
	}
	home := a.env(variable)
	return home != "" && sameFile(dir, home)
}

// trusted reports whether a folder above belongs to this user, to the
// administrator, or to whom the working directory belongs: in a folder that all
// may write to, such as that for temporary files, anybody could leave instructions.
func trusted(info fs.FileInfo, here string) bool {
	own, err := os.Stat(here)
	return err == nil && (ownerOf(info).isOurs() || ownerOf(info).sameUser(ownerOf(own)))
}

// fromTop returns the path, from the top of the catalog's repository, of a file that is
// named from the working directory. A file outside of the repository is returned as it
// is named.
func (a *app) fromTop(file string) string {
	abs, folder, err := a.realPaths(file)
	if file == "" || err != nil {
		return file
	}
	for _, top := range topsOf(folder) {
		if within, err := filepath.Rel(top, abs); err == nil && filepath.IsLocal(within) {
			return filepath.ToSlash(within)
		}
	}
	return file
}

// realPaths returns the absolute paths of a file and of the catalog's folder, without
// symbolic links on the way.
func (a *app) realPaths(file string) (abs, folder string, err error) {
	abs, err = filepath.Abs(file)
	folder, err2 := filepath.Abs(a.source().Folder())
	if err := errors.Join(err, err2); err != nil {
		return "", "", err
	}
	return filepath.Join(resolved(filepath.Dir(abs)), filepath.Base(abs)), resolved(folder), nil
}

// topsOf returns the folders that the paths of a catalog's globs may count from: the
// catalog's folder, unless it is the folder instructions of a repository, and the
// repository's top.
func topsOf(folder string) []string {
	top := repoconfig.Top(folder)
	switch {
	case filepath.Base(folder) != filepath.Base(defaultDir):
		return []string{folder, top}
	case top == folder:
		return []string{filepath.Dir(folder)}
	}
	return []string{top}
}

// source is where the catalog is kept.
func (a *app) source() *source.Source {
	return source.New(a.dir).LookedUpTo(a.above.top).Including(a.include)
}

// isBundle reports whether the catalog is a bundle, and no folder.
func (a *app) isBundle() bool { return a.source().IsBundle() }

// load loads the catalog for a command that needs its entries themselves, and shows
// how far that is.
func (a *app) load(ctx context.Context) (*catalog.Snapshot, error) {
	a.sayAbove()
	show, finish := a.showing("files")
	defer finish()
	return a.source().Load(source.WithProgress(ctx, show))
}

// folder is what the paths of diagnostics are within, with slashes and from the
// working directory.
func (a *app) folder() string {
	folder := filepath.Clean(source.New(a.dir).Folder())
	if wd, err := os.Getwd(); err == nil && filepath.IsAbs(folder) {
		folder = fromFolder(wd, folder)
	}
	return filepath.ToSlash(folder)
}

// fromFolder is the way from one folder to another, both absolute; where there is
// none, it is the other as it is. One that leads upward goes by the real names of
// both: above a symbolic link is another folder than it seems.
func fromFolder(from, to string) string {
	if within, err := filepath.Rel(from, to); err == nil && filepath.IsLocal(within) {
		return within
	}
	realFrom, err := filepath.EvalSymlinks(from)
	realTo, err2 := filepath.EvalSymlinks(to)
	if way, err3 := filepath.Rel(realFrom, realTo); errors.Join(err, err2, err3) == nil {
		return way
	}
	return to
}

func describe(folder string, d catalog.Diagnostic) string {
	d.Path = path.Join(folder, d.Path)
	return oneLine(d.String())
}
