package main

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"instruction-catalog/catalog/search/vectors"
	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/review"
	"instruction-catalog/rpc"
	"instruction-catalog/rpc/server"
	"instruction-catalog/rpc/stdio"
	"instruction-catalog/toolsets/entities"
	"instruction-catalog/toolsets/entities/httpapi"
	entitysample "instruction-catalog/toolsets/entities/sample"
	"instruction-catalog/toolsets/entities/v1"
	"instruction-catalog/toolsets/entities/v2"
	"instruction-catalog/toolsets/instructions"
	"instruction-catalog/toolsets/notes/sample"
	notestools "instruction-catalog/toolsets/notes/tools"
	"instruction-catalog/toolsets/notes/vault"
	"instruction-catalog/toolsets/notes/writing"
	"instruction-catalog/toolsets/tasks/sqlite"
	"instruction-catalog/toolsets/tasks/tools"
)

// subject is a toolset to document, with the setup of its examples.
type subject struct {
	Name, Title string
	Flags       string   // flags that enable it
	prose       string   // name of its templates
	suffix      string   // suffix of its headings, if another contract has the same headings
	changes     string   // path of the contract's change log, relative to the root
	errors      []string // definitions that only occur in the data of errors
	shown       detail   // limits on the shown part of an example's answer

	// open returns the toolset, which uses the folder dir. The folder may be missing.
	open func(dir string, now func() time.Time) (rpc.Toolset, error)
	// isServer adds the methods that every server has.
	isServer bool
	usual    scene
	scenes   map[string]scene // scenes for examples that need another one, by method and example name
}

// scene is the state in which an example runs. Every example has its own server, with a
// clock that gives the same times on every run.
type scene struct {
	catalog string   // folder below testdata; "" for the default catalog
	before  []string // requests to send before the example
	gone    []string // files to remove after these requests
}

// missing is the name of a catalog that does not exist. A scene with it has no folder
// for the toolset, either.
const missing = "no-such-folder"

var shownInstructions = &subject{
	changes: "docs/contract-changelog.md", errors: []string{"InvalidParams", "PromptTooLong", "Failure"},
	shown: brief, open: openInstructions, isServer: true,
	scenes: map[string]scene{
		"gates/evaluate: notConfigured":            {catalog: "catalog/go"},
		"gates/evaluate: evaluated, failed closed": {catalog: edited},
		"health/check: detail, failed":             {catalog: missing},
		"integrity/verify: drift, with detail":     {catalog: edited, before: []string{list}, gone: []string{"secrets-in-code.md"}},
		"metrics/snapshot: plain":                  {before: calls},
		"metrics/snapshot: detail":                 {before: calls},
		"usage/hotset: used":                       {before: append(repeat(track("error-wrapping", ""), 5), repeat(track("commit-messages", ""), 2)...)},
		"usage/hotset: detail": {before: append(repeat(track("error-wrapping", `,"action":"applied","signal":"helpful"`), 3),
			track("commit-messages", ""))},
		"usage/track: counted, with signal": {before: repeat(track("error-wrapping", ""), 5)},
		"usage/track: counted":              {before: repeat(track("error-wrapping", ""), 4)},
	},
}

// edited is a catalog with an edited body and a misspelt gate.
const edited = "edited"

var (
	list = `{"jsonrpc":"2.0","id":1,"method":"instructions/list"}`
	// calls are calls of two methods; one of the calls is invalid.
	calls = append(repeat(list, 3), request("instructions/list", []byte(`{"limit":0}`)), `{"jsonrpc":"2.0","id":1,"method":"health/check"}`)
)

func track(id, more string) string {
	return request("usage/track", []byte(`{"id":"`+id+`"`+more+`}`))
}

func repeat(line string, times int) []string {
	lines := make([]string, times)
	for i := range lines {
		lines[i] = line
	}
	return lines
}

// shownToolsets are the toolsets other than the instruction catalog.
var shownToolsets = []*subject{
	{Name: "tasks", Title: "Tasks", Flags: "--tasks FILE | postgres://… [--tasks-user NAME]",
		prose: "tasks", changes: "schemas/tasks/v1/CHANGES.md", shown: whole, open: openTasks,
		usual: scene{before: []string{
			request("tasks/add_task", []byte(`{"user_id":"ann","title":"Buy milk"}`)),
			request("tasks/add_task", []byte(`{"user_id":"ann","title":"Call Bob","description":"About the flat"}`)),
			request("tasks/complete_task", []byte(`{"user_id":"ann","task_id":1}`)),
		}}},
	{Name: "entities", Title: "Entities", Flags: "--entities URL",
		prose: "entities", changes: "schemas/entities/v2/CHANGES.md", shown: whole, open: openEntities(v2.New)},
	{Name: "entities", Title: "Entities, contract v1", Flags: "--entities URL --entities-contract v1", suffix: " (v1)",
		prose: "entities-v1", changes: "schemas/entities/v1/CHANGES.md", shown: whole, open: openEntities(v1.New)},
	{Name: "notes", Title: "Notes", Flags: "--notes DIR",
		prose: "notes", changes: "schemas/notes/v1/CHANGES.md", shown: whole, open: openNotes},
}

// silent discards logs.
var silent = slog.New(slog.DiscardHandler)

//go:embed testdata
var testdata embed.FS

func openInstructions(dir string, now func() time.Time) (rpc.Toolset, error) {
	data, err := testdata.ReadFile("testdata/criteria.json")
	if err != nil {
		return rpc.Toolset{}, err
	}
	criteria, err := review.Parse(data)
	toolset := instructions.New(instructions.Config{
		Dir: dir, Criteria: func(func() (source.Criteria, error), bool) (*review.Criteria, error) { return criteria, nil }, Now: now,
		Watch: true, Log: silent, // the toolset is not started, so it does not watch files
	})
	return toolset.Toolset(), err
}

func openTasks(dir string, _ func() time.Time) (rpc.Toolset, error) {
	store, err := sqlite.New(filepath.Join(dir, "tasks.db"))
	return tools.New(tools.Config{Store: store, Log: silent}), err
}

// openEntities returns a function that opens an entities toolset on the sample backend.
func openEntities(toolset func(entities.Backend, *slog.Logger) rpc.Toolset) func(string, func() time.Time) (rpc.Toolset, error) {
	return func(string, func() time.Time) (rpc.Toolset, error) {
		backend := httptest.NewServer(entitysample.Handler())
		client, err := httpapi.New(backend.URL, "")
		if err != nil {
			return rpc.Toolset{}, err
		}
		t := toolset(client, silent)
		t.Close = func() error {
			backend.Close()
			return client.Close()
		}
		return t, nil
	}
}

func openNotes(dir string, _ func() time.Time) (rpc.Toolset, error) {
	notes := filepath.Join(dir, "vault")
	v := vault.New(notes, silent)
	index := vectors.New(vectors.Config{Embedder: sample.NewEmbedder(""), Documents: v.Documents, Name: "notes", Log: silent})
	w := &writing.Writer{Folder: notes, State: filepath.Join(dir, "state"), Vault: v, Log: silent}
	toolset := notestools.New(notestools.Config{Vault: v, Writer: w, Vectors: index, Log: silent})
	if dir == missing {
		return toolset, nil
	}
	if err := os.CopyFS(notes, sample.Files()); err != nil {
		return toolset, err
	}
	return toolset, index.Refresh(context.Background())
}

// start starts a server in a scene, calls use with its registry and the version of its
// contract, and closes the registry.
func (s *subject) start(in scene, use func(registry *rpc.Registry, contract string) error) (err error) {
	dir := missing
	if in.catalog != missing {
		if dir, err = os.MkdirTemp("", "gendocs-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	if s.isServer && dir != missing {
		catalog, err := fs.Sub(testdata, "testdata/"+cmp.Or(in.catalog, "catalog"))
		if err := errors.Join(err, os.CopyFS(dir, catalog)); err != nil {
			return err
		}
	}
	now := newClock()
	toolset, err := s.open(dir, now)
	if err != nil {
		return err
	}
	registry := rpc.NewRegistry(silent, now)
	if s.isServer {
		registry, err = server.NewRegistry(server.Config{Version: "1.0.0", Contract: toolset.Contract, Log: silent, Now: now}, toolset)
	} else {
		err = registry.Add(toolset)
	}
	if err != nil {
		return err
	}
	defer registry.Close()
	if err := s.prepare(in, dir, registry); err != nil {
		return err
	}
	return use(registry, toolset.Contract.Version)
}

// prepare sends the requests of a scene and removes its files.
func (*subject) prepare(in scene, dir string, registry *rpc.Registry) error {
	for _, line := range in.before {
		if _, err := serve(registry, line); err != nil {
			return err
		}
	}
	for _, name := range in.gone {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// send returns the answer to a line, sent to a new server in a scene.
func (s *subject) send(in scene, line string) (answer []byte, err error) {
	err = s.start(in, func(registry *rpc.Registry, _ string) error {
		answer, err = serve(registry, line)
		return err
	})
	return answer, err
}

// serve sends one line through a server, as a client would over its pipe.
func serve(registry *rpc.Registry, line string) ([]byte, error) {
	server := &stdio.Server{Registry: registry, Log: silent, MaxLine: stdio.DefaultMaxLine}
	var out bytes.Buffer
	err := server.Serve(context.Background(), strings.NewReader(line+"\n"), &out)
	return out.Bytes(), err
}

func request(method string, params json.RawMessage) string {
	var compact bytes.Buffer
	if err := json.Compact(&compact, params); err != nil {
		panic("gendocs: the params of an example are no JSON: " + err.Error()) // cannot happen: they were read as JSON
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, &compact)
}

// newClock returns a clock that advances by a fixed step each time it is read. It is
// not safe for concurrent use.
func newClock() func() time.Time {
	const tick = 250 * time.Microsecond
	now := time.Date(2025, 8, 24, 9, 30, 0, 0, time.UTC)
	return func() time.Time {
		now = now.Add(tick)
		return now
	}
}
