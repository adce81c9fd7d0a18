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

// ignored holds the rules of .gitignore files, with those of outer folders first. The
// last rule that matches a path decides (gitignore(5)).
type ignored []ignoreRule

// ignoreRule is a line of a .gitignore file.
type ignoreRule struct {
	glob    string // glob of paths relative to the top
	begin   string // literal beginning of the paths that glob matches
	end     string
	folders bool // matches folders only
	keeps   bool // negated: re-includes paths that an earlier rule ignores
}

// maxIgnoreRules is the maximum number of rules that apply in a folder, and
// maxIgnoreSize their maximum total length in bytes. The limits exist because every file
// is matched against each rule.
const maxIgnoreRules, maxIgnoreSize = 2000, 64 << 10

// readIgnored returns rules followed by those of folder's .gitignore file, which is at
// p. If there would be too many, it reports an error and returns rules unchanged.
func (w *walker) readIgnored(rules ignored, folder, p string) ignored {
	f, err := files.ReadIn(w.root, p, MaxFile)
	if files.Exhausted(err) {
		w.exhausted = err
	}
	if err != nil && !errors.Is(err, files.ErrTooLarge) {
		return rules // git ignores unreadable files, too
	}
	all := rules.with(folder, f.Data)
	if err == nil && len(all) <= maxIgnoreRules && all.size() <= maxIgnoreSize {
		return all
	}
	w.report(format.FileTooLarge, catalog.SeverityError, p, "there are more than %d rules, or %d bytes of them, here and in the folders above, so these were ignored: remove the rules that match no file", maxIgnoreRules, maxIgnoreSize)
	return rules
}

// size returns the total length of the globs, in bytes.
func (rules ignored) size() (n int) {
	for _, r := range rules {
		n += len(r.glob)
	}
	return n
}

// trackedIn returns a function that returns the set of files and folders that git tracks
// in dir, by path relative to dir. The first call of the function reads the list. Files
// whose state cannot be determined count as untracked.
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

// folderRules holds the ignore rules that apply in a folder.
type folderRules struct {
	rules   ignored
	ignored bool // the folder itself is ignored, and so is everything in it
}

func (w *walker) keepRules(dir string, f folderRules) folderRules {
	if w.inForce == nil {
		w.inForce = map[string]folderRules{}
	}
	w.inForce[dir] = f
	return f
}

// rulesIn returns the rules that apply in a folder. For a folder that was not walked, it
// reads the .gitignore files in that folder and above it.
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

// ignores reports whether git ignores a file or a folder above it. It ignores case,
// because some file systems are case-insensitive.
func (w *walker) ignores(p string) bool {
	f := w.rulesIn(path.Dir(p))
	return f.ignored || f.rules.hasInAnyCase(p, false)
}

// with returns rules followed by those of a .gitignore file in folder. It stops after
// maxIgnoreRules + 1 rules, so that the caller can detect the excess.
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

// has reports whether a path is ignored, assuming that the folders above it are not.
func (rules ignored) has(p string, isFolder bool) bool {
	hit := false
	for _, r := range rules {
		if (isFolder || !r.folders) && hit == r.keeps && strings.HasPrefix(p, r.begin) && strings.HasSuffix(p, r.end) && doublestar.MatchUnvalidated(r.glob, p) {
			hit = !r.keeps
		}
	}
	return hit
}

// hasInAnyCase is like has, but also matches a path whose case differs from that of the
// rules.
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
		line += "/*" // matches what is in the folder, not the folder itself
	}
	line = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line) // git has no braces
	r.glob = path.Join(quoteGlob(folder), line)
	r.begin, r.end = glob.Affixes(r.glob)
	return r, doublestar.ValidatePattern(r.glob)
}

// trimBlanks removes trailing blanks, except one that a backslash escapes.
func trimBlanks(line string) string {
	trimmed := strings.TrimRight(line, " ")
	if strings.HasSuffix(trimmed, `\`) && trimmed != line {
		return trimmed + " "
	}
	return trimmed
}

// quoteGlob returns a glob that matches only the path p.
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
