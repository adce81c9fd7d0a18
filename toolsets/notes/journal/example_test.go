package journal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"instruction-catalog/toolsets/notes/journal"
)

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	s, err := journal.Begin(context.Background(), dir, func(text []byte, _ json.RawMessage) ([]byte, error) {
		return bytes.ReplaceAll(text, []byte("[[old]]"), []byte("[[new]]")), nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	fmt.Println(s.Create("old.md", []byte("A note.")), s.Create("other.md", []byte("See [[old]].")))
	fmt.Println(s.Apply(journal.Change{From: "old.md", To: "new.md", Edits: []journal.Edit{
		{Name: "old.md"}, {Name: "other.md"},
	}}))
	text, err := os.ReadFile(filepath.Join(dir, "other.md"))
	fmt.Printf("%s %v\n", text, err)
	// Output:
	// <nil> <nil>
	// <nil>
	// See [[new]]. <nil>
}
