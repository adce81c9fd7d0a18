package format_test

import (
	"fmt"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/format"
)

func ExampleDecode() {
	const path = ".cursor/rules/forms.mdc"
	place, _ := agents.At(path)
	o := format.Decode(format.File{
		Path: path, Place: &place,
		Data: []byte("---\nglobs: web/**/*.ts\n---\nLabel every field.\n"),
	})
	fmt.Println(o.Entry.ID, o.Entry.Load, o.Entry.Instruction().AppliesTo)
	fmt.Print(o.Entry.Body.Text())
	// Output:
	// cursor-rules-forms glob [web/**/*.ts]
	// Label every field.
}
