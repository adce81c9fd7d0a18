package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/server"
	"instruction-catalog/schemas/jsonscan"
	"instruction-catalog/toolsets/instructions"
)

// app is what the commands share: the streams, the global flags, and the one
// way to a method.
type app struct {
	env            func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer
	log            *backlog // where stderr leads, in a server
	screen         screen   // that of stdout
	errScreen      screen   // that of stderr

	dir      string
	include  []string // globs of files that are read though they are left out by default
	above    above    // where the folder was looked for, if it was
	criteria string
	json     bool
	skills   instructions.SkillChoice
	usage    usageFlags
	required publicKey // whose signature a catalog has to have to be served
	watch    bool      // whether the catalog follows its files
	toolsets []toolsetRow

	criteriaCache criteriaCache
}

// registry returns the registry of the commands that are about the catalog.
func (a *app) registry() (*rpc.Registry, error) {
	toolset, err := a.instructions()
	if err != nil {
		return nil, err
	}
	return a.registryOf(toolset.Toolset())
}

// instructions returns the toolset of the instruction catalog. It reads nothing
// yet.
func (a *app) instructions() (*instructions.Toolset, error) {
	required, err := a.required.read()
	if err != nil {
		return nil, err
	}
	uses, err := a.openUses()
	if err != nil {
		return nil, err
	}
	return instructions.New(instructions.Config{
		Dir: a.dir, Include: a.include, LookedUpTo: a.above.top, Loading: a.sayAbove, RequireSigned: required, Criteria: a.methodCriteria, Skills: a.skills, Uses: uses,
		History: a.historyFile(), Now: time.Now, Watch: a.watch, Log: a.logger(),
	}), nil
}

func (a *app) registryOf(toolsets ...rpc.Toolset) (*rpc.Registry, error) {
	return server.NewRegistry(server.Config{
		Version: version, Contract: instructions.Contract(), Log: a.logger(), Now: time.Now,
	}, toolsets...)
}

// logApart ensures that from now on nothing waits for the reader of standard error.
func (a *app) logApart() {
	a.log = newBacklog(a.stderr)
	a.stderr = a.log
}

// endLog hands over the rest of what was said.
func (a *app) endLog() {
	if a.log != nil {
		a.log.end(graceLog)
	}
}

func (a *app) logger() *slog.Logger { return slog.New(slog.NewTextHandler(a.stderr, nil)) }

// call calls one method through a registry of its own and returns the result.
func (a *app) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	registry, err := a.registry()
	if err != nil {
		return nil, err
	}
	return a.callOn(ctx, registry, method, params)
}

// callOn calls a method and shows how far it is, if it takes long.
func (a *app) callOn(ctx context.Context, registry *rpc.Registry, method string, params any) (json.RawMessage, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	show, finish := a.showing("files")
	defer finish()
	result, failure := registry.Call(rpc.WithProgress(ctx, show), method, raw)
	if failure != nil {
		return nil, failure
	}
	return result.Bytes(), nil
}

// show calls a method, prints its result, and returns it decoded. With --json
// it prints the result as it is, else what the function makes of it.
func show[T any](ctx context.Context, a *app, method string, params any, human func(T)) (T, error) {
	raw, err := a.call(ctx, method, params)
	if err != nil {
		var none T
		return none, err
	}
	return showResult(a, raw, human)
}

// showResult is the second half of [show].
func showResult[T any](a *app, raw json.RawMessage, human func(T)) (T, error) {
	var result T
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

func (a *app) printJSON(raw json.RawMessage) {
	fmt.Fprintf(a.stdout, "%s\n", jsonscan.Escape(raw))
}

// printValue prints a value as JSON on one line.
func (a *app) printValue(v any) error {
	encoded, err := jsonscan.Encode(v)
	if err == nil {
		a.printJSON(encoded)
	}
	return err
}

// report prints an outcome: as JSON, or in a sentence.
func (a *app) report(outcome any, format string, args ...any) error {
	if a.json {
		return a.printValue(outcome)
	}
	_, err := fmt.Fprintln(a.stdout, oneLine(fmt.Sprintf(format, args...)))
	return err
}

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
		return "invalid params: " + strings.Join(data.Lines(), "; ")
	}
	return failure.Message
}
