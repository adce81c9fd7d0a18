package verify_test

import (
	"fmt"

	"instruction-catalog/catalog/config"
	"instruction-catalog/governance/report"
	"instruction-catalog/governance/verify"
)

func Example() {
	policy := verify.Policy{Config: &config.Config{}, Rules: verify.Rules(), LooksFor: func(string) bool { return true }}
	found := []report.Finding{{Rule: "duplicate", Severity: report.Warning, Place: report.Place{Path: "a.md", Line: 3}}}
	verdict := policy.Judge(found, []verify.Text{{Path: "a.md", FirstLine: 1, Body: "<!-- catalog:ignore duplicate for two hosts -->\n# A\n"}})
	fmt.Println(len(verdict.Findings), verdict.Suppressed[0].By.Reason)
	// Output: 0 for two hosts
}
