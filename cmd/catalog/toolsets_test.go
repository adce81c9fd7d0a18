package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/rpctest"
)

// withThings runs the program with an additional toolset for tests, and returns its
// output.
func withThings(t *testing.T, things *rpctest.Things, env map[string]string, stdin string, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	checked := &checkedWriter{to: &out}
	a := &app{
		env: func(name string) string { return env[name] }, stdin: strings.NewReader(stdin), stdout: checked, stderr: &errs,
		toolsets: []toolsetRow{instructionsToolset, {
			name: "things",
			flags: []toolsetFlag{
				{name: "things", env: "CATALOG_THINGS", usage: "keep things in this `store`", rebase: func(value string, pathOf func(string) (string, error)) (string, error) { return pathOf(value) }},
				{name: "things-user", env: "CATALOG_THINGS_USER", usage: "for this `user`", user: true},
				{name: "things-read-only", env: "CATALOG_THINGS_READ_ONLY", usage: "change nothing", fallback: "false", boolean: true},
			},
			open: func(c toolsetConfig) (rpc.Toolset, error) {
				if c.value("things") == "bad" {
					return rpc.Toolset{}, errors.New("there is no such store")
				}
				things.PerUser = c.value("things-user") != ""
				return things.Toolset(), nil
			},
		}},
	}
	if code := a.run(t.Context(), checked, args); code != want {
		t.Errorf("catalog %q: exit code %d, want %d: %s%s", args, code, want, &out, &errs)
	}
	return out.String(), errs.String()
}

// TestToolsetsAreOffUntilConfigured checks that a toolset exists only if a flag or the
// environment enables it.
func TestToolsetsAreOffUntilConfigured(t *testing.T) {
	t.Parallel()
	on := map[string]string{"CATALOG_THINGS": "store"}
	for _, test := range []struct {
		env      map[string]string
		args     []string
		has, not string
	}{
		{args: []string{"schema"}, has: "instructions/get", not: "things/"},
		{args: []string{"schema", "--things", "store"}, has: "things/list_things"},
		{env: on, args: []string{"schema"}, has: "things/list_things"},
		{env: on, args: []string{"schema", "--toolsets", "things"}, has: "rpc.discover", not: "instructions/"},
		{env: map[string]string{"CATALOG_THINGS": "bad"}, args: []string{"schema", "--things", "store", "--toolsets=things, instructions"}, has: "things/list_things"},
		{env: map[string]string{"CATALOG_THINGS": "store", "CATALOG_TOOLSETS": "instructions"}, args: []string{"schema"}, has: "instructions/get", not: "things/"},
		{env: on, args: []string{"list", "--dir", fixture(t)}, has: "error-wrapping", not: "thing"},
	} {
		out, _ := withThings(t, &rpctest.Things{}, test.env, "", exitClean, test.args...)
		if !strings.Contains(out, test.has) || test.not != "" && strings.Contains(out, test.not) {
			t.Errorf("catalog %q with %v says\n%s\nwhich must have %q and not %q", test.args, test.env, out, test.has, test.not)
		}
	}
	_, said := withThings(t, &rpctest.Things{}, nil, "", exitFailed, "call", "things/list_things", `{"user_id":"ann"}`)
	if !strings.Contains(said, "not configured: give --things") {
		t.Errorf("a toolset that is not configured: %s", said)
	}
}

// TestToolsetFlagsThatMeanNothing checks that invalid flags are rejected with advice.
func TestToolsetFlagsThatMeanNothing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		env  string
		args []string
		want string
	}{
		{args: []string{"--things", ""}, want: "--things is empty"},
		{args: []string{"--things-user", "ann"}, want: "--things-user requires --things: give that, too"},
		{args: []string{"--toolsets", ""}, want: "--toolsets is empty"},
		{args: []string{"--toolsets", "things"}, want: "--toolsets names things, which is not configured: give --things, too"},
		{args: []string{"--toolsets", "instructions,thing"}, want: `--toolsets names "thing", which is not a toolset: name some of instructions, things`},
		{args: []string{"--things", "bad"}, want: "things: there is no such store"},
		{env: "perhaps", args: []string{"--things", "store"}, want: `CATALOG_THINGS_READ_ONLY is "perhaps": give true or false`},
	} {
		for _, command := range []string{"schema", "serve", "install"} {
			args := append([]string{command}, test.args...)
			if command == "install" {
				args = append(args, "codex", "--print")
			}
			out, said := withThings(t, &rpctest.Things{}, map[string]string{"CATALOG_THINGS_READ_ONLY": test.env}, "", exitFailed, args...)
			if out != "" || !strings.HasPrefix(said, "catalog: "+test.want) {
				t.Errorf("catalog %q says %q, want %q", args, said, test.want)
			}
		}
	}
}

// TestCallToolset checks that any result is printed unchanged, and that a failure of a
// toolset with errors of its own is a finding, printed on standard error only.
func TestCallToolset(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		method, params, out, said string
		code                      int
	}{
		{"things/list_things", `{"user_id":"ann"}`, "[]\n", "", exitClean},
		{"things/find_thing", `{"user_id":"ann","name":"cup"}`, "null\n", "", exitClean},
		{"things/add_thing", `{"user_id":"ann","name":"cup"}`, `{"name":"cup","owner":"ann"}` + "\n", "", exitClean},
		{"things/add_thing", `{"user_id":"ann"}`, "", "catalog: invalid params: name: is required\n", exitFindings},
		{"things/no_such", `{}`, "", `catalog: no method "things/no_such": "catalog schema" lists them`, exitFailed},
	} {
		things := &rpctest.Things{}
		out, said := withThings(t, things, nil, "", test.code, "call", "--things", "store", test.method, test.params)
		if out != test.out || !strings.HasPrefix(said, test.said) || said != "" && test.said == "" {
			t.Errorf("%s %s prints %q and says %q", test.method, test.params, out, said)
		}
		if !things.Closed() {
			t.Errorf("%s: the toolset was not closed", test.method)
		}
	}
	out, _ := withThings(t, &rpctest.Things{}, nil, "", exitClean, "call", "--things", "store", "--things-user", "bob", "things/add_thing", `{"name":"cup"}`)
	if want := `{"name":"cup","owner":"bob"}` + "\n"; out != want {
		t.Errorf("a call for bob prints %q, want %q", out, want)
	}
}

// TestServeToolset checks that the server serves the user that it was started for,
// closes its toolsets at the end, and does not start if a toolset cannot start.
func TestServeToolset(t *testing.T) {
	t.Parallel()
	const requests = `{"jsonrpc":"2.0","id":1,"method":"things/add_thing","params":{"name":"cup"}}
{"jsonrpc":"2.0","id":2,"method":"things/list_things"}
`
	things := &rpctest.Things{}
	out, said := withThings(t, things, map[string]string{"CATALOG_THINGS_USER": "ann"}, requests, exitClean, "serve", "--things", "store", "--dir", t.TempDir())
	if want := `{"jsonrpc":"2.0","id":1,"result":{"name":"cup","owner":"ann"}}
{"jsonrpc":"2.0","id":2,"result":[{"name":"cup","owner":"ann"}]}
`; out != want || said != "" || !things.Closed() {
		t.Errorf("answers %s%s, closed %v", out, said, things.Closed())
	}
	out, said = withThings(t, &rpctest.Things{FailStart: errors.New("the store is missing")}, nil, requests, exitFailed, "serve", "--things", "store", "--dir", t.TempDir())
	if out != "" || said != "catalog: things: the store is missing\n" {
		t.Errorf("a start that fails: %s%s", out, said)
	}
}

// TestInstallToolset checks that the host's entry contains the given flags, but no
// values from the environment.
func TestInstallToolset(t *testing.T) {
	t.Parallel()
	env := map[string]string{"HOME": t.TempDir(), "CATALOG_THINGS_USER": "secret"}
	out, _ := withThings(t, &rpctest.Things{}, env, "", exitClean, "install", "codex", "--print", "--things", "store", "--things-read-only", "--toolsets", "things")
	if want := `args = ["serve", "--toolsets", "things", "--things", "store", "--things-read-only=true"]`; !strings.Contains(out, want) || strings.Contains(out, "secret") {
		t.Errorf("install prints\n%s\nwithout %s", out, want)
	}
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	out, _ = withThings(t, &rpctest.Things{}, env, "", exitClean, "install", "codex", "--global", "--print", "--things", "store")
	if want := `"--things", "` + filepath.Join(folder, "store") + `"`; !strings.Contains(out, want) {
		t.Errorf("for all projects, install prints\n%s\nwithout %s", out, want)
	}
}
