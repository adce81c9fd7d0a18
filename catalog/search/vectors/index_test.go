package vectors_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"instruction-catalog/catalog/search/embed"
	"instruction-catalog/catalog/search/vectors"
)

// fake is an embedder whose vectors come from a function.
type fake struct {
	vector   func(text string) (embed.Vector, error)
	atOnce   int // maximum number of texts per call; 0 for no limit
	embedded []string
}

func (f *fake) Identity() string { return "fake" }

func (f *fake) Embed(_ context.Context, texts []string) ([]embed.Vector, error) {
	if f.atOnce > 0 && len(texts) > f.atOnce {
		return nil, errors.New("that is too much")
	}
	all := make([]embed.Vector, len(texts))
	for i, text := range texts {
		var err error
		if all[i], err = f.vector(text); err != nil {
			return nil, err
		}
	}
	f.embedded = append(f.embedded, texts...)
	return all, nil
}

// letters returns a vector that counts the first letters of the alphabet.
func letters(text string) (embed.Vector, error) {
	v, squares := make(embed.Vector, 8), 0.0
	for i := range v {
		v[i] = float32(strings.Count(text, string(rune('a'+i))))
		squares += float64(v[i] * v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(max(1, squares)))
	}
	return v, nil
}

// text is a document.
type text struct{ heading, content string }

func (t text) Text() (heading, content string) { return t.heading, t.content }

// texts are documents. A pointer to them identifies them.
type texts []text

func (t *texts) Len() int                  { return len(*t) }
func (t *texts) At(i int) vectors.Document { return (*t)[i] }

// vault holds documents that a test changes.
type vault struct {
	documents *texts
	names     []string
}

// set sets the documents by their names. The first line of a text is its heading if it
// begins with "# ", else the name is.
func (v *vault) set(files map[string]string) {
	v.documents, v.names = &texts{}, slices.Sorted(maps.Keys(files))
	for _, name := range v.names {
		heading := strings.TrimSuffix(name, ".md")
		if rest, ok := strings.CutPrefix(files[name], "# "); ok {
			heading, _, _ = strings.Cut(rest, "\n")
		}
		*v.documents = append(*v.documents, text{heading, files[name]})
	}
}

func (v *vault) current(context.Context) (vectors.Documents, error) { return v.documents, nil }

func newIndex(e embed.Embedder, v *vault, folder string) (*vectors.Index, *bytes.Buffer) {
	log := &bytes.Buffer{}
	return vectors.New(vectors.Config{Embedder: e, Documents: v.current, Name: "texts", Flag: "--embedder", Folder: folder, Path: "/vault", Log: slog.New(slog.NewTextHandler(log, nil))}), log
}

func refresh(t testing.TB, x *vectors.Index) {
	t.Helper()
	if err := x.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func ids(t testing.TB, x *vectors.Index, v *vault, query string, limit int) string {
	t.Helper()
	matches, err := x.Search(context.Background(), v.documents, query, limit)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range matches {
		found = append(found, v.names[m.Position])
	}
	return strings.Join(found, " ")
}

// TestSearchIsExact compares the results and their order with a brute-force search.
func TestSearchIsExact(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	files, texts := map[string]string{}, []string{}
	for i := range 500 {
		texts = append(texts, strings.Repeat(string(rune('a'+random.IntN(10))), 1+random.IntN(3))+string(rune('a'+random.IntN(10))))
		files[fmt.Sprintf("%03d.md", i)] = texts[i]
	}
	v := &vault{}
	v.set(files)
	x, _ := newIndex(&fake{vector: func(text string) (embed.Vector, error) {
		_, text, _ = strings.Cut(text, "\n\n") // the title contains only digits
		return letters(text)
	}}, v, "")
	refresh(t, x)
	for _, query := range []string{"\n\nab", "\n\nccd", "\n\nz", "\n\nhgf"} {
		wanted, _ := letters(query)
		type hit struct {
			id    string
			score float32
		}
		var hits []hit
		for i, text := range texts {
			score, other := 0.0, must(letters(text))
			for k := range other {
				score += float64(other[k]) * float64(wanted[k])
			}
			hits = append(hits, hit{fmt.Sprintf("%03d.md", i), float32(min(max(score, 0), 1))})
		}
		slices.SortStableFunc(hits, func(a, b hit) int {
			if math.Abs(float64(a.score-b.score)) < 1e-5 {
				return 0
			}
			return cmp.Compare(b.score, a.score)
		})
		matches, err := x.Search(t.Context(), v.documents, query, 50)
		if err != nil || len(matches) != 50 {
			t.Fatalf("%d matches, %v", len(matches), err)
		}
		for i, m := range matches {
			if math.Abs(float64(m.Score-hits[i].score)) > 1e-5 || m.Score < 0 || m.Score > 1 {
				t.Errorf("%q: match %d is %s %g, want %v", query, i, v.names[m.Position], m.Score, hits[i])
			}
			if i > 0 && m.Score == matches[i-1].Score && m.Position < matches[i-1].Position {
				t.Errorf("%q: %d comes after %d", query, m.Position, matches[i-1].Position)
			}
		}
	}
	if got := ids(t, x, v, "z", 3); got != "000.md 001.md 002.md" {
		t.Errorf("what is like nothing finds %s", got)
	}
}

func must(v embed.Vector, err error) embed.Vector {
	if err != nil {
		panic(err)
	}
	return v
}

// TestScoreIsNotNegative checks that a negative cosine yields a score of 0.
func TestScoreIsNotNegative(t *testing.T) {
	t.Parallel()
	v := &vault{}
	v.set(map[string]string{"x.md": "", "y.md": ""})
	x, _ := newIndex(&fake{vector: func(text string) (embed.Vector, error) {
		if text == "query" {
			return embed.Vector{-1}, nil
		}
		return embed.Vector{1.0000001}, nil
	}}, v, "")
	refresh(t, x)
	matches, err := x.Search(t.Context(), v.documents, "query", 9)
	if err != nil || len(matches) != 2 || matches[0].Score != 0 || matches[0].Position != 0 {
		t.Errorf("%v, %v", matches, err)
	}
	if matches, err = x.Search(t.Context(), v.documents, "other", 1); err != nil || matches[0].Score != 1 {
		t.Errorf("%v, %v", matches, err)
	}
}

// TestOnlyWhatChangedIsEmbedded checks that a long note is found by its end, and that
// unchanged passages, moved notes and notes that were gone for a while are not embedded
// again.
func TestOnlyWhatChangedIsEmbedded(t *testing.T) {
	t.Parallel()
	long := ""
	for i := range 200 {
		long += fmt.Sprintf("Some words of part %d of a text that goes on.\n\n", i)
	}
	long += strings.Repeat("hhhh ", 20)
	v, f := &vault{}, &fake{vector: letters}
	v.set(map[string]string{"long.md": long, "other.md": "# hello\n\nfedcba"})
	x, _ := newIndex(f, v, "")
	refresh(t, x)
	for _, text := range f.embedded {
		if len(text) > 2048 || !strings.HasPrefix(text, "long\n") && !strings.HasPrefix(text, "hello\n") {
			t.Errorf("embedded are %d bytes, %.20q…", len(text), text)
		}
	}
	if got := ids(t, x, v, "h", 1); got != "long.md" || len(f.embedded) < 5 {
		t.Errorf("found %s, %d texts embedded", got, len(f.embedded))
	}
	steps := []struct {
		files map[string]string
		texts int
	}{
		{map[string]string{"long.md": long + "x", "other.md": "# hello\n\nfedcba"}, 1},
		{map[string]string{"long.md": long + "x", "sub/moved.md": "# hello\n\nfedcba"}, 0},
		{map[string]string{}, 0},
		{map[string]string{"long.md": long}, 0},
		{map[string]string{"twin.md": "# hello\n\nfedcba", "other.md": "# hello\n\nfedcba"}, 0},
		{map[string]string{"twin.md": "# new\n\nfedcba", "other.md": "# new\n\nfedcba"}, 1},
	}
	for i, step := range steps {
		f.embedded = nil
		v.set(step.files)
		refresh(t, x)
		f.embedded = slices.DeleteFunc(f.embedded, func(text string) bool { return text == "query" })
		if len(f.embedded) != step.texts {
			t.Errorf("step %d: %d texts are embedded, want %d: %.100q", i, len(f.embedded), step.texts, f.embedded)
		}
		matches, err := x.Search(t.Context(), v.documents, "query", 50)
		if err != nil || len(matches) != len(step.files) {
			t.Errorf("step %d: %d matches: %v", i, len(matches), err)
		}
	}
}

// TestUnusedVectorsGo checks that the number of unused vectors is bounded.
func TestUnusedVectorsGo(t *testing.T) {
	t.Parallel()
	v, f, folder := &vault{}, &fake{vector: letters}, t.TempDir()
	x, _ := newIndex(f, v, folder)
	size := int64(0)
	for round := range 8 {
		files := map[string]string{}
		for i := range 400 {
			files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("a %d %d", round, i)
		}
		v.set(files)
		refresh(t, x)
		info, err := os.Stat(kept(t, folder))
		if err != nil {
			t.Fatal(err)
		}
		size = max(size, info.Size())
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others can read the vectors: %v", info.Mode())
		}
	}
	if most := int64(1900 * (32 + 4*8)); size > most || size < most/3 {
		t.Errorf("the vectors of 400 notes take up to %d bytes, at most %d are wanted", size, most)
	}
}

// kept returns the only file in a folder.
func kept(t *testing.T, folder string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("there are %q: %v", found, err)
	}
	return found[0]
}

// TestKeptVectors checks that vectors are loaded after a restart, and that a damaged
// file is logged and replaced.
func TestKeptVectors(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func([]byte) []byte{
		"as it was": nil,
		"empty":     func([]byte) []byte { return nil },
		"cut":       func(data []byte) []byte { return data[:len(data)-1] },
		"a bit":     func(data []byte) []byte { data[len(data)/2] ^= 4; return data },
		"longer":    func(data []byte) []byte { return append(data, 0) },
		"another":   func([]byte) []byte { return bytes.Repeat([]byte("text "), 100) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, folder := &vault{}, filepath.Join(t.TempDir(), "state", "notes")
			v.set(map[string]string{"a.md": "aaa", "b.md": "bbb"})
			x, _ := newIndex(&fake{vector: letters}, v, folder)
			refresh(t, x)
			file, texts := kept(t, folder), 0
			if change != nil {
				texts = 2
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, change(data), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for round := range 2 {
				f := &fake{vector: letters}
				x, log := newIndex(f, v, folder)
				refresh(t, x)
				if len(f.embedded) != texts || strings.Contains(log.String(), "is made anew") != (texts > 0) {
					t.Errorf("round %d: %d texts are embedded, want %d; the log:\n%s", round, len(f.embedded), texts, log)
				}
				if got := ids(t, x, v, "b", 1); got != "b.md" {
					t.Errorf("round %d: found %s", round, got)
				}
				texts = 0
			}
		})
	}
}

// TestNothingCanBeKept checks that search works even if vectors cannot be stored.
func TestNothingCanBeKept(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	v := &vault{}
	v.set(map[string]string{"a.md": "aaa", "b.md": "bbb"})
	x, log := newIndex(&fake{vector: letters}, v, file)
	refresh(t, x)
	if got := ids(t, x, v, "b", 1); got != "b.md" || !strings.Contains(log.String(), "cannot be kept") {
		t.Errorf("found %s; the log:\n%s", got, log)
	}
}

// TestRefusedNote checks that other notes are found even if the embedder accepts only
// few texts at once and rejects one of them.
func TestRefusedNote(t *testing.T) {
	t.Parallel()
	files := map[string]string{"bad.md": "poison", "b.md": "bbb"}
	for i := range 100 {
		files[fmt.Sprintf("n%02d.md", i)] = fmt.Sprint("a ", i)
	}
	v := &vault{}
	v.set(files)
	refuses := true
	f := &fake{atOnce: 10, vector: func(text string) (embed.Vector, error) {
		if refuses && strings.Contains(text, "poison") {
			return nil, errors.New("this I do not take")
		}
		return letters(text)
	}}
	x, _ := newIndex(f, v, "")
	for range 15 {
		_ = x.Refresh(t.Context())
	}
	matches, err := x.Search(t.Context(), v.documents, "b", 200)
	if err != nil || len(matches) != len(files)-1 || v.names[matches[0].Position] != "b.md" {
		t.Errorf("%d of %d are found: %v", len(matches), len(files), err)
	}
	refuses = false
	refresh(t, x)
	if matches, _ = x.Search(t.Context(), v.documents, "b", 200); len(matches) != len(files) {
		t.Errorf("afterwards %d of %d are found", len(matches), len(files))
	}
}

// TestAnotherLength checks that vectors of another length are an error and are not mixed
// with the others.
func TestAnotherLength(t *testing.T) {
	t.Parallel()
	v, f := &vault{}, &fake{vector: letters}
	v.set(map[string]string{"a.md": "aaa"})
	x, _ := newIndex(f, v, "")
	refresh(t, x)
	f.vector = func(string) (embed.Vector, error) { return embed.Vector{1}, nil }
	v.set(map[string]string{"a.md": "aaa", "b.md": "bbb"})
	if _, ok := errors.AsType[*vectors.LengthError](x.Refresh(t.Context())); !ok {
		t.Error("a note has a vector of another length")
	}
	if _, err := x.Search(t.Context(), v.documents, "a", 1); err == nil || !strings.Contains(err.Error(), "1 numbers, and has sent some of 8") {
		t.Errorf("a query has a vector of another length: %v", err)
	}
	f.vector = letters
	refresh(t, x)
	if got := ids(t, x, v, "b", 1); got != "b.md" {
		t.Errorf("afterwards it finds %s", got)
	}
}

// BenchmarkSearch measures comparing a query with 10,000 vectors of 384 dimensions,
// without the embedder.
func BenchmarkSearch(b *testing.B) {
	files := map[string]string{}
	for i := range 10_000 {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprint("text ", i)
	}
	v := &vault{}
	v.set(files)
	random := rand.New(rand.NewPCG(3, 4))
	x, _ := newIndex(&fake{vector: func(string) (embed.Vector, error) {
		vector := make(embed.Vector, 384)
		for i := range vector {
			vector[i] = float32(random.NormFloat64() / math.Sqrt(384))
		}
		return vector, nil
	}}, v, "")
	refresh(b, x)
	var took []time.Duration
	for b.Loop() {
		started := time.Now()
		if got := ids(b, x, v, "query", 10); len(got) == 0 {
			b.Fatal("nothing is found")
		}
		took = append(took, time.Since(started))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100])/1e6, "p95-ms")
}
