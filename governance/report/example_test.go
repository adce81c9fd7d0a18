package report_test

import (
	"fmt"

	"instruction-catalog/governance/report"
)

func ExampleFinding_String() {
	f := report.Finding{
		Rule: "drift", Severity: report.Error, Place: report.Place{Path: "instructions/go/errors.md", Line: 4},
		Message: "the body is another one than its hash was taken of",
	}
	fmt.Println(f)
	f.Path = "instructions/x.md\nall is well.md"
	fmt.Println(f)
	// Output:
	// instructions/go/errors.md:4: error: the body is another one than its hash was taken of
	// instructions/x.md\nall is well.md:4: error: the body is another one than its hash was taken of
}
