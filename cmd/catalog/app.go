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

// app holds what the commands share: the streams, the global flags, and the functions
// that call methods.
type app struct {
	env            func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer
	log            *backlog // buffers stderr in a server; otherwise nil
	screen         screen   // of stdout
	errScreen      screen   // of stderr

	dir      string
	include  []string // globs of files to read although they are excluded by default
	above    above    // result of searching upward for the catalog, if it was done
	criteria string
	json     bool
	skills   instructions.SkillChoice
	usage    usageFlags
	embedder string    // source of vectors for ranked search; "" to compare words only
	required publicKey // if set, the key that must have signed a catalog for it to be served
	watch    bool      // whether to reload the catalog when its files change
	toolsets []toolsetRow

	criteriaCache criteriaCache
}

// registry returns a registry with the instruction catalog's toolset.
func (a *app) registry() (*rpc.Registry, error) {
	toolset, err := a.instructions(a.embedder)
	if err != nil {
		return nil, err
	}
	return a.registryOf(toolset.Toolset())
}

// instructions returns the toolset of the instruction catalog. It does not load the
// catalog. source is the source of vectors for ranked search, or "".
func (a *app) instructions(source string) (*instructions.Toolset, error) {
	meaning, err := a.meaning(source)
	if err != nil {
		return nil, err
	}
	required, err := a.required.read()
	if err != nil {
		return nil, err
	}
	uses, err := a.openUses()
	if err != nil {
		return nil, err
	}
	return instructions.New(instructions.Config{
		Dir: a.dir, Include: a.include, LookedUpTo: a.above.top, Loading: a.sayAbove, RequireSigned: required, Criteria: a.methodCriteria, Skills: a.skills, Uses: uses, Meaning: meaning,
		History: a.historyFile(), Now: time.Now, Watch: a.watch, Log: a.logger(),
	}), nil
}

func (a *app) registryOf(toolsets ...rpc.Toolset) (*rpc.Registry, error) {
	return server.NewRegistry(server.Config{
		Version: version, Contract: instructions.Contract(), Log: a.logger(), Now: time.Now,
	}, toolsets...)
}

// logApart buffers standard error from now on, so that no write to it blocks.
func (a *app) logApart() {
	a.log = newBacklog(a.stderr)
	a.stderr = a.log
}

// endLog writes the rest of the buffered log, for at most graceLog.
func (a *app) endLog() {
	if a.log != nil {
		a.log.end(graceLog)
	}
}

func (a *app) logger() *slog.Logger { return slog.New(slog.NewTextHandler(a.stderr, nil)) }

// call calls a method through a new registry and returns its result.
func (a *app) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	registry, err := a.registry()
	if err != nil {
		return nil, err
	}
	if a.embedder == "" {
		return a.callOn(ctx, registry, method, params)
	}
	var result json.RawMessage
	err = running(ctx, registry, func() (err error) {
		result, err = a.callOn(ctx, registry, method, params)
		return err
	})
	return result, err
}

// callOn calls a method of registry and returns its result. It shows progress if the
// call takes long.
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

// show calls a method, prints its result, and returns it decoded. With --json it prints
// the result as JSON; otherwise it calls human to print it.
func show[T any](ctx context.Context, a *app, method string, params any, human func(T)) (T, error) {
	raw, err := a.call(ctx, method, params)
	if err != nil {
		var none T
		return none, err
	}
	return showResult(a, raw, human)
}

// showResult prints and decodes the result of a call. [show] uses it.
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

// report prints an outcome: as JSON with --json, otherwise as the formatted sentence.
func (a *app) report(outcome any, format string, args ...any) error {
	if a.json {
		return a.printValue(outcome)
	}
	_, err := fmt.Fprintln(a.stdout, oneLine(fmt.Sprintf(format, args...)))
	return err
}

// explain returns an error's message as shown to people.
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
