package notes

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog/markdown"
)

// none is the index that stands for no note.
const none = int32(-1)

// names finds notes by the names that links use.
type names struct {
	notes  []*Note // sorted by id
	paths  buckets // by looseKey of the path without extension
	files  buckets // by looseKey of the file name without extension
	titles buckets // by Key of the title
}

// buckets is a multimap from keys to note indexes. first holds the first index for each
// key, and next the following index with the same key.
type buckets struct {
	first map[string]int32
	next  []int32
}

func newBuckets(notes []*Note, key func(*Note) string) buckets {
	b := buckets{make(map[string]int32, len(notes)), make([]int32, len(notes))}
	for i := len(notes) - 1; i >= 0; i-- {
		k := key(notes[i])
		b.next[i] = none
		if after, ok := b.first[k]; ok {
			b.next[i] = after
		}
		b.first[k] = int32(i)
	}
	return b
}

// of returns the indexes with a key, in ascending order.
func (b buckets) of(key string) (places []int32) {
	at, ok := b.first[key]
	for ; ok && at != none; at = b.next[at] {
		places = append(places, at)
	}
	return places
}

func newNames(notes []*Note) *names {
	return &names{
		notes:  notes,
		paths:  newBuckets(notes, func(n *Note) string { return looseKey(withoutExtension(string(n.ID))) }),
		files:  newBuckets(notes, func(n *Note) string { return looseKey(n.ID.Name()) }),
		titles: newBuckets(notes, func(n *Note) string { return Key(n.Title()) }),
	}
}

// looseKey is like Key but also treats blanks as hyphens.
func looseKey(text string) string { return strings.ReplaceAll(Key(text), " ", "-") }

// matching returns those of places whose notes have a text that equals name exactly. If
// there are none, it returns those whose text has the same Key.
func (x *names) matching(places []int32, name string, text func(*Note) string) []int32 {
	if len(places) == 0 {
		return nil
	}
	exact := x.those(places, func(n *Note) bool { return text(n) == name })
	if len(exact) > 0 {
		return exact
	}
	key := Key(name)
	return x.those(places, func(n *Note) bool { return Key(text(n)) == key })
}

func (x *names) those(places []int32, match func(*Note) bool) (found []int32) {
	for _, i := range places {
		if match(x.notes[i]) {
			found = append(found, i)
		}
	}
	return found
}

// find returns the note whose id is exactly id, or else all notes whose ids have the
// same Key.
func (x *names) find(id string) []int32 {
	if !hasExtension(id) {
		return nil
	}
	return x.matching(x.paths.of(looseKey(withoutExtension(id))), id, func(n *Note) string { return string(n.ID) })
}

// wiki returns the notes that a wikilink may refer to. It tries file paths first and
// titles last, and stops at the first kind of name that matches. titled reports whether
// only titles matched.
func (x *names) wiki(from ID, name string) (found []int32, titled bool) {
	for _, s := range spellings(name) {
		if found := x.wikiNamed(from, s); len(found) > 0 {
			return found, false
		}
	}
	found = x.matching(x.titles.of(Key(name)), name, (*Note).Title)
	return found, len(found) > 0
}

// spellings returns the paths, without ".md", that a link to name may refer to.
func spellings(name string) []string {
	if hasExtension(name) {
		return []string{withoutExtension(name), name}
	}
	return []string{name}
}

// wikiNamed returns the notes whose path without extension is name or ends in name.
func (x *names) wikiNamed(from ID, name string) []int32 {
	rooted, isRooted := fromRoot(from, name)
	if isRooted {
		name = rooted
	}
	key := looseKey(name)
	paths := x.paths.of(key)
	if found := x.matching(paths, name, stem); len(found) > 0 || isRooted {
		return orElse(found, paths)
	}
	ends := x.files.of(key[strings.LastIndexByte(key, '/')+1:])
	segments := 1 + strings.Count(name, "/")
	end := func(n *Note) string { return lastSegments(stem(n), segments) }
	if found := x.matching(ends, name, end); len(found) > 0 {
		return found
	}
	return orElse(paths, x.those(ends, func(n *Note) bool { return looseKey(end(n)) == key }))
}

// fromRoot returns the path from the root for a link that begins with "/", "./" or
// "../". ok is false for other links.
func fromRoot(from ID, name string) (rooted string, ok bool) {
	if after, ok := strings.CutPrefix(name, "/"); ok {
		return path.Clean(after), true
	}
	if strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		return path.Join(from.Folder(), name), true
	}
	return "", false
}

// stem returns the path of a note without its extension.
func stem(n *Note) string { return withoutExtension(string(n.ID)) }

// lastSegments returns the end of p that has at most the given number of segments.
func lastSegments(p string, most int) string {
	at := len(p)
	for ; most > 0 && at >= 0; most-- {
		at = strings.LastIndexByte(p[:at], '/')
	}
	return p[at+1:]
}

func orElse(found, fallback []int32) []int32 {
	if len(found) > 0 {
		return found
	}
	return fallback
}

// linked returns the note that a Markdown link refers to. It resolves the path relative
// to the note that contains the link, and then relative to the root.
func (x *names) linked(from ID, name string) []int32 {
	rooted, isRooted := fromRoot(from, name)
	if isRooted {
		return x.file(rooted)
	}
	return orElse(x.file(path.Join(from.Folder(), name)), x.file(path.Clean(name)))
}

// file returns the notes with a path. The path may omit ".md".
func (x *names) file(p string) []int32 { return orElse(x.find(p), x.find(p+extension)) }

// candidates returns the notes that a link may refer to. The first is its target.
func (x *names) candidates(from ID, l *markdown.Link) []int32 {
	if l.Form != markdown.Wiki {
		return x.linked(from, l.Name)
	}
	found, _ := x.wiki(from, l.Name)
	if len(found) > 1 {
		x.sort(from, found)
	}
	return found
}

// finder returns a function like candidates for the links of one note. It resolves each
// spelling once, because a note may repeat an ambiguous link thousands of times.
func (x *names) finder(from ID) func(*markdown.Link) []int32 {
	type spelling struct {
		form markdown.Form
		name string
	}
	known := map[spelling][]int32{}
	return func(l *markdown.Link) []int32 {
		s := spelling{l.Form, l.Name}
		found, ok := known[s]
		if !ok {
			found = x.candidates(from, l)
			known[s] = found
		}
		return found
	}
}

// sort sorts the candidates of a link: notes in the folder of the linking note first,
// then by number of path segments, then by id.
func (x *names) sort(from ID, places []int32) {
	folder := from.Folder()
	elsewhere := func(i int32) int {
		if x.notes[i].ID.Folder() == folder {
			return 0
		}
		return 1
	}
	slices.SortFunc(places, func(a, b int32) int {
		return cmp.Or(
			cmp.Compare(elsewhere(a), elsewhere(b)),
			cmp.Compare(x.notes[a].ID.segments(), x.notes[b].ID.segments()),
			cmp.Compare(a, b),
		)
	})
}

// Shares reports whether n shares a name with another note in s, so that links to that
// note might resolve to n instead. n need not be in s.
func (s *Snapshot) Shares(n *Note) bool {
	called := callings(n)
	return slices.ContainsFunc(s.notes, func(other *Note) bool {
		return other.ID != n.ID && slices.ContainsFunc(callings(other), func(name string) bool { return slices.Contains(called, name) })
	})
}

// callings returns the normalized names by which links can refer to a note.
func callings(n *Note) []string {
	return []string{looseKey(withoutExtension(string(n.ID))), looseKey(n.ID.Name()), looseKey(withoutExtension(n.Title()))}
}

// isAttachment reports whether an unresolved link refers to a file of another kind, such
// as an image. Snapshots do not contain such files.
func isAttachment(l *markdown.Link) bool {
	if l.Form != markdown.Wiki {
		return !hasExtension(l.Name)
	}
	ending := strings.TrimPrefix(path.Ext(l.Name), ".")
	letters := strings.Trim(strings.ToLower(ending), "0123456789") != ""
	plain := strings.Trim(strings.ToLower(ending), "abcdefghijklmnopqrstuvwxyz0123456789") == ""
	return letters && plain && len(ending) <= 5 && !hasExtension(l.Name)
}
