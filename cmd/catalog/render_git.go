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
// has the text at a path, ignoring differences in line endings. The function returns
// false if git fails. Its first call lists the commit's files with git.
func committedIn(repository string) func(ctx context.Context, path string, text []byte) bool {
	var once sync.Once
	var blobs map[string]string
	return func(ctx context.Context, path string, text []byte) bool {
		once.Do(func() { blobs = committedBlobs(ctx, repository) })
		id := blobs[path]
		return id != "" && (id == blobID(text, len(id)) || id == blobID(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), len(id)))
	}
}

// committedBlobs maps the paths of the files in the last commit to their blob ids. It
// returns nil if git fails.
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

// committedBase returns a function that returns the newest version of a file that
// matches, from the history of any branch of a repository. The function returns nil if
// no version matches or git fails.
func committedBase(repository string) func(ctx context.Context, path string, matches func([]byte) bool) []byte {
	return func(ctx context.Context, path string, matches func([]byte) bool) []byte {
		if checkRepository(ctx, repository) != nil {
			return nil
		}
		list, err := git(ctx, repository, "", "--literal-pathspecs", "log", "--all", "-m", "--raw", "--no-abbrev", "--no-renames", "--format=", "--max-count="+maxVersions, "--", path)
		if err != nil {
			return nil
		}
		seen := map[string]bool{}
		for line := range strings.Lines(list) { // :MODE MODE ID ID STATUS PATH
			fields := strings.Fields(line)
			if !strings.HasPrefix(line, ":") || len(fields) < 4 || seen[fields[3]] {
				continue
			}
			seen[fields[3]] = true
			if text, err := git(ctx, repository, "", "cat-file", "blob", fields[3]); err == nil && matches([]byte(text)) {
				return []byte(text)
			}
		}
		return nil
	}
}

// haveSameRoot reports whether the histories of two repositories begin with the same
// commits, as those of clones do.
func haveSameRoot(ctx context.Context, a, b string) bool {
	root := func(folder string) string {
		if checkRepository(ctx, folder) != nil {
			return ""
		}
		commits, _ := git(ctx, folder, "", "rev-list", "--max-parents=0", "HEAD") // "" without a history
		return commits
	}
	first := root(a)
	return first != "" && first == root(b)
}

// maxVersions is the maximum number of commits that [committedBase] searches.
const maxVersions = "1000"

// blobID returns git's object id for a file's content. It uses SHA-256 if digits is the
// length of such a hash, otherwise SHA-1.
func blobID(text []byte, digits int) string {
	var h hash.Hash = sha1.New()
	if digits == sha256.Size*2 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(text))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}
