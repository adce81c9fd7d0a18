package history_test

import (
	"fmt"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/history"
)

func ExampleHistory_Since() {
	entry := func(id catalog.ID, priority int) *catalog.Entry {
		return catalog.NewEntry(catalog.Instruction{ID: id, Title: "T", Body: "B", Priority: priority}, catalog.Origin{})
	}
	a := entry("a", 1)
	current := catalog.NewSnapshot([]*catalog.Entry{a, entry("b", 1)}, nil)
	h := history.New(func() *catalog.Snapshot { return current })
	before := h.Current()

	current = catalog.NewSnapshot([]*catalog.Entry{a, entry("b", 2), entry("c", 1)}, nil)
	h.Note(current)
	_, changes, known := h.Since(before.Revision)
	fmt.Println(known, len(changes.Added), len(changes.Updated), len(changes.Removed))
	// Output: true 1 1 0
}
