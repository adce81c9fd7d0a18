package main

import (
	"bytes"
	_ "embed"
	"errors"
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
	errors   string // what else is said of errors, in Markdown
}

// mistake is a request that fails.
type mistake struct {
	description, line string
	nowhere           bool // the folder that the toolset is opened in is missing
}

// shownToolsets are the toolsets of the document.
var shownToolsets = []shownToolset{shownTasks, shownEntities, shownEntitiesV1, shownNotes}

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
		{description: "The params are not right; the code is −32602:",
			line: request("tasks/add_task", []byte(`{"user_id":"ann","title":" "}`))},
		{description: "There is no such task, or it is somebody else's; −32001:",
			line: request("tasks/delete_task", []byte(`{"user_id":"bob","task_id":1}`))},
		{description: "The database could not do it, here because its folder is missing; −32003:",
			line: request("tasks/list_tasks", []byte(`{"user_id":"ann"}`)), nowhere: true},
	},
	errors: "\nThe texts are these:\n\n" + `| code | text | when |
|---|---|---|
| −32602 | ` + "`Title is required`" + ` | The title is missing or blank. |
| −32602 | ` + "`Title must be 200 characters or less`" + ` | The title is longer, without the white space around it. |
| −32602 | ` + "`Description must be 1000 characters or less`" + ` | The description is longer. |
| −32602 | ` + "`At least title or description required`" + ` | ` + "`update_task`" + ` has neither. |
| −32602 | ` + "`Invalid task ID`" + ` | ` + "`task_id`" + ` is not an integer from 1 to 9223372036854775807. |
| −32602 | ` + "`user_id is required`" + ` | Nobody says whose tasks are meant. |
| −32602 | one that names the param | A param is wrong otherwise, or unknown. |
| −32001 | ` + "`Task not found`" + `, with ` + "`task_id`" + ` | There is no such task, or it is somebody else's. |
| −32003 | ` + "`Failed to create task`" + ` | The database failed in ` + "`add_task`" + `. |
| −32003 | ` + "`Failed to list tasks`" + ` | The database failed in ` + "`list_tasks`" + `. |
| −32003 | ` + "`Failed to complete task`" + ` | The database failed in ` + "`complete_task`" + `. |
| −32003 | ` + "`Failed to delete task`" + ` | The database failed in ` + "`delete_task`" + `. |
| −32003 | ` + "`Failed to update task`" + ` | The database failed in ` + "`update_task`" + `. |

Why the database failed stands in the server's log only. Codes are those of JSON-RPC; over MCP an error is a result
with ` + "`isError`" + ` and the same text.
`,
}

// toolsetPage is what the template shows of a toolset.
type toolsetPage struct {
	Name, Title, Flags, About, Contract, ChangeLog string

	suffix string
	Types  []typeSection // that its methods share

	Methods  []*section
	Mistakes []example
	Errors   string
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
	page := toolsetPage{Name: t.name, Title: t.title, Flags: t.flags, About: t.about, ChangeLog: log, Errors: t.errors, suffix: t.suffix}
	toolset, err := t.open(".")
	if err != nil {
		return page, err
	}
	page.Contract = toolset.Contract.Version
	registry := rpc.NewRegistry(slog.New(slog.DiscardHandler), newClock())
	if err := errors.Join(registry.Add(toolset), registry.Conforms()); err != nil {
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
		x, err := t.ask(m)
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
		x, err := t.ask(mistake{line: request(m.Name, e.Params)})
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
func (t *shownToolset) ask(m mistake) (example, error) {
	dir, err := os.MkdirTemp("", "gendocs-")
	if err != nil {
		return example{}, err
	}
	defer os.RemoveAll(dir)
	if m.nowhere {
		dir = filepath.Join(dir, "missing")
	}
	toolset, err := t.open(dir)
	if err != nil {
		return example{}, err
	}
	registry := rpc.NewRegistry(slog.New(slog.DiscardHandler), newClock())
	if err := registry.Add(toolset); err != nil {
		return example{}, err
	}
	defer registry.Close()
	for _, before := range t.before {
		if _, err := serve(registry, before); err != nil {
			return example{}, err
		}
	}
	answer, err := serve(registry, m.line)
	if err != nil {
		return example{}, err
	}
	return newExample(m.line, answer, whole)
}
