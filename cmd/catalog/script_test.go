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

// withState runs the tests with a state folder of their own: those of whoever
// runs them are none of their business.
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
	if runtime.GOOS == "darwin" { // where the go command needs HOME, which is no state folder, either
		os.Setenv("CATALOG_USAGE", inMemory)
	}
	return w.M.Run()
}

// stateVariables are those that name the state folder, on some systems.
var stateVariables = []string{"XDG_STATE_HOME", "LocalAppData"}

// TestScripts specifies the command line, one script a command.
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
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each process rests a second under -race
			return nil
		},
	})
}
