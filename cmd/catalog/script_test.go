package main

import (
	"log"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"catalog": main})
}

// tests are all tests, with a cache folder of their own for what they start. That
// of Go stays, for some of them build the program.
type tests struct{ *testing.M }

func (t tests) Run() int {
	folder, err := os.MkdirTemp("", "catalog-cache")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if usual, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
		os.Setenv("GOCACHE", filepath.Join(usual, "go-build"))
	}
	os.Setenv("XDG_CACHE_HOME", folder)
	return t.M.Run()
}

// TestScripts specifies the command line, one script a command.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each process rests a second under -race
			return nil
		},
	})
}
