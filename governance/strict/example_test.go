package strict_test

import (
	"fmt"

	"instruction-catalog/governance/strict"
)

func ExampleJSON() {
	_, err := strict.JSON([]byte("{\n\"severity\": \"error\",\n\"Severity\": \"warn\"}"))
	fmt.Println(err)
	// Output:
	// line 3: an object has members "severity" and "Severity", which differ only in case: keep one
}
