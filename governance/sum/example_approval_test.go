package sum_test

import (
	"fmt"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/sum"
)

func ExampleApprovalHash() {
	rule := catalog.NewEntry(catalog.Instruction{ID: "wrap-errors", Title: "Wrap errors", Body: "Wrap them.", Priority: 20}, catalog.Origin{})
	approved := rule.Instruction()
	approved.ApprovedHash, approved.ApprovedBy = string(sum.ApprovalHash(rule)), "ann"
	entry := catalog.NewEntry(approved, catalog.Origin{})
	fmt.Println(sum.ApprovalHash(entry) == sum.ApprovalHash(rule), sum.Hash(entry) == sum.Hash(rule))

	edited := entry.Instruction()
	edited.Priority = 90
	fmt.Println(string(sum.ApprovalHash(catalog.NewEntry(edited, catalog.Origin{}))) == edited.ApprovedHash)
	// Output:
	// true false
	// false
}
