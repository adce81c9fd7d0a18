package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"instruction-catalog/catalog/files"
	"instruction-catalog/docs"
	"instruction-catalog/governance/review"
)

// maxCriteria is how large a criteria file may be, in bytes.
const maxCriteria = 1 << 20

// criteriaFile is the file with the criteria in force, as it was last read.
type criteriaFile struct {
	mu       sync.Mutex
	path     string // "" for the criteria that are built in
	identity files.Identity
	read     bool
	criteria *review.Criteria
	err      error
}

// criteriaInForce returns the criteria. It reads them at its first call and only
// then, as most methods need none, and anew where the file has changed. Criteria that
// are broken are an error until they are mended.
func (a *app) criteriaInForce() (*review.Criteria, error) {
	c := &a.inForce
	c.mu.Lock()
	defer c.mu.Unlock()
	if path := a.criteriaPath(); !c.read || path != c.path || !c.isCurrent() {
		c.path, c.read = path, true
		c.criteria, c.err = c.load()
	}
	return c.criteria, c.err
}

// methodCriteria returns the criteria for the method prompt/review. Those of a file
// see no text as it is rendered, as the specification of the method knows no such thing.
func (a *app) methodCriteria() (*review.Criteria, error) {
	criteria, err := a.criteriaInForce()
	if err == nil && a.criteriaPath() != "" {
		criteria = criteria.Unrendered()
	}
	return criteria, err
}

// isCurrent reports whether the file has not changed since it was read.
func (c *criteriaFile) isCurrent() bool {
	if c.path == "" {
		return true
	}
	info, err := os.Stat(c.path)
	return err == nil && c.identity.Same(files.IdentityOf(info, time.Now()))
}

func (c *criteriaFile) load() (*review.Criteria, error) {
	if c.path == "" {
		return review.ParseTested(docs.PromptCriteria)
	}
	f, err := files.Read(c.path, maxCriteria)
	c.identity = f.Identity
	switch {
	case errors.Is(err, files.ErrNotRegular):
		return nil, fmt.Errorf("%s: this is no regular file: put a file with criteria here, or name another with --criteria", c.path)
	case errors.Is(err, files.ErrTooLarge):
		return nil, fmt.Errorf("%s: the file has more than %d bytes: make it smaller, or name another with --criteria", c.path, maxCriteria)
	case err != nil:
		return nil, fmt.Errorf("read the criteria for prompts: %s: %w", c.path, files.Cause(err))
	}
	parse := review.Parse
	if bytes.Equal(f.Data, docs.PromptCriteria) {
		parse = review.ParseTested
	}
	criteria, err := parse(f.Data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.path, err)
	}
	return criteria, nil
}

// checkCriteria is for a server that is certain or likely to review prompts. The
// built-in criteria, and a file that holds the same, are known to be in order and not
// taken apart before the first review. Those that nobody named, and that came with
// the working folder, are named in the log: whoever wrote them decides what a review
// finds.
func (a *app) checkCriteria() error {
	path := a.criteriaPath()
	if path == "" {
		return nil
	}
	if a.criteria == "" {
		a.logger().Info("prompts are reviewed by the criteria of the folder", "file", path)
	}
	if f, err := files.Read(path, maxCriteria); err == nil && bytes.Equal(f.Data, docs.PromptCriteria) {
		return nil
	}
	_, err := a.criteriaInForce()
	return err
}

// criteriaPath is the criteria file that was named, else that of the project
// in the working directory, or in the folder above in which the catalog was
// found, else "".
func (a *app) criteriaPath() string {
	if a.criteria != "" {
		return a.criteria
	}
	path := filepath.Join(a.above.project, "docs", "PROMPT-CRITERIA.json")
	// A link that leads nowhere is there: the project wants other criteria
	// than the built-in ones.
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return ""
	}
	return path
}
