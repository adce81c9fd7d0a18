package format

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/glob"
)

// readAgentsFile reads the fields of an agent's file with the meaning that the agent
// gives them, and stores them under the names of the contract. It reports whether the
// file is an instruction.
func (n *normaliser) readAgentsFile() bool {
	d := n.doc
	d.fields = n.once(d.fields)
	body, _ := d.body()
	r := d.Place.Read(d.frontMatter(), body)
	for _, w := range r.Warnings {
		severity := catalog.SeverityWarning
		if w.Note {
			severity = catalog.SeverityNote
		}
		n.say(w.Rule, d.lineOf(w.Field), severity, strings.TrimPrefix(w.Field+": "+w.Message, ": "))
	}
	n.warnOfMisspelt()
	if !r.Load.IsInstruction() {
		severity, rule := catalog.SeverityWarning, FileNotLoaded
		if r.Off {
			severity = catalog.SeverityNote
		}
		if r.Misplaced {
			rule = agents.FileMisplaced
		}
		n.say(rule, 0, severity, "no agent loads it: "+r.Reason)
		return false
	}
	n.entry.Load = catalog.LoadMode(r.Load)
	n.entry.AppliesTo = r.Globs
	switch r.Load {
	case agents.Glob:
		n.origin.Scope = &catalog.Scope{Globs: d.Place.Anchor(r.Globs)}
	case agents.Directory:
		n.origin.Scope = &catalog.Scope{Folder: d.Place.Folder}
	}
	d.drop(r.Source)
	d.rename("name", "title")
	d.rename("description", "semanticSummary")
	n.cutAgentsTitle()
	n.warnOfInvisible(body)
	n.noteForeign()
	return true
}

// warnOfMisspelt warns of fields that the agent ignores only because of their spelling.
func (n *normaliser) warnOfMisspelt() {
	for _, name := range n.doc.Place.Reads() {
		if n.doc.indexOf(name) >= 0 {
			continue
		}
		for _, f := range n.doc.fields {
			if isLike(f.name, name) {
				n.warn(FieldMisspelt, f, "its agent does not read it, but %s: rename it", name)
			}
		}
	}
}

// isLike reports whether two names differ only in case, hyphens, underscores or a
// plural s, or by a typo.
func isLike(name, of string) bool {
	plain := func(s string) string {
		return strings.TrimSuffix(strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(s)), "s")
	}
	return plain(name) == plain(of) || isSlip(name, of)
}

// warnOfInvisible warns of characters in a body that a model reads but people do not
// see. It warns of each character once, where it first occurs. Such characters can make
// the body differ from what people approved. Tags are invisible letters: only the first
// of them gets a warning.
func (n *normaliser) warnOfInvisible(body string) {
	seen := map[rune]bool{}
	for i, c := range body {
		if !unicode.Is(invisible, c) {
			continue
		}
		if kind := min(c, firstTag); !seen[kind] {
			seen[kind] = true
			n.say(FileInvisible, n.doc.lineOf("body")+strings.Count(body[:i], "\n"), catalog.SeverityWarning,
				fmt.Sprintf("this text contains the invisible character %U: remove it, unless you know why it is there", c))
		}
	}
}

const firstTag = 0xE0000

// invisible contains control characters, zero-width characters, characters that change
// the direction of text, and tags. It omits useful ones: those that end lines or pages,
// and those that join letters and emoji.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{{0x00, 0x08, 1}, {0x0E, 0x1F, 1}, {0x7F, 0x7F, 1}, {0x200B, 0x200B, 1}, {0x202A, 0x202E, 1}, {0x2060, 0x2064, 1}, {0x2066, 0x2069, 1}, {0xFEFF, 0xFEFF, 1}},
	R32: []unicode.Range32{{firstTag, firstTag + 0x7F, 1}},
}

// frontMatter returns the front matter in the form of package agents.
func (d *document) frontMatter() agents.FrontMatter {
	front := agents.FrontMatter{Fields: map[string]agents.Value{}, Broken: d.broken}
	for _, f := range d.fields {
		v := f.value
		switch {
		case f.name == "body", v.kind == null:
		case v.kind == list:
			items := agents.Value{IsList: true}
			for _, item := range v.items() {
				items.Items = append(items.Items, item.text)
			}
			front.Fields[f.name] = items
		default:
			isTrue := v.kind == boolean && strings.EqualFold(v.text, "true")
			front.Fields[f.name] = agents.Value{Text: v.text, IsTrue: isTrue, Quoted: v.quoted}
		}
	}
	return front
}

// lineOf returns the line of a field, or 0 if the document does not have it.
func (d *document) lineOf(name string) int {
	if i := d.indexOf(name); i >= 0 {
		return d.fields[i].line
	}
	return 0
}

func (d *document) indexOf(name string) int {
	for i, f := range d.fields {
		if f.name == name {
			return i
		}
	}
	return -1
}

// drop removes a field if it exists.
func (d *document) drop(name string) {
	if i := d.indexOf(name); i >= 0 {
		d.fields = append(d.fields[:i:i], d.fields[i+1:]...)
	}
}

// rename renames a field to a field of the contract, unless the document has that
// field. It removes the field if its value is null, and does not rename a list or an
// object.
func (d *document) rename(name, to string) {
	i := d.indexOf(name)
	if i < 0 || d.indexOf(to) >= 0 {
		return
	}
	switch d.fields[i].value.kind {
	case null:
		d.drop(name)
	case text, number, boolean:
		d.fields[i].name = to
	}
}

// cutAgentsTitle shortens a title that is too long, with a warning: it may come from a
// field with another meaning.
func (n *normaliser) cutAgentsTitle() {
	i := n.doc.indexOf("title")
	if i < 0 {
		return
	}
	f := &n.doc.fields[i]
	if longerThan(f.value.text, catalog.MaxTitle) {
		n.say(FieldTooLong, f.line, catalog.SeverityNote, fmt.Sprintf("%s: it has %d characters; in the catalog the text after the first %d is cut", f.name, utf8.RuneCountInString(f.value.text), catalog.MaxTitle))
		f.value.text = cutTitle(f.value.text)
	}
}

// isForeign reports whether a field does not have the contract's meaning in this
// document. In an agent's file these are all fields but body, title and
// semanticSummary, unless the file has an id. In any other file it is scope, unless the
// document is from a bundle.
func (d *document) isForeign(name string) bool {
	switch name {
	case "body", "title", "semanticSummary":
		return false
	}
	if d.Place == nil {
		return name == scopeField && d.Line == 0
	}
	i := d.indexOf("id")
	return i < 0 || d.fields[i].value.kind == null
}

// noteForeign adds a note that names the foreign fields that would be fields of the
// contract in another file.
func (n *normaliser) noteForeign() {
	var names []string
	line := 0
	for _, f := range n.doc.fields {
		if _, ok := ruleAt[f.name]; ok && n.doc.isForeign(f.name) {
			names = append(names, f.name)
			line = max(line, f.line)
		}
	}
	if len(names) > 0 {
		n.say(FieldForeign, line, catalog.SeverityNote, strings.Join(names, ", ")+
			": kept in extensions, because the file belongs to an agent; add an id to have such fields read as those of the catalog")
	}
}

// globFields are the names of fields for globs in agents' files.
var globFields = []string{"globs", "applyTo", "paths", "fileMatchPattern"}

// adoptNames renames fields from the names that agents use to those of the contract. It
// is for Markdown files that are not agents' files.
func (d *document) adoptNames() {
	d.rename("name", "title")
	d.rename("description", "semanticSummary")
	for _, name := range globFields {
		if i := d.indexOf(name); i >= 0 && d.indexOf("appliesTo") < 0 && d.fields[i].value.kind != object {
			d.fields[i].name = "appliesTo"
		}
	}
}

func readLoad(n *normaliser, f field) {
	if !n.has(f) {
		return
	}
	load, ok := readWord(n, f, func(string) catalog.LoadMode { return "" }, catalog.LoadModes()...)
	if ok {
		n.entry.Load = load
	}
}

// scopeField is the name of a field that bundles have in addition to those of the
// contract.
const scopeField = "scope"

// readScope reads the scope that [catalog.Entry.AppendRecord] wrote.
func readScope(n *normaliser, f field) {
	if f.line == 0 {
		return
	}
	var scope catalog.Scope
	if err := json.Unmarshal(f.value.json(), &scope); err != nil {
		n.fail(FieldValue, f, "%s is not a scope: write the bundle again", f.value)
		return
	}
	n.origin.Scope = &scope
}

// readAppliesTo reads a list of globs, or a text with globs separated by commas.
func readAppliesTo(n *normaliser, f field) {
	if !n.has(f) {
		return
	}
	var globs []string
	if f.value.kind == list {
		var ok bool
		if globs, ok = n.textsOf(f); !ok {
			return
		}
	} else {
		joined, ok := n.textOf(f)
		if !ok {
			return
		}
		globs = glob.Split(joined)
	}
	for _, g := range globs {
		if !glob.Valid(g) {
			n.warn(agents.GlobInvalid, f, "%s matches nothing: close its brackets and braces, and let it expand to at most %d others", Quote(g), glob.MaxAlternatives)
		}
	}
	n.entry.AppliesTo = globs
	n.origin.Scope = &catalog.Scope{Globs: agents.Place{Folder: "."}.Anchor(globs)}
	if n.entry.Load == "" && len(globs) > 0 {
		n.entry.Load = catalog.LoadGlob
	}
}
