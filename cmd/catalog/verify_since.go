package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/report"
)

// changes are the paths of what changed, as findings have them: of files, and of
// folders that git does not look into, as they are repositories of their own.
type changes map[string]bool

// concerns reports whether a finding is about the catalog as a whole, or about a
// file that changed, be it as the other one of two.
func (c changes) concerns(f report.Finding) bool {
	return f.Whole || c.has(f.Place) || slices.ContainsFunc(f.Related, c.has)
}

func (c changes) has(at report.Place) bool {
	for p := at.Path; p != "." && p != "/"; p = path.Dir(p) {
		if c[p] {
			return true
		}
	}
	return false
}

// changedSince asks git which files of the catalog differ from a revision, or are
// not known to git at all.
func (v *verification) changedSince(ctx context.Context, revision string) (changes, error) {
	folder := source.New(v.dir).Folder()
	commit, err := git(ctx, folder, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("--since: git knows no revision %q of the folder %s%w: name a commit, branch or tag that is there", revision, folder, err)
	}
	differ, err := git(ctx, folder, "diff", "--name-only", "-z", "--relative", "--no-renames", "--no-ext-diff", "--no-textconv",
		strings.TrimSpace(commit), "--", ".")
	if err != nil {
		return nil, fmt.Errorf("--since: git cannot compare with %q%w", revision, err)
	}
	unknown, err := git(ctx, folder, "ls-files", "--others", "-z", "--", ".")
	if err != nil {
		return nil, fmt.Errorf("--since: git cannot list new files%w", err)
	}
	changed := changes{}
	for _, name := range strings.FieldsFunc(differ+unknown, func(r rune) bool { return r == 0 }) {
		changed[v.place(name, 0).Path] = true
	}
	return changed, nil
}

// git runs git in a folder and returns what it prints. An error begins with ": ".
// No program that a repository's configuration names is run. The repository is that
// of the folder: a hook's environment names one without its working tree.
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
