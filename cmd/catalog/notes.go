package main

import (
	"errors"
	"fmt"
	"strings"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes/tools"
	"instruction-catalog/toolsets/notes/vault"
	"instruction-catalog/toolsets/notes/writing"
)

// notesToolset is the row of the notes of a vault.
var notesToolset = optionalToolset{
	name: "notes",
	flags: []toolsetFlag{
		{name: "notes", env: "CATALOG_NOTES", usage: "answer from the vault of Markdown notes in this `folder`", rebase: rebaseNotes},
		{name: "notes-read-only", env: "CATALOG_NOTES_READ_ONLY", fallback: "false", usage: "offer no tool that changes notes", boolean: true},
		{name: "notes-links", env: "CATALOG_NOTES_LINKS", fallback: "rewrite",
			usage: "what a new title does with the links to a note: `rewrite` them, or reject the title"},
	},
	open: openNotes,
}

func openNotes(c toolsetConfig) (rpc.Toolset, error) {
	dir := c.value("notes")
	if strings.ContainsRune(dir, 0) {
		return rpc.Toolset{}, errors.New("this names no folder: give the name of the folder with the notes")
	}
	links := c.value("notes-links")
	if links != "rewrite" && links != "reject" {
		return rpc.Toolset{}, fmt.Errorf("--notes-links %s: give rewrite or reject", links)
	}
	v := vault.New(dir, c.log)
	config := tools.Config{Vault: v, Log: c.log}
	if c.value("notes-read-only") != "true" {
		config.Writer = &writing.Writer{Folder: dir, Vault: v, RejectLinks: links == "reject"}
	}
	return tools.New(config), nil
}

func rebaseNotes(dir string, pathOf func(string) (string, error)) (string, error) { return pathOf(dir) }
