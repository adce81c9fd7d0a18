// Package sample embeds a small vault of notes, for tests and for the generated
// documentation. It is read-only.
package sample

import (
	"embed"
	"io/fs"
)

//go:embed vault
var vault embed.FS

// Files returns the files of the vault.
func Files() fs.FS {
	files, err := fs.Sub(vault, "vault")
	if err != nil {
		panic(err) // the path is a constant
	}
	return files
}
