package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	repoconfig "instruction-catalog/catalog/config"
	"instruction-catalog/catalog/files"
)

// writeIdentity writes a random id for the catalog in dir into the configuration of its
// repository, and returns the path of that file. Usage counts are stored under the id.
// It returns an error if the configuration has an id, or fs.ErrExist if onlyNew is set
// and the file exists.
func writeIdentity(dir string, onlyNew bool) (string, error) {
	c, err := repoconfig.Find(dir)
	if err != nil {
		return "", err
	}
	name := filepath.Join(c.Top, filepath.FromSlash(repoconfig.Path))
	switch {
	case c.Exists && onlyNew:
		return name, fs.ErrExist
	case c.ID != "":
		return "", fmt.Errorf("%s already has the id %q", shownFrom(name), c.ID)
	}
	root, err := os.OpenRoot(c.Top)
	if err != nil {
		return "", err
	}
	defer root.Close()
	id := newIdentity()
	if !c.Exists {
		if err := root.MkdirAll(filepath.Dir(filepath.FromSlash(repoconfig.Path)), 0o777); err != nil {
			return "", err
		}
		return name, files.CreateNewIn(root, filepath.FromSlash(repoconfig.Path), []byte("{\n  \"id\": \""+id+"\"\n}\n"), 0o666)
	}
	f, err := files.ReadIn(root, filepath.FromSlash(repoconfig.Path), maxUserConfig)
	if err != nil {
		return "", err
	}
	return name, files.ReplaceIn(root, filepath.FromSlash(repoconfig.Path), withIdentity(f.Data, id), 0o666)
}

func newIdentity() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // Read never fails
	return hex.EncodeToString(random[:])
}

// withIdentity returns a JSON object with the id added as its first member.
func withIdentity(object []byte, id string) []byte {
	before, rest, _ := bytes.Cut(object, []byte("{"))
	member := `"id": "` + id + `"`
	switch next := bytes.TrimLeft(rest, " \t\r\n"); {
	case next[0] == '}':
	case bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r"), []byte("\n")):
		member = "\n  " + member + ","
	default:
		member += ", "
	}
	return bytes.Join([][]byte{before, []byte("{"), []byte(member), rest}, nil)
}

// addIdentity implements "init --identity".
func (a *app) addIdentity() error {
	before, keptBefore := a.usageFile()
	name, err := writeIdentity(a.dir, false)
	if err != nil {
		return err
	}
	if keptBefore == nil {
		if err := a.moveUses(before); err != nil {
			return fmt.Errorf("wrote %s, but the counts of use cannot be moved: %w", shownFrom(name), err)
		}
	}
	return a.report(map[string][]string{"wrote": {shownFrom(name)}}, "wrote %s", shownFrom(name))
}

// moveUses moves the usage counts from before, the file named by the catalog's path, to
// the file named by its id.
func (a *app) moveUses(before string) error {
	after, err := a.usageFile()
	if err == nil {
		err = os.Rename(before, after)
	}
	if errors.Is(err, fs.ErrNotExist) { // nothing was counted
		return nil
	}
	return err
}

// startConfig writes a configuration with an id for a new catalog, unless the
// repository has one. It returns the path of the file, or "" if it wrote none.
func startConfig(dir string) (string, error) {
	name, err := writeIdentity(dir, true)
	if errors.Is(err, fs.ErrExist) {
		return "", nil
	}
	return shownFrom(name), err
}
