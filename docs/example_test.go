package docs_test

import (
	"encoding/json"
	"fmt"

	"instruction-catalog/docs"
)

func Example() {
	fmt.Println(json.Valid(docs.PromptCriteria))
	// Output: true
}
