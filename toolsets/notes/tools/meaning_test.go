package tools_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/tools/txtar"

	"instruction-catalog/catalog/search/embed"
	"instruction-catalog/catalog/search/vectors"
	"instruction-catalog/toolsets/notes"
	"instruction-catalog/toolsets/notes/sample"
	"instruction-catalog/toolsets/notes/vault"
)

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
}

// TestMeaning checks that questions find notes without common words. CATALOG_TEST_WORDS
// can name English word vectors to use in place of the synonym table.
func TestMeaning(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/meaning.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	questions := strings.Split(strings.TrimSpace(files["questions"]), "\n")
	var embedder embed.Embedder = sample.NewEmbedder(files["synonyms"])
	wanted := len(questions)
	if path := os.Getenv("CATALOG_TEST_WORDS"); path != "" {
		if embedder, err = embed.Open(path, ""); err != nil {
			t.Fatal(err)
		}
		wanted = 12
	}
	v := vault.New(vaultOf(t, files), slog.New(slog.DiscardHandler))
	defer v.Close()
	index := vectors.New(vectors.Config{Embedder: embedder, Documents: v.Documents, Name: "notes", Log: slog.New(slog.DiscardHandler)})
	for err = index.Refresh(t.Context()); err != nil; err = index.Refresh(t.Context()) {
		if !errors.Is(err, context.DeadlineExceeded) { // reading a large file takes time
			t.Fatal(err)
		}
	}
	s, err := v.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	first := 0
	for _, line := range questions {
		id, question, _ := strings.Cut(line, ": ")
		note := wordsOf(files[id])
		if shared := slices.DeleteFunc(wordsOf(question), func(w string) bool { return !slices.Contains(note, w) }); len(shared) > 0 || len(note) == 0 {
			t.Errorf("%q shares %q with %s", question, shared, id)
		}
		matches, err := index.Search(t.Context(), s.Documents(), question, 3)
		if err != nil {
			t.Fatal(err)
		}
		found := func(i int) notes.ID { return s.Notes()[matches[i].Position].ID }
		if string(found(0)) == id {
			first++
			continue
		}
		t.Logf("%q finds %s (%.2f), %s (%.2f), %s (%.2f), and not %s", question, found(0), matches[0].Score,
			found(1), matches[1].Score, found(2), matches[2].Score, id)
	}
	t.Logf("%d of %d questions find their note first", first, len(questions))
	if first < wanted {
		t.Errorf("that should be %d", wanted)
	}
}
