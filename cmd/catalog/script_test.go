package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the screens and the files of scripts anew")

func TestMain(m *testing.M) {
	testscript.Main(withState{m}, map[string]func(){"catalog": main})
}

// withState runs the tests with a temporary state folder, so that they do not use the
// user's own.
type withState struct{ *testing.M }

func (w withState) Run() int {
	state, err := os.MkdirTemp("", "catalog-state")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(state)
	for _, variable := range stateVariables {
		os.Setenv(variable, state)
	}
	if runtime.GOOS == "darwin" { // the go command needs HOME there
		os.Setenv("CATALOG_USAGE", inMemory)
	}
	return w.M.Run()
}

// stateVariables are the variables that name the state folder on some systems.
var stateVariables = []string{"XDG_STATE_HOME", "LocalAppData"}

// TestScripts tests the command line, with one script for each command.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Condition: func(name string) (bool, error) {
			if name != "long" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return os.Getenv("CATALOG_TEST_LONG") != "", nil
		},
		Setup: func(env *testscript.Env) error {
			for _, variable := range append(stateVariables, "HOME") {
				env.Setenv(variable, filepath.Join(env.WorkDir, ".state"))
			}
			env.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each process takes a second to exit under -race
			return nil
		},
	})
}
