package main

import (
	"errors"
	"strings"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes/tools"
	"instruction-catalog/toolsets/notes/vault"
)

// notesToolset is the row of the notes of a vault.
var notesToolset = optionalToolset{
	name: "notes",
	flags: []toolsetFlag{
		{name: "notes", env: "CATALOG_NOTES", usage: "answer from the vault of Markdown notes in this `folder`", rebase: rebaseNotes},
	},
	open: openNotes,
}

func openNotes(c toolsetConfig) (rpc.Toolset, error) {
	dir := c.value("notes")
	if strings.ContainsRune(dir, 0) {
		return rpc.Toolset{}, errors.New("this names no folder: give the name of the folder with the notes")
	}
	return tools.New(tools.Config{Vault: vault.New(dir, c.log), Log: c.log}), nil
}

func rebaseNotes(dir string, pathOf func(string) (string, error)) (string, error) { return pathOf(dir) }
