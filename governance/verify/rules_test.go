package verify_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"instruction-catalog/governance/report"
	"instruction-catalog/governance/verify"
)

var ruleConstant = regexp.MustCompile(`(?m)^\s*\w+\s+= "([a-z-]+(?:/[a-z-]+)?)"`)

// TestRulesAreDocumented checks that each rule that a package of the catalog declares is
// documented, with an example, a near miss and a repair.
func TestRulesAreDocumented(t *testing.T) {
	t.Parallel()
	documented := map[report.Rule]bool{}
	for _, r := range verify.Rules() {
		if documented[r.ID] {
			t.Errorf("%s is explained twice", r.ID)
		}
		documented[r.ID] = true
		if r.Severity == "" || r.Finds == "" || r.Hit == "" || r.NearMiss == "" || r.Repair == "" {
			t.Errorf("%s is not explained in full", r.ID)
		}
	}
	files, err := filepath.Glob("../../catalog/*/rules.go")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ruleConstant.FindAllSubmatch(text, -1) {
			if !documented[report.Rule(m[1])] {
				t.Errorf("%s: the rule %s is not explained", name, m[1])
			}
		}
	}
}
