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

// rename is a planned change of a note's title and perhaps its id, or the planned
// creation of a note.
type rename struct {
	before, after *notes.Snapshot
	old, new      *notes.Note // old is nil for a new note
	own           change      // the change to the note itself
	warnings      []string    // one per rewritten link by title
}

// newRename computes the graph that a change would produce.
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

// newArrival computes the graph that adding n would produce.
func newArrival(s *notes.Snapshot, n *notes.Note) *rename {
	return &rename{before: s, new: n, after: notes.NewSnapshot(append(slices.Clone(s.Notes()), n), s)}
}

// plan returns the edits to all files, and the notes whose links are rewritten. It does
// not rewrite links in notes for which leaveOut returns true, because those files are
// changed under another name.
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

// warnByTitle adds a warning for each rewritten link of n that resolved only through the
// title of a note.
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

// renamed is a link to rewrite and its target after the change.
type renamed struct {
	*markdown.Link
	want *notes.Note
}

// relink returns the new targets for those links of n whose target would otherwise
// change.
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

// lost returns the links of n whose target would change, by spelling.
func (r *rename) lost(n *notes.Note) map[string]renamed {
	var lost map[string]renamed
	after := r.afterwards(n)
	resolve := r.after.Resolver(after.ID)
	now := r.after.Targets(after)
	if len(now) != len(n.Parts.Links) && r.own.Content == nil {
		now = nil // the title may contain links, so positions do not match
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
		if found := resolve(l); len(found) > 0 && found[0] == want {
			continue
		}
		if lost == nil {
			lost = map[string]renamed{}
		}
		lost[spelling(n.File, l)] = renamed{l, want}
	}
	return lost
}

// afterwards returns the note that replaces n after the rename.
func (r *rename) afterwards(n *notes.Note) *notes.Note {
	if n == r.old {
		return r.new
	}
	return n
}

// spell returns the first spelling of a link that resolves to its intended target. It
// skips spellings that are themselves rewritten in the note, because the change may be
// applied twice.
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

// targetOf returns a link target without the alias added to it.
func targetOf(spelled string) string {
	target, _, _ := strings.Cut(spelled, "|")
	return strings.TrimSuffix(target, `\`)
}

// linkable reports whether s is allowed as the target of the link. Only wikilinks are
// restricted.
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

// wikiSpellings returns the candidate spellings of a wikilink, in order of preference:
// in its current form with the new name, and then as a path.
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

// alias returns an alias that keeps the text that readers see: "|New Title" if the link
// shows the old title or name and the new name differs from the new title, else "".
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

// aliasable reports whether a title is allowed as the alias of a link.
func aliasable(title string, l *markdown.Link) bool {
	return linkable(strings.ReplaceAll(title, "#", ""), l)
}

// longestRow is the maximum length of a table row, in bytes. The row is read again for
// each of its links, so without a limit the cost would be quadratic.
const longestRow = 4096

// inTable reports whether a link is on a line with table cells, where "|" must be
// escaped.
func inTable(file []byte, l *markdown.Link) bool {
	if l.Quote != 0 {
		return false
	}
	from := max(0, l.Start-longestRow)
	start := bytes.LastIndexByte(file[from:l.Start], '\n')
	if start < 0 && from > 0 {
		return false
	}
	rest := file[from+start+1:]
	line, _, _ := bytes.Cut(rest[:min(len(rest), longestRow+1)], []byte{'\n'})
	if len(line) > longestRow || !bytes.ContainsRune(line, '|') {
		return false
	}
	return bytes.ContainsRune(wikilink.ReplaceAll(line, nil), '|')
}

// wikilink matches a wikilink within a line.
var wikilink = regexp.MustCompile(`\[\[[^\[\]]*\]\]`)

// pathSpellings returns the candidate targets of a Markdown link, in order of
// preference.
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

// extensionOf returns the ".md" at the end of text, in its original case, or "".
func extensionOf(text string) string {
	if at := len(text) - len(".md"); at > 0 && strings.EqualFold(text[at:], ".md") {
		return text[at:]
	}
	return ""
}

// verify returns an error if a link of n would have a different target after n is
// rewritten.
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
		return nil // new content or a new title can add and remove links
	}
	resolve := r.after.Resolver(edited.ID)
	for k, target := range r.before.Targets(n) {
		if target == nil {
			continue
		}
		if k < len(edited.Parts.Links) {
			found := resolve(&edited.Parts.Links[k])
			if len(found) > 0 && found[0] == r.afterwards(target) {
				continue
			}
		}
		return &ParamError{"title", fmt.Sprintf("a link in %s to %s would lead elsewhere: change it by hand first", n.ID, target.ID)}
	}
	return nil
}
