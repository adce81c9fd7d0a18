package render

import (
	"bytes"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/format"
	"instruction-catalog/catalog/frontmatter"
	"instruction-catalog/catalog/glob"
	"instruction-catalog/schemas/jsonscan"
)

// Source is an entry to render.
type Source struct {
	Entry *catalog.Entry
	// Data is the entry's file as stored in the catalog. It is nil for an entry of a
	// bundle.
	Data []byte
	// Path is the path of the file in the repository: the path that it was imported
	// from, or else its path from the top of the catalog. It is "" for an entry of a
	// bundle.
	Path string
	// Imported reports whether the file was imported from a repository.
	Imported bool
	// Files holds the other files of a skill, by path within the skill's folder.
	Files map[string][]byte
}

// item is a source with the values that rendering derives from it.
type item struct {
	Source
	ref         EntryRef
	kind        agents.Kind
	own         *agents.Target // the target that its file belongs to; nil if none
	load        agents.Load
	globs       []string // relative to the top of the repository
	description string
	body        string
	foreign     []string // fields of its file that only its own agent reads
	imports     []string // the paths in its body that its own agent imports
	sectioned   *section
}

// newItems prepares the sources concurrently on all processors. If sections is set, it
// also prepares their sections. Most of the time goes into finding headings.
func newItems(sources []Source, sections bool) []*item {
	items := make([]*item, len(sources))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(sources)); i = next.Add(1) - 1 {
				items[i] = newItem(sources[i])
				if sections {
					items[i].sectioned = items[i].demoted()
				}
			}
		})
	}
	workers.Wait()
	return items
}

func newItem(s Source) *item {
	e := s.Entry
	it := &item{Source: s, ref: EntryRef{e.ID, e.Hash()}, kind: agents.Kind(e.Origin.Format), body: e.Body.Text(), description: strings.TrimSpace(e.SemanticSummary)}
	if s.Data != nil && s.Path != "" {
		e = it.place()
	}
	it.setLoad(e)
	if s.Entry.Origin.OfAgent() {
		it.setForeign(e)
	}
	if _, ok := (agents.Place{Kind: it.kind}).Imported(); ok {
		for i := range agents.Imports(it.body) {
			it.imports = append(it.imports, i.Path)
		}
	}
	return it
}

// place sets own to the target that the file belongs to, and returns the entry as
// decoded at its path in the repository. The path comes with the catalog and is not
// trusted: it is ignored unless it fits the kind of the entry.
func (it *item) place() *catalog.Entry {
	place, ok := agents.At(it.Path)
	if !ok {
		if it.Imported && it.kind == "markdown" { // a file that another file imports with @
			it.kind = agents.ImportedFile
		}
		if mayLieAnywhere(it.kind, it.Path) {
			it.own = agents.TargetOf(it.kind, it.Path)
		}
		return it.Entry
	}
	if place.Kind != it.kind {
		return it.Entry
	}
	it.own = agents.TargetOf(it.kind, it.Path)
	if it.Path == it.Entry.Origin.Path {
		return it.Entry
	}
	if o := format.Decode(format.File{Path: it.Path, Data: it.Data, Place: &place}); o.Entry != nil {
		return o.Entry
	}
	return it.Entry
}

// mayLieAnywhere reports whether a file of this kind is recognized by its front matter
// or by another file that names it, and not by its path, and whether p is a Markdown
// file outside dot folders.
func mayLieAnywhere(kind agents.Kind, p string) bool {
	switch kind {
	case agents.Amp, agents.ImportedFile, agents.ClaudeAgent, agents.ClaudeCommand:
		ext := path.Ext(p)
		return (ext == ".md" || ext == ".mdc") && !strings.HasPrefix(p, ".") && !strings.Contains(p, "/.")
	}
	return false
}

func (it *item) setLoad(e *catalog.Entry) {
	it.load = agents.Load(e.Load)
	scope := e.Origin.Scope
	switch {
	case it.load == agents.Directory && scope != nil:
		it.load, it.globs = agents.Glob, []string{path.Join(scope.Folder, "**")}
	case it.load == agents.Glob && scope != nil:
		it.globs = scope.Globs
	case it.load == "", it.load == agents.Directory:
		it.load = agents.Always
	}
}

func (it *item) setForeign(e *catalog.Entry) {
	known := agents.Place{Kind: it.kind}.Reads()
	for m, err := range jsonscan.Members(e.Field("extensions")) {
		if name := string(m.Name); err == nil && !slices.Contains(known, name) {
			it.foreign = append(it.foreign, name)
		}
	}
}

// withFront returns the front matter and the body as a file, and the offset of the
// body. If front is empty, it adds empty front matter only if the body alone would be
// misread. The front matter gets the line endings of the body's first line.
func (it *item) withFront(p, front string) (content []byte, start int) {
	if front == "" && it.isTakenFor(p) {
		front = "---\n---\n"
	} else if front != "" {
		front = "---\n" + front + "---\n"
	}
	if first, _ := frontmatter.CutLine([]byte(it.body)); bytes.HasSuffix(first, []byte("\r\n")) {
		front = string(toCRLF([]byte(front)))
	}
	return []byte(front + it.body), len(front)
}

// isTakenFor reports whether a file at p with only the body would be misread, for
// example as front matter.
func (it *item) isTakenFor(p string) bool {
	first, _ := frontmatter.CutLine([]byte(it.body))
	if len(bytes.TrimSpace(first)) > 0 && !bytes.HasPrefix(first, []byte("\uFEFF")) && !bytes.ContainsAny(first, ":-+\r") {
		return false
	}
	read, ok := format.Body(p, []byte(it.body))
	return !ok || read != it.body
}

// warnOfLoad warns if the file of a rule would not be loaded as meant. It decodes the
// file again only if the load or the globs could be misread.
func (r *renderer) warnOfLoad(t *agents.Target, it *item, meant agents.Intent, f File) {
	if it.load == agents.Always || it.load == agents.Glob && !slices.ContainsFunc(meant.Globs, isSpecial) {
		return
	}
	const body = "x" // the body does not affect the load
	place, _ := agents.At(f.Path)
	o := format.Decode(format.File{Path: f.Path, Data: append(slices.Clip(f.Content[:f.Sections[0].Start]), body...), Place: &place})
	switch {
	case o.Entry == nil:
		r.warn(t, it, "load", "the file cannot be written in a form that is read back")
	case agents.Load(o.Entry.Load) != it.load:
		r.warn(t, it, "load", "it is loaded as %s instead of %s", o.Entry.Load, it.load)
	case it.load == agents.Glob && !slices.Equal(o.Entry.Origin.Scope.Globs, place.Anchor(meant.Globs)):
		r.warn(t, it, "appliesTo", "the target reads these globs in another way")
	}
}

// isSpecial reports whether some agent may misread the glob g.
func isSpecial(g string) bool {
	return strings.Trim(g, plainGlob) != "" || strings.Contains(g, ",") && len(glob.Split(g)) > 1
}

// plainGlob lists the glob characters that every target reads the same way.
const plainGlob = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./*-{},"

// warnOfFields warns of the fields that only the entry's own agent reads, and of the
// imports that only that agent follows.
func (r *renderer) warnOfFields(t *agents.Target, it *item) {
	if len(it.imports) > 0 {
		r.warn(t, it, "body", "it imports %s with @, which is not followed from there", strings.Join(it.imports, ", "))
	}
	for _, name := range it.foreign {
		r.warn(t, it, name, noField)
	}
}
