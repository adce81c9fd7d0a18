package vectors

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"instruction-catalog/catalog/search/embed"
)

// Config configures an index.
type Config struct {
	Embedder embed.Embedder
	// Documents returns the current documents, or nil if there are none yet.
	Documents func(context.Context) (Documents, error)
	// Name is the plural noun for the documents, for the log and errors. Flag is the flag
	// that names the embedder, for errors.
	Name, Flag string
	// Folder is the folder in which the vectors are stored. It is created if missing; ""
	// keeps the vectors in memory only. Path is the location of the documents; it
	// distinguishes their vectors from those of other documents.
	Folder, Path string
	// Log receives the progress of embedding and the failures in the background.
	Log *slog.Logger
}

// Documents is an immutable and comparable sequence of documents. Equal sequences have
// equal documents.
type Documents interface {
	Len() int
	At(i int) Document
}

// Document is a document to find. It is comparable, and equal documents have equal texts.
type Document interface {
	// Text returns the heading that each passage of the document begins with, and the
	// content.
	Text() (heading, content string)
}

// Index finds documents by meaning. It is safe for concurrent use.
type Index struct {
	Config
	load func() // reads the stored vectors, once
	stop context.CancelFunc
	done chan struct{} // closed when the background update has ended; nil before Start

	batch  int         // number of passages embedded per request; background only
	smooth int         // batches since the last error; background only
	failed map[key]int // number of times that a passage failed when embedded alone; background only
	saved  int         // the version last saved; background only

	mu         sync.Mutex
	dimensions int // of all vectors; 0 while there are none
	vectors    map[key]embed.Vector
	version    int                // incremented when vectors are added
	known      map[Document][]key // hashes of the passages of each document
	table      *table             // nil if it must be rebuilt
	failure    error              // error of the last attempt to embed documents; nil if it succeeded
}

// New returns an index without vectors.
func New(c Config) *Index {
	x := &Index{Config: c, batch: maxBatch, failed: map[key]int{}, vectors: map[key]embed.Vector{}, known: map[Document][]key{}}
	x.load = sync.OnceFunc(x.read)
	return x
}

// LengthError reports that the embedder returns vectors with a different number of
// dimensions, which cannot be compared with the existing ones. The model has probably
// changed.
type LengthError struct {
	Got, Known int
	flag       string
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("the embedder sends vectors of %d numbers, and has sent some of %d: "+
		"where another model answers now, name it after a # in %s", e.Got, e.Known, e.flag)
}

// Search returns the documents whose meaning is closest to query, at most limit, sorted by
// descending score and then by position. It returns the error of the embedder or a
// [LengthError]. If no document has a vector because embedding failed in the background,
// it returns that failure.
func (x *Index) Search(ctx context.Context, documents Documents, query string, limit int) ([]Match, error) {
	embedded, err := x.Embedder.Embed(ctx, []string{query})
	if err != nil {
		return nil, err
	}
	x.load()
	x.mu.Lock()
	t, failure := x.tableOf(documents), x.failure
	x.mu.Unlock()
	if len(t.owners) == 0 && t.lacking > 0 && failure != nil {
		return nil, fmt.Errorf("no %s are embedded: %w", x.Name, failure)
	}
	if got := len(embedded[0]); t.dimensions != 0 && got != t.dimensions {
		return nil, &LengthError{got, t.dimensions, x.Flag}
	}
	if t.lacking > 0 {
		x.Log.Info("a search does not find what is not embedded yet", "passages", t.lacking)
	}
	return t.nearest(embedded[0], limit), nil
}

// Empty reports whether none of the documents has a vector.
func (x *Index) Empty(documents Documents) bool {
	x.load()
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.tableOf(documents).owners) == 0
}

// tableOf returns the table of the documents. It does not rehash known documents.
func (x *Index) tableOf(documents Documents) *table {
	if x.table != nil && x.table.documents == documents {
		return x.table
	}
	t := &table{documents: documents, dimensions: x.dimensions}
	known := make(map[Document][]key, documents.Len())
	var rows []key
	for i := range documents.Len() {
		d := documents.At(i)
		known[d] = x.keysOf(d)
		for _, passage := range known[d] {
			if _, ok := x.vectors[passage]; ok {
				rows, t.owners = append(rows, passage), append(t.owners, int32(i))
			} else {
				t.lacking++
			}
		}
	}
	t.matrix = x.arrange(rows)
	x.known, x.table = known, t
	return t
}

// maxUnused is by how much the unused vectors may outnumber those in use before all unused
// ones are dropped. A document that disappears briefly is thus not embedded again.
const maxUnused = 1000

// arrange returns a matrix that begins with the given rows, and moves all kept vectors
// into it.
func (x *Index) arrange(rows []key) []float32 {
	used := make(map[key]bool, len(rows))
	for _, k := range rows {
		used[k] = true
	}
	if unused := len(x.vectors) - len(used); unused <= len(used)+maxUnused {
		for k := range x.vectors {
			if !used[k] {
				rows = append(rows, k)
			}
		}
	}
	matrix, vectors := make([]float32, len(rows)*x.dimensions), make(map[key]embed.Vector, len(rows))
	for i, k := range rows {
		row := matrix[i*x.dimensions:][:x.dimensions:x.dimensions]
		copy(row, x.vectors[k])
		vectors[k] = row
	}
	x.vectors = vectors
	return matrix
}

func (x *Index) keysOf(d Document) []key {
	if keys, ok := x.known[d]; ok {
		return keys
	}
	var keys []key
	for _, p := range passagesOf(d) {
		keys = append(keys, p.key)
	}
	return keys
}

// missing returns the documents' passages that have no vector, without duplicates.
func (x *Index) missing(documents Documents) []passage {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.tableOf(documents)
	seen := map[key]bool{}
	lacks := func(k key) bool { return x.vectors[k] == nil && !seen[k] }
	var missing []passage
	for i := range documents.Len() {
		d := documents.At(i)
		if !slices.ContainsFunc(x.known[d], lacks) {
			continue
		}
		for _, p := range passagesOf(d) {
			if lacks(p.key) {
				seen[p.key] = true
				missing = append(missing, p)
			}
		}
	}
	return missing
}

// add stores the vectors of passages.
func (x *Index) add(passages []passage, vectors []embed.Vector) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if got := len(vectors[0]); x.dimensions != 0 && got != x.dimensions {
		return &LengthError{got, x.dimensions, x.Flag}
	}
	x.dimensions = len(vectors[0])
	for i, p := range passages {
		x.vectors[p.key] = vectors[i]
	}
	x.version++
	x.table = nil
	return nil
}
