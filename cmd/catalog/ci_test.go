package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// verifyLine matches a call of verify in a CI file.
var verifyLine = regexp.MustCompile(`\bcatalog (verify\b[^>|\n]*)`)

// TestExamplesForCI checks that the files that people copy are valid YAML and that
// verify accepts the options in them.
func TestExamplesForCI(t *testing.T) {
	t.Parallel()
	for name, calls := range map[string]int{"github-actions.yml": 3, "pre-commit-config.yaml": 1} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", "examples", "ci", name))
		if err != nil {
			t.Fatal(err)
		}
		var document map[string]any
		if err := yaml.Unmarshal(text, &document); err != nil || len(document) == 0 {
			t.Errorf("%s is no YAML: %v", name, err)
		}
		found := verifyLine.FindAllSubmatch(text, -1)
		if len(found) != calls {
			t.Errorf("%s calls verify %d times, want %d", name, len(found), calls)
		}
		for _, call := range found {
			checkVerifyCall(t, string(call[1]))
		}
	}
}

// checkVerifyCall has verify check its options only.
func checkVerifyCall(t *testing.T, call string) {
	t.Helper()
	a := &app{toolsets: toolsetTable}
	cmd, args, err := a.rootCommand().Find(strings.Fields(call))
	if err == nil {
		err = cmd.ParseFlags(args)
	}
	if err != nil {
		t.Errorf("%s: %v", call, err)
		return
	}
	value := func(flag string) string { return cmd.Flags().Lookup(flag).Value.String() }
	o := verifyOptions{format: value("format"), failOn: value("fail-on"), review: value("review"), since: "HEAD"}
	if err := a.checkVerifyOptions(cmd, &o); err != nil {
		t.Errorf("%s: %v", call, err)
	}
}
