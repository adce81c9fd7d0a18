package fold_test

import (
	"fmt"

	"instruction-catalog/catalog/search/fold"
)

func ExampleString() {
	fmt.Println(fold.String("STRASSE") == fold.String("Straße"))
	// Output: true
}

func ExampleLocate() {
	const text = "Die Straße, die STRASSE"
	for m := range fold.Locate(text, "strasse") {
		fmt.Println(m, text[m.Start:m.End])
	}
	// Output:
	// {4 11} Straße
	// {17 24} STRASSE
}
