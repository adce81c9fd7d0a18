package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/source"
	"instruction-catalog/schemas"
)

// formatPage is the input of format.md.tmpl.
type formatPage struct {
	Kinds           []agents.Row
	Gate, Criterion table
	unnamed         map[string]row // fields of an entry that the template has not used yet
}

// generateFormat returns the reference of the catalog's file formats.
func generateFormat(string) ([]byte, error) {
	definition, _ := schemas.V1().Definition("InstructionEntry")
	entry, err := newTypes().read(definition)
	if err != nil {
		return nil, err
	}
	p := &formatPage{Kinds: agents.Kinds(), unnamed: map[string]row{}}
	for _, r := range entry.table().linked() {
		p.unnamed[r.Name] = r
	}
	for _, name := range []string{"entryHash", "origin", "approval", "applies"} {
		delete(p.unnamed, name) // these occur only in answers
	}
	if p.Gate, err = fileTable("gates"); err != nil {
		return nil, err
	}
	if p.Criterion, err = fileTable("prompt-criteria"); err != nil {
		return nil, err
	}
	text, err := render("format.md.tmpl", p)
	if err == nil && len(p.unnamed) > 0 {
		err = fmt.Errorf("the template does not name the fields %v", slices.Sorted(maps.Keys(p.unnamed)))
	}
	return text, err
}

// Field returns the table row of a field that a file may have. otherwise is the entry's
// value if the file does not have the field. Field fails if the field is unknown or was
// used before.
func (p *formatPage) Field(name, otherwise string) (string, error) {
	r, ok := p.unnamed[name]
	if !ok {
		return "", fmt.Errorf("%s is no field of the contract, or is named twice", name)
	}
	delete(p.unnamed, name)
	return fmt.Sprintf("| `%s` | %s | %s | %s |", name, cell(r.Type), cell(r.Meaning), cell(otherwise)), nil
}

// fileTable returns a table of the members of a catalog file such as gates.json.
func fileTable(name string) (table, error) {
	format, ok := schemas.V1().File(name)
	if !ok {
		return nil, fmt.Errorf("the contract no longer has the file %s", name)
	}
	types := newTypes()
	s, err := types.read(format)
	if err != nil {
		return nil, err
	}
	t := s.table()
	if gate, ok := types.seen["Gate"]; ok {
		t = append(t, gate.appendRows(nil, "gates[].")...)
		t = append(t, types.seen["Where"].appendRows(nil, "where.")...)
	}
	return t.linked(), nil
}

// linked changes the links to types to point to TOOLS.md or to a section of this page.
// It modifies t.
func (t table) linked() table {
	links := strings.NewReplacer("](#gate)", "](#gatesjson)", "](#where)", "](#gatesjson)", "](#", "](TOOLS.md#")
	for i := range t {
		t[i].Type = links.Replace(t[i].Type)
	}
	return t
}

// reads loads a file with the given name and content, and returns two table cells: the
// given fields of the entry, and the diagnostics.
func reads(name, content string, fields ...string) (string, error) {
	dir, err := os.MkdirTemp("", "gendocs")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644),
		os.Chtimes(path, time.Time{}, time.Unix(0, 0))); err != nil {
		return "", err
	}
	s, err := source.NewFolder(dir).Load(context.Background())
	if err != nil {
		return "", err
	}
	var served, said []string
	for _, e := range s.Entries() {
		for _, f := range fields {
			member := strings.TrimPrefix(string(e.Project([]catalog.Field{catalog.Field(f)})), "{")
			if f != "id" {
				_, member, _ = strings.Cut(member, ",") // the id comes first
			}
			served = append(served, "`"+strings.TrimSuffix(member, "}")+"`")
		}
	}
	for _, d := range s.Diagnostics() {
		if d.Path != "." {
			said = append(said, string(d.Severity)+": "+d.Message)
		}
	}
	return cell(strings.Join(served, ", ")) + " | " + cell(strings.Join(said, "; ")), nil
}
