package usage_test

import (
	"fmt"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/usage"
)

func ExampleCounter() {
	entries := []*catalog.Entry{{ID: "secrets"}, {ID: "tests"}, {ID: "naming"}}
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

	counter := usage.NewCounter()
	counter.Track(entries[1], usage.Kind{Action: usage.Applied}, noon, nil)
	counter.Track(entries[1], usage.Kind{Action: usage.Applied}, noon.Add(time.Minute), nil)
	counter.Track(entries[0], usage.Kind{Action: usage.Applied}, noon, nil)

	for _, hot := range counter.Hotset(entries, 10) {
		fmt.Println(hot.ID, hot.Count)
	}
	// Output:
	// tests 2
	// secrets 1
}
