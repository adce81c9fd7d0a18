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

// Config configures an index.
type Config struct {
	Embedder embed.Embedder
	// Notes returns the current notes.
	Notes func(context.Context) (*notes.Snapshot, error)
	// Folder is the folder that stores the vectors. It is created if missing; "" keeps
	// the vectors in memory. Vault is the path of the notes, which distinguishes their
	// vectors from those of other vaults.
	Folder, Vault string
	// Log receives the progress of embedding and the failures in the background.
	Log *slog.Logger
}

// Index finds notes by meaning. It is safe for concurrent use.
type Index struct {
	Config
	load func() // reads the stored vectors, once
	stop context.CancelFunc
	done chan struct{} // closed when the background update has ended; nil before Start

	batch  int         // number of passages embedded per request; background only
	smooth int         // batches since the last error; background only
	failed map[key]int // number of times that a passage failed on its own; background only
	saved  int         // the version last saved; background only

	mu         sync.Mutex
	dimensions int // of all vectors; 0 while there are none
	vectors    map[key]embed.Vector
	version    int // incremented when vectors are added
	known      map[notes.ID]keyed
	table      *table // nil if it must be rebuilt
	failure    error  // error of the last attempt to embed notes; nil if it succeeded
}

// keyed is a note and the hashes of its passages.
type keyed struct {
	note *notes.Note
	keys []key
}

// New returns an index without vectors.
func New(c Config) *Index {
	x := &Index{Config: c, batch: maxBatch, failed: map[key]int{}, vectors: map[key]embed.Vector{}, known: map[notes.ID]keyed{}}
	x.load = sync.OnceFunc(x.read)
	return x
}

// LengthError reports that the embedder returns vectors of a new length, which cannot be
// compared with the existing ones. The model has probably changed.
type LengthError struct{ Got, Known int }

func (e *LengthError) Error() string {
	return fmt.Sprintf("the embedder sends vectors of %d numbers, and has sent some of %d: "+
		"where another model answers now, name it after a # in --notes-embedder", e.Got, e.Known)
}

// Search returns at most limit notes of s whose meaning is closest to query, sorted by
// descending score and then by id. It returns the error of the embedder or a
// [LengthError]. If no note has a vector because embedding failed in the background, it
// returns that failure.
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

// tableOf returns the table of a snapshot. It does not rehash unchanged notes.
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

// maxUnused is the number of unused vectors kept in addition to as many as are in use. A
// note that disappears briefly is then not embedded again.
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

// missing returns the passages of a snapshot that have no vector, without duplicates.
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

// add stores the vectors of passages.
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
