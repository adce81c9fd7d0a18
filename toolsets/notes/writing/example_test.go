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
	w := &writing.Writer{Folder: dir, Vault: vault.New(dir, slog.New(slog.DiscardHandler))}

	ctx := context.Background()
	fmt.Println(w.Create(ctx, "fruit", "Red Apples", "Grow on trees.", []string{"fruit"}))
	fmt.Println(w.Create(ctx, "", "Index", "See [[red-apples|apples]].", nil))
	title := "Green Apples"
	fmt.Println(w.Update(ctx, writing.Update{ID: "fruit/red-apples.md", Title: &title}))
	index, err := os.ReadFile(filepath.Join(dir, "index.md"))
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
