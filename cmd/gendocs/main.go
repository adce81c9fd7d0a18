// Gendocs generates documents from the source. docs/TOOLS.md and docs/TOOLSETS.md
// describe each method, its params and its results, with examples that Gendocs runs.
// docs/FORMAT.md describes which files are read and how. docs/AGENTS-FILES.md lists the
// files that are rendered for each agent. cmd/catalog/NOTICES.txt has the licences of
// what is linked into the program.
//
// Run it from the root of the repository:
//
//	go run ./cmd/gendocs
//
// The same source gives the same bytes on any machine. A test compares the files with
// the generator's output. Gendocs writes no other file of the repository.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go -C ../.. run ./cmd/gendocs

// documents maps each generated file, relative to the root of the repository, to the
// function that returns its content.
var documents = map[string]func(root string) ([]byte, error){
	"docs/TOOLS.md":        generateTools,
	"docs/FORMAT.md":       generateFormat,
	"docs/AGENTS-FILES.md": generateAgentFiles,
	"docs/TOOLSETS.md":     generateToolsets,

	"cmd/catalog/NOTICES.txt": generateNotices, // embedded in the program
}

func main() {
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs: "+err.Error())
		os.Exit(1)
	}
}

// write generates the documents of the repository at root and writes them.
func write(root string) error {
	for name, generate := range documents {
		document, err := generate(root)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(root, name), document, 0o644); err != nil {
			return err
		}
	}
	return nil
}
