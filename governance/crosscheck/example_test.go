package crosscheck_test

import (
	"fmt"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/crosscheck"
	"instruction-catalog/governance/report"
)

func ExampleFind() {
	tabs := catalog.NewEntry(catalog.Instruction{ID: "tabs", Body: "Always use tabs.", Audience: catalog.Everybody}, catalog.Origin{Path: "tabs.md"})
	files := catalog.NewEntry(catalog.Instruction{ID: "files", Body: "This is about files.\n\nNever use tabs.", Audience: catalog.Everybody}, catalog.Origin{Path: "files.md"})
	s := catalog.NewSnapshot([]*catalog.Entry{tabs, files}, nil)
	for _, f := range crosscheck.Find(s, crosscheck.View{
		Place: func(e *catalog.Entry, line int) report.Place { return report.Place{Path: e.Origin.Path, Line: line} },
		Quote: func(_ *catalog.Entry, part string) string { return part },
	}) {
		fmt.Println(f)
	}
	// Output:
	// files.md:3: warning: "Never use tabs." contradicts "Always use tabs." in tabs.md:1: say which of the two applies
}
