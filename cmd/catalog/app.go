package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"instruction-catalog/docs"
	"instruction-catalog/governance"
	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
	"instruction-catalog/toolsets/instructions"
)

// app is what the commands share: the streams, the global flags, and the one
// way to a method.
type app struct {
	env            func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer
	onTerminal     bool // whether stdout is one

	dir      string
	criteria string
	json     bool
}

// registry returns the registry with every method that is switched on.
func (a *app) registry() (*rpc.Registry, error) {
	criteria, err := a.readCriteria()
	if err != nil {
		return nil, err
	}
	info := rpc.Info{
		Title:       "Instruction catalog",
		Description: "Serves a governed catalog of instructions for coding agents.",
		Version:     instructions.Contract,
	}
	registry := rpc.NewRegistry(schemas.V1(), info, a.logger(), time.Now)
	toolset := instructions.New(instructions.Config{
		Dir: a.dir, Criteria: criteria, Version: version, Now: time.Now,
	})
	if err := registry.Add(registry.Introspection()...); err != nil {
		return nil, err
	}
	return registry, registry.Add(toolset.Methods()...)
}

func (a *app) logger() *slog.Logger { return slog.New(slog.NewTextHandler(a.stderr, nil)) }

// readCriteria reads the criteria that were named, else those of the project
// in the working directory. Those that are built in, and known to be in order,
// are left until somebody needs them.
func (a *app) readCriteria() (func() (*governance.Criteria, error), error) {
	path := a.criteria
	if path == "" {
		path = filepath.Join("docs", "PROMPT-CRITERIA.json")
	}
	data, err := os.ReadFile(path)
	if a.criteria == "" && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) {
		return sync.OnceValues(func() (*governance.Criteria, error) {
			return governance.ParseCriteria(docs.PromptCriteria)
		}), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the criteria for prompts: %w", err)
	}
	criteria, err := governance.ParseCriteria(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return func() (*governance.Criteria, error) { return criteria, nil }, nil
}

// call calls one method through a registry of its own and returns the result.
func (a *app) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	registry, err := a.registry()
	if err != nil {
		return nil, err
	}
	return callOn(ctx, registry, method, params)
}

func callOn(ctx context.Context, registry *rpc.Registry, method string, params any) (json.RawMessage, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	result, failure := registry.Call(ctx, method, raw)
	if failure != nil {
		return nil, failure
	}
	return result.Bytes(), nil
}

// show calls a method, prints its result, and returns it decoded. With --json
// it prints the result as it is, else what the function makes of it.
func show[T any](ctx context.Context, a *app, method string, params any, human func(T)) (T, error) {
	var result T
	raw, err := a.call(ctx, method, params)
	if err != nil {
		return result, err
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return result, err
	}
	if a.json {
		a.printJSON(raw)
	} else {
		human(result)
	}
	return result, nil
}

func (a *app) printJSON(raw json.RawMessage) { fmt.Fprintf(a.stdout, "%s\n", raw) }

// explain turns an error into what a person needs to read.
func explain(err error) string {
	failure, ok := errors.AsType[*rpc.Error](err)
	if !ok {
		return err.Error()
	}
	switch data := failure.Data.(type) {
	case rpc.Failure:
		return data.Message
	case rpc.ParamIssues:
		var lines []string
		for _, issue := range data.Issues {
			lines = append(lines, strings.TrimPrefix(issue.Path+": "+issue.Message, ": "))
		}
		return "invalid params: " + strings.Join(lines, "; ")
	}
	return failure.Message
}
