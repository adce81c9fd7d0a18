package writing

import (
	"bytes"
	"context"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"instruction-catalog/catalog/files"
)

// session is the part of [files.Session] that this package uses.
type session interface {
	Root() *os.Root
	Read(name string) ([]byte, error)
	Create(name string, text []byte) error
	Edit(name string, edit func([]byte) ([]byte, error)) error
	Apply(ctx context.Context, c files.Change) error
	Delete(name string, check func([]byte) error) error
	Keep(name string, text []byte) (string, error)
	Kept() []string
	Close() error
}

// Effect is the effect of a change on one file. Lines are the numbers, from 1, of the
// existing lines that would change. A created or deleted file has none.
type Effect struct {
	ID    string `json:"id"`
	Lines []int  `json:"lines"`
}

// rehearsal is a session that records changes instead of writing them.
type rehearsal struct {
	root  *os.Root
	texts map[string]*rehearsed // by the new name of the file
}

// rehearsed is a file before and after the changes.
type rehearsed struct {
	name          string // current name, or the future name of a new file
	before, after []byte
}

func newRehearsal(folder string) (*rehearsal, error) {
	root, err := os.OpenRoot(folder)
	return &rehearsal{root, map[string]*rehearsed{}}, err
}

func (r *rehearsal) Root() *os.Root { return r.root }

func (r *rehearsal) Close() error { return r.root.Close() }

func (r *rehearsal) Kept() []string { return nil }

func (r *rehearsal) Keep(string, []byte) (string, error) { return "", nil }

func (r *rehearsal) Read(name string) ([]byte, error) {
	if f := r.texts[name]; f != nil {
		return f.after, nil
	}
	f, err := files.ReadIn(r.root, name, math.MaxInt32)
	return f.Data, err
}

func (r *rehearsal) Create(name string, text []byte) error {
	if _, err := r.root.Lstat(name); err == nil {
		return fs.ErrExist
	}
	r.texts[name] = &rehearsed{name: name, after: text}
	return nil
}

func (r *rehearsal) Edit(name string, edit func([]byte) ([]byte, error)) error {
	return r.edit(name, name, edit)
}

func (r *rehearsal) edit(name, to string, edit func([]byte) ([]byte, error)) error {
	text, err := r.Read(name)
	if err != nil {
		return err
	}
	after, err := edit(text)
	if err != nil || name == to && bytes.Equal(text, after) {
		return err
	}
	f := r.texts[name]
	if f == nil {
		f = &rehearsed{name: name, before: text}
	}
	delete(r.texts, name)
	f.after = after
	r.texts[to] = f
	return nil
}

func (r *rehearsal) Apply(_ context.Context, c files.Change) error {
	for _, e := range c.Edits {
		to := e.Name
		if e.To != "" {
			to = e.To
		}
		if err := r.edit(e.Name, to, func(text []byte) ([]byte, error) { return rewrite(text, e.Do) }); err != nil {
			return err
		}
	}
	return nil
}

func (r *rehearsal) Delete(name string, check func([]byte) error) error {
	text, err := r.Read(name)
	if err == nil {
		err = check(text)
	}
	if err == nil {
		r.texts[name] = &rehearsed{name: name}
	}
	return err
}

// effects returns the recorded changes, sorted by id.
func (r *rehearsal) effects() []Effect {
	all := []Effect{}
	for _, f := range r.texts {
		e := Effect{ID: f.name, Lines: []int{}}
		if f.before != nil {
			e.Lines = changedLines(string(f.before), string(f.after))
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Effect) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// changedLines returns the numbers of the lines of before that differ in after, ignoring
// the common beginning and end. If lines are only added, it returns the line before
// them.
func changedLines(before, after string) []int {
	old, now := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	start := 0
	for start < min(len(old), len(now)) && old[start] == now[start] {
		start++
	}
	end := 0
	for end < min(len(old), len(now))-start && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	old, now = old[:len(old)-end], now[:len(now)-end]
	lines := []int{}
	for i := start; i < len(old); i++ {
		if len(old) != len(now) || old[i] != now[i] {
			lines = append(lines, i+1)
		}
	}
	if len(lines) == 0 && len(now) > start {
		lines = append(lines, max(1, start))
	}
	return lines
}
