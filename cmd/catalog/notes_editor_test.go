package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// noteEditor saves notes of a vault like a program that knows nothing of the server: each
// time it adds a line to a note, and replaces the file or appends to it in place.
type noteEditor struct {
	t     *testing.T
	notes []string // paths
	stop  chan struct{}
	ended sync.WaitGroup
	saved int

	mu sync.Mutex // held while the editor saves
}

func newNoteEditor(t *testing.T, dir string, r *rand.Rand) *noteEditor {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no notes: %v", err)
	}
	e := &noteEditor{t: t, notes: all, stop: make(chan struct{})}
	e.ended.Go(func() {
		for {
			select {
			case <-e.stop:
				return
			case <-time.After(time.Duration(r.IntN(int(4 * time.Millisecond)))):
				e.save(r)
			}
		}
	})
	return e
}

// close stops the editor and returns how many lines it has saved.
func (e *noteEditor) close() int {
	close(e.stop)
	e.ended.Wait()
	return e.saved
}

func editedLine(i int) string { return fmt.Sprintf("\n(edited %d)\n", i) }

var editedLines = regexp.MustCompile(`\n\(edited \d+\)\n`)

// save adds a line to a note.
func (e *noteEditor) save(r *rand.Rand) {
	e.mu.Lock()
	defer e.mu.Unlock()
	name, save := e.notes[r.IntN(len(e.notes))], appendTo
	if r.IntN(2) == 0 {
		save = replace
	}
	if err := save(name, editedLine(e.saved)); err != nil {
		e.t.Error(err)
	}
	e.saved++
}

// isEdited reports whether the editor saves a note: it is not in a subfolder. Nobody
// renames such a note, because the editor would save it under its old name again.
func isEdited(id string) bool { return !strings.Contains(id, "/") }

func appendTo(name, line string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(line)
	return err
}

// replace renames a new file to the name of the note.
func replace(name, line string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	draft := filepath.Join(filepath.Dir(name), ".draft~")
	if err := os.WriteFile(draft, append(text, line...), 0o644); err != nil {
		return err
	}
	return os.Rename(draft, name)
}

// withoutEdits returns the oracle without the lines that an editor has added.
func (o *oracle) withoutEdits() *oracle {
	for _, n := range o.notes {
		for i, part := range n.parts {
			n.parts[i] = editedLines.ReplaceAllString(part, "")
		}
	}
	return o
}
