package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/source"
	"instruction-catalog/catalog/source/agentfile"
	"instruction-catalog/schemas"
)

//go:embed format.md.tmpl
var formatTemplate string

// defaults are what an entry has where its file does not have the field. A field
// of the contract that is missing here, or is not one, is an error.
var defaults = map[catalog.Field]string{
	"id": "Markdown: the path; JSON: required", "title": "Markdown: the first heading, else the file's name; JSON: required",
	"body": "Markdown: the text below the front matter; required", "rationale": "", "priority": "`50`", "audience": "`all`",
	"requirement": "`recommended`", "categories": "`[]`", "primaryCategory": "",
	"sourceHash": "always computed; a recorded one is compared by `catalog verify`", "schemaVersion": "`1`",
	"deprecatedBy": "required where `requirement` is `deprecated`", "createdAt": "the file's time", "updatedAt": "the file's time",
	"usageCount": "", "lastUsedAt": "", "riskScore": "always computed", "owner": "", "status": "", "priorityTier": "",
	"classification": "", "version": "", "semanticSummary": "Markdown: `description`", "contentType": "", "supersedes": "",
	"lastReviewedAt": "", "nextReviewDue": "", "reviewIntervalDays": "",
	"approvedHash": "", "approvedBy": "", "approvedAt": "", "teamIds": "", "workspaceId": "", "userId": "",
	"changeLog": "", "extensions": "gets the fields that this table does not have",
	"load": "`glob` where there is `appliesTo`; of agents' files as [below](#agents-files)", "appliesTo": "Markdown: `globs`, `applyTo`, `paths` or `fileMatchPattern`",
}

// formatField is a row of the table of fields.
type formatField struct {
	row
	Default string
}

// formatPage is what the template makes the document of.
type formatPage struct {
	Kinds           []agentfile.Row
	Fields          []formatField
	Gate, Criterion table
}

// generateFormat returns the reference of the files that are read.
func generateFormat(string) ([]byte, error) {
	p := formatPage{Kinds: agentfile.Kinds()}
	var err error
	if p.Fields, err = formatFields(); err != nil {
		return nil, err
	}
	if p.Gate, err = fileTable("gates"); err != nil {
		return nil, err
	}
	if p.Criterion, err = fileTable("prompt-criteria"); err != nil {
		return nil, err
	}
	t, err := template.New("format").Funcs(template.FuncMap{"cell": cell, "reads": reads}).Parse(formatTemplate)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, p)
	return out.Bytes(), err
}

// fileTable describes the members of a file of the catalog.
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

// linked returns the table with links to the types, which TOOLS.md describes.
func (t table) linked() table {
	for i := range t {
		for _, here := range []string{"gate", "where"} {
			t[i].Type = strings.ReplaceAll(t[i].Type, "](#"+here+")", "](#gatesjson)")
		}
		t[i].Type = strings.ReplaceAll(t[i].Type, "](#", "](TOOLS.md#")
		t[i].Type = strings.ReplaceAll(t[i].Type, "](TOOLS.md#gatesjson)", "](#gatesjson)")
	}
	return t
}

// notWritten are the fields that an entry has in answers alone.
var notWritten = []string{"entryHash", "origin"}

// formatFields describes every field of an entry that a file may have, in the order
// of the contract.
func formatFields() ([]formatField, error) {
	definition, _ := schemas.V1().Definition("InstructionEntry")
	entry, err := newTypes().read(definition)
	if err != nil {
		return nil, err
	}
	var fields []formatField
	for _, r := range entry.table().linked() {
		if slices.Contains(notWritten, r.Name) {
			continue
		}
		value, ok := defaults[catalog.Field(r.Name)]
		if !ok {
			return nil, fmt.Errorf("there is nothing about %s in defaults", r.Name)
		}
		fields = append(fields, formatField{r, value})
	}
	if len(fields) != len(defaults) {
		return nil, errors.New("defaults has fields that the contract has not")
	}
	return fields, nil
}

// reads reads a file of that name and returns what is served of it, in the given
// fields, and what is said, as cells of a table.
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
