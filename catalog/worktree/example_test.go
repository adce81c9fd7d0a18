package worktree_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"instruction-catalog/catalog/worktree"
)

func ExampleImport() {
	dir, err := os.MkdirTemp("", "worktree")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	shop := filepath.Join(dir, "shop")
	if err := os.CopyFS(shop, os.DirFS("testdata/shop")); err != nil {
		fmt.Println(err)
		return
	}
	result, err := worktree.Import{
		Repository: shop, Catalog: filepath.Join(dir, "instructions"),
		State: filepath.Join(dir, "state"), Origins: filepath.Join(dir, "origins"), Log: slog.Default(), Progress: func(int, int) {},
	}.Run(context.Background())
	for _, f := range result.Files {
		fmt.Println(f.Action, f.From, "to", f.To)
	}
	fmt.Println(err)
	// Output:
	// copied .cursor/rules/api.mdc to shop/.cursor/rules/api.mdc
	// <nil>
}
