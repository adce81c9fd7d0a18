package render

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
)

// EntryRef names a version of an entry.
type EntryRef struct {
	ID   catalog.ID
	Hash catalog.Fingerprint // the entryHash
}

// File is a file, or a region of a file, that a target needs.
type File struct {
	Target, Path string
	// Region reports whether Content is only the text between the markers.
	Region  bool
	Content []byte
	// Entries lists the entries in the file, in file order.
	Entries []EntryRef
	// Sections lists the parts of Content that come from one entry each, in file order.
	Sections []Section
}

// Section is the part of a file's content that comes from one entry.
type Section struct {
	ID         catalog.ID
	Start, End int // byte offsets in the content
	// Lines maps each line of the section to its line in the entry's body, from 0, or
	// to -1 if the body does not have the line. It is nil if the section is the body.
	Lines []int
}

// Warning reports a field of an entry that a target cannot express, or another problem
// that the user should know about. ID is "" for an agent or the whole catalog.
type Warning struct {
	ID                           catalog.ID
	Target, Path, Field, Message string
}

// Withheld reports whether an entry is a draft or deprecated. Such an entry is rendered
// only if a selection names its status or requirement.
func Withheld(e *catalog.Entry) bool {
	return e.Requirement == catalog.Deprecated || e.Status == catalog.StatusDeprecated || e.Status == catalog.StatusDraft
}

// Files returns the files that the targets need, sorted by path, and warnings about
// what the targets cannot express. Entries in a file are sorted by priority, then by
// id. If two entries need the same path, the first one gets it.
func Files(sources []Source, targets []*agents.Target) ([]File, []Warning) {
	hasRegions := slices.ContainsFunc(targets, func(t *agents.Target) bool { return t.Nested })
	items := newItems(sources, hasRegions)
	slices.SortFunc(items, func(a, b *item) int {
		return cmp.Or(cmp.Compare(a.Entry.Priority, b.Entry.Priority), cmp.Compare(a.ref.ID, b.ref.ID))
	})
	r := renderer{whole: map[string]*File{}, regions: map[string]*File{}}
	for _, t := range targets {
		for _, it := range items {
			r.add(t, it)
		}
	}
	return r.files(), r.warnings
}

// renderer collects files and warnings.
type renderer struct {
	whole    map[string]*File // by path in lower case, since some file systems ignore case
	regions  map[string]*File // by path
	warnings []Warning
}

func (r *renderer) warn(t *agents.Target, it *item, field, format string, args ...any) {
	r.warnings = append(r.warnings, Warning{ID: it.ref.ID, Target: t.Name, Field: field, Message: fmt.Sprintf(format, args...)})
}

// add adds an entry to the files of a target.
func (r *renderer) add(t *agents.Target, it *item) {
	switch {
	case it.own == t:
		r.addOwn(t, it)
	case it.load == agents.Command, it.load == agents.Persona:
		r.warn(t, it, "load", "the target has no place for a %s of another agent: it is left out", it.load)
	case it.load == agents.OnSkill:
		r.addSkill(t, it)
	case it.load == agents.ByModel:
		r.addByModel(t, it)
	case it.load == agents.Manual && t.ByHand == agents.LeftOut:
		r.warn(t, it, "load", "the target cannot load a file only on request: it is left out")
	case it.load == agents.Glob && t.Rules == "":
		r.addScoped(t, it)
	case it.load == agents.Always && t.Shared != "":
		r.addSection(t, it, t.Shared, it.section(nil))
	default:
		r.addRule(t, it)
	}
}

// addOwn writes an entry back to the file that it came from.
func (r *renderer) addOwn(t *agents.Target, it *item) {
	f := File{Path: it.Path, Content: it.Data}
	if at := strings.LastIndex(string(it.Data), it.body); at >= 0 && it.body != "" {
		f.Sections = []Section{{ID: it.ref.ID, Start: at, End: at + len(it.body)}}
	}
	if r.addWhole(t, it, f) {
		r.addSkillFiles(t, it, path.Dir(it.Path))
	}
}

// addWhole adds a file that is generated as a whole. It returns false and warns if the
// path is unsafe or another entry already has it.
func (r *renderer) addWhole(t *agents.Target, it *item, f File) bool {
	key := strings.ToLower(f.Path)
	switch first := r.whole[key]; {
	case !agents.IsSafe(f.Path):
		r.warn(t, it, "", "%s is not a path that rendering writes: it is left out", f.Path)
		return false
	case first != nil:
		r.warnings = append(r.warnings, Warning{it.ref.ID, t.Name, f.Path, "", fmt.Sprintf("the entry %s has the same path and comes first: it is left out", first.Entries[0].ID)})
		return false
	}
	f.Target, f.Entries = t.Name, []EntryRef{it.ref}
	r.whole[key] = &f
	return true
}

// addByModel adds an entry that the model chooses by its description.
func (r *renderer) addByModel(t *agents.Target, it *item) {
	switch t.ByAgent {
	case agents.ByRule:
		r.addRule(t, it)
	case agents.BySkill:
		r.addSkill(t, it)
	case agents.ByLine:
		if p, ok := r.addSkill(t, it); ok {
			r.addSection(t, it, t.Shared, it.line(p))
		}
	default:
		r.warn(t, it, "load", "the target has no rules that the model chooses: it is left out")
	}
}

// addScoped adds an entry with globs to a target whose files have no front matter. If
// all globs match below one folder and the target is nested, the entry goes to the file
// of that folder, otherwise to the file at the top.
func (r *renderer) addScoped(t *agents.Target, it *item) {
	folder, exact := commonFolder(it.globs)
	switch {
	case folder != "" && t.Nested && exact:
		r.addSection(t, it, path.Join(folder, t.Shared), it.section(nil))
	case folder != "" && t.Nested:
		r.warn(t, it, "appliesTo", "it is loaded for all of %s: a line in the text names the globs", folder)
		r.addSection(t, it, path.Join(folder, t.Shared), it.section(it.globs))
	default:
		r.warn(t, it, "appliesTo", "it is always loaded: a line in the text names the globs")
		r.addSection(t, it, t.Shared, it.section(it.globs))
	}
}

// commonFolder returns the deepest folder that contains everything the globs match, and
// whether they match all of it. The folder is "" if only the top contains everything,
// or if the folder is unsafe or in a dot folder. Dot folders belong to tools.
func commonFolder(globs []string) (folder string, exact bool) {
	for i, g := range globs {
		fixed := fixedFolder(g)
		if i == 0 {
			folder = fixed
		}
		for folder != "" && fixed != folder && !strings.HasPrefix(fixed, folder+"/") {
			folder = strings.TrimPrefix(path.Dir("/"+folder), "/")
		}
	}
	if folder == "" || !agents.IsSafe(folder) || strings.HasPrefix(folder, ".") || strings.Contains(folder, "/.") {
		return "", false
	}
	return folder, len(globs) == 1 && globs[0] == folder+"/**"
}

// fixedFolder returns the folder part of a glob before its first special character. All
// matches of the glob are in this folder.
func fixedFolder(g string) string {
	if at := strings.IndexAny(g, `*?[]{}\!`); at >= 0 {
		g = g[:at]
	}
	return g[:max(strings.LastIndexByte(g, '/'), 0)]
}

// noField is the message for a field that the target's files cannot hold.
const noField = "the target has no field for it: it is left out"

// addRule adds an entry as a file of its own.
func (r *renderer) addRule(t *agents.Target, it *item) {
	intent := agents.Intent{ID: string(it.ref.ID), Load: it.load, Description: it.description}
	if it.load == agents.Glob {
		var lost string
		if intent.Globs, lost = t.Globs(it.globs); lost != "" {
			r.warn(t, it, "appliesTo", "%s", lost)
		}
		if len(intent.Globs) == 0 {
			r.warn(t, it, "appliesTo", "no glob is left: the entry is left out")
			return
		}
	}
	if it.load == agents.ByModel {
		intent.Description = cmp.Or(it.description, it.Entry.Title)
	}
	p := t.RulePath(intent.ID)
	front := t.Front(intent)
	content, start := it.withFront(p, front)
	f := File{Path: p, Content: content, Sections: []Section{{ID: it.ref.ID, Start: start, End: len(content)}}}
	if !r.addWhole(t, it, f) {
		return
	}
	r.warnOfLoad(t, it, intent, f)
	if it.description != "" && !strings.Contains(front, "description: ") {
		r.warn(t, it, "semanticSummary", noField)
	}
	r.warnOfFields(t, it)
}

// addSection adds a section to the region of the file at p. If the body of the entry
// has a marker, addSection warns and leaves the entry out.
func (r *renderer) addSection(t *agents.Target, it *item, p string, s section) {
	if HasMarker([]byte(it.body)) {
		r.warn(t, it, "body", "it has a line that is a marker of a region: it is left out of %s", p)
		return
	}
	switch {
	case s.ending != "":
		r.warn(t, it, "body", "a block of it has no end: %s is added in %s, so that it does not take in what follows", s.ending, p)
	case s.open:
		r.warn(t, it, "body", "a block of it has no end: it may take in what follows in %s", p)
	}
	f := r.regions[p]
	if f == nil {
		f = &File{Target: t.Name, Path: p, Region: true}
		r.regions[p] = f
	}
	if len(f.Content) > 0 {
		f.Content = append(f.Content, '\n')
	}
	start := len(f.Content)
	f.Content = append(f.Content, s.text...)
	f.Entries = append(f.Entries, it.ref)
	f.Sections = append(f.Sections, Section{it.ref.ID, start, len(f.Content), s.lines})
	if it.description != "" && it.load != agents.ByModel {
		r.warn(t, it, "semanticSummary", noField)
	}
	if it.load != agents.ByModel {
		r.warnOfFields(t, it)
	}
}

// files returns all files, sorted by path. If a file that is written back also has a
// region, the region follows the file's own bytes.
func (r *renderer) files() []File {
	var found []File
	for _, f := range r.whole {
		if region := r.regions[f.Path]; region != nil {
			if _, isOpen := headingsOf(f.Content); isOpen {
				r.warnings = append(r.warnings, Warning{f.Entries[0].ID, f.Target, f.Path, "body", "a block of it has no end: it takes in the region below it"})
			}
			if err := f.append(region); err != nil {
				for _, e := range region.Entries {
					r.warnings = append(r.warnings, Warning{e.ID, f.Target, f.Path, "", "it is left out of the file that is written back: " + err.Error()})
				}
			}
			delete(r.regions, f.Path)
		}
		found = append(found, *f)
	}
	for _, f := range r.regions {
		found = append(found, *f)
	}
	slices.SortFunc(found, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return found
}

// append adds a region to a file that is written back. The only error is [ErrMarkers].
func (f *File) append(region *File) error {
	own, err := Cut(f.Content)
	if err != nil {
		return err
	}
	content, err := Put(own, region.Content)
	if err != nil {
		return err
	}
	f.Content = content
	if len(f.Sections) > 0 {
		f.Sections[0].End = min(f.Sections[0].End, len(own))
	}
	at, _, _ := Find(content)
	for _, s := range region.Sections {
		s.Start, s.End = s.Start+at.ContentStart, s.End+at.ContentStart
		f.Sections = append(f.Sections, s)
	}
	f.Entries = append(f.Entries, region.Entries...)
	return nil
}
