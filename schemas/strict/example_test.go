package strict_test

import (
	"fmt"

	"instruction-catalog/schemas/strict"
)

func ExampleJSON() {
	_, err := strict.JSON([]byte("{\n\"severity\": \"error\",\n\"severity\": \"warn\"}"))
	fmt.Println(err)
	// Output:
	// line 3: "severity" appears twice in an object: keep one of the two
}
