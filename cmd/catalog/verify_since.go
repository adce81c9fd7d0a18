package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	repoconfig "instruction-catalog/catalog/config"
	"instruction-catalog/catalog/format"
	"instruction-catalog/governance/crosscheck"
	"instruction-catalog/governance/report"
)

// changes holds the changed files of a catalog, and the folders in it that are separate
// repositories, because git does not list their files.
type changes struct {
	shown string          // folder of the catalog, as shown in findings
	real  string          // real path of that folder
	names map[string]bool // paths within the folder, with slashes
	link  bool            // whether one of the files is a symbolic link
	went  map[string]bool // names that entries in these files had at the revision
}

// concerns reports whether a finding is about the catalog as a whole or about a changed
// file. This includes findings in which a changed file is the related place or the
// target of a reference.
func (c *changes) concerns(f report.Finding) bool {
	return f.Whole || c.has(f.Place) || slices.ContainsFunc(f.Related, c.has) || f.Target != "" && (c.went[f.Target] || c.within(f.Target))
}

// has reports whether a file, or the file that it links to, has changed. If a symbolic
// link has changed, it returns true for every link, because links may lead to each
// other.
func (c *changes) has(at report.Place) bool {
	name := strings.TrimPrefix(at.Path, c.shown+"/")
	target := c.target(name)
	return c.within(name) || target != name && (c.link || c.within(target))
}

func (c *changes) within(name string) bool {
	for ; name != "." && name != "/"; name = path.Dir(name) {
		if c.names[name] {
			return true
		}
	}
	return false
}

// target returns the name with symbolic links resolved, or unchanged if it has none.
func (c *changes) target(name string) string {
	file, err := filepath.EvalSymlinks(filepath.Join(c.real, filepath.FromSlash(name)))
	within, err2 := filepath.Rel(c.real, file)
	if errors.Join(err, err2) != nil {
		return name
	}
	return filepath.ToSlash(within)
}

func (c *changes) add(name string) {
	name = path.Clean(name) // the name of a folder ends in a slash
	info, err := os.Lstat(filepath.Join(c.real, filepath.FromSlash(name)))
	c.link = c.link || err == nil && info.Mode()&fs.ModeSymlink != 0
	c.names[name] = true
}

// changedSince returns the files of the catalog that differ from a revision or are
// untracked. It runs git.
func (v *verification) changedSince(ctx context.Context, revision string) (*changes, error) {
	folder := v.run.Source.Folder()
	if err := checkRepository(ctx, folder); err != nil {
		return nil, fmt.Errorf("--since: %w", err)
	}
	commit, err := git(ctx, folder, "", "rev-parse", "--verify", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("--since: git knows no revision %q of the folder %s%w: name an existing commit, branch or tag, and fetch it if the clone is shallow",
			revision, folder, err)
	}
	commit = strings.TrimSpace(commit)
	differ, err := git(ctx, folder, "", "diff", "--name-only", "-z", "--relative", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--ignore-submodules=none", commit, "--", ".")
	if err != nil {
		return nil, fmt.Errorf("--since: git cannot compare with %q%w", revision, err)
	}
	unknown, err := git(ctx, folder, "", "ls-files", "--others", "-z", "--", ".")
	if err != nil {
		return nil, fmt.Errorf("--since: git cannot list new files%w", err)
	}
	went, err := namesAt(ctx, folder, commit, fileNames(differ))
	if err != nil {
		return nil, fmt.Errorf("--since: git cannot read the files at %q%w", revision, err)
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return nil, fmt.Errorf("--since: %w", err)
	}
	changed := &changes{shown: v.run.Folder, real: real, names: map[string]bool{}, went: went}
	for _, name := range fileNames(differ + unknown) {
		changed.add(name)
	}
	return changed, nil
}

// checkRepository returns an error if git would use a repository that can come with a
// clone and whose configuration may name programs that git runs: a bare repository at
// the folder or above it, or a folder of the repository that its .git file names. A
// clone cannot contain a ".git" folder. The check asks git for the path of the
// repository, which runs no program. checkRepository also returns an error if another
// user owns the repository.
func checkRepository(ctx context.Context, folder string) error {
	answer, err := git(ctx, folder, "", "rev-parse", "--absolute-git-dir")
	if err != nil && strings.Contains(err.Error(), "safe.directory") {
		return fmt.Errorf("the repository around %s belongs to another user, and git does not read it: if you trust it, run \"git config --global --add safe.directory %s\"", folder, topOf(folder))
	}
	if err != nil {
		return nil // git finds no repository; the next call reports it
	}
	gitDir, err := filepath.EvalSymlinks(strings.TrimSuffix(answer, "\n"))
	if err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return err
	}
	if real, err = filepath.Abs(real); err != nil {
		return err
	}
	if within, err := filepath.Rel(gitDir, real); err == nil && filepath.IsLocal(within) {
		return fmt.Errorf("the folder %s has the files of a git repository, whose configuration may run programs: remove HEAD, config, objects and refs from it", gitDir)
	}
	top := repoconfig.Top(real)
	if within, err := filepath.Rel(top, gitDir); err == nil && filepath.IsLocal(within) && within != ".git" {
		return fmt.Errorf("the file .git of %s names a folder below it, %s, whose configuration may run programs: remove it, and clone the repository instead", top, gitDir)
	}
	return nil
}

// topOf returns the absolute path of the top of the repository around a folder.
func topOf(folder string) string {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return folder
	}
	if real, err = filepath.Abs(real); err != nil {
		return folder
	}
	return repoconfig.Top(real)
}

// fileNames splits the output of git at NUL bytes.
func fileNames(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == 0 })
}

// namesAt returns the names that the entries in files had at a commit. It ignores files
// that did not exist then.
func namesAt(ctx context.Context, folder, commit string, files []string) (map[string]bool, error) {
	files = slices.DeleteFunc(files, func(name string) bool {
		return !format.MayBeEntry(name) || strings.Contains(name, "\n") // a request is one line and cannot contain such a name
	})
	var requests strings.Builder
	for _, name := range files {
		fmt.Fprintf(&requests, "%s:./%s\n", commit, name)
	}
	answers, err := git(ctx, folder, requests.String(), "cat-file", "--batch=%(objectsize)")
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, name := range files {
		head, rest, _ := strings.Cut(answers, "\n")
		answers = rest
		size, err := strconv.Atoi(head)
		if err != nil || size >= len(rest) { // the file did not exist
			continue
		}
		answers = rest[size+1:]
		if e := format.Interpret(name, []byte(rest[:size])); e != nil {
			for _, called := range crosscheck.Names(e) {
				names[called] = true
			}
		}
	}
	return names, nil
}

// git runs git in a folder with the given input and returns its standard output. An
// error begins with ": ".
//
// The only programs named by a repository's configuration that run are filters, as
// whenever git reads files; see checkRepository. The function removes variables such as
// GIT_DIR from the environment, because in a hook they name a repository without its
// working tree.
func git(ctx context.Context, folder, input string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false"}, args...)...)
	cmd.Dir, cmd.Stdin = folder, strings.NewReader(input)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains([]string{"LC_ALL", "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX"}, name)
	})
	cmd.Env = append(cmd.Env, "LC_ALL=C") // errors are matched in English
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		if said := strings.TrimSpace(string(failed.Stderr)); said != "" {
			return "", fmt.Errorf(": %s", oneLine(said))
		}
	}
	if err != nil {
		return "", fmt.Errorf(": %w", err)
	}
	return string(out), nil
}
