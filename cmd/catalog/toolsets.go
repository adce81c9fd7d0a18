package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"instruction-catalog/rpc"
)

// toolsetTable lists the toolsets in the order in which they are served.
var toolsetTable = []toolsetRow{instructionsToolset, tasksToolset, entitiesToolset, notesToolset}

// toolsetRow describes a toolset and its flags.
type toolsetRow struct {
	name   string
	always bool          // the toolset is enabled regardless of its flags
	flags  []toolsetFlag // the first flag enables the toolset
	// open creates the toolset. It rejects invalid values but opens no file or
	// connection.
	open func(toolsetConfig) (rpc.Toolset, error)
}

// toolsetFlag is a flag of a toolset.
type toolsetFlag struct {
	name     string
	env      string // environment variable to use if the flag is not given
	usage    string // the value's name is in `backquotes`
	fallback string // value if neither the flag nor the variable is set
	boolean  bool
	user     bool // the value is the user that a server on standard input serves
	// rebase converts the paths in the value with pathOf, for the configuration of a
	// host. It is nil if the value has no paths.
	rebase func(value string, pathOf func(string) (string, error)) (string, error)
}

// toolsetConfig is the configuration of a toolset.
type toolsetConfig struct {
	app *app // has the flags that all commands share
	// value returns the value of a flag: from the command line, else from the
	// environment, else the fallback. A boolean value is "true" or "false".
	value      func(flag string) string
	overHTTP   bool                // the toolset is served over HTTP
	namedUsers bool                // each HTTP caller has a token that identifies the user
	env        func(string) string // for secrets, which have no flags
	// state returns the folder for persistent state, or an error if the user has no
	// such folder.
	state func() (string, error)
	log   *slog.Logger
}

// instructionsName is the name of the instruction catalog's toolset.
const instructionsName = "instructions"

// instructionsToolset is the toolset of the instruction catalog. It also uses the flags
// that all commands share.
var instructionsToolset = toolsetRow{
	name: instructionsName, always: true, flags: []toolsetFlag{embedderFlag},
	open: func(c toolsetConfig) (rpc.Toolset, error) {
		toolset, err := c.app.instructions(c.value(embedderFlag.name))
		if err != nil {
			return rpc.Toolset{}, err
		}
		return toolset.Toolset(), nil
	},
}

// selection determines the toolsets of a command and their configuration.
type selection struct {
	app *app
	cmd *cobra.Command
}

// selectToolsets adds the flags of the toolsets to a command.
func (a *app) selectToolsets(cmd *cobra.Command) selection {
	flags := cmd.Flags()
	flags.String("toolsets", "", "only the toolsets of this `list`, such as "+instructionsName+" (default all that are configured; CATALOG_TOOLSETS)")
	for _, f := range a.toolsetFlags() {
		usage := fmt.Sprintf("%s (%s)", f.usage, f.env)
		if f.boolean {
			flags.Bool(f.name, f.fallback == "true", usage)
		} else {
			flags.String(f.name, f.fallback, usage)
		}
	}
	return selection{a, cmd}
}

// toolsetFlags returns the flags of all toolsets.
func (a *app) toolsetFlags() (all []toolsetFlag) {
	for _, t := range a.toolsets {
		all = append(all, t.flags...)
	}
	return all
}

// given returns the value of a flag and whether it was given on the command line.
func (s selection) given(name string) (string, bool) {
	flag := s.cmd.Flags().Lookup(name)
	return flag.Value.String(), flag.Changed
}

func (s selection) value(f toolsetFlag) string {
	if value, ok := s.given(f.name); ok {
		return value
	}
	return cmp.Or(s.app.env(f.env), f.fallback)
}

// configured reports whether a toolset is enabled.
func (s selection) configured(t toolsetRow) bool {
	return t.always || s.value(t.flags[0]) != ""
}

// check returns an error for invalid values of the toolset flags.
func (s selection) check() error {
	if value, given := s.given("toolsets"); given && value == "" {
		return errors.New("--toolsets is empty: name toolsets, or leave the flag out")
	}
	for _, t := range s.app.toolsets {
		for _, f := range t.flags {
			value, given := s.given(f.name)
			switch {
			case given && value == "":
				return emptyFlag(f.name)
			case given && !s.configured(t):
				return fmt.Errorf("--%s requires --%s: give that, too", f.name, t.flags[0].name)
			}
			if _, err := strconv.ParseBool(s.value(f)); f.boolean && err != nil {
				return fmt.Errorf("%s is %q: give true or false", f.env, s.value(f))
			}
		}
	}
	return nil
}

func emptyFlag(name string) error {
	return fmt.Errorf("--%s is empty: give it a value, or leave the flag out", name)
}

// has returns a function that reports whether a toolset is served.
func (s selection) has() (func(name string) bool, error) {
	listed, source := "", "--toolsets"
	if value, given := s.given("toolsets"); given {
		listed = value
	} else {
		listed, source = s.app.env("CATALOG_TOOLSETS"), "CATALOG_TOOLSETS"
	}
	var on []string
	off := map[string]string{} // maps a disabled toolset to the flag that enables it
	for _, t := range s.app.toolsets {
		if s.configured(t) {
			on = append(on, t.name)
		} else {
			off[t.name] = t.flags[0].name
		}
	}
	if listed == "" {
		return func(name string) bool { return slices.Contains(on, name) }, nil
	}
	names := strings.Split(listed, ",")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if flag, known := off[names[i]]; known {
			return nil, fmt.Errorf("%s names %s, which is not configured: give --%s, too", source, names[i], flag)
		}
		if !slices.Contains(on, names[i]) {
			return nil, fmt.Errorf("%s names %q, which is not a toolset: name some of %s", source, names[i], strings.Join(s.app.toolsetNames(), ", "))
		}
	}
	return func(name string) bool { return slices.Contains(names, name) }, nil
}

// hasFor returns an error if the method belongs to a toolset that is not configured.
// The error names the flag to give.
func (s selection) hasFor(method string) error {
	name, _, _ := strings.Cut(method, "/")
	for _, t := range s.app.toolsets {
		if t.name == name && !s.configured(t) {
			return fmt.Errorf("%s: the toolset %s is not configured: give --%s", method, name, t.flags[0].name)
		}
	}
	return nil
}

// toolsetNames returns the names of all toolsets, configured or not.
func (a *app) toolsetNames() []string {
	var names []string
	for _, t := range a.toolsets {
		names = append(names, t.name)
	}
	return names
}

// open returns the served toolsets. It opens none of their files or connections.
func (s selection) open(c toolsetConfig) ([]rpc.Toolset, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	has, err := s.has()
	if err != nil {
		return nil, err
	}
	var toolsets []rpc.Toolset
	c.app, c.env, c.state, c.log = s.app, s.app.env, s.app.stateFolder, s.app.logger()
	for _, t := range s.app.toolsets {
		if !has(t.name) {
			continue
		}
		c.value = s.valuesOf(t)
		toolset, err := t.open(c)
		if err != nil && !t.always {
			err = fmt.Errorf("%s: %w", t.name, err)
		}
		if err != nil {
			return nil, err
		}
		toolsets = append(toolsets, toolset)
	}
	return toolsets, nil
}

// valuesOf returns a function that returns the values of a toolset's flags.
func (s selection) valuesOf(t toolsetRow) func(string) string {
	return func(flag string) string {
		i := slices.IndexFunc(t.flags, func(f toolsetFlag) bool { return f.name == flag })
		return s.value(t.flags[i])
	}
}

// registry returns a registry with the served toolsets.
func (s selection) registry(c toolsetConfig) (*rpc.Registry, error) {
	toolsets, err := s.open(c)
	if err != nil {
		return nil, err
	}
	return s.app.registryOf(toolsets...)
}

// user returns the user that a server on standard input serves, or "" for none.
func (s selection) user() string {
	for _, f := range s.app.toolsetFlags() {
		if f.user {
			return s.value(f)
		}
	}
	return ""
}

// rebased converts the paths in a toolset flag's value with pathOf. It returns the
// values of other flags unchanged.
func (s selection) rebased(name, value string, pathOf func(string) (string, error)) (string, error) {
	for _, f := range s.app.toolsetFlags() {
		if f.name == name && f.rebase != nil {
			return f.rebase(value, pathOf)
		}
	}
	return value, nil
}

// withPassword returns the flags whose given value is a URL with a password.
func (s selection) withPassword() (flags []toolsetFlag) {
	for _, f := range s.app.toolsetFlags() {
		value, given := s.given(f.name)
		u, err := url.Parse(value)
		if !given || err != nil {
			continue
		}
		if _, has := u.User.Password(); has {
			flags = append(flags, f)
		}
	}
	return flags
}

// running starts the toolsets of a registry, calls do, and closes the toolsets. It
// returns the first error. Once ctx is done, it waits for at most the grace periods and
// then returns [rpc.ErrDeadline].
func running(ctx context.Context, registry *rpc.Registry, do func() error) error {
	if err := registry.Start(ctx); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() {
		err := do()
		if closing := registry.Close(); err == nil {
			err = closing
		}
		ended <- err
	}()
	overdue := make(chan struct{})
	context.AfterFunc(ctx, func() { time.AfterFunc(graceAnswers+graceToolset, func() { close(overdue) }) })
	select {
	case err := <-ended:
		return err
	case <-overdue:
		return rpc.ErrDeadline
	}
}
