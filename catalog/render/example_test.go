package render_test

import (
	"fmt"

	"instruction-catalog/catalog/render"
)

func ExamplePut() {
	file, _ := render.Put([]byte("# Ours\n"), []byte("Wrap errors.\n"))
	fmt.Printf("%s", file)
	// Output:
	// # Ours
	// <!-- catalog: begin; do not edit here, edit the catalog -->
	// Wrap errors.
	// <!-- catalog: end -->
}
