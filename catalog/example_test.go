package catalog_test

import (
	"fmt"

	"instruction-catalog/catalog"
)

func ExampleSnapshot_Find() {
	var entries []*catalog.Entry
	for id, body := range map[catalog.ID]string{"secrets": "Never commit a password.", "tests": "Test first."} {
		entries = append(entries, catalog.NewEntry(catalog.Instruction{ID: id, Body: body}, catalog.Origin{}))
	}
	snapshot := catalog.NewSnapshot(entries, nil)
	page, err := snapshot.Find(catalog.Query{Text: "PASSWORD", Count: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(page.Count, page.Entries[0].ID)
	// Output: 1 secrets
}
