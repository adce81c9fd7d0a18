package rpctest

import (
	"os"
	"testing"
)

// Long skips the test unless the environment variable CATALOG_TEST_LONG is set, as
// .ci/run does. Use it for tests that take more than about five seconds. It is a variable
// and not a flag because "go test ./..." passes a flag to every package, including those
// that do not define it.
func Long(t testing.TB) {
	t.Helper()
	if os.Getenv("CATALOG_TEST_LONG") == "" {
		t.Skip("a long test: set CATALOG_TEST_LONG=1 to run it")
	}
}
