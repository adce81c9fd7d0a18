package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// writer is whoever edits the catalog.
type writer struct {
	dir     string
	random  *rand.Rand
	entries map[string]string // bodies by id, as they are when each file is whole
	files   map[string]string // contents by name
	half    []string          // ids whose files are not whole
}

func (w *writer) path(id string) string { return filepath.Join(w.dir, id+".md") }

// edit makes one change.
func (w *writer) edit() error {
	if w.files == nil {
		w.files = map[string]string{}
		if err := os.MkdirAll(w.dir, 0o777); err != nil {
			return err
		}
	}
	if len(w.half) > 0 && w.random.IntN(2) == 0 {
		return w.complete()
	}
	id, old := w.anyID(), w.anEntry()
	switch kind := w.random.IntN(10); {
	case kind == 0 && old != "":
		return w.remove(old)
	case kind == 1 && old != "":
		return w.rename(old, id)
	case kind < 4:
		return w.writeHalf(id)
	case kind < 6:
		return w.replace(id)
	}
	return os.WriteFile(w.path(id), []byte(w.content(id)), 0o666)
}

// anyID is the id of an entry that may be there.
func (w *writer) anyID() string { return fmt.Sprint("entry-", w.random.IntN(60)) }

// anEntry is the id of an entry that is there, "" where there is none.
func (w *writer) anEntry() string {
	ids := slices.Sorted(maps.Keys(w.entries))
	if len(ids) == 0 {
		return ""
	}
	return ids[w.random.IntN(len(ids))]
}

// content makes up what a file holds: another body, or another priority of it.
func (w *writer) content(id string) string {
	body, ok := w.entries[id]
	if !ok || w.random.IntN(4) > 0 {
		body = fmt.Sprintf("# Title %d\n\n%s\n", w.random.IntN(1000), strings.Repeat("Text – ", w.random.IntN(2000)))
	}
	head := ""
	if w.random.IntN(2) == 0 {
		head = fmt.Sprintf("---\npriority: %d\n---\n", 1+w.random.IntN(100))
	}
	w.entries[id], w.files[id] = body, head+body
	w.half = slices.DeleteFunc(w.half, func(other string) bool { return other == id })
	return head + body
}

func (w *writer) remove(id string) error {
	w.forget(id)
	return os.Remove(w.path(id))
}

func (w *writer) forget(id string) {
	delete(w.entries, id)
	delete(w.files, id)
	w.half = slices.DeleteFunc(w.half, func(other string) bool { return other == id })
}

// rename gives an entry another id, whether it is free or not.
func (w *writer) rename(from, to string) error {
	if from == to || slices.Contains(w.half, from) {
		return nil
	}
	body, file := w.entries[from], w.files[from]
	w.forget(from)
	w.forget(to)
	w.entries[to], w.files[to] = body, file
	return os.Rename(w.path(from), w.path(to))
}

// writeHalf writes a part of a file, as it is seen while somebody writes it.
func (w *writer) writeHalf(id string) error {
	content := w.content(id)
	w.half = append(w.half, id)
	return os.WriteFile(w.path(id), []byte(content[:w.random.IntN(len(content))]), 0o666)
}

// complete writes a file that is not whole.
func (w *writer) complete() error {
	id := w.half[0]
	w.half = w.half[1:]
	return os.WriteFile(w.path(id), []byte(w.files[id]), 0o666)
}

// replace writes a file as careful editors do.
func (w *writer) replace(id string) error {
	fresh := w.path(id) + "~"
	if err := os.WriteFile(fresh, []byte(w.content(id)), 0o666); err != nil {
		return err
	}
	return os.Rename(fresh, w.path(id))
}

// finish writes all files that are not whole.
func (w *writer) finish() error {
	for len(w.half) > 0 {
		if err := w.complete(); err != nil {
			return err
		}
	}
	return nil
}

// untouched is an error where somebody else has changed the catalog.
func (w *writer) untouched() error {
	return same(w.dir, w.files)
}

// same is an error where a folder has not exactly these files, by id.
func same(dir string, files map[string]string) error {
	members, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := 0
	for _, m := range members {
		if m.Name() == ".revision" {
			continue
		}
		found++
		id := strings.TrimSuffix(m.Name(), ".md")
		want, ok := files[id]
		content, err := os.ReadFile(filepath.Join(dir, m.Name()))
		switch {
		case !ok:
			return fmt.Errorf("%s is in %s and should not be", m.Name(), dir)
		case err != nil:
			return err
		case string(content) != want:
			return fmt.Errorf("%s in %s has %d bytes that should be %d others", m.Name(), dir, len(content), len(want))
		}
	}
	if found != len(files) {
		return fmt.Errorf("%s has %d files and should have %d", dir, found, len(files))
	}
	return nil
}
