package embed

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
)

// Vector is the direction in which the meaning of a text lies. Its length is 1,
// or 0 for a text that means nothing to the embedder.
type Vector []float32

// Embedder makes vectors. It may be used by any number of goroutines.
type Embedder interface {
	// Identity names what makes the vectors: with the same one, the same text has
	// the same vector.
	Identity() string
	// Embed returns a vector for each text, all with the same number of
	// dimensions, which is at least 1. After an error the same call may work later.
	Embed(ctx context.Context, texts []string) ([]Vector, error)
}

// Open returns the embedder at a source: the base URL of a server, such as
// http://localhost:11434/v1#model, with the key as its bearer token unless that is
// "", or the path of word vectors: a folder in the form of model2vec, text as GloVe
// has it, or JSON.
func Open(source, key string) (Embedder, error) {
	if strings.Contains(source, "://") {
		return newServer(source, key)
	}
	path, err := filepath.Abs(source)
	if err != nil {
		return nil, err
	}
	return &words{path: path}, nil
}

// newVector returns the direction of some numbers.
func newVector(numbers []float64) (Vector, error) {
	length := 0.0
	for _, n := range numbers {
		length = math.Hypot(length, n)
	}
	if len(numbers) == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		return nil, errors.New("a vector has no numbers, or some that are not finite")
	}
	v := make(Vector, len(numbers))
	if length > 0 {
		for i, n := range numbers {
			v[i] = float32(n / length)
		}
	}
	return v, nil
}
