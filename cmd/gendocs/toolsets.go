package main

import (
	"bytes"
	"embed"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/tasks/sqlite"
	"instruction-catalog/toolsets/tasks/tools"
)

//go:embed toolsets.md.tmpl
var toolsetsTemplate string

// prose has a file for each toolset: what it is for, in Markdown, and under "errors"
// what is said of errors.
//
//go:embed tasks.md.tmpl entities.md.tmpl entities-v1.md.tmpl notes.md.tmpl
var prose embed.FS

// shownToolset is a toolset beside the instruction catalog, and what the document
// shows of it.
type shownToolset struct {
	name, title string
	prose       string // the name of its file
	suffix      string // of its headings, if another contract has the same ones
	flags       string // that turn it on
	changes     string // the change log of its contract, below the root
	// open makes the toolset, in a folder of its own.
	open func(dir string) (rpc.Toolset, error)
	// before are the requests that every example finds answered.
	before []string
}

// shownToolsets are the toolsets of the document.
var shownToolsets = []shownToolset{shownTasks, shownEntities, shownEntitiesV1, shownNotes}

var shownTasks = shownToolset{
	name:    "tasks",
	title:   "Tasks",
	prose:   "tasks",
	flags:   "--tasks FILE | postgres://… [--tasks-user NAME]",
	changes: "schemas/tasks/v1/CHANGES.md",
	open: func(dir string) (rpc.Toolset, error) {
		store, err := sqlite.New(filepath.Join(dir, "tasks.db"))
		return tools.New(tools.Config{Store: store, Log: slog.New(slog.DiscardHandler)}), err
	},
	before: []string{
		request("tasks/add_task", []byte(`{"user_id":"ann","title":"Buy milk"}`)),
		request("tasks/add_task", []byte(`{"user_id":"ann","title":"Call Bob","description":"About the flat"}`)),
		request("tasks/complete_task", []byte(`{"user_id":"ann","task_id":1}`)),
	},
}

// toolsetPage is what the template shows of a toolset.
type toolsetPage struct {
	Name, Title, Flags, About, Contract, ChangeLog, Errors string

	suffix  string
	Types   []typeSection // that its methods share
	Methods []*section
}

// Heading is the heading of a part of the page.
func (p toolsetPage) Heading(text string) string { return text + p.suffix }

// generateToolsets returns the document of the toolsets for the repository at
// root.
func generateToolsets(root string) ([]byte, error) {
	var pages []toolsetPage
	for _, t := range shownToolsets {
		page, err := t.page(root)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		pages = append(pages, page)
	}
	t, err := template.New("toolsets").Funcs(template.FuncMap{"anchor": anchor, "cell": cell, "sentence": sentence}).Parse(toolsetsTemplate)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, pages)
	return out.Bytes(), err
}

func (t *shownToolset) page(root string) (page toolsetPage, err error) {
	page = toolsetPage{Name: t.name, Title: t.title, Flags: t.flags, suffix: t.suffix}
	if page.ChangeLog, err = changeLog(filepath.Join(root, t.changes)); err != nil {
		return page, err
	}
	if page.About, page.Errors, err = t.text(); err != nil {
		return page, err
	}
	registry, contract, err := t.registry(".")
	if err != nil {
		return page, err
	}
	defer registry.Close()
	if page.Contract = contract; registry.Conforms() != nil {
		return page, registry.Conforms()
	}
	types := newTypes()
	for _, m := range registry.Methods() {
		s, err := newSection(m, types, t.examples)
		if err != nil {
			return page, fmt.Errorf("%s: %w", m.Name, err)
		}
		page.Methods = append(page.Methods, s)
	}
	page.Types = types.described()
	return page, nil
}

// registry returns a registry of the toolset, opened in dir, and the version of its
// contract.
func (t *shownToolset) registry(dir string) (*rpc.Registry, string, error) {
	toolset, err := t.open(dir)
	if err != nil {
		return nil, "", err
	}
	registry := rpc.NewRegistry(slog.New(slog.DiscardHandler), newClock())
	return registry, toolset.Contract.Version, registry.Add(toolset)
}

// text returns the prose on the toolset, with the errors that its requests are
// answered with.
func (t *shownToolset) text() (about, mistakes string, err error) {
	text, err := template.New(t.prose+".md.tmpl").Funcs(template.FuncMap{
		"ask":        func(line string) (example, error) { return t.ask(line, true) },
		"askNowhere": func(line string) (example, error) { return t.ask(line, false) },
	}).ParseFS(prose, t.prose+".md.tmpl")
	if err != nil {
		return "", "", err
	}
	if text, err = text.Parse(requestTemplate); err != nil {
		return "", "", err
	}
	var parts [2]strings.Builder
	for i, name := range []string{t.prose + ".md.tmpl", "errors"} {
		if err := text.ExecuteTemplate(&parts[i], name, nil); err != nil {
			return "", "", err
		}
	}
	return strings.TrimSuffix(parts[0].String(), "\n"), parts[1].String(), nil
}

func (t *shownToolset) examples(m *rpc.Method) (all []example, err error) {
	for _, e := range m.Schema().Examples() {
		x, err := t.ask(request(m.Name, e.Params), true)
		if err == nil && !strings.Contains(x.Answer, `"result": `) {
			err = fmt.Errorf("the answer is no result: %s", x.Answer)
		}
		if err != nil {
			return nil, fmt.Errorf("example %q: %w", e.Name, err)
		}
		x.Name, x.Description = e.Name, e.Description
		all = append(all, x)
	}
	return all, nil
}

// sentence ends a summary with a full stop, if it has none.
func sentence(summary string) string { return strings.TrimSuffix(summary, ".") + "." }

// ask sends a line to a server that has answered what comes before, and nothing
// else. Unless there is a folder, that of the toolset is missing.
func (t *shownToolset) ask(line string, folder bool) (example, error) {
	dir, err := os.MkdirTemp("", "gendocs-")
	if err != nil {
		return example{}, err
	}
	defer os.RemoveAll(dir)
	if !folder {
		dir = filepath.Join(dir, "missing")
	}
	registry, _, err := t.registry(dir)
	if err != nil {
		return example{}, err
	}
	defer registry.Close()
	for _, before := range t.before {
		if _, err := serve(registry, before); err != nil {
			return example{}, err
		}
	}
	answer, err := serve(registry, line)
	if err != nil {
		return example{}, err
	}
	return newExample(line, answer, whole)
}
