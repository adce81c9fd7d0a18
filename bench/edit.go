package bench

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// edit is a file of a generated catalog that is changed, and put back in the end.
type edit struct {
	path   string
	entry  string // id of the entry that changes
	before []byte // what the file has before that entry
	was    []byte // the entry as it was generated
}

// edits returns so many files to change, or one line of a bundle. None has the entry
// with [RareTerm], so that what a search for it finds stays the same.
func (c *corpus) edits(n int) ([]*edit, error) {
	if c.form.name == Bundle {
		e, err := c.editLine()
		return []*edit{e}, err
	}
	var all []*edit
	for _, file := range c.files {
		if len(all) == n {
			break
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read a generated file: %w", err)
		}
		e := &edit{path: file, was: data}
		if err := e.identify(); err != nil {
			return nil, err
		}
		if e.entry != c.truth.rare {
			all = append(all, e)
		}
	}
	return all, nil
}

// editLine is the edit of the last line of a bundle.
func (c *corpus) editLine() (*edit, error) {
	data, err := os.ReadFile(c.path)
	if err != nil {
		return nil, fmt.Errorf("read a generated file: %w", err)
	}
	start := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
	e := &edit{path: c.path, before: data[:start], was: data[start:]}
	return e, e.identify()
}

func (e *edit) identify() error {
	if e.markdown() {
		folder, name := path.Split(filepath.ToSlash(e.path))
		e.entry = path.Base(folder) + "-" + strings.TrimSuffix(name, ".md")
		return nil
	}
	var d document
	err := json.Unmarshal(e.was, &d)
	e.entry = d.ID
	return err
}

func (e *edit) markdown() bool { return path.Ext(e.path) == ".md" }

// write gives the entry another body, a different one for each round.
func (e *edit) write(round int) error {
	more := fmt.Sprintf("\n\nEdit %d.\n", round)
	if e.markdown() {
		return e.put(append(bytes.Clone(e.was), more...))
	}
	var d document
	if err := json.Unmarshal(e.was, &d); err != nil {
		return err
	}
	d.Body += more
	sum := sha256.Sum256([]byte(d.Body))
	d.SourceHash = hex.EncodeToString(sum[:])
	if e.before != nil {
		return e.put(d.line())
	}
	return e.put(d.json())
}

// put writes the file with such an entry.
func (e *edit) put(entry []byte) error {
	file, err := os.Create(e.path)
	if err != nil {
		return err
	}
	defer file.Close()
	for _, part := range [][]byte{e.before, entry} {
		if _, err := file.Write(part); err != nil {
			return err
		}
	}
	return file.Close()
}

// restore puts the files back as they were generated.
func restore(edits []*edit) error {
	for _, e := range edits {
		if err := e.put(e.was); err != nil {
			return err
		}
	}
	return nil
}
