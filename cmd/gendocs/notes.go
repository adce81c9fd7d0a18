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
	name:  "notes",
	title: "Notes",
	flags: "--notes DIR",
	about: `Tools with which an agent reads and writes a folder of Markdown notes, such as an Obsidian vault, and the graph that
their links make. Every file that ends in ` + "`.md`" + ` is a note, but for hidden ones and those in hidden folders; its ID is its path.
Folders that are links are not followed, and nothing leads out of the folder.

A ` + "`[[wikilink]]`" + ` leads to the note with that path, else that file name, else that file name with blanks and hyphens
exchanged, else that title; exactly, else whatever the case. Of several it is the one in the same folder, else the one
with the shortest path. A Markdown link counts where it is relative and ends in ` + "`.md`" + `. Links in code do not count, those in
quoted values of front matter do. A link to a file of another kind is neither a link nor broken.

Notes are read at the first call, and an edit made elsewhere is seen a second later at the latest. Reading changes no byte.
What is wrong with a note, such as a broken link, is told with the first answer about it, and again after it changed: in
` + "`_warnings`" + ` of a note, and with a list, over MCP, in ` + "`_meta`" + ` under ` + "`instruction-catalog/warnings`" + `. A note with more than 4 MiB, or with quotes and lists that are nested
too deeply, is not parsed: it has no links, and a warning says so. A rename goes on and names such notes.

A change is durable when it is answered, and leaves every byte as it is that it is not about: other front matter,
comments, line ends. A new title renames the file and rewrites the links to it, in the form that they have; if the server
is killed in the middle, the next one completes that. With ` + "`--notes-links reject`" + ` what would change a link is refused instead. What is
deleted moves to the folder ` + "`.trash`" + `. What a change needs while it is made is kept in the user's state folder, which must not
be in the vault; a folder ` + "`.catalog`" + ` in the vault, as older versions made, is ignored and may be deleted. With ` + "`--notes-read-only`" + ` there are no tools that change notes. Other programs may edit the notes at the
same time.

With ` + "`--notes-embedder SOURCE`" + ` there is one more tool, ` + "`search`" + `, that finds notes by what they mean. The source is a server
that speaks the OpenAI API of embeddings, such as Ollama, llama.cpp or LM Studio, ` + "`http://localhost:11434/v1#model`" + `, with the
key in ` + "`CATALOG_EMBEDDER_KEY`" + ` if it wants one; or the path of word vectors: a model2vec folder, GloVe text, or JSON. Notes are
embedded in the background, in passages, and kept in the user's state folder; a note may take up to 10 seconds until it is
found. While the embedder is down, ` + "`search`" + ` alone fails.`,
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
	mistakes: []mistake{
		{description: "The params are not right; the code is −32602:", line: request("notes/get_node", []byte(`{"id":"notes/node.md","depth":2}`))},
		{description: "The folder cannot be read, here because it is missing; −32003:", line: request("notes/get_hubs", []byte(`{}`)), nowhere: true},
		{description: "There is a note with the file name of that title; −32002:", line: request("notes/create_node", []byte(`{"title":"Node!","content":"","directory":"notes"}`))},
		{description: "There is no such note to update; −32001:", line: request("notes/update_node", []byte(`{"id":"notes/missing.md","title":"x"}`))},
		{description: "The note has changed since it was read; −32602:", line: request("notes/update_node", []byte(`{"id":"notes/node.md","tags":[],"ifHash":"0"}`))},
	},
}
