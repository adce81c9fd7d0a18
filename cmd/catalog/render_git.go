package main

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
	"sync"
)

// committedIn returns a function that reports whether the last commit of a repository
// has the text at a path, ignoring differences in line ends. It returns false if git
// fails. The first call lists the commit with git.
func committedIn(repository string) func(ctx context.Context, path string, text []byte) bool {
	var once sync.Once
	var blobs map[string]string
	return func(ctx context.Context, path string, text []byte) bool {
		once.Do(func() { blobs = committedBlobs(ctx, repository) })
		id := blobs[path]
		return id != "" && (id == blobID(text, len(id)) || id == blobID(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), len(id)))
	}
}

// committedBlobs returns the ids of the files in the last commit by path, or nil if git
// fails.
func committedBlobs(ctx context.Context, repository string) map[string]string {
	if checkRepository(ctx, repository) != nil {
		return nil
	}
	list, err := git(ctx, repository, "", "ls-tree", "-r", "-z", "HEAD")
	if err != nil {
		return nil
	}
	blobs := map[string]string{}
	for _, line := range fileNames(list) {
		if about, path, ok := strings.Cut(line, "\t"); ok {
			blobs[path] = about[strings.LastIndexByte(about, ' ')+1:]
		}
	}
	return blobs
}

// blobID returns the id that git gives to a file's content, with SHA-256 if it has that
// many digits, otherwise with SHA-1.
func blobID(text []byte, digits int) string {
	var h hash.Hash = sha1.New()
	if digits == sha256.Size*2 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(text))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}
