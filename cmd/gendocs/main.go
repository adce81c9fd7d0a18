// Gendocs writes docs/TOOLS.md and docs/TOOLSETS.md: what every method is for,
// what it takes and what it answers, with examples that it runs while it writes;
// docs/FORMAT.md: which files are read and how; docs/AGENTS-FILES.md: which files are
// rendered for which agent; and cmd/catalog/NOTICES.txt: the licences
// of what is linked into the program.
//
// Run it from the root of the repository:
//
//	go run ./cmd/gendocs
//
// The same source gives the same bytes on any machine. A test holds the files
// to what the generator returns. No other file of the repository is written.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go -C ../.. run ./cmd/gendocs

// documents are the functions that return what is generated, by the name of the
// file below the root of the repository.
var documents = map[string]func(root string) ([]byte, error){
	"docs/TOOLS.md":        generateTools,
	"docs/FORMAT.md":       generateFormat,
	"docs/AGENTS-FILES.md": generateAgentFiles,
	"docs/TOOLSETS.md":     generateToolsets,

	"cmd/catalog/NOTICES.txt": generateNotices, // which the program embeds
}

func main() {
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs: "+err.Error())
		os.Exit(1)
	}
}

// write generates the documents of the repository at root into their files.
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
