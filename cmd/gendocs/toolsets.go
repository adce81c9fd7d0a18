package main

import (
	"bytes"
	_ "embed"
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

// shownToolset is a toolset beside the instruction catalog, and what the document
// shows of it.
type shownToolset struct {
	name, title string
	suffix      string // of its headings, where another contract has the same ones
	flags       string // that turn it on
	about       string // what it is for, in Markdown
	changes     string // the change log of its contract, below the root
	// open makes the toolset, in a folder of its own.
	open func(dir string) (rpc.Toolset, error)
	// before are the requests that every example finds answered.
	before []string
	// mistakes are requests that fail.
	mistakes []mistake
}

type mistake struct{ description, line string }

// shownToolsets are the toolsets of the document.
var shownToolsets = []shownToolset{shownTasks, shownEntities, shownEntitiesV1}

var shownTasks = shownToolset{
	name:  "tasks",
	title: "Tasks",
	flags: "--tasks FILE | postgres://… [--tasks-user NAME]",
	about: `Five tools with which an agent keeps a user's tasks, in a SQLite file or on a server that speaks PostgreSQL's
protocol. Users do not see each other: the task of somebody else is not found, in the words and by the statements that
are used for one that does not exist.

A client on standard input says in ` + "`user_id`" + ` for whom it calls, and is believed. With ` + "`--tasks-user`" + `, and over HTTP,
where the name of the token decides, ` + "`user_id`" + ` is in no tool's schema; one that is sent anyway must be the same.
Over HTTP the toolset needs a ` + "`--token-file`" + ` with lines ` + "`NAME:TOKEN`" + `.

Nothing is opened before the first call that is in order. Reading sets no database up and changes no byte of one. A
call waits for a lock, or for a server, for at most 25 seconds; what has failed then is not carried out later.`,
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
	mistakes: []mistake{
		{"The params are not right; the code is −32602:", request("tasks/add_task", []byte(`{"user_id":"ann","title":" "}`))},
		{"There is no such task, or it is somebody else's; −32001:", request("tasks/delete_task", []byte(`{"user_id":"bob","task_id":1}`))},
	},
}

// toolsetPage is what the template shows of a toolset.
type toolsetPage struct {
	Name, Title, Flags, About, Contract, ChangeLog string

	suffix string
	Types  []typeSection // that its methods share

	Methods  []*section
	Mistakes []example
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

func (t *shownToolset) page(root string) (toolsetPage, error) {
	log, err := changeLog(filepath.Join(root, t.changes))
	if err != nil {
		return toolsetPage{}, err
	}
	page := toolsetPage{Name: t.name, Title: t.title, Flags: t.flags, About: t.about, ChangeLog: log, suffix: t.suffix}
	toolset, err := t.open(".")
	if err != nil {
		return page, err
	}
	page.Contract = toolset.Contract.Version
	registry := rpc.NewRegistry(rpc.Info{Title: t.name, Version: page.Contract}, slog.New(slog.DiscardHandler), newClock())
	if err := registry.Add(toolset); err != nil {
		return page, err
	}
	defer registry.Close()
	types := newTypes()
	for _, m := range registry.Methods() {
		s, err := t.section(m, types)
		if err != nil {
			return page, fmt.Errorf("%s: %w", m.Name, err)
		}
		page.Methods = append(page.Methods, s)
	}
	page.Types = types.described()
	for _, m := range t.mistakes {
		x, err := t.ask(m.line)
		if err != nil {
			return page, err
		}
		x.Description = m.description
		page.Mistakes = append(page.Mistakes, x)
	}
	return page, nil
}

func (t *shownToolset) section(m *rpc.Method, types *types) (*section, error) {
	params, err := types.read(m.Schema().Params)
	if err != nil {
		return nil, err
	}
	result, err := types.read(m.Schema().Result)
	if err != nil {
		return nil, err
	}
	s := &section{Method: m, Signature: signature(m.Name, params, result), Params: params.table(), Variants: result.variants()}
	for _, e := range m.Schema().Examples() {
		x, err := t.ask(request(m.Name, e.Params))
		if err != nil {
			return nil, fmt.Errorf("example %q: %w", e.Name, err)
		}
		if !strings.Contains(x.Answer, `"result": `) {
			return nil, fmt.Errorf("example %q: the answer is no result: %s", e.Name, x.Answer)
		}
		x.Name, x.Description = e.Name, e.Description
		s.Examples = append(s.Examples, x)
	}
	return s, nil
}

// sentence ends a summary with a full stop, if it has none.
func sentence(summary string) string { return strings.TrimSuffix(summary, ".") + "." }

// ask sends a line to a server that has answered what comes before, and nothing
// else.
func (t *shownToolset) ask(line string) (example, error) {
	dir, err := os.MkdirTemp("", "gendocs-")
	if err != nil {
		return example{}, err
	}
	defer os.RemoveAll(dir)
	toolset, err := t.open(dir)
	if err != nil {
		return example{}, err
	}
	registry := rpc.NewRegistry(rpc.Info{Title: t.name, Version: "1"}, slog.New(slog.DiscardHandler), newClock())
	if err := registry.Add(toolset); err != nil {
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
