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
	"strings"

	"instruction-catalog/governance/report"
)

// changes are the files of a catalog that changed, and the folders in it that git does
// not look into, as they are repositories of their own.
type changes struct {
	shown string          // the folder of the catalog, as findings have it
	real  string          // the same without links
	names map[string]bool // within the folder, with slashes
	link  bool            // whether one of them is a link
}

// concerns reports whether a finding is about the catalog as a whole, or about a
// file that changed, be it as the other one of two.
func (c *changes) concerns(f report.Finding) bool {
	return f.Whole || c.has(f.Place) || slices.ContainsFunc(f.Related, c.has)
}

// has reports whether a file changed, or what it is a link to. Of several links that
// lead to each other any may have changed.
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

// target is the file that a name leads to, which is itself where there is no link.
func (c *changes) target(name string) string {
	file, err := filepath.EvalSymlinks(filepath.Join(c.real, filepath.FromSlash(name)))
	within, err2 := filepath.Rel(c.real, file)
	if errors.Join(err, err2) != nil {
		return name
	}
	return filepath.ToSlash(within)
}

func (c *changes) add(name string) {
	name = path.Clean(name) // a folder ends in a slash
	info, err := os.Lstat(filepath.Join(c.real, filepath.FromSlash(name)))
	c.link = c.link || err == nil && info.Mode()&fs.ModeSymlink != 0
	c.names[name] = true
}

// changedSince asks git which files of the catalog differ from a revision, or are
// not known to git at all.
func (v *verification) changedSince(ctx context.Context, revision string) (*changes, error) {
	folder := v.source().Folder()
	commit, err := git(ctx, folder, "rev-parse", "--verify", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("--since: git knows no revision %q of the folder %s%w: name a commit, branch or tag that is there, and fetch it where the clone is shallow",
			revision, folder, err)
	}
	differ, err := git(ctx, folder, "diff", "--name-only", "-z", "--relative", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--ignore-submodules=none", strings.TrimSpace(commit), "--", ".")
	if err != nil {
		return nil, fmt.Errorf("--since: git cannot compare with %q%w", revision, err)
	}
	unknown, err := git(ctx, folder, "ls-files", "--others", "-z", "--", ".")
	if err != nil {
		return nil, fmt.Errorf("--since: git cannot list new files%w", err)
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return nil, fmt.Errorf("--since: %w", err)
	}
	changed := &changes{shown: v.folder(), real: real, names: map[string]bool{}}
	for _, name := range strings.FieldsFunc(differ+unknown, func(r rune) bool { return r == 0 }) {
		changed.add(name)
	}
	return changed, nil
}

// git runs git in a folder and returns what it prints. An error begins with ": ".
// Of the programs that a repository's configuration names only filters are run, as
// whenever git reads files. The repository is that of the folder: a hook's environment
// names one without its working tree.
func git(ctx context.Context, folder string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false"}, args...)...)
	cmd.Dir = folder
	cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX"}, name)
	})
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
