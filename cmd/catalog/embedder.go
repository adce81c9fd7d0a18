package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"instruction-catalog/catalog/search/embed"
	"instruction-catalog/catalog/search/vectors"
)

// embedderKey is the environment variable with the embedder's bearer token. It is not a
// flag because flags are visible in the list of processes.
const embedderKey = "CATALOG_EMBEDDER_KEY"

// embedderFlag is the flag that makes ranked search of instructions compare meaning.
var embedderFlag = toolsetFlag{
	name: "embedder", env: "CATALOG_EMBEDDER", rebase: rebaseEmbedder,
	usage: "let ranked search also compare meaning, with this `source` of vectors: http://…/v1#model, or the path of word vectors; " + embedderKey + " is the bearer token",
}

// openEmbedder returns the embedder for the value of a flag. It neither connects nor
// reads a file.
func (a *app) openEmbedder(flag, source string) (embed.Embedder, error) {
	embedder, err := embed.Open(source, a.env(embedderKey))
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	return embedder, nil
}

// meaning returns the configuration of ranked search by meaning, or nil if source is "".
// Vectors are stored in the user's state folder if there is one.
func (a *app) meaning(source string) (*vectors.Config, error) {
	if source == "" {
		return nil, nil
	}
	embedder, err := a.openEmbedder(embedderFlag.name, source)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(a.dir)
	if err != nil {
		return nil, err
	}
	config := &vectors.Config{Embedder: embedder, Flag: "--" + embedderFlag.name, Path: resolved(dir), Log: a.logger()}
	if file, err := a.stateFileOf("instructions", "", ""); err == nil {
		config.Folder = file
	} else {
		config.Log.Warn("the vectors of instructions are not kept from one start to the next", "error", err)
	}
	return config, nil
}

// rebaseEmbedder converts a path with pathOf and leaves a URL unchanged.
func rebaseEmbedder(source string, pathOf func(string) (string, error)) (string, error) {
	if strings.Contains(source, "://") {
		return source, nil
	}
	return pathOf(source)
}
