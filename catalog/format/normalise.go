package format

import (
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/catalog"
)

// normaliser turns a document into an entry and collects the diagnostics.
type normaliser struct {
	doc    *document
	entry  catalog.Instruction
	origin catalog.Origin
	found  []catalog.Diagnostic
	unsaid int  // the number of diagnostics over maxFound
	failed bool // one of the diagnostics, kept or not, is an error
}

// maxFound is the maximum number of diagnostics for one file. Nobody reads more, and a
// file of 4 MiB could cause 500,000.
const maxFound = 100

// rule reads one field of the contract into the entry. If the document does not have
// the field, its line is 0 and its value is null.
type rule struct {
	name string
	read func(*normaliser, field)
}

// ruleAt maps the name of a field to the index of its rule in rules.
var ruleAt = func() map[string]int {
	at := make(map[string]int, len(rules))
	for i, r := range rules {
		at[r.name] = i
	}
	return at
}()

// normalise turns a document into an entry. The entry is nil if the diagnostics include
// an error, or say that the file is not an instruction or that no agent loads it.
func normalise(doc *document) (*catalog.Entry, []catalog.Diagnostic) {
	n := &normaliser{doc: doc, origin: doc.origin(), found: doc.warnings}
	if doc.form == jsonForm && !doc.isInstruction() {
		n.say(FileNotInstruction, 0, doc.strange(), "this is not an instruction: it has no id, title or body")
		return nil, n.found
	}
	if doc.Place != nil && !n.readAgentsFile() {
		return nil, n.all()
	}
	known, unknown := n.split()
	for i, r := range rules {
		if known[i] == nil {
			r.read(n, field{name: r.name})
			continue
		}
		r.read(n, *known[i])
	}
	n.keep(unknown)
	if n.entry.Requirement == catalog.Deprecated && n.entry.DeprecatedBy == "" {
		n.fail(FieldMissing, *known[ruleAt["requirement"]], `deprecated needs deprecatedBy: add it, with the id of the entry to use instead`)
	}
	if n.failed {
		return nil, n.all()
	}
	return catalog.NewEntry(n.entry, n.origin), n.all()
}

// origin returns the origin of the document's entry.
func (d *document) origin() catalog.Origin {
	o := catalog.Origin{Path: d.Path, Line: d.Line, BodyLine: d.lineOf("body"), Format: "json"}
	switch {
	case d.Place != nil:
		o.Format = string(d.Place.Kind)
	case d.form == markdownForm:
		o.Format = "markdown"
	}
	return o
}

// split separates the fields of the contract from the others. The known fields are in
// the order of the rules, nil if missing. A field that appears twice is an error.
func (n *normaliser) split() (known []*field, unknown []field) {
	known = make([]*field, len(rules))
	for i := range n.doc.fields {
		f := &n.doc.fields[i]
		at, ok := ruleAt[f.name]
		switch {
		case !ok || n.doc.isForeign(f.name):
			unknown = append(unknown, *f)
		case known[at] != nil:
			n.twice(*known[at], *f)
		default:
			known[at] = f
		}
	}
	return known, n.once(n.takeMisspelt(known, unknown))
}

// once returns the fields without repeated ones. It reports an error for each
// repetition.
func (n *normaliser) once(fields []field) []field {
	if len(fields) < 2 {
		return fields
	}
	first := make(map[string]field, len(fields))
	var out []field
	for _, f := range fields {
		if before, ok := first[f.name]; ok {
			n.twice(before, f)
			continue
		}
		first[f.name] = f
		out = append(out, f)
	}
	return out
}

func (n *normaliser) twice(first, again field) {
	n.fail(FieldTwice, again, "already set on line %d: keep one of the two", first.line)
}

// isInstruction reports whether the document has any of the fields id, title and body.
func (d *document) isInstruction() bool {
	return slices.ContainsFunc(d.fields, func(f field) bool {
		return f.name == "id" || f.name == "title" || f.name == "body"
	})
}

// strange returns the severity of the diagnostic for a document that is not an
// instruction: an error in a bundle, else a note, because a folder may contain such a
// file for another reason.
func (d *document) strange() catalog.Severity {
	if d.Line > 0 {
		return catalog.SeverityError
	}
	return catalog.SeverityNote
}

// say adds a diagnostic. It counts the diagnostics over maxFound instead of keeping
// them.
func (n *normaliser) say(rule string, line int, severity catalog.Severity, message string) {
	if len(n.found) == maxFound {
		n.unsaid++
		return
	}
	if n.doc.Line > 0 {
		line = n.doc.Line
	}
	n.found = append(n.found, catalog.Diagnostic{
		Path: n.doc.Path, Line: line, Severity: severity, Message: message, Rule: rule,
	})
}

// all returns the diagnostics. If some were omitted, it adds one with their number.
func (n *normaliser) all() []catalog.Diagnostic {
	if n.unsaid == 0 {
		return n.found
	}
	severity := catalog.SeverityWarning
	if n.failed {
		severity = catalog.SeverityError
	}
	return append(n.found, catalog.Diagnostic{
		Path: n.doc.Path, Line: n.doc.Line, Severity: severity, Rule: FileMore,
		Message: fmt.Sprintf("there are %d more diagnostics of this %s: fix these first", n.unsaid, noun(n.doc.Line)),
	})
}

// warn adds a warning about how a field was read.
func (n *normaliser) warn(rule string, f field, format string, args ...any) {
	n.say(rule, f.line, catalog.SeverityWarning, fieldMessage(f, format, args))
}

// fail adds an error, so that the document does not become an entry.
func (n *normaliser) fail(rule string, f field, format string, args ...any) {
	n.failed = true
	n.say(rule, f.line, catalog.SeverityError, fieldMessage(f, format, args))
}

func fieldMessage(f field, format string, args []any) string {
	name := f.name
	if name == "" || len(name) > shown || strings.Trim(name, nameCharacters) != "" {
		name = Quote(name)
	}
	return name + ": " + fmt.Sprintf(format, args...)
}

// nameCharacters are the characters of names that diagnostics show without quotes.
const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// taken adds a warning that a value was read as another one.
func (n *normaliser) taken(f field, as string) {
	n.warn(FieldCoerced, f, "%s is read as %s", f.value, as)
}

// has reports whether the field has a value. Null and blank text do not count as a
// value. In JSON, has warns of an explicit null.
func (n *normaliser) has(f field) bool {
	switch f.value.kind {
	case null:
		if f.line > 0 && n.doc.form == jsonForm {
			n.warn(FieldCoerced, f, "null is treated as absent")
		}
		return false
	case text:
		return strings.TrimSpace(f.value.text) != ""
	}
	return true
}

// hasOr is has for a field with a default. In JSON it warns that the default is used:
// JSON is written by programs, which are expected to set every field.
func (n *normaliser) hasOr(f field, standard string) bool {
	v := f.value
	if v.kind != null && (v.kind != text || strings.TrimSpace(v.text) != "") {
		return true
	}
	switch {
	case n.doc.form == markdownForm:
	case f.line == 0:
		n.warn(FieldDefault, f, "missing, %s is used", standard)
	default:
		n.warn(FieldDefault, f, "%s is treated as absent, %s is used", v, standard)
	}
	return false
}

// textOf returns the field as a text. It accepts a number or a boolean as written,
// because YAML does not require quotes. In JSON this is a warning. A list or an object
// is an error.
func (n *normaliser) textOf(f field) (string, bool) {
	v := f.value
	switch v.kind {
	case list, object:
		n.fail(FieldValue, f, "%s is not a string: write a string", v)
		return "", false
	case number, boolean:
		if n.doc.form == jsonForm {
			n.taken(f, "the text "+Quote(v.text))
		}
	}
	n.mention(f)
	return v.text, true
}

// mention warns of a text in which invalid characters were replaced.
func (n *normaliser) mention(f field) {
	if f.value.repaired {
		n.warn(FileEncoding, f, `half a surrogate pair (\uD800 to \uDFFF) is not a character: it is read as U+FFFD`)
	}
}
