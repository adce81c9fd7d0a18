package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"unicode"

	"golang.org/x/sync/singleflight"

	"instruction-catalog/catalog/files"
)

// words is an embedder based on word vectors. The vector of a text is the weighted mean
// of the vectors of its words.
type words struct {
	path    string
	lexicon atomic.Pointer[lexicon] // nil until the files have been read
	reading singleflight.Group
}

// Identity implements [Embedder]. It changes when the files change.
func (w *words) Identity() string {
	identity := w.path
	names, _ := find(w.path) // Embed reports the error
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			identity += fmt.Sprintf(" %d %d", info.Size(), info.ModTime().UnixNano())
		}
	}
	return identity
}

// Embed implements [Embedder]. The first call starts reading the files. Reading
// continues even if ctx ends.
func (w *words) Embed(ctx context.Context, texts []string) ([]Vector, error) {
	l := w.lexicon.Load()
	if l == nil {
		select {
		case read := <-w.reading.DoChan("", w.read):
			if read.Err != nil {
				return nil, read.Err
			}
			l = read.Val.(*lexicon)
		case <-ctx.Done():
			return nil, fmt.Errorf("the word vectors are still being read: %w", context.Cause(ctx))
		}
	}
	vectors := make([]Vector, len(texts))
	for i, text := range texts {
		var err error
		if vectors[i], err = l.embed(text); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

func (w *words) read() (any, error) {
	l, err := readWords(w.path)
	if err != nil {
		return nil, fmt.Errorf("word vectors: %w", err)
	}
	w.lexicon.Store(l)
	return l, nil
}

// File names of the model2vec format.
const (
	modelFile     = "model.safetensors"
	tokenizerFile = "tokenizer.json"
)

// find returns the word vector files at path: the two model2vec files, or a single file
// in another format. If path is a folder without a model, find returns the largest .json,
// .txt or .vec file in it.
func find(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	folder := path
	if !info.IsDir() {
		folder = filepath.Dir(path)
	}
	model := filepath.Join(folder, modelFile)
	if _, err := os.Stat(model); err == nil && (info.IsDir() || path == model) {
		return []string{model, filepath.Join(folder, tokenizerFile)}, nil
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var found string
	var size int64
	for _, e := range entries {
		known := strings.Contains(".json .txt .vec", strings.ToLower(filepath.Ext(e.Name())))
		if info, err := e.Info(); err == nil && known && info.Mode().IsRegular() && info.Size() > size {
			found, size = filepath.Join(folder, e.Name()), info.Size()
		}
	}
	if found == "" {
		return nil, errors.New("the folder has no model.safetensors and no .json, .txt or .vec file: name one that has")
	}
	return []string{found}, nil
}

func readWords(path string) (*lexicon, error) {
	names, err := find(path)
	if err != nil {
		return nil, err
	}
	if len(names) == 2 {
		return readModel(names[0], names[1])
	}
	f, _, err := files.Open(names[0])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	parse := parseGloVe
	if strings.EqualFold(filepath.Ext(names[0]), ".json") {
		parse = parseJSON
	}
	l, err := parse(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", names[0], err)
	}
	return l, nil
}

// lexicon maps words to vectors.
type lexicon struct {
	dimensions int
	rows       map[string]int32
	numbers    []float32 // row by row
	// pieces splits words if the vectors belong to word pieces. It is nil if they belong
	// to whole words.
	pieces *wordPiece
}

// newLexicon returns an empty lexicon of whole words.
func newLexicon() *lexicon { return &lexicon{rows: map[string]int32{}} }

// add adds a word unless it is already known.
func (l *lexicon) add(word string, numbers []float64) error {
	if l.dimensions == 0 {
		l.dimensions = len(numbers)
	}
	if len(numbers) != l.dimensions || len(numbers) == 0 {
		return fmt.Errorf("the word %.40q has %d numbers, and others have %d", word, len(numbers), l.dimensions)
	}
	if _, known := l.rows[word]; known {
		return nil
	}
	l.rows[word] = int32(len(l.rows))
	for _, n := range numbers {
		if math.Abs(n) > math.MaxFloat32 {
			return fmt.Errorf("the word %.40q has the number %g, which is too large", word, n)
		}
		l.numbers = append(l.numbers, float32(n))
	}
	return nil
}

// complete returns l, or an error if err is not nil or l has no words.
func (l *lexicon) complete(err error) (*lexicon, error) {
	if err == nil && len(l.rows) == 0 {
		err = errors.New("there are no words with vectors in it")
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// embed returns the normalized weighted mean of the vectors of the words in text.
func (l *lexicon) embed(text string) (Vector, error) {
	sum := make([]float64, l.dimensions)
	for _, row := range l.tokens(text) {
		weight := l.weight(row)
		for i, n := range l.numbers[int(row)*l.dimensions:][:l.dimensions] {
			sum[i] += weight * float64(n)
		}
	}
	return newVector(sum)
}

// tokens returns the rows of the words or pieces of text. It skips those without a
// vector.
func (l *lexicon) tokens(text string) (rows []int32) {
	if l.pieces != nil {
		return l.pieces.tokens(text, l.rows)
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
		row, ok := l.rows[word]
		if !ok {
			row, ok = l.rows[strings.ToLower(word)]
		}
		if ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// A lexicon with at least manyWords words is assumed to come from a large corpus and to
// be sorted by frequency. rare is the parameter of the weighting: the frequency at which
// a word gets half the maximum weight.
const (
	manyWords = 10_000
	rare      = 1e-3
)

// weight returns the weight of a word, which falls as its frequency rises (Arora, Liang
// and Ma). The frequency is estimated from the word's rank by Zipf's law. Vectors of
// word pieces already include their weight.
func (l *lexicon) weight(row int32) float64 {
	if l.pieces != nil || len(l.rows) < manyWords {
		return 1
	}
	return rare / (rare + 1/(12*float64(row+1)))
}
