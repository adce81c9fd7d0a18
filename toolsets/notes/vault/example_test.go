package vault_test

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"
	"path/filepath"

	"instruction-catalog/toolsets/notes/vault"
)

func ExampleVault_Snapshot() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("# Apples\n\nSee [[b]].\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	v := vault.New(dir, slog.New(slog.DiscardHandler))
	snapshot, err := v.Snapshot(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range snapshot.Notes() {
		fmt.Println(n.ID, n.Title(), snapshot.Warnings(n))
	}
	// Output: a.md Apples [Broken link: [[b]]]
}
