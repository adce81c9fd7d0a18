// Sync keeps a folder in step with a catalog: a file ID.md with the body of each
// entry, until its standard input ends.
//
//	sync FOLDER catalog serve --dir CATALOG
package main

import (
	"cmp"
	"encoding/json"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

type message struct { // an answer, to a list or a diff, or a notification
	ID     int
	Method string
	Error  json.RawMessage
	Result struct {
		Revision              string
		Items, Added, Updated []struct{ ID, Body string }
		Removed               []string
		Resync                bool
	}
}

type client struct {
	folder string
	in     *json.Encoder
	out    *json.Decoder
	news   bool // whether the catalog has changed since we last asked
}

func main() {
	server := exec.Command(os.Args[2], os.Args[3:]...)
	server.Stderr = os.Stderr
	in, noIn := server.StdinPipe()
	out, noOut := server.StdoutPipe()
	check(cmp.Or(noIn, noOut, os.MkdirAll(os.Args[1], 0o777), server.Start()))
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		in.Close() // then the server ends, and we do
	}()
	c := &client{folder: os.Args[1], in: json.NewEncoder(in), out: json.NewDecoder(out), news: true}
	for c.call("instructions/subscribe", nil); ; c.sync() {
		for ; !c.news; c.read() {
		}
		c.news = false
	}
}

// read reads a message, and ends the program where there are no more.
func (c *client) read() (m message) {
	if c.out.Decode(&m) != nil {
		os.Exit(0)
	}
	c.news = c.news || m.Method == "instructions/changed"
	return m
}

func (c *client) call(method string, params map[string]any) (m message) {
	_ = c.in.Encode(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}) // else no answer comes
	for m = c.read(); m.ID != 1; m = c.read() {
	}
	if m.Error != nil {
		log.Fatalf("sync: %s: %s", method, m.Error)
	}
	return m
}

// sync asks what has changed since the revision that the folder has.
func (c *client) sync() {
	revision, fields := filepath.Join(c.folder, ".revision"), []string{"body"}
	since, _ := os.ReadFile(revision) // where there is none, the server does not know it, either
	m := c.call("instructions/diff", map[string]any{"since": cmp.Or(string(since), "none"), "fields": fields})
	if m.Result.Resync {
		log.Print("sync: everything is listed")
		old, _ := filepath.Glob(filepath.Join(c.folder, "*.md")) // a pattern that is one
		for _, path := range old {
			check(os.Remove(path))
		}
		m = c.call("instructions/list", map[string]any{"fields": fields, "revision": true})
	}
	for _, e := range append(append(m.Result.Items, m.Result.Added...), m.Result.Updated...) {
		check(os.WriteFile(filepath.Join(c.folder, e.ID+".md"), []byte(e.Body), 0o666))
	}
	for _, id := range m.Result.Removed {
		check(os.RemoveAll(filepath.Join(c.folder, id+".md")))
	}
	check(os.WriteFile(revision, []byte(m.Result.Revision), 0o666)) // when the folder is whole
}

func check(err error) {
	if err != nil {
		log.Fatal("sync: ", err)
	}
}
