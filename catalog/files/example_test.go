package files_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"instruction-catalog/catalog/files"
)

func ExampleRead() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "rule.md")
	if err := os.WriteFile(name, []byte("Wrap errors."), 0o600); err != nil {
		fmt.Println(err)
		return
	}

	file, err := files.Read(name, 100)
	fmt.Printf("%s %v\n", file.Data, err)

	_, err = files.Read(name, 3)
	fmt.Println(errors.Is(err, files.ErrTooLarge))

	_, err = files.Read(dir, 100)
	fmt.Println(errors.Is(err, files.ErrNotRegular))
	// Output:
	// Wrap errors. <nil>
	// true
	// true
}
