package writing

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
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
	for key, l := range lost {
		text, ok := r.spell(n, l, lost)
		if !ok {
			return nil, &ParamError{"title", fmt.Sprintf("the link to %s in %s cannot be spelled so that it leads to %s: change it by hand first",
				l.want.ID, n.ID, r.new.ID)}
		}
		spelled[key] = []byte(text)
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

// spell returns the first spelling of a link that leads where it should. None that
// is itself spelled anew in the note will do: the change may be made twice.
func (r *rename) spell(n *notes.Note, l renamed, lost map[string]renamed) (string, bool) {
	spellings := r.wikiSpellings
	if l.Form != markdown.Wiki {
		spellings = r.pathSpellings
	}
	raw := l.Target.Of(n.File)
	for _, s := range spellings(n, l, string(raw)) {
		text := slices.Concat(n.File[:l.Target.Start], []byte(s), n.File[l.Target.End:])
		again := *l.Link
		again.Target.End = again.Target.Start + len(s)
		if _, taken := lost[spelling(text, &again)]; taken {
			continue
		}
		again.Name = s
		if l.Form != markdown.Wiki {
			again.Name = decode(s)
		}
		if found := r.after.Resolve(r.afterwards(n).ID, &again); len(found) > 0 && found[0] == l.want && linkable(s, l.Link) {
			return s, true
		}
	}
	return "", false
}

// linkable reports whether a text may stand in a wikilink.
func linkable(s string, l *markdown.Link) bool {
	if l.Form != markdown.Wiki {
		return true
	}
	signs := "[]|#\\\n\r\x00"
	if l.Quote != 0 {
		signs += `"'`
	}
	return !strings.ContainsAny(s, signs) && strings.TrimSpace(s) == s
}

// wikiSpellings returns how a wikilink may be written: as it was, with the new
// name, and then as the path.
func (r *rename) wikiSpellings(_ *notes.Note, l renamed, raw string) (all []string) {
	extension := extensionOf(raw)
	if l.want == r.new {
		name := strings.TrimSuffix(raw, extension)
		folder := name[:strings.LastIndexByte(name, '/')+1]
		if folder == "" && notes.Key(name) != notes.Key(r.old.ID.Name()) && notes.Key(name) == notes.Key(r.old.Title()) {
			all = append(all, r.new.Title()+extension)
		}
		all = append(all, folder+r.new.ID.Name()+extension)
	}
	whole := string(l.want.ID)
	short := strings.TrimSuffix(whole, extensionOf(whole))
	return append(all, short+extension, whole, "/"+short, "/"+whole)
}

// pathSpellings returns how the target of a Markdown link may be written.
func (r *rename) pathSpellings(n *notes.Note, l renamed, raw string) (all []string) {
	if l.want == r.new {
		folder := raw[:strings.LastIndexByte(raw, '/')+1]
		all = append(all, folder+encode(path.Base(string(r.new.ID)), l.Link, []byte(raw)))
	}
	relative, err := filepath.Rel(filepath.FromSlash(n.ID.Folder()), filepath.FromSlash(string(l.want.ID)))
	if err != nil {
		return all
	}
	return append(all, encode(filepath.ToSlash(relative), l.Link, []byte(raw)))
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
