package write_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"instruction-catalog/catalog/write"
)

func ExampleSession_Replace() {
	dir, err := os.MkdirTemp("", "catalog")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	c := write.Catalog{Folder: filepath.Join(dir, "instructions"), State: filepath.Join(dir, "state"), Log: slog.Default()}
	s, err := c.Begin(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	fmt.Println(s.Create("style.md", []byte("Write plainly.\n")))
	fmt.Println(s.Replace("style.md", []byte("Write plainly.\n"), []byte("Write tersely.\n")))
	fmt.Println(s.Replace("style.md", []byte("Write plainly.\n"), []byte("Write at length.\n")))
	// Output:
	// <nil>
	// <nil>
	// style.md: another program has changed it since it was read: try again
}
