package nearest_test

import (
	"fmt"

	"instruction-catalog/catalog/search/nearest"
)

func ExampleOf() {
	fmt.Println(nearest.Of("indx", []string{"index", "tabs"}))
	// Output: [index]
}
