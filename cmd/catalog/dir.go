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

// defaultDir is the default folder of the catalog.
const defaultDir = "./instructions"

// above is the result of searching for the catalog in the working directory and its
// parents. The zero value means that the catalog is the instructions folder of the
// working directory, or was given by a flag.
type above struct {
	project    string // the folder that holds the catalog, as a relative path; "" or "." for the working directory
	configured string // path of the catalog below project, if the configuration there names it
	repository bool   // the catalog is project itself, a repository without an instructions folder
	top        string // absolute path of the folder where the search ended without a result; "" if there is a result
	foreign    string // absolute path of a catalog at top or below it that belongs to another user; "" for none
}

// lookUpward finds the catalog if --dir is not given. It chooses the nearest
// instructions folder in the working directory or its parents, or the folder that the
// repository's configuration names, or else the repository itself. The search ends at a
// folder with .git, at the home folder, and at the root of the file system. Commands
// that create a catalog create it in the working directory.
//
// It returns an error if the instructions folder is a symbolic link to a folder outside
// its repository. Such a link may have come with a clone, and its target is not the
// user's catalog.
func (a *app) lookUpward(cmd *cobra.Command) error {
	if cmd.Flags().Changed("dir") || slices.Contains([]string{"init", "install", "uninstall", "version", "help"}, cmd.Name()) {
		return nil
	}
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return nil // the working directory was removed
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
		return fmt.Errorf("%s is a link that leads out of the repository, and is not read: name the folder that it leads to with --dir if you trust its content", a.dir)
	}
	return nil
}

// leadsOut reports whether dir is a symbolic link to a folder outside the repository
// that contains the link, or outside the link's parent folder if there is no
// repository.
func leadsOut(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || info.Mode().Type() != fs.ModeSymlink {
		return false
	}
	target, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false // a dangling link; reading it fails later
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

// sayAbove prints which folder is read if it is not the instructions folder of the
// working directory. Call it when the catalog is first read.
func (a *app) sayAbove() {
	switch {
	case a.above.configured != "":
		fmt.Fprintln(a.stderr, "catalog: reading "+a.dir+", as "+repoconfig.Path+" says")
	case a.above.repository:
		fmt.Fprintln(a.stderr, "catalog: reading the repository "+a.dir+", because it has no folder instructions")
	case a.above.project != "":
		fmt.Fprintln(a.stderr, "catalog: reading "+a.dir+", because there is no folder instructions here")
	case a.above.foreign != "":
		fmt.Fprintln(a.stderr, oneLine("catalog: "+a.above.foreign+" belongs to another user and is not read: name it with --dir if you trust its content"))
	}
}

// findAbove searches the working directory and its parents.
func (a *app) findAbove(here string) above {
	project := "."
	for dir := here; ; dir = filepath.Dir(dir) {
		if named := configuredDir(dir); named != "" {
			return configuredAt(dir, named, here, project)
		}
		if _, err := os.Lstat(filepath.Join(here, defaultDir)); dir == here && !errors.Is(err, fs.ErrNotExist) {
			return above{} // if this is not a readable folder, reading it reports the error
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

// configuredDir returns the catalog folder that the configuration of the repository in
// dir names, or "" if it names none. It also returns "" if the configuration is
// unreadable; loading the catalog reports that error.
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

// configuredAt returns the folder that a configuration names as the catalog. It rejects
// a folder that was found above here and belongs to another user.
func configuredAt(top, named, here, project string) above {
	folder := filepath.Join(top, filepath.FromSlash(named))
	if info, err := os.Stat(folder); top != here && err == nil && !trusted(info, here) {
		return above{top: top, foreign: folder}
	}
	return above{project: project, configured: named}
}

// repositoryAt returns the repository in dir as the catalog. It rejects a repository
// that is above here and belongs to another user.
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

// trusted reports whether a folder found above here belongs to this user, to the
// administrator, or to the owner of the working directory. In a folder that everyone
// may write to, such as the one for temporary files, anyone could put instructions.
func trusted(info fs.FileInfo, here string) bool {
	own, err := os.Stat(here)
	return err == nil && (ownerOf(info).isOurs() || ownerOf(info).sameUser(ownerOf(own)))
}

// fromTop converts a file's path, relative to the working directory, to one relative to
// the first of [topsOf] that contains the file. If none does, it returns the path
// unchanged.
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

// realPaths returns the absolute paths of a file and of the catalog's folder, with
// symbolic links resolved. Only a link in the last element of the file is kept.
func (a *app) realPaths(file string) (abs, folder string, err error) {
	abs, err = filepath.Abs(file)
	folder, err2 := filepath.Abs(a.source().Folder())
	if err := errors.Join(err, err2); err != nil {
		return "", "", err
	}
	return filepath.Join(resolved(filepath.Dir(abs)), filepath.Base(abs)), resolved(folder), nil
}

// topsOf returns the folders that the globs of a catalog may be relative to: the
// catalog's folder, unless its name is instructions, and the top of the repository.
// Without a repository, the parent of an instructions folder is the top.
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

// source returns the source of the catalog.
func (a *app) source() *source.Source {
	return source.New(a.dir).LookedUpTo(a.above.top).Including(a.include)
}

// isBundle reports whether the catalog is a bundle rather than a folder.
func (a *app) isBundle() bool { return a.source().IsBundle() }

// load loads the catalog, for commands that need the entries themselves, and shows
// progress.
func (a *app) load(ctx context.Context) (*catalog.Snapshot, error) {
	a.sayAbove()
	show, finish := a.showing("files")
	defer finish()
	return a.source().Load(source.WithProgress(ctx, show))
}

// folder returns the folder that paths of diagnostics are relative to, with slashes and
// relative to the working directory.
func (a *app) folder() string {
	folder := filepath.Clean(source.New(a.dir).Folder())
	if wd, err := os.Getwd(); err == nil && filepath.IsAbs(folder) {
		folder = fromFolder(wd, folder)
	}
	return filepath.ToSlash(folder)
}

// fromFolder returns the relative path from one absolute folder to another, or the
// other folder unchanged if there is no such path. If the path leads upward, symbolic
// links are resolved first, because a link's parent and its target's parent are
// different folders.
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
