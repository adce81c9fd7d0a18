package crosscheck

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/report"
)

// Tree describes the repository that contains a catalog. All paths use slashes and are
// relative to its top.
type Tree struct {
	Catalog        string            // the folder of the catalog, "." for the top
	Files, Folders []string          // files and folders that git does not ignore
	Links          map[string]string // targets of symbolic links, by link; "" for a target outside
	Skipped        []string          // folders that were not scanned
	// Ignores reports whether git ignores a path, whether or not it exists.
	Ignores func(path string) bool
	// Text returns the text of one of the Files. ok is false if it cannot be read.
	Text func(path string) (text string, ok bool)
}

// tree is a Tree with lookup tables.
type tree struct {
	Tree
	known   map[string]bool
	skipped map[string]bool
	bases   map[string][]string // files and folders by their base name in lower case
	// installed returns the names of skills that were installed from elsewhere.
	installed func() map[string]bool
}

func newTree(t *Tree) *tree {
	prepared := &tree{Tree: *t, installed: sync.OnceValue(t.installedSkills), known: map[string]bool{".": true}, skipped: map[string]bool{}, bases: map[string][]string{}}
	for _, p := range t.Skipped {
		prepared.skipped[p] = true
	}
	for _, all := range [][]string{t.Files, t.Folders} {
		for _, p := range all {
			prepared.known[p] = true
			base := strings.ToLower(path.Base(p))
			prepared.bases[base] = append(prepared.bases[base], p)
		}
	}
	return prepared
}

// presence is the result of looking up a path.
type presence uint8

const (
	absent  presence = iota
	unknown          // outside the repository, not scanned, or ignored by git
	present
)

// look returns whether a path exists, and the path without symbolic links. It follows
// at most 20 links.
func (t *tree) look(p string) (presence, string) {
	for range 20 { // maximum number of links
		if t.known[p] {
			return present, p
		}
		if leadsOut(p) {
			return unknown, p
		}
		next, linked := "", false
		for at := p; at != "." && at != "/"; at = path.Dir(at) {
			if t.skipped[at] {
				return unknown, p
			}
			if target, ok := t.Links[at]; ok {
				next, linked = target, true
				if target != "" {
					next = path.Join(target, strings.TrimPrefix(p, at))
				}
			}
		}
		switch {
		case linked && next == "":
			return unknown, p
		case linked && next != p:
			p = next
		case t.Ignores(p):
			return unknown, p
		default:
			return absent, p
		}
	}
	return unknown, p
}

// fileOf returns the path of an entry's file in the repository without symbolic links.
// For a nil tree or an entry from a bundle, it returns the path in the catalog.
func (t *tree) fileOf(e *catalog.Entry) string {
	if t == nil || e.Origin.Line > 0 {
		return e.Origin.Path
	}
	_, file := t.look(t.ofCatalog(e.Origin.Path))
	return file
}

// withoutLinks returns the texts except those read through a symbolic link to the file
// of another text.
func (t *tree) withoutLinks(texts []entryText) []entryText {
	files := map[string]bool{}
	for _, e := range texts {
		files[t.ofCatalog(e.Origin.Path)] = true
	}
	return slices.DeleteFunc(slices.Clone(texts), func(e entryText) bool {
		file := t.fileOf(e.Entry)
		return e.Origin.Line == 0 && file != t.ofCatalog(e.Origin.Path) && files[file]
	})
}

// leadsOut reports whether a path is outside the repository.
func leadsOut(p string) bool { return p == ".." || strings.HasPrefix(p, "../") || path.IsAbs(p) }

// inCatalog converts a path in the repository to a path relative to the folder of the
// catalog.
func (t *tree) inCatalog(p string) string { return relative(t.Catalog, p) }

// ofCatalog converts a path in the catalog to a path in the repository.
func (t *tree) ofCatalog(p string) string { return path.Join(t.Catalog, p) }

// relative returns the relative path from a folder of the repository to p.
func relative(folder, p string) string {
	if folder == "." {
		return p
	}
	from, to := strings.Split(folder, "/"), strings.Split(p, "/")
	same := 0
	for same < len(from) && same < len(to)-1 && from[same] == to[same] {
		same++
	}
	return strings.Repeat("../", len(from)-same) + strings.Join(to[same:], "/")
}

// nearest returns the existing path that a dead path was probably meant to be: one that
// differs in case, has an added .md extension, is in another folder, or corrects a
// typo. It returns "" if there is none or several are equally close.
func (t *tree) nearest(p string) string {
	base := strings.ToLower(path.Base(p))
	named := slices.Clone(t.bases[base])
	if path.Ext(base) == "" {
		named = append(named, t.bases[base+".md"]...)
	}
	named = slices.DeleteFunc(named, inSamples)
	if len(named) == 0 {
		return t.slip(p)
	}
	slices.SortStableFunc(named, func(a, b string) int { return cmp.Compare(closeness(b, p), closeness(a, p)) })
	if len(named) > 1 && closeness(named[0], p) == closeness(named[1], p) || common(base) && closeness(named[0], p) < 2 {
		return "" // no candidate is clearly the closest
	}
	return named[0]
}

// common reports whether many folders have a file with this name.
func common(base string) bool {
	name := strings.TrimSuffix(base, path.Ext(base))
	return slices.Contains([]string{"readme", "index", "main", "skill", "agents", "claude", "changelog", "license", "package", "types", "utils", "config"}, name)
}

// closeness returns the number of path elements that two paths share at the end and at
// the beginning.
func closeness(a, b string) int {
	x, y := strings.Split(strings.ToLower(a), "/"), strings.Split(strings.ToLower(b), "/")
	n := 0
	for n < min(len(x), len(y)) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	ends := n
	for n-ends < min(len(x), len(y))-ends && x[n-ends] == y[n-ends] {
		n++
	}
	return n
}

// slip returns a path in the same folder whose name differs by at most two letters, or
// "". If there are several, it returns the first in byte order.
func (t *tree) slip(p string) string {
	folder, base := path.Dir(p), strings.ToLower(path.Base(p))
	if len(base) < 6 || !t.known[folder] {
		return ""
	}
	nearest := ""
	for other, paths := range t.bases {
		if !differsByTwo(base, other) {
			continue
		}
		for _, at := range paths {
			if path.Dir(at) == folder && (nearest == "" || at < nearest) {
				nearest = at
			}
		}
	}
	return nearest
}

// differsByTwo reports whether two texts differ by at most two insertions, deletions
// or replacements of a byte.
func differsByTwo(a, b string) bool {
	if len(a)-len(b) > 2 || len(b)-len(a) > 2 {
		return false
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			row[j+1] = min(above+1, row[j]+1)
			if a[i] == b[j] {
				row[j+1] = min(row[j+1], before)
			} else {
				row[j+1] = min(row[j+1], before+1)
			}
			before = above
		}
	}
	return row[len(b)] <= 2
}

// token matches text in a path that may be a secret.
var token = regexp.MustCompile(`[A-Za-z0-9+=]{16}`)

// quoteName returns a path without the entry's secrets. Searching an entry for secrets
// takes time, so it calls Quote only if the path looks like it contains one.
func (v View) quoteName(e *catalog.Entry, name string) string {
	if !token.MatchString(name) {
		return name
	}
	return v.Quote(e, name)
}

// place returns the place of a line of a file, by its path in the repository.
func (t *tree) place(view View, p string, line int) report.Place {
	return view.File(t.inCatalog(p), line)
}
