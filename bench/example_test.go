package bench_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"

	"instruction-catalog/bench"
)

func ExampleGenerate() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := bench.Generate(context.Background(), dir, 12, 1); err != nil {
		fmt.Println(err)
		return
	}
	json, _ := fs.Glob(os.DirFS(dir), "*/*.json")
	markdown, _ := fs.Glob(os.DirFS(dir), "*/*.md")
	fmt.Println(len(json), "in JSON,", len(markdown), "in Markdown")
	// Output: 8 in JSON, 4 in Markdown
}
