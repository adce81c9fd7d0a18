// Gendocs writes docs/TOOLS.md: what every method is for, what it takes and
// what it answers, with examples that it runs while it writes.
//
// Run it from the root of the repository:
//
//	go run ./cmd/gendocs
//
// The same source gives the same bytes on any machine. A test holds the file
// to what the generator returns. No other file of the repository is written.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go -C ../.. run ./cmd/gendocs

// toolsFile is what is generated, below the root of the repository.
const toolsFile = "docs/TOOLS.md"

func main() {
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs: "+err.Error())
		os.Exit(1)
	}
}

// write generates the document of the repository at root into its file.
func write(root string) error {
	document, err := generate(root)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, toolsFile), document, 0o644)
}
