package rpctest

import (
	"os"
	"testing"
)

// Long skips a test that takes more than about five seconds, unless the variable
// CATALOG_TEST_LONG is set, as .ci/run sets it. It is a variable and not a flag because
// "go test ./..." passes a flag to every package, also to those that do not define it.
func Long(t testing.TB) {
	t.Helper()
	if os.Getenv("CATALOG_TEST_LONG") == "" {
		t.Skip("a long test: set CATALOG_TEST_LONG=1 to run it")
	}
}
