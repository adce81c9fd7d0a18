package crosscheck

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/report"
)

// Tree describes the repository that a catalog lies in. All paths have slashes and begin
// at its top.
type Tree struct {
	Catalog        string            // the folder of the catalog, "." for the top
	Files, Folders []string          // that git does not ignore
	Links          map[string]string // from symbolic links to what they lead to, "" for outside
	Skipped        []string          // folders that were not looked into
	// Ignores reports whether git ignores a path, whether or not it exists.
	Ignores func(path string) bool
	// Text returns the text of one of the files, if it can be read.
	Text func(path string) (text string, ok bool)
}

// tree is a Tree, prepared for questions.
type tree struct {
	Tree
	known   map[string]bool
	skipped map[string]bool
	bases   map[string][]string // files by their base name in lower case, and folders
}

func newTree(t *Tree) *tree {
	prepared := &tree{Tree: *t, known: map[string]bool{".": true}, skipped: map[string]bool{}, bases: map[string][]string{}}
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

// presence says whether there is something at a path.
type presence uint8

const (
	absent  presence = iota
	unknown          // it is outside, or git ignores it
	present
)

// look returns whether there is something at a path, and where it is without symbolic
// links.
func (t *tree) look(p string) (presence, string) {
	for range 20 { // links
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

// fileOf returns the path of an entry's file in the repository without symbolic links, or
// in its catalog for a nil tree.
func (t *tree) fileOf(e *catalog.Entry) string {
	if t == nil || e.Origin.Line > 0 {
		return e.Origin.Path
	}
	_, file := t.look(t.ofCatalog(e.Origin.Path))
	return file
}

// withoutLinks returns texts without those of symbolic links to the files of others.
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

// leadsOut reports whether a path is not within the repository.
func leadsOut(p string) bool { return p == ".." || strings.HasPrefix(p, "../") || path.IsAbs(p) }

// inCatalog returns a path of the repository as one from the folder of the catalog.
func (t *tree) inCatalog(p string) string { return relative(t.Catalog, p) }

// ofCatalog returns a path in the catalog as one of the repository.
func (t *tree) ofCatalog(p string) string { return path.Join(t.Catalog, p) }

// relative returns the way from one folder of the repository to a path in it.
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

// nearest returns the path that a path which does not exist seems to be meant for, "" if
// none is close: one in another case, with an extension, in another folder or with a slip.
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
		return "" // it might be any
	}
	return named[0]
}

// common reports whether files of that name are in many folders.
func common(base string) bool {
	name := strings.TrimSuffix(base, path.Ext(base))
	return slices.Contains([]string{"readme", "index", "main", "skill", "agents", "claude", "changelog", "license", "package", "types", "utils", "config"}, name)
}

// closeness returns how many folders two paths share, at the end and at the beginning.
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

// slip returns the file in the same folder whose name differs by a letter or two.
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

// differsByTwo reports whether one text becomes the other by up to two letters that are
// put in, taken out or replaced.
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

// token finds what may be a secret in a path.
var token = regexp.MustCompile(`[A-Za-z0-9+=]{16}`)

// quoteName quotes a path. Few look like a secret, and to look for those of an entry takes
// time.
func (v View) quoteName(e *catalog.Entry, name string) string {
	if !token.MatchString(name) {
		return name
	}
	return v.Quote(e, name)
}

// place returns a line of a file of the repository, as findings have it.
func (t *tree) place(view View, p string, line int) report.Place {
	return view.File(t.inCatalog(p), line)
}
