package worktree

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instruction-catalog/catalog/render"
)

var sequences = flag.Int("sequences", 0, "how many random sequences of renders, edits and kills are tried (default 200 with CATALOG_TEST_LONG, else 10)")

// TestRandomSequences edits a catalog and the files rendered from it, renders, and
// kills some renders midway. No edit of a person may be lost. After a last undisturbed
// render, all files that nobody edited must match the catalog.
func TestRandomSequences(t *testing.T) {
	t.Parallel()
	n := *sequences
	switch {
	case n == 0 && os.Getenv("CATALOG_TEST_LONG") != "":
		n = 200
	case n == 0:
		n = 10
	}
	for seed := range n {
		s := sequence{repo: newRepo(t, nil), random: rand.New(rand.NewPCG(1, uint64(seed))), entries: map[string]string{}, edits: map[string]bool{}}
		for range 12 {
			s.step()
		}
		s.settle()
		if t.Failed() {
			t.Fatalf("of the sequence %d", seed)
		}
		if os.RemoveAll(s.dir) != nil || os.RemoveAll(s.state) != nil {
			t.Fatal("the folders cannot be removed")
		}
	}
}

// sequence is a repository that people edit, with a catalog that changes.
type sequence struct {
	*repo
	random  *rand.Rand
	entries map[string]string // of the catalog, by the path of their file
	edits   map[string]bool   // texts that a person wrote
	n       int
}

var sequencePaths = []string{".rules/a.md", ".rules/b.md", ".rules/sub/c.md", "AGENTS.md"}

func (s *sequence) path() string { return sequencePaths[s.random.IntN(len(sequencePaths))] }

func (s *sequence) due() (due []render.File) {
	for _, p := range sequencePaths {
		text, ok := s.entries[p]
		switch {
		case !ok:
		case p == "AGENTS.md":
			due = append([]render.File{region(p, text)}, due...)
		default:
			due = append(due, whole(p, text))
		}
	}
	return due
}

func (s *sequence) step() {
	s.n++
	switch p := s.path(); s.random.IntN(8) {
	case 0, 1:
		s.entries[p] = fmt.Sprintf("Entry %d.\n", s.n)
	case 2:
		delete(s.entries, p)
	case 3:
		s.edit(p)
	case 4:
		if err := os.Remove(filepath.Join(s.dir, p)); err == nil {
			s.forget()
		}
	case 5:
		s.kill()
	case 6:
		s.renderAll(func(r *Render) { r.Targets = []string{"t"} })
	default:
		s.renderAll()
	}
	s.check()
}

// edit adds a line that only a person can have written: outside the markers, between
// them, or anywhere in a whole file.
func (s *sequence) edit(p string) {
	mine := fmt.Sprintf("Mine %d.\n", s.n)
	text, _ := os.ReadFile(filepath.Join(s.dir, p))
	at := 0
	if lines := strings.SplitAfter(string(text), "\n"); s.random.IntN(2) == 0 {
		for _, line := range lines[:s.random.IntN(len(lines))] {
			at += len(line)
		}
	}
	s.put(p, string(text[:at])+mine+string(text[at:]))
	s.edits[mine] = true
}

// forget drops the edits in files that a person has removed.
func (s *sequence) forget() {
	all := s.all()
	for mine := range s.edits {
		if !strings.Contains(all, mine) {
			delete(s.edits, mine)
		}
	}
}

func (s *sequence) all() string {
	var all strings.Builder
	for _, text := range s.texts() {
		all.WriteString(text)
	}
	return all.String()
}

func (s *sequence) check() {
	all := s.all()
	for mine := range s.edits {
		if !strings.Contains(all, mine) {
			s.Errorf("the edit %q is lost", mine)
		}
	}
}

func (s *sequence) renderAll(change ...func(*Render)) {
	if _, err := s.render(s.due(), change...); err != nil {
		s.Error(err)
	}
}

// kill stops a render after some of its files, before it writes the record.
func (s *sequence) kill() {
	ctx, cancel := context.WithCancel(s.Context())
	defer cancel()
	left := s.random.IntN(4)
	run := s.settings(s.due())
	run.Progress = func(int, int) {
		if left--; left < 0 {
			cancel()
		}
	}
	if left == 0 {
		cancel()
	}
	if _, err := run.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		s.Error(err)
	}
}

// settle renders until nothing changes, and forces the files that a person edited.
func (s *sequence) settle() {
	result, err := s.render(s.due())
	if err != nil {
		s.Fatal(err)
	}
	var left []string
	for _, f := range result.Files {
		if f.Action == LeftAlone {
			left = append(left, f.Path)
		}
	}
	if _, err := s.render(s.due(), func(r *Render) { r.Force = left }); err != nil {
		s.Fatal(err)
	}
	s.check()
	before := s.texts()
	for path, came := range s.mustRender(s.due()) {
		s.want(map[string]string{path: came}, path, "same none")
	}
	s.wantTexts(before)
}
