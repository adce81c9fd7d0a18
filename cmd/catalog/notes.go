package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"instruction-catalog/catalog/search/vectors"
	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes/tools"
	"instruction-catalog/toolsets/notes/vault"
	"instruction-catalog/toolsets/notes/writing"
)

// notesToolset is the toolset of the notes of a vault.
var notesToolset = toolsetRow{
	name: "notes",
	flags: []toolsetFlag{
		{name: "notes", env: "CATALOG_NOTES", usage: "answer from the vault of Markdown notes in this `folder`", rebase: rebaseNotes},
		{name: "notes-read-only", env: "CATALOG_NOTES_READ_ONLY", fallback: "false", usage: "offer no tool that changes notes", boolean: true},
		{name: "notes-links", env: "CATALOG_NOTES_LINKS", fallback: "rewrite",
			usage: "when a note with links to it gets a new title: `rewrite` the links, or reject the title"},
		{name: "notes-embedder", env: "CATALOG_NOTES_EMBEDDER", rebase: rebaseEmbedder,
			usage: "search notes by meaning with this `source` of vectors: http://…/v1#model, or the path of word vectors; " + embedderKey + " is the bearer token"},
	},
	open: openNotes,
}

func openNotes(c toolsetConfig) (rpc.Toolset, error) {
	dir := c.value("notes")
	if strings.ContainsRune(dir, 0) {
		return rpc.Toolset{}, errors.New("the folder is missing: give the name of the folder with the notes")
	}
	links := c.value("notes-links")
	if links != "rewrite" && links != "reject" {
		return rpc.Toolset{}, fmt.Errorf("--notes-links %s: give rewrite or reject", links)
	}
	v := vault.New(dir, c.log)
	config := tools.Config{Vault: v, Log: c.log}
	if c.value("notes-read-only") != "true" {
		state, err := plansOf(c, dir)
		if err != nil {
			return rpc.Toolset{}, err
		}
		config.Writer = &writing.Writer{Folder: dir, State: state, Vault: v, RejectLinks: links == "reject", Log: c.log}
	}
	if source := c.value("notes-embedder"); source != "" {
		index, err := openVectors(c, source, v)
		if err != nil {
			return rpc.Toolset{}, err
		}
		config.Vectors = index
	}
	return tools.New(config), nil
}

// plansOf returns the folder for the plans of changes. It must be outside the vault: a
// plan determines what is written to which file, so files that come with the vault must
// not be read as plans.
func plansOf(c toolsetConfig, vault string) (string, error) {
	const way = "set XDG_STATE_HOME or HOME to a folder elsewhere, or give --notes-read-only"
	state, err := c.state()
	if err != nil {
		return "", fmt.Errorf("notes cannot be changed, because changes are planned in the user's state folder (%w): %s", err, way)
	}
	folder := filepath.Join(state, "notes")
	inside, err := isBelow(folder, vault)
	if err == nil && inside {
		err = fmt.Errorf("notes cannot be changed, because the user's state folder, %s, is in the vault: %s", state, way)
	}
	return folder, err
}

// openVectors returns the embedding index of the notes. It is stored in the user's
// state folder if there is one.
func openVectors(c toolsetConfig, source string, v *vault.Vault) (*vectors.Index, error) {
	embedder, err := c.app.openEmbedder("notes-embedder", source)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(c.value("notes"))
	if err != nil {
		return nil, err
	}
	dir = resolved(dir)
	folder := ""
	if state, err := c.state(); err == nil {
		folder = filepath.Join(state, "notes")
	} else {
		c.log.Warn("the vectors of notes are not saved between runs", "error", err)
	}
	return vectors.New(vectors.Config{
		Embedder: embedder, Documents: v.Documents, Name: "notes", Flag: "--notes-embedder", Folder: folder, Path: dir, Log: c.log,
	}), nil
}

func rebaseNotes(dir string, pathOf func(string) (string, error)) (string, error) { return pathOf(dir) }
