package source

import (
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/config"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/format"
	"instruction-catalog/catalog/git"
	"instruction-catalog/catalog/glob"
)

// ignored are the rules of .gitignore files, those of outer folders first. The
// last that matches counts (gitignore(5)).
type ignored []ignoreRule

// ignoreRule is a line of a .gitignore file.
type ignoreRule struct {
	glob    string // of a path from the top
	begin   string // of what it matches
	end     string
	folders bool // matches folders only
	keeps   bool // takes a path back that an earlier rule ignores
}

// How many rules may be in force in a folder, and their total length in bytes: every
// file is matched against each.
const maxIgnoreRules, maxIgnoreSize = 2000, 64 << 10

// readIgnored returns the rules and those of a .gitignore file, by its path.
func (w *walker) readIgnored(rules ignored, folder, p string) ignored {
	f, err := files.ReadIn(w.root, p, MaxFile)
	if files.Exhausted(err) {
		w.exhausted = err
	}
	if err != nil && !errors.Is(err, files.ErrTooLarge) {
		return rules // as git does
	}
	all := rules.with(folder, f.Data)
	if err == nil && len(all) <= maxIgnoreRules && all.size() <= maxIgnoreSize {
		return all
	}
	w.report(format.FileTooLarge, catalog.SeverityError, p, "there are more than %d rules, or %d bytes of them, here and in the folders above, so that these were not heeded: leave out what no file is named as", maxIgnoreRules, maxIgnoreSize)
	return rules
}

// size is how long the rules are together, in bytes.
func (rules ignored) size() (n int) {
	for _, r := range rules {
		n += len(r.glob)
	}
	return n
}

// trackedIn returns a function that lists what git tracks in a folder, by path from
// it. The list is read at the first call. What cannot be determined counts as not
// tracked.
func trackedIn(dir string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		full, err := filepath.Abs(dir)
		if err == nil {
			full, err = filepath.EvalSymlinks(full)
		}
		if err != nil {
			return nil
		}
		top := config.Top(full)
		all, err := git.Tracked(top)
		within, err2 := filepath.Rel(top, full)
		if errors.Join(err, err2) != nil || within == "." {
			return all
		}
		below := map[string]bool{}
		for name := range all {
			if name, ok := strings.CutPrefix(name, filepath.ToSlash(within)+"/"); ok {
				below[name] = true
			}
		}
		return below
	})
}

// folderRules are the rules in force in a folder.
type folderRules struct {
	rules   ignored
	ignored bool // the folder itself, and with it all that is in it
}

func (w *walker) keepRules(dir string, f folderRules) folderRules {
	if w.inForce == nil {
		w.inForce = map[string]folderRules{}
	}
	w.inForce[dir] = f
	return f
}

// rulesIn returns the rules in force in a folder, whether it was walked or not.
func (w *walker) rulesIn(dir string) folderRules {
	f, known := w.inForce[dir]
	switch {
	case known:
		return f
	case dir != ".":
		f = w.rulesIn(path.Dir(dir))
		f.ignored = f.ignored || f.rules.hasInAnyCase(dir, true)
	}
	if !f.ignored {
		f.rules = w.readIgnored(f.rules, dir, path.Join(dir, ".gitignore"))
	}
	return w.keepRules(dir, f)
}

// ignores reports whether git ignores a file, by its path or that of a folder above
// it. Case does not count, as not every file system tells it apart.
func (w *walker) ignores(p string) bool {
	f := w.rulesIn(path.Dir(p))
	return f.ignored || f.rules.hasInAnyCase(p, false)
}

// with returns the rules and those of the .gitignore file of a folder, up to one more
// than there may be.
func (rules ignored) with(folder string, file []byte) ignored {
	all := append(ignored(nil), rules...)
	for line := range strings.Lines(string(file)) {
		if r, ok := parseIgnoreRule(folder, strings.TrimRight(line, "\r\n")); ok {
			all = append(all, r)
		}
		if len(all) > maxIgnoreRules {
			break
		}
	}
	return all
}

// has reports whether a path is ignored, given that its folders are not.
func (rules ignored) has(p string, isFolder bool) bool {
	hit := false
	for _, r := range rules {
		if (isFolder || !r.folders) && hit == r.keeps && strings.HasPrefix(p, r.begin) && strings.HasSuffix(p, r.end) && doublestar.MatchUnvalidated(r.glob, p) {
			hit = !r.keeps
		}
	}
	return hit
}

// hasInAnyCase is has for a path that may be spelled in another case than the rules.
func (rules ignored) hasInAnyCase(p string, isFolder bool) bool {
	lower := slices.Clone(rules)
	for i := range lower {
		r := &lower[i]
		r.glob = strings.ToLower(r.glob)
		r.begin, r.end = glob.Affixes(r.glob)
	}
	return rules.has(p, isFolder) || lower.has(strings.ToLower(p), isFolder)
}

func parseIgnoreRule(folder, line string) (ignoreRule, bool) {
	line = trimBlanks(line)
	if line == "" || line[0] == '#' {
		return ignoreRule{}, false
	}
	var r ignoreRule
	line, r.keeps = strings.CutPrefix(line, "!")
	line, r.folders = strings.CutSuffix(line, "/")
	if !strings.Contains(line, "/") {
		line = "**/" + line
	}
	if strings.HasSuffix(line, "/**") {
		line += "/*" // what is in the folder, and not the folder
	}
	line = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line) // which git does not know
	r.glob = path.Join(quoteGlob(folder), line)
	r.begin, r.end = glob.Affixes(r.glob)
	return r, doublestar.ValidatePattern(r.glob)
}

// trimBlanks removes trailing blanks, except those that a backslash keeps.
func trimBlanks(line string) string {
	trimmed := strings.TrimRight(line, " ")
	if strings.HasSuffix(trimmed, `\`) && trimmed != line {
		return trimmed + " "
	}
	return trimmed
}

// quoteGlob returns a glob that matches nothing but a path.
func quoteGlob(p string) string {
	var b strings.Builder
	for _, c := range p {
		if strings.ContainsRune(`*?[]{}\`, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}
