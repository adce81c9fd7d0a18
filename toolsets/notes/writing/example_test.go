package writing_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"instruction-catalog/toolsets/notes/vault"
	"instruction-catalog/toolsets/notes/writing"
)

func ExampleWriter() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	notes, log := filepath.Join(dir, "notes"), slog.New(slog.DiscardHandler)
	if err := os.Mkdir(notes, 0o755); err != nil {
		fmt.Println(err)
		return
	}
	w := &writing.Writer{Folder: notes, State: filepath.Join(dir, "state"), Vault: vault.New(notes, log), Log: log}

	ctx := context.Background()
	made, err := w.Create(ctx, "fruit", "Red Apples", "Grow on trees.", []string{"fruit"})
	fmt.Println(made.ID, err)
	made, err = w.Create(ctx, "", "Index", "See [[red-apples|apples]].", nil)
	fmt.Println(made.ID, err)
	title := "Green Apples"
	renamed, err := w.Update(ctx, writing.Update{ID: "fruit/red-apples.md", Title: &title})
	fmt.Println(renamed.ID, err)
	index, err := os.ReadFile(filepath.Join(notes, "index.md"))
	fmt.Printf("%s %v\n", index, err)
	// Output:
	// fruit/red-apples.md <nil>
	// index.md <nil>
	// fruit/green-apples.md <nil>
	// ---
	// title: Index
	// ---
	// See [[green-apples|apples]]. <nil>
}
