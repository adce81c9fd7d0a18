package sample_test

import (
	"fmt"
	"io/fs"
	"log"

	"instruction-catalog/toolsets/notes/sample"
)

func ExampleFiles() {
	names, err := fs.Glob(sample.Files(), "*/*.md")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(names)
	// Output: [drafts/idea.md notes/graphcore.md notes/node.md notes/storeprovider.md]
}
