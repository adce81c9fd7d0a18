package notes_test

import (
	"fmt"

	"instruction-catalog/toolsets/notes"
)

func ExampleNewSnapshot() {
	s := notes.NewSnapshot([]*notes.Note{
		notes.NewNote("apple.md", []byte("A fruit of the [[tree]].")),
		notes.NewNote("tree.md", []byte("It has [leaves](leaf.md).")),
		notes.NewNote("leaf.md", []byte("Green.")),
	}, nil)
	from, _ := s.Find("apple.md")
	to, _ := s.Find("Leaf.md")
	for _, n := range s.Path(from, to, notes.Out) {
		in, out := s.Degrees(n)
		fmt.Println(n.ID, in, out)
	}
	// Output:
	// apple.md 0 1
	// tree.md 1 1
	// leaf.md 1 0
}
