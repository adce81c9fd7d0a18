package vectors

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"instruction-catalog/toolsets/notes"
	"instruction-catalog/toolsets/notes/embed"
)

// Config is what an index is made of.
type Config struct {
	Embedder embed.Embedder
	// Notes returns the notes as they are.
	Notes func(context.Context) (*notes.Snapshot, error)
	// Folder is where the vectors are kept, and need not be there yet; "" keeps
	// them in memory. Vault is the path of the notes, which tells their vectors
	// from those of another vault.
	Folder, Vault string
	// Log is told how far the embedding is, and what fails in the background.
	Log *slog.Logger
}

// Index finds notes by what they mean. It may be used by any number of goroutines.
type Index struct {
	Config
	load func() // the vectors that were kept, once
	stop context.CancelFunc
	done chan struct{} // closed when nothing goes on in the background; nil before Start

	batch  int         // how many passages are embedded at once; of the background
	smooth int         // batches since the last error; of the background
	failed map[key]int // how often a passage failed alone; of the background
	saved  int         // the version that is kept; of the background

	mu         sync.Mutex
	dimensions int // of all vectors; 0 while there is none
	vectors    map[key]embed.Vector
	version    int // counts changes of vectors
	known      map[notes.ID]keyed
	table      *table // nil where it must be made anew
	failure    error  // why the last attempt to embed notes failed; nil if it did not
}

// keyed is the passages of a note, by their hashes.
type keyed struct {
	note *notes.Note
	keys []key
}

// New returns an index that has no vector yet.
func New(c Config) *Index {
	x := &Index{Config: c, batch: maxBatch, failed: map[key]int{}, vectors: map[key]embed.Vector{}, known: map[notes.ID]keyed{}}
	x.load = sync.OnceFunc(x.read)
	return x
}

// LengthError says that the embedder has changed: its vectors cannot be compared
// with those that it made before.
type LengthError struct{ Got, Known int }

func (e *LengthError) Error() string {
	return fmt.Sprintf("the embedder sends vectors of %d numbers, and has sent some of %d: "+
		"where another model answers now, name it after a # in --notes-embedder", e.Got, e.Known)
}

// Search returns the notes of a snapshot that mean what a query means, best first,
// then by id; at most limit. Its error is that of the embedder, or a [LengthError]. If no
// note has a vector because the embedder failed in the background, it returns that error.
func (x *Index) Search(ctx context.Context, s *notes.Snapshot, query string, limit int) ([]Match, error) {
	embedded, err := x.Embedder.Embed(ctx, []string{query})
	if err != nil {
		return nil, err
	}
	x.load()
	x.mu.Lock()
	t, failure := x.tableOf(s), x.failure
	x.mu.Unlock()
	if len(t.owners) == 0 && t.lacking > 0 && failure != nil {
		return nil, fmt.Errorf("no note is embedded: %w", failure)
	}
	if got := len(embedded[0]); t.dimensions != 0 && got != t.dimensions {
		return nil, &LengthError{got, t.dimensions}
	}
	if t.lacking > 0 {
		x.Log.Info("a search does not find what is not embedded yet", "passages", t.lacking)
	}
	return t.nearest(embedded[0], limit), nil
}

// tableOf returns the table of a snapshot. What has not changed is not hashed again.
func (x *Index) tableOf(s *notes.Snapshot) *table {
	if x.table != nil && x.table.snapshot == s {
		return x.table
	}
	t := &table{snapshot: s, dimensions: x.dimensions}
	known := make(map[notes.ID]keyed, len(s.Notes()))
	var rows []key
	for i, n := range s.Notes() {
		k := x.keysOf(n)
		known[n.ID] = k
		for _, passage := range k.keys {
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

// maxUnused is how many vectors are kept beyond as many as are in use, for a note
// that is back in a moment.
const maxUnused = 1000

// arrange returns a matrix with these rows first, in which all vectors are from
// then on.
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

func (x *Index) keysOf(n *notes.Note) keyed {
	if k, ok := x.known[n.ID]; ok && k.note == n {
		return k
	}
	k := keyed{note: n}
	for _, p := range passagesOf(n) {
		k.keys = append(k.keys, p.key)
	}
	return k
}

// missing returns the passages of a snapshot that have no vector, each once.
func (x *Index) missing(s *notes.Snapshot) []passage {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.tableOf(s)
	seen := map[key]bool{}
	lacks := func(k key) bool { return x.vectors[k] == nil && !seen[k] }
	var missing []passage
	for _, n := range s.Notes() {
		if !slices.ContainsFunc(x.known[n.ID].keys, lacks) {
			continue
		}
		for _, p := range passagesOf(n) {
			if lacks(p.key) {
				seen[p.key] = true
				missing = append(missing, p)
			}
		}
	}
	return missing
}

// add takes up vectors of passages.
func (x *Index) add(passages []passage, vectors []embed.Vector) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if got := len(vectors[0]); x.dimensions != 0 && got != x.dimensions {
		return &LengthError{got, x.dimensions}
	}
	x.dimensions = len(vectors[0])
	for i, p := range passages {
		x.vectors[p.key] = vectors[i]
	}
	x.version++
	x.table = nil
	return nil
}
