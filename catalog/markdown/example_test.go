package markdown_test

import (
	"fmt"

	"instruction-catalog/catalog/markdown"
)

func ExampleParse() {
	file := []byte("---\ntags: [fruit]\n---\n# Apples\n\nSee [[tree#leaves|the tree]], not `[[code]]`.\n")
	d := markdown.Parse(file)
	fmt.Println(d.Title, d.Tags)
	for _, l := range d.Links {
		fmt.Printf("%s %q %q\n", l.Name, l.Target.Of(file), l.Fragment.Of(file))
	}
	// Output:
	// Apples [fruit]
	// tree "tree" "#leaves"
}
