package frontmatter_test

import (
	"fmt"

	"instruction-catalog/catalog/frontmatter"
)

func ExampleSetText() {
	front := "# mine\ntitle: \"Old\" # why\naliases: [x]\n"
	changed, err := frontmatter.SetText([]byte(front), "\n", "title", "New: better")
	fmt.Printf("%s%v\n", changed, err)
	// Output:
	// # mine
	// title: "New: better" # why
	// aliases: [x]
	// <nil>
}

func ExampleSetList() {
	front := "tags:\n  - 'a' # first\n  - b\n"
	changed, err := frontmatter.SetList([]byte(front), "\n", "tags", []string{"a", "c"})
	fmt.Printf("%s%v\n", changed, err)
	// Output:
	// tags:
	//   - 'a' # first
	//   - c
	// <nil>
}
