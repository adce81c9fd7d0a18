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

// writeIdentity gives the catalog in dir an id, under which its counts of use are kept, in
// the configuration of its repository. It returns the path of that file. A file that has
// an id is an error, and so is any file if only a new one may be written.
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
		return "", fmt.Errorf("%s has the id %q already", shownFrom(name), c.ID)
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
	_, _ = rand.Read(random[:]) // which never fails
	return hex.EncodeToString(random[:])
}

// withIdentity returns a JSON object with an id as its first member.
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

// addIdentity is init --identity.
func (a *app) addIdentity() error {
	name, err := writeIdentity(a.dir, false)
	if err != nil {
		return err
	}
	return a.report(map[string][]string{"wrote": {shownFrom(name)}}, "wrote %s", shownFrom(name))
}

// startConfig writes a configuration with an id for a new catalog, unless there is one. It
// returns the path of the file, "" if it wrote none.
func startConfig(dir string) (string, error) {
	name, err := writeIdentity(dir, true)
	if errors.Is(err, fs.ErrExist) {
		return "", nil
	}
	return shownFrom(name), err
}
