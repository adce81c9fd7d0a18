package writing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/markdown"
	"instruction-catalog/toolsets/notes"
)

// rename is a note on its way to another title and perhaps another id, or one that
// is new.
type rename struct {
	before, after *notes.Snapshot
	old, new      *notes.Note // old is nil for a note that is new
	own           change      // of the note itself
	warnings      []string    // one for each link by title that is rewritten
}

// newRename works out the graph after a change.
func newRename(s *notes.Snapshot, old *notes.Note, id notes.ID, own change) (*rename, error) {
	file, err := own.apply(old.File)
	if err != nil {
		return nil, err
	}
	r := &rename{before: s, old: old, new: notes.NewNote(id, file), own: own}
	all := slices.Clone(s.Notes())
	all[slices.Index(all, old)] = r.new
	r.after = notes.NewSnapshot(all, s)
	return r, nil
}

// newArrival works out the graph with one more note.
func newArrival(s *notes.Snapshot, n *notes.Note) *rename {
	return &rename{before: s, new: n, after: notes.NewSnapshot(append(slices.Clone(s.Notes()), n), s)}
}

// plan returns what happens to which files, and whose links are spelled anew. Files
// that are left out are changed under another name.
func (r *rename) plan(leaveOut func(notes.ID) bool) (c files.Change, relinked []notes.ID, err error) {
	for _, n := range r.before.Notes() {
		edit := change{}
		if n == r.old {
			edit = r.own
		}
		if edit.Links, err = r.relink(n); err != nil {
			return c, nil, err
		}
		if len(edit.Links) > 0 && !leaveOut(n.ID) {
			relinked = append(relinked, n.ID)
			r.warnByTitle(n, edit.Links)
		} else if n != r.old {
			continue
		}
		do, err := json.Marshal(edit)
		if err != nil {
			return c, nil, err
		}
		e := files.Edit{Name: string(n.ID), Do: do}
		if n == r.old && r.old.ID != r.new.ID {
			e.To = string(r.new.ID)
		}
		c.Edits = append(c.Edits, e)
	}
	return c, relinked, nil
}

// warnByTitle adds a warning for each link of a note that is spelled anew and led
// somewhere by the title of a note only.
func (r *rename) warnByTitle(n *notes.Note, spelled map[string][]byte) {
	for k := range n.Parts.Links {
		l := &n.Parts.Links[k]
		if _, ok := spelled[spelling(n.File, l)]; ok && r.before.ByTitle(n.ID, l) {
			warning := fmt.Sprintf("Link by title rewritten: [[%s]] in %s", l.Name, n.ID)
			if !slices.Contains(r.warnings, warning) {
				r.warnings = append(r.warnings, warning)
			}
		}
	}
}

// renamed is a link whose target is spelled anew.
type renamed struct {
	*markdown.Link
	want *notes.Note
}

// relink returns what the targets of a note's links become that would lead
// elsewhere than they did.
func (r *rename) relink(n *notes.Note) (map[string][]byte, error) {
	lost := r.lost(n)
	if len(lost) == 0 {
		return nil, nil
	}
	spelled := make(map[string][]byte, len(lost))
	anew := map[string]bool{}
	for key := range lost {
		anew[plainSpelling(key)] = true
	}
	for key, l := range lost {
		text, ok := r.spell(n, l, anew)
		if !ok {
			return nil, &ParamError{"title", fmt.Sprintf("the link to %s in %s cannot be spelled so that it leads to %s: change it by hand first",
				l.want.ID, n.ID, r.new.ID)}
		}
		spelled[key] = []byte(text)
		if plain := plainSpelling(key); plain != key && lost[plain].Link == nil {
			spelled[plain] = []byte(targetOf(text))
		}
	}
	return spelled, r.verify(n, spelled)
}

// lost returns the links of a note that would lead elsewhere, by their spelling.
func (r *rename) lost(n *notes.Note) map[string]renamed {
	var lost map[string]renamed
	after := r.afterwards(n)
	now := r.after.Targets(after)
	if len(now) != len(n.Parts.Links) && r.own.Content == nil {
		now = nil // a title may hold links
	}
	for k, target := range r.before.Targets(n) {
		l := &n.Parts.Links[k]
		if target == nil || n == r.old && r.own.Content != nil && l.Start >= n.Parts.Body.Start {
			continue
		}
		want := r.afterwards(target)
		if k < len(now) && now[k] == want {
			continue
		}
		if found := r.after.Resolve(after.ID, l); len(found) > 0 && found[0] == want {
			continue
		}
		if lost == nil {
			lost = map[string]renamed{}
		}
		lost[spelling(n.File, l)] = renamed{l, want}
	}
	return lost
}

// afterwards returns what a note is after the rename.
func (r *rename) afterwards(n *notes.Note) *notes.Note {
	if n == r.old {
		return r.new
	}
	return n
}

// spell returns the first spelling of a link that leads where it should, except those
// that are themselves spelled anew in the note: the change may be made twice.
func (r *rename) spell(n *notes.Note, l renamed, anew map[string]bool) (string, bool) {
	spellings := r.wikiSpellings
	if l.Form != markdown.Wiki {
		spellings = r.pathSpellings
	}
	raw := l.Target.Of(n.File)
	for _, s := range spellings(n, l, string(raw)) {
		text := slices.Concat(n.File[:l.Target.Start], []byte(s), n.File[l.Target.End:])
		again := *l.Link
		target := targetOf(s)
		again.Target.End = again.Target.Start + len(target)
		again.Fragment.Start += len(s) - len(raw)
		again.Fragment.End += len(s) - len(raw)
		if anew[plainSpelling(spelling(text, &again))] {
			continue
		}
		again.Name = target
		if l.Form != markdown.Wiki {
			again.Name = decode(s)
		}
		if found := r.after.Resolve(r.afterwards(n).ID, &again); len(found) > 0 && found[0] == l.want && linkable(s, l.Link) {
			return s, true
		}
	}
	return "", false
}

// targetOf returns the spelling of a target without the alias that was added to it.
func targetOf(spelled string) string {
	target, _, _ := strings.Cut(spelled, "|")
	return strings.TrimSuffix(target, `\`)
}

// linkable reports whether a text may stand in a wikilink.
func linkable(s string, l *markdown.Link) bool {
	if l.Form != markdown.Wiki {
		return true
	}
	s = targetOf(s)
	signs := "[]|#\\\n\r\x00"
	if l.Quote != 0 {
		signs += `"'`
	}
	return !strings.ContainsAny(s, signs) && strings.TrimSpace(s) == s
}

// wikiSpellings returns how a wikilink may be written: as it was, with the new
// name, and then as the path.
func (r *rename) wikiSpellings(n *notes.Note, l renamed, raw string) (all []string) {
	extension := extensionOf(raw)
	if l.want == r.new {
		name := strings.TrimSuffix(raw, extension)
		folder := name[:strings.LastIndexByte(name, '/')+1]
		plain := folder + r.new.ID.Name() + extension
		if alias := r.alias(n, l, raw); alias != "" {
			all = append(all, plain+alias, idStem(r.new)+alias)
		}
		all = append(all, plain)
	}
	whole := string(l.want.ID)
	short := idStem(l.want)
	return append(all, short+extension, whole, "/"+short, "/"+whole)
}

func idStem(n *notes.Note) string {
	whole := string(n.ID)
	return strings.TrimSuffix(whole, extensionOf(whole))
}

// alias returns what keeps the words that people read: "|New Title" if the link shows
// the old title or name, and the new name is not the new title; else "".
func (r *rename) alias(n *notes.Note, l renamed, name string) string {
	title := r.new.Title()
	shows := notes.Key(name) == notes.Key(r.old.Title()) || notes.Key(name) == notes.Key(r.old.ID.Name())
	if !shows || !showsTarget(n.File, l.Link) || r.new.ID.Name() == title || !aliasable(title, l.Link) {
		return ""
	}
	if inTable(n.File, l.Link) {
		return `\|` + title
	}
	return "|" + title
}

// aliasable reports whether a text may be the alias of a link.
func aliasable(title string, l *markdown.Link) bool {
	return linkable(strings.ReplaceAll(title, "#", ""), l)
}

// inTable reports whether a link is on a line with cells, where a "|" is escaped.
func inTable(file []byte, l *markdown.Link) bool {
	start := bytes.LastIndexByte(file[:l.Start], '\n') + 1
	line, _, _ := bytes.Cut(file[start:], []byte{'\n'})
	return l.Quote == 0 && bytes.ContainsRune(wikilink.ReplaceAll(line, nil), '|')
}

// wikilink matches a wikilink on a line.
var wikilink = regexp.MustCompile(`\[\[[^\[\]]*\]\]`)

// pathSpellings returns how the target of a Markdown link may be written.
func (r *rename) pathSpellings(n *notes.Note, l renamed, raw string) (all []string) {
	write := func(name string) string {
		if extensionOf(raw) == "" {
			name = strings.TrimSuffix(name, extensionOf(name))
		}
		return encode(name, l.Link, []byte(raw))
	}
	if l.want == r.new {
		all = append(all, raw[:strings.LastIndexByte(raw, '/')+1]+write(path.Base(string(r.new.ID))))
	}
	relative, err := filepath.Rel(filepath.FromSlash(n.ID.Folder()), filepath.FromSlash(string(l.want.ID)))
	if err == nil {
		all = append(all, write(filepath.ToSlash(relative)))
	}
	return append(all, "/"+write(string(l.want.ID)))
}

// extensionOf returns the ".md" that a text ends with, in its case.
func extensionOf(text string) string {
	if at := len(text) - len(".md"); at > 0 && strings.EqualFold(text[at:], ".md") {
		return text[at:]
	}
	return ""
}

// verify makes sure that every link of a note leads where it led, once its targets
// are spelled anew.
func (r *rename) verify(n *notes.Note, spelled map[string][]byte) error {
	edit := change{Links: spelled}
	if n == r.old {
		edit = r.own
		edit.Links = spelled
	}
	file, err := edit.apply(n.File)
	if err != nil {
		return err
	}
	edited := notes.NewNote(r.afterwards(n).ID, file)
	if n == r.old && (r.own.Content != nil || strings.Contains(r.old.Title()+r.new.Title(), "[[")) {
		return nil // links come and go with what the caller gave
	}
	for k, target := range r.before.Targets(n) {
		if target == nil {
			continue
		}
		if k < len(edited.Parts.Links) {
			found := r.after.Resolve(edited.ID, &edited.Parts.Links[k])
			if len(found) > 0 && found[0] == r.afterwards(target) {
				continue
			}
		}
		return &ParamError{"title", fmt.Sprintf("a link in %s to %s would lead elsewhere: change it by hand first", n.ID, target.ID)}
	}
	return nil
}
