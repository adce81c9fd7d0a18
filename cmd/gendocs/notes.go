package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes/sample"
	"instruction-catalog/toolsets/notes/tools"
	"instruction-catalog/toolsets/notes/vault"
	"instruction-catalog/toolsets/notes/vectors"
	"instruction-catalog/toolsets/notes/writing"
)

var shownNotes = shownToolset{
	name:    "notes",
	title:   "Notes",
	prose:   "notes",
	flags:   "--notes DIR",
	changes: "schemas/notes/v1/CHANGES.md",
	open: func(dir string) (rpc.Toolset, error) {
		log := slog.New(slog.DiscardHandler)
		notes := filepath.Join(dir, "vault")
		v := vault.New(notes, log)
		index := vectors.New(vectors.Config{Embedder: sample.NewEmbedder(""), Notes: v.Snapshot, Log: log})
		w := &writing.Writer{Folder: notes, State: filepath.Join(dir, "state"), Vault: v, Log: log}
		toolset := tools.New(tools.Config{Vault: v, Writer: w, Vectors: index, Log: log})
		if _, err := os.Stat(dir); dir == "." || err != nil {
			return toolset, nil
		}
		if err := os.CopyFS(notes, sample.Files()); err != nil {
			return toolset, err
		}
		return toolset, index.Refresh(context.Background())
	},
}
