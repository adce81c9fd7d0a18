package source

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"instruction-catalog/catalog/config"
	"instruction-catalog/catalog/glob"
)

// Including makes the source read files that match one of the globs, even if they are
// skipped by default. It extends the include globs of the configuration. Globs are
// relative to the top of the repository. Call it before the first load.
func (s *Source) Including(globs []string) *Source {
	s.folder.include = globs
	return s
}

// Untrusted makes the source read files that the configuration excludes. Call it before
// the first load.
func (s *Source) Untrusted() *Source {
	s.folder.untrusted = true
	return s
}

// selection overrides the default choice of files to read: included forces a file in,
// excluded leaves it out. The zero value keeps the defaults.
type selection struct {
	within             string // the folder of the catalog, relative to the top
	belowGit           bool   // the folder is below the top of a git repository and is not the repository's catalog
	included, excluded []func(p string) bool
}

// selection combines the globs of the configuration with those of the caller. The error
// is that of [config.Find], or of determining the path of the folder.
func (f *Folder) selection() (selection, error) {
	c, err := config.Find(f.dir)
	if err != nil {
		return selection{}, err
	}
	s := selection{included: matchers(slices.Concat(c.Include, f.include))}
	if !f.untrusted {
		s.excluded = matchers(c.Exclude)
	}
	folder, err := filepath.Abs(f.dir)
	if err == nil {
		folder, err = filepath.Rel(c.Top, folder)
	}
	s.within = filepath.ToSlash(folder)
	s.belowGit = c.IsRepository && s.within != "." && s.within != c.Dir && path.Base(s.within) != "instructions"
	return s, err
}

func matchers(globs []string) (all []func(string) bool) {
	for _, g := range globs {
		all = append(all, glob.Matcher(g))
	}
	return all
}

func (s *selection) includes(p string) bool { return s.matches(s.included, p) }
func (s *selection) excludes(p string) bool { return s.matches(s.excluded, p) }

func (s *selection) matches(matchers []func(string) bool, p string) bool {
	return slices.ContainsFunc(matchers, func(matches func(string) bool) bool { return matches(path.Join(s.within, p)) })
}

// sampleFolders are the names of folders with samples, which are not meant for the
// agents of the repository itself.
var sampleFolders = []string{"samples", "examples", "fixtures", "testdata", "test-data", "templates"}

// isSample reports whether a file is below one of the sampleFolders. A sample folder
// below a folder whose name begins with a dot, such as .cursor/rules/examples, does not
// count, because agents read the files there.
func isSample(p string) bool {
	for segment := range strings.SplitSeq(path.Dir(p), "/") {
		switch {
		case strings.HasPrefix(segment, ".") && segment != ".":
			return false
		case slices.Contains(sampleFolders, segment):
			return true
		}
	}
	return false
}
